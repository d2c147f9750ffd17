#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the hook of initramfs-tools puts into the capture kernel's initramfs, and when the script in
# it seals, goes on or restarts.  Mounts, initramfs-tools and sysrq are played;
# tests/vm/packages/long/debian-luks.sh has the real ones.
# shellcheck disable=SC2086,SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

cd "$dir" || exit 99
mkdir bin

# played NAME: a program, from standard input
played() {
	{
		echo '#!/bin/sh'
		cat
	} >"bin/$1"
	chmod +x "bin/$1"
}

# A capture boot: a disk that waits for its passphrase, a place, recipients.
fresh() {
	rm -rf m && mkdir -p m/cryptroot m/etc m/by-uuid && : >m/vmcore && : >m/console && : >m/sysrq && : >m/mounted
	echo 'croot UUID=12 none luks,discard' >m/cryptroot/crypttab
	printf 'UUID=the-boot\nTYPE=ext4\nDIR=/epitaph\n' >m/etc/seal-place
	echo age1x >m/etc/recipients-0123
	: >m/etc/seal.conf
	ln -s /dev/loop0 m/by-uuid/the-boot
	echo 'root=/dev/mapper/croot ro' >m/cmdline
	echo 0 >m/status
	played mount <<-END
		echo "mount \$*" >>"$dir/m/done"
		exit \$(cat "$dir/m/no-mount" 2>/dev/null || echo 0)
	END
	played umount <<-END
		echo "umount \$*" >>"$dir/m/done"
	END
	played epitaph <<-END
		echo "epitaph \$*" >>"$dir/m/done"
		exit \$(cat "$dir/m/status")
	END
	played sleep <<-'END'
		exit 0
	END
}

