#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# When the script in the capture kernel's initramfs saves before udev, what it loads for that, and how
# it and the boot keep out of each other's way.  Devices, mounts and modprobe are played;
# tests/vm/kdump/long/panic-to-durable.sh has the real ones.
# shellcheck disable=SC2086,SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

cd "$dir" || exit 99
mkdir bin few
# No other checker of file systems than the one that is played.
for name in sh cat grep mkdir sleep; do
	ln -s "$(command -v $name)" few/
done

# played NAME: a program, from standard input
played() {
	{
		echo '#!/bin/sh'
		cat
	} >"bin/$1"
	chmod +x "bin/$1"
}

# device NAME CLASS ALIAS
device() {
	mkdir -p "m/sys/bus/pci/devices/$1"
	echo "$2" >"m/sys/bus/pci/devices/$1/class"
	echo "$3" >"m/sys/bus/pci/devices/$1/modalias"
}

# A capture boot with a disk, whose root file system is on a partition.
fresh() {
	rm -rf m && mkdir -p m/scripts m/root/sbin m/root/usr/lib/epitaph m/run/epitaph-early m/sys/bus/virtio/devices/virtio0 m/sys/bus/scsi/devices/0:0:0:0 m/sys/bus/scsi/devices/1:0:0:0
	: >m/vmcore && : >m/console
	device 0000:00:01.0 0x010601 pci:v0001-ahci
	device 0000:00:02.0 0x030000 pci:v0002-graphics
	device 0000:00:03.0 0x010000 pci:v0003-virtio
	echo virtio:d00000002v00001AF4 >m/sys/bus/virtio/devices/virtio0/modalias
	echo scsi:t-0x00 >m/sys/bus/scsi/devices/0:0:0:0/modalias
	echo scsi:t-0x05 >m/sys/bus/scsi/devices/1:0:0:0/modalias
	echo "252 0 100 vda" >m/partitions
	echo UUID=ab-12 >m/names
	echo ext4 >m/type
	echo 0 >m/fsck
	for name in modprobe mount umount; do
		played $name <<-END
			echo "$name \$*" >>"$dir/m/done"
		END
	done
	played blkid <<-END
		case "\$*" in
		*' -t '*) grep -qxF "\$5" "$dir/m/names" && echo "$dir/m/disk" ;;
		*)
			[ ! -e "$dir/m/race" ] || mkdir "$dir/m/early/claim"
			cat "$dir/m/type"
			;;
		esac
	END
	for name in fsck chroot; do
		played $name <<-END
			echo "$name \$*" >>"$dir/m/done"
			exit \$(cat "$dir/m/fsck")
		END
	done
	cat >m/scripts/save <<-END
		#!/bin/sh
		echo "save \$1 of \$rootmnt" >>"$dir/m/done"
		[ ! -e "$dir/m/slow" ] || sleep 1
		echo saved >>"$dir/m/done"
	END
	chmod +x m/scripts/save
	echo '#!/bin/sh' >m/root/usr/lib/epitaph/capture
	cp m/root/usr/lib/epitaph/capture m/root/sbin/fsck.ext4
	chmod +x m/root/usr/lib/epitaph/capture m/root/sbin/fsck.ext4
	mkdir -p m/root/var/crash m/root/etc/default m/root/etc/systemd/system
	# kdump-config leaves it where it loads a capture kernel.
	: >m/root/var/crash/kexec_cmd
	echo "/dev/vda $dir/m/root ext4 rw 0 0" >m/mounts
	: >m/disk
	unset BOOT ROOTFLAGS fastboot
	ROOT=UUID=ab-12
	export ROOT
}

