#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where the time between a panic and a durable trace goes, with Debian's kdump-tools: before udev, as
# it is, and behind it, as where our script before udev has to leave it.  The capture kernel itself
# prints which program starts when, and what is mounted, renamed and synced.  QEMU counts
# instructions, one a nanosecond; only for the disk is waited in the host's time.

# shellcheck disable=SC2034,SC2317 # lib-debian.sh's; called by name
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

most=1500 # ms

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

# The kernel unpacks what is behind an initramfs over it, from a multiple of four bytes on.
put_behind() {
	for image in /var/lib/kdump/initrd.img-*; do
		while [ $(($(stat -c %s "$image") % 4)) != 0 ]; do
			printf '\0' >>"$image"
		done
		cat "$1" >>"$image"
	done
	kdump-config reload
}

check "boot $boot: kdump is loaded" kdump_is_loaded
case $boot in
1) panic ;;
2)
	check "the trace of boot 1 is on the disk" [ -s "$(of_ours)/summary.txt" ]
	check "and the vmcore says the same" same_trace
	check "our script before udev is taken out" put_behind /test/without.cpio
	panic
	;;
3)
	check "the trace of boot 2 is on the disk" [ "$(ls -d /var/crash/epitaph-*/summary.txt | wc -l)" = 2 ]
	check "and the vmcore says the same" same_trace
	;;
esac
BOOTS

traced='ignore_loglevel tp_printk trace_event=sched:sched_process_exec,sched:sched_process_exit,syscalls:sys_enter_mount,syscalls:sys_exit_mount,syscalls:sys_enter_renameat2,syscalls:sys_enter_fsync,syscalls:sys_exit_fsync'

# As lib-debian.sh's; the root is checked in each boot, which a chroot cannot find out, and the capture
# kernel tells what it does.
configure() {
	echo '/dev/vda / ext4 errors=remount-ro 0 1' >"$1/etc/fstab"
	echo FSTYPE=ext4 >"$1/etc/initramfs-tools/conf.d/fstype"
	echo "KDUMP_CMDLINE_APPEND=\"reset_devices systemd.unit=kdump-tools-dump.service nr_cpus=1 irqpoll usbcore.nousb $traced\"" \
		>>"$1/etc/default/kdump-tools"
	script_unit "$1" After=kdump-tools.service
}

# What is put over ours, to have it out.
without_ours() {
	mkdir -p "$out/without/usr/lib/epitaph"
	printf '#!/bin/sh\nexit 0\n' >"$out/without/usr/lib/epitaph/save-before-udev"
	chmod 755 "$out/without/usr/lib/epitaph/save-before-udev"
	(cd "$out/without" && find . | cpio -o -H newc -R 0:0 --quiet) >"$out/without.cpio"
	put /test/without.cpio "$out/without.cpio"
}

account() {
	"$here/durable-parts" "$out/console.log" 2 'before udev' 'behind udev' >"$out/parts"
}

# total N: ms from the first process of capture boot N to its durable trace
total() {
	sed -n 's/^| first process to durable | //p' "$out/parts" | cut -d ' ' -f "$((2 * $1 - 1))"
}

within_most() {
	echo "$(total "$1") ms"
	[ "$(total "$1")" -le "$most" ]
}

sooner() {
	echo "$(total 1) ms, $(total 2) without"
	[ "$(total 1)" -lt "$(total 2)" ]
}

# The dump of the host of our scripts: what comes before it is the same, in another order.
host_as_soon() {
	sed -n 's/^| first process to makedumpfile | //p' "$out/parts" | tr -d '|' | {
		read -r with without
		echo "$with ms, $without without"
		[ "$with" -le $((without * 5 / 4)) ]
	}
}

# events N: of capture boot N, what it said
events() {
	awk -v n="$1" '/\] Linux version / { boots++ } boots == 2 * n' "$out/console.log"
}

# before_udev N: is the directory named, and that synced, before udev starts?
before_udev() {
	events "$1" | awk '/sys_renameat2/ { named = 1 } named && /sys_fsync -> 0x0/ { durable = 1 }
		/sched_process_exec: filename=[^ ]*\/(udev|systemd-udevd|udevadm) / { exit } END { exit !durable }'
}

behind_udev() {
	! before_udev "$1"
}

need_bare_debian
check "apt installs the packages" install_built
put_script
without_ours
# As GRUB has it.
append="root=UUID=$(blkid -o value -s UUID "$out/disk.img")"
debian_boots 5 --timeout 1500 --cpus 1 -- -icount shift=0,sleep=on -rtc clock=vm
check "the guest ended well" guest_ended_well
check "what each part took is known" account
sed 's/^/# /' "$out/parts"
check "the trace is durable before udev starts" before_udev 1
check "without our script before udev it is not" behind_udev 2
check "from the first process to the durable trace: at most $most ms" within_most 1
check "and sooner than behind udev" sooner
check "which has at most $most ms as well" within_most 2
check "makedumpfile begins at most a quarter later" host_as_soon
clean_up
finish