# boots: the script, in that boot
boots() {
	# A block device is what a link of udev ends at; here any file will do.
	sed "s|/proc/vmcore|$dir/m/vmcore|; s|/proc/cmdline|$dir/m/cmdline|; s|/dev/console|$dir/m/console|
		s|echo \([sb]\) >/proc/sysrq-trigger|echo \1 >>$dir/m/sysrq|; s|/dev/disk/by-uuid|$dir/m/by-uuid|g
		s|\[ ! -b |[ ! -L |; s|/run/epitaph-seal|$dir/m/output|g; s|^point=.*|point=$dir/m/point|; s|>$dir/m/console|>>$dir/m/console|" \
		"$top/kdump-hooks/debian/init-premount" >script
	EPITAPH_ETC=$dir/m/etc EPITAPH_CRYPTROOT=$dir/m/cryptroot PATH=$dir/bin:$PATH sh script
	status=$?
	cat m/console m/done 2>/dev/null
	return $status
}

restarts() { [ "$(tr -d '\n' <m/sysrq)" = sb ]; }

nothing_is_done() { [ ! -e m/done ] && [ ! -s m/sysrq ] && [ ! -s m/console ]; }

it_seals_unmounts_and_restarts() {
	fresh && boots && [ "$(cat m/done)" = "mount -t ext4 -o rw,nosuid,nodev,noexec $dir/m/by-uuid/the-boot $dir/m/point
epitaph seal --conf $dir/m/etc/seal.conf --recipients $dir/m/etc/recipients-0123 -o $dir/m/point/epitaph
umount $dir/m/point" ] && restarts && grep 'the trace is sealed, in /epitaph of the file system the-boot' m/console
}

a_device_is_not_mounted() {
	fresh && echo "DEVICE=$dir/m/by-uuid/the-boot" >m/etc/seal-place && boots && [ "$(cat m/done)" = "epitaph seal --conf $dir/m/etc/seal.conf --recipients $dir/m/etc/recipients-0123 -o $dir/m/by-uuid/the-boot" ] &&
		restarts && grep "the trace is sealed, in $dir/m/by-uuid/the-boot; epitaph" m/console || return
	fresh && echo "DEVICE=$dir/m/by-uuid/missing" >m/etc/seal-place && is_not_sealed && [ ! -e m/done ] &&
		grep "ERROR no device $dir/m/by-uuid/missing" m/console
}

an_ordinary_boot_is_left_alone() {
	fresh && rm m/vmcore && boots && nothing_is_done
}

without_a_place_it_goes_on() {
	fresh && rm m/etc/seal-place && boots && nothing_is_done
}

# crypttab LINE: does a boot with that wait for a passphrase?
crypttab() {
	fresh && echo "$1" >m/cryptroot/crypttab && boots >answer && [ -s m/sysrq ]
}

disks_that_open_by_themselves_need_no_seal() {
	crypttab 'croot UUID=12 none luks' && crypttab 'croot UUID=12 - luks' && crypttab 'croot UUID=12 none luks,tpm2-device=auto' &&
		crypttab 'croot UUID=12 none luks,fido2-device=auto' && crypttab 'a UUID=1 /key luks
croot UUID=12 none' || return
	for line in 'croot UUID=12 /cryptroot/keyfiles/croot.key luks' 'croot UUID=12 none luks,keyscript=/x' '# croot UUID=12 none luks' ''; do
		! crypttab "$line" || { echo "waits: $line"; return 1; }
	done
}

who_set_a_limit_waits() {
	fresh && echo 'root=x epitaph.root_wait=600 ro' >m/cmdline && boots && [ ! -s m/sysrq ] && grep 'the trace is sealed' m/console
}

is_not_sealed() { boots && restarts && ! grep 'the trace is sealed' m/console; }

what_fails_is_said_and_it_restarts() {
	fresh && echo 3 >m/status && is_not_sealed && grep 'ERROR the trace is not sealed. It stays in memory' m/console && grep umount m/done || return
	fresh && echo 1 >m/no-mount && is_not_sealed && grep 'ERROR the file system the-boot (ext4) is not mounted' m/console && ! grep epitaph.seal m/done || return
	fresh && rm m/by-uuid/the-boot && is_not_sealed && grep 'ERROR no file system the-boot' m/console && ! grep mount m/done || return
	fresh && echo 4 >m/status && is_not_sealed && grep 'nothing of ours was recorded' m/console
}

# hook: with CONFDIR $1, for a machine whose plan is $plan and its status $plan_status
hook() {
	rm -rf tree made && mkdir tree && cat >functions <<-'END'
		copy_exec() { echo "copy $1 $2" >>made; }
		manual_add_modules() { echo "modules $*" >>made; }
		block_dev_mod_add() { echo "block $*" >>made; exit ${dep_status:-0}; }
		dep_add_modules_mount() { echo "dep $*" >>made; exit ${dep_status:-0}; }
	END
	printf '%s\n' "$plan" >plan
	played epitaph <<-END
		[ "\$*" = "seal --plan" ] && cat "$dir/plan" && exit ${plan_status:-0}
	END
	played age </dev/null
	echo 'age1x' >recipients
	sed "s|/usr/share/initramfs-tools/hook-functions|$dir/functions|; s|/usr/bin/epitaph|$dir/bin/epitaph|; s|/etc/epitaph/recipients |$dir/recipients |" \
		"$top/kdump-hooks/debian/hook" >script
	CONFDIR=$1 DESTDIR=$dir/tree PATH=$dir/bin:$PATH sh script 2>noise
	status=$?
	cat made noise 2>/dev/null
	return $status
}

the_initramfs_gets_what_seals() {
	plan='MOUNT=/boot
UUID=ab-12
TYPE=vfat
DIR=/epitaph
DIGEST=0123
QUOTA=1
RESERVE=2
HOST=web1
PLAN=4567' MODULES=dep && export MODULES
	hook /var/lib/kdump/initramfs-tools && [ "$(cat tree/etc/epitaph/seal-place)" = "UUID=ab-12
TYPE=vfat
DIR=/epitaph" ] && [ "$(cat tree/etc/epitaph/seal.conf)" = "QUOTA=1
RESERVE=2
HOST=web1" ] && cmp recipients tree/etc/epitaph/recipients-0123 && [ -f tree/etc/epitaph/seal-plan-4567 ] && grep "^copy $dir/bin/age /bin/age$" made &&
		grep "^copy $dir/bin/epitaph /bin/epitaph$" made && grep -x 'modules vfat' made && grep 'modules nls_' made && grep -x 'dep /boot' made &&
		[ ! -s noise ]
}

a_device_needs_its_modules_and_no_file_system() {
	plan='DEVICE=/dev/null
DIGEST=0123
QUOTA=1
RESERVE=0
HOST=web1
PLAN=4567' && MODULES=dep && hook /var/lib/kdump/initramfs-tools && [ "$(cat tree/etc/epitaph/seal-place)" = "DEVICE=/dev/null" ] &&
		[ "$(cat tree/etc/epitaph/seal.conf)" = "QUOTA=1
RESERVE=0
HOST=web1" ] && cmp recipients tree/etc/epitaph/recipients-0123 && grep -x 'block /dev/null' made && ! grep -E '^(modules|dep)' made && [ ! -s noise ] || return
	dep_status=1 && export dep_status && hook /var/lib/kdump/initramfs-tools && grep 'the modules of the disk of /dev/null are not known' noise
	status=$?
	unset dep_status
	return $status
}

a_disk_that_is_not_known_is_said() {
	dep_status=1 && export dep_status && hook /var/lib/kdump/initramfs-tools && grep 'the modules of the disk of /boot are not known' noise
	status=$?
	unset dep_status
	return $status
}

other_initramfs_get_nothing() {
	hook /etc/initramfs-tools && [ ! -e made ] && [ -z "$(ls tree)" ]
}

a_machine_that_seals_nothing_gets_nothing() {
	plan='epitaph seal: a capture kernel has nothing to seal' plan_status=4 && hook /var/lib/kdump/initramfs-tools && [ ! -e made ] && [ ! -s noise ] &&
		plan='epitaph seal: age is not installed' && plan_status=3 && hook /var/lib/kdump/initramfs-tools && [ ! -e made ] &&
		grep 'this capture kernel seals no trace: epitaph seal: age is not installed' noise
}

# waits PLACE VMCORE: $took s, and what the vmcore's other hooks have left, "" if they have all
waits() {
	rm -rf run && mkdir run
	began=$(date +%s)
	PLACE=$1 EPITAPH_RUN=run EPITAPH_VMCORE=$2 sh "$top/systemd/wait-for-place" || return
	took=$(($(date +%s) - began))
	left=$(cat run/epitaph-capture-left 2>/dev/null) || left=
}

a_device_that_comes_late_is_awaited() {
	waits /dev/loop0 "$dir" && [ $took -le 3 ] && [ -z "$left" ] &&
		waits /var/lib/epitaph/sealed "$dir" && [ $took -le 3 ] && waits '' "$dir" && [ $took -le 3 ] || return
	rm -f /dev/shm/epitaph-late
	(sleep 3; ln -s /dev/loop0 /dev/shm/epitaph-late) &
	waits /dev/shm/epitaph-late "$dir"
	status=$?
	wait
	rm -f /dev/shm/epitaph-late
	[ $status = 0 ] && [ $took -ge 2 ] && [ $took -le 12 ] && [ "$left" -ge 38 ] && [ "$left" -le 48 ]
}

one_that_never_comes_is_given_up() {
	waits /dev/shm/epitaph-none "$dir" && [ $took -ge 14 ] && [ $took -le 40 ] && [ "$left" -ge 30 ] && [ "$left" -le 36 ] &&
		waits /dev/shm/epitaph-none "$dir/none" && [ -z "$left" ]
}

for claim in it_seals_unmounts_and_restarts a_device_is_not_mounted an_ordinary_boot_is_left_alone without_a_place_it_goes_on \
	disks_that_open_by_themselves_need_no_seal who_set_a_limit_waits what_fails_is_said_and_it_restarts \
	the_initramfs_gets_what_seals a_disk_that_is_not_known_is_said a_device_needs_its_modules_and_no_file_system other_initramfs_get_nothing \
	a_machine_that_seals_nothing_gets_nothing a_device_that_comes_late_is_awaited one_that_never_comes_is_given_up; do
	ok $claim $claim
done
finish