# script NAME ARGUMENT...: of the initramfs, in that boot; a disk is any file here.
script() {
	name=$1
	shift
	sed "s|/proc/vmcore|$dir/m/vmcore|; s|/proc/partitions|$dir/m/partitions|; s|/dev/console|$dir/m/console|
		s|/scripts/local-bottom/epitaph|$dir/m/scripts/save|; s|\[ -b |[ -f |; s|^most=.*|most=4|
		s|for script in [^;]*;|for script in $dir/m/multipath;|" "$top/kdump-hooks/debian/$name" >"script-$name"
	EPITAPH_SYS=$dir/m/sys EPITAPH_EARLY=$dir/m/early EPITAPH_CRYPTROOT=$dir/m PATH=$dir/bin:$dir/few sh "script-$name" "$@"
	status=$?
	cat m/done 2>/dev/null
	return $status
}

awaits() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		! "$@" || return 0
		sleep 0.2
	done
	return 1
}

# lets_go: as the boot does, before it mounts; what is left over ends.
lets_go() {
	script wait-for-save && awaits [ -e m/early/done ]
}

did() { grep -qx "$1" m/done; }

it_saves_and_leaves_nothing_mounted() {
	fresh && script save-before-udev && [ "$(cat m/done)" = "modprobe -abq pci:v0001-ahci pci:v0003-virtio
modprobe -bq virtio:d00000002v00001AF4
modprobe -bq scsi:t-0x00
fsck -a -T -t ext4 $dir/m/disk
mount -r -t ext4 $dir/m/disk $dir/m/early/root
save early of $dir/m/early/root
saved
umount $dir/m/early/root" ]
}

flags_of_the_root_are_kept() {
	fresh && ROOTFLAGS='-o data=journal' && export ROOTFLAGS && script save-before-udev &&
		did "mount -r -t ext4 -o data=journal $dir/m/disk $dir/m/early/root"
}

does_nothing() { script save-before-udev && [ ! -e m/done ] && [ ! -e m/early ]; }

what_is_not_plain_is_left_alone() {
	fresh && rm m/vmcore && does_nothing || return
	for root in '' /dev/sda1 /dev/mapper/vg-root /dev/md0 /dev/nfs tank/root; do
		echo "root $root"
		fresh && ROOT=$root && does_nothing || return
	done
	fresh && export BOOT=nfs && does_nothing || return
	fresh && echo 'croot UUID=1 none luks' >m/crypttab && does_nothing || return
	fresh && : >m/multipath && does_nothing
}

# is_left: to the boot, which then has it for itself
is_left() {
	script save-before-udev && ! did 'save early.*' && lets_go && ! did 'save early.*' && ! did 'mount.*'
}

what_is_not_known_is_left_to_udev() {
	fresh && echo UUID=other >m/names && is_left || return
	for type in linux_raid_member LVM2_member btrfs crypto_LUKS; do
		echo "type $type"
		fresh && echo $type >m/type && is_left || return
	done
}

what_is_not_sound_is_left_to_the_boot() {
	fresh && echo 4 >m/fsck && script save-before-udev && ! did 'mount.*' && ! did 'save.*' && lets_go || return
	fresh && echo 4 >m/fsck && export fastboot=y && script save-before-udev && did saved
}

a_disk_that_comes_later_is_found_beside_udev() {
	fresh && echo UUID=other >m/names && script save-before-udev && ! did saved || return
	echo UUID=ab-12 >m/names && echo "252 1 90 vda1" >>m/partitions
	awaits did saved
}

who_comes_a_moment_too_late_saves_nothing() {
	fresh && : >m/race && script save-before-udev && awaits [ -e m/early/done ] && ! did 'mount.*'
}

the_boot_waits_for_who_saves() {
	fresh && : >m/slow && script save-before-udev && did saved && script wait-for-save || return
	fresh && mkdir -p m/early/claim || return
	{
		sleep 0.5
		: >m/early/done
	} &
	script wait-for-save && [ -e m/early/done ]
}

without_the_script_the_boot_waits_for_nothing() {
	fresh && script wait-for-save && [ ! -e m/early ]
}

another_file_system_is_mounted_if_root_finds_it_sound() {
	rootmnt=$dir/m/root && export rootmnt
	fresh && script save-before-udev mount UUID=ab-12 /there && [ "$(cat m/done)" = "mount -o bind /dev $rootmnt/dev
chroot $rootmnt /sbin/fsck.ext4 -a $dir/m/disk
umount $rootmnt/dev
mount -t ext4 $dir/m/disk /there" ] || return
	for bad in 4 8 127; do
		fresh && echo $bad >m/fsck && ! script save-before-udev mount UUID=ab-12 /there && ! did 'mount -t.*' && did "umount $rootmnt/dev" || return
	done
	fresh && ! script save-before-udev mount /dev/mapper/var /there && ! did 'mount.*'
}

# klibc's chroot says so with status 1, which is that of a check that has mended something.
what_no_checker_is_there_for_is_not_sound() {
	rootmnt=$dir/m/root && export rootmnt
	fresh && rm m/root/sbin/fsck.ext4 && echo 1 >m/fsck && ! script save-before-udev mount UUID=ab-12 /there && ! did 'mount -t.*'
}

# local_bottom [early]: where the root file system is mounted
local_bottom() {
	sed "s|/proc/vmcore|$dir/m/vmcore|; s|/proc/mounts|$dir/m/mounts|; s|/dev/console|$dir/m/console|
		s|\([ =>]\)/run/|\1$dir/m/run/|g; s|/usr/lib/epitaph/save-before-udev|$dir/m/mount-elsewhere|" \
		"$top/kdump-hooks/debian/local-bottom" >script-local-bottom
	rootmnt=$dir/m/root PATH=$dir/bin:$PATH sh script-local-bottom "$@"
	cat m/console
	cat m/done 2>/dev/null || :
}

captures() { did "chroot $dir/m/root /usr/lib/epitaph/capture $1"; }

is_left_to_the_unit() {
	local_bottom && grep 'may be on another file system: saved when all is mounted' m/console && ! did 'chroot.*'
}

a_last_line_may_have_no_end() {
	fresh && printf '/dev/vda1 / ext4 defaults\n/dev/vda2 /var ext4 defaults' >m/root/etc/fstab && is_left_to_the_unit || return
	fresh && mkdir m/root/srv && : >m/root/srv/file && printf 'USE_KDUMP=1\nKDUMP_COREDIR=/srv/dumps' >m/root/etc/default/kdump-tools &&
		local_bottom && captures /srv/dumps
}

# unit FILE WHERE: a mount unit
unit() {
	mkdir -p "m/root/${1%/*}" && printf '[Unit]\nDescription=Where=/var\n[Mount]\nWhat=/dev/vda2\n%s' "$2" >"m/root/$1"
}

a_unit_may_mount_what_it_is_on() {
	for place in etc usr/lib lib; do
		fresh && unit $place/systemd/system/var.mount Where=/var && is_left_to_the_unit || return
	done
	fresh && unit etc/systemd/system/var-crash.mount 'Where = /var/crash/' && is_left_to_the_unit || return
	fresh && ln -s /srv/units/var.mount m/root/etc/systemd/system/var.mount && is_left_to_the_unit || return
	fresh && echo "/dev/vda2 /var ext4 defaults" >m/root/etc/fstab && unit etc/systemd/system/var-crash.mount Where=/var/crash &&
		: >m/mount-elsewhere && local_bottom early && ! did 'chroot.*'
}

what_is_mounted_beside_it_does_not_matter() {
	fresh && unit etc/systemd/system/var-log.mount Where=/var/log && unit lib/systemd/system/varnish.mount Where=/varnish &&
		ln -s /dev/null m/root/etc/systemd/system/var.mount && echo "/dev/vda2 /var/log ext4 defaults" >m/root/etc/fstab &&
		local_bottom && captures /var/crash || return
	fresh && unit etc/systemd/system/var-tmp.mount '' && local_bottom && captures /var/crash
}

# Whatever mounts it; and a link, which leads out of the root file system here.
an_empty_directory_may_be_a_mount_point() {
	fresh && rm -r m/root/var/crash && is_left_to_the_unit || return
	fresh && rm m/root/var/crash/kexec_cmd && is_left_to_the_unit || return
	fresh && rm -r m/root/var/crash && : >m/root/var/.hidden && local_bottom && captures /var/crash || return
	fresh && rm -r m/root/var/crash && ln -s /srv/crash m/root/var/crash && is_left_to_the_unit || return
	fresh && echo KDUMP_COREDIR=/crash >m/root/etc/default/kdump-tools && local_bottom && captures /crash
}

# It is klibc's chroot that says 1, where it cannot start the hook.
only_the_hook_says_that_it_is_done() {
	for status in 0 1 4; do
		fresh && echo $status >m/fsck && local_bottom && captures /var/crash && [ ! -e m/run/epitaph-captured ] || return
	done
}

# finds VALUE: what kdump-tools, which is a shell's, makes of it, local-bottom finds without one.
finds() {
	mkdir -p m/etc/default && echo "KDUMP_COREDIR=$1" >m/etc/default/kdump-tools || return 1
	(
		# shellcheck source=/dev/null
		. m/etc/default/kdump-tools
		echo "$KDUMP_COREDIR" >m/wanted
		sed -n '/^find_coredir() {/,/^}/p' "$top/kdump-hooks/debian/local-bottom" >m/find
		rootmnt=$dir/m
		# shellcheck source=/dev/null
		. m/find
		find_coredir
		# shellcheck disable=SC2154 # find_coredir sets it
		echo "KDUMP_COREDIR=$1: $coredir"
		echo "$coredir" | cmp - m/wanted
	)
}

the_directory_is_that_of_kdump_tools() {
	fresh || return 1
	for value in /srv/dumps '"/srv/dumps"' "'/srv/dumps'" '"/srv/my dumps"' '/srv/dumps/' '/srv/dumps  ' \
		'"/srv/dumps" # the large disk' "'/srv/dumps'	# the large disk" '/srv/dumps # the "large" disk' '/srv/a#b'; do
		finds "$value" || return 1
	done
}

for claim in the_directory_is_that_of_kdump_tools it_saves_and_leaves_nothing_mounted flags_of_the_root_are_kept what_is_not_plain_is_left_alone what_is_not_known_is_left_to_udev \
	what_is_not_sound_is_left_to_the_boot a_disk_that_comes_later_is_found_beside_udev \
	who_comes_a_moment_too_late_saves_nothing the_boot_waits_for_who_saves \
	without_the_script_the_boot_waits_for_nothing another_file_system_is_mounted_if_root_finds_it_sound \
	what_no_checker_is_there_for_is_not_sound only_the_hook_says_that_it_is_done \
	a_last_line_may_have_no_end a_unit_may_mount_what_it_is_on what_is_mounted_beside_it_does_not_matter \
	an_empty_directory_may_be_a_mount_point; do
	ok $claim $claim
done
finish
