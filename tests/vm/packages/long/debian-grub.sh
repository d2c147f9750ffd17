#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A Debian that GRUB boots from its disk, with kdump-tools and no memory for us: two commands
# and a reboot later doctor is green, a test crash brings the trace back, and what setup wrote
# goes again.  The first of the two, apt, runs in a chroot of that disk: DKMS builds for an hour
# in an emulated guest.

# shellcheck disable=SC2317 # called by name
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

restart() {
	trap - EXIT
	sync
	systemctl reboot
	sleep 600
}

# GRUB names the file that it started.
grub_boots() {
	grep '^BOOT_IMAGE=' /proc/cmdline && grep -q 'crashkernel=' /proc/cmdline
}

nothing_is_reserved() {
	! grep -o 'memmap=[^ ]*' /proc/cmdline
}

says_what_is_next() {
	! epitaph doctor >/tmp/doctor || return
	cat /tmp/doctor
	grep -e '-> .*epitaph setup' /tmp/doctor
}

# Also in recovery entries.
every_entry_has_it() {
	grep -P '^\s*linux\s' /boot/grub/grub.cfg
	! grep -P '^\s*linux\s' /boot/grub/grub.cfg | grep -v 'memmap='
}

is_reserved() {
	grep -o 'memmap=[^ ]*' /proc/cmdline && dmesg | grep 'epitaph:'
}

case $boot in
1)
	check "GRUB is installed" grub-install /dev/vda
	check "and finds the kernel" update-grub
	cp /boot/grub/grub.cfg /root/grub.cfg
	;;
2)
	check "GRUB has booted this Debian" grub_boots
	check "with no memory for us" nothing_is_reserved
	check "kdump is loaded" kdump_is_loaded
	check "doctor says what is next" says_what_is_next
	check "the second command: epitaph setup --write" epitaph setup --write
	sed 's/^/# /' /tmp/said
	check "GRUB has it in every entry" every_entry_has_it
	restart
	;;
3)
	check "after the reboot the recorder has its memory" is_reserved
	check "kdump is loaded" kdump_is_loaded
	check "and doctor is green" epitaph doctor
	sed 's/^/# /' /tmp/said
	trap - EXIT
	epitaph test-crash --yes
	sleep 60
	;;
4)
	check "the trace came back" epitaph test-crash --verify
	sed 's/^/# /' /tmp/said
	check "vmcore and region have the same trace" same_trace
	check "setup takes back what it wrote" epitaph setup --remove
	check "and GRUB's configuration is as it was" cmp /root/grub.cfg /boot/grub/grub.cfg
	restart
	;;
5)
	check "after that reboot nothing is reserved" nothing_is_reserved
	check "and GRUB boots it still" grub_boots
	;;
esac
BOOTS

# What apt would do to a Debian that has nothing of it yet, recommended packages included.
headers_come_along() {
	in_root "$root" sh -c 'apt-get -q install -y --simulate /packages/*.deb' >"$out/simulated" || return
	cat "$out/simulated"
	! grep '^Remv' "$out/simulated" && grep '^Inst dkms ' "$out/simulated" &&
		grep '^Inst linux-headers-amd64 ' "$out/simulated"
}

# As an administrator has it who has never heard of us.
grub_root() {
	apt_install "$root" grub-pc fdisk || return
	sed -i 's,^/dev/vda ,/dev/vda1 ,' "$root/etc/fstab"
	cat >"$root/etc/default/grub" <<GRUB
GRUB_DEFAULT=0
GRUB_TIMEOUT=1
GRUB_DISTRIBUTOR=Debian
GRUB_TERMINAL=console
GRUB_CMDLINE_LINUX_DEFAULT=""
GRUB_CMDLINE_LINUX="$basic_args panic=1 tsc=reliable systemd.show_status=0"
GRUB
}

# What DKMS builds for is this Debian's kernel, and not the one that runs here.
first_command() {
	apt_install "$root" linux-headers-amd64 &&
		in_root "$root" sh -c 'apt-get -q install -y --no-install-recommends /packages/*.deb' &&
		ls "$root"/lib/modules/*/updates/dkms/epitaph.ko*
}

# One partition, of all but the first MiB, where GRUB's core goes.
grub_disk() {
	truncate -s 3G "$root/disk.img"
	echo '2048,,L,*' | in_root "$root" sfdisk -q /disk.img || return
	mv "$root/disk.img" "$out/disk.img"
	cp "$here/lib-guest.sh" "$here/lib-debian-guest.sh" "$out/boots.sh" "$root/test/"
	cp "$root"/boot/vmlinuz-* "$out/vmlinuz"
	cp "$root"/boot/initrd.img-* "$out/initrd.img"
	mke2fs -q -F -t ext4 -m 0 -d "$root" -E offset=1048576 "$out/disk.img" 3071M || return
	rm -rf "${root:?}"
}

# boots N [OPTION...]: as its boot loader has it, or by a kernel of the host's.
boots() {
	boots=$1
	shift
	status=0
	"$here/run" --out "$out" --disk "$out/disk.img" --boots "$boots" --timeout $((900 + 500 * boots)) \
		--allow 'Kernel panic - not syncing: sysrq triggered crash' "$@" || status=1
	take_guest_claims
	check "boots and ends as expected" [ "$status" = 0 ]
	check "the guest ended well" guest_ended_well
}

need_bare_debian
root=$out/root
check "our packages are built" new_root "$root"
check "apt brings headers and DKMS along, and removes nothing" headers_come_along
check "a Debian has GRUB" grub_root
check "the first command: apt installs the packages" first_command
check "it gets a disk with a partition" grub_disk
boots 1 --kernel "$out/vmlinuz" --initrd "$out/initrd.img" \
	--append "$basic_args root=/dev/vda1 ro systemd.show_status=0 systemd.mask=kdump-tools.service"
boots 5 --measure 'sysrq triggered crash=>captured /var/crash/epitaph-' \
	--measure 'sysrq triggered crash=>saved vmcore in'
sed 's/^/# /' "$out/measures"
clean_up
finish
