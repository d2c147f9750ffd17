#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A read-only root file system on a disk that refuses writes: the console has the last
# events, and says why they are nowhere else; kdump-tools makes its own attempt.  The next boot
# still finds the trace in memory.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

generations=$(find /sys/kernel/epitaph/generations -mindepth 1 -maxdepth 1 -type d | wc -l)
grep ' / ' /proc/mounts | sed 's/^/# /'
check "kdump is loaded" kdump_is_loaded
case $generations in
0)
	panic
	;;
*)
	check "the trace is in memory still" sh -c 'TMPDIR=/tmp epitaph save -o /tmp --live && epitaph report --events 5 /tmp/region'
	;;
esac
BOOTS

need_debian
# link NAME TARGET: as a boot has made it that could write.
link() {
	debugfs -w -R "symlink /var/lib/kdump/$1 $2" "$out/disk.img" >>"$out/debugfs" 2>&1
}

version=$(debugfs -R 'ls -p /boot' "$out/disk.img" 2>/dev/null | sed -n 's,.*/vmlinuz-\([^/]*\)/.*,\1,p')
link vmlinuz "/boot/vmlinuz-$version"
link initrd.img "/var/lib/kdump/initrd.img-$version"
disk='' debian_boots 3 -- -drive "file=$out/disk.img,format=raw,if=virtio,readonly=on"
check "the guest ended well" guest_ended_well
check "the initramfs says that it cannot save" console_says 'epitaph: the root file system cannot be written to now'
check "the unit says so, and shows the last events" console_says 'epitaph: ERROR not everything is saved'
check "kdump-tools makes its own attempt" console_says 'running makedumpfile'
clean_up
finish
