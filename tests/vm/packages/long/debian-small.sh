#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# So little memory for the capture kernel that it dies for want of more: nothing of ours can run
# there.  Doctor has said so before, and the boot after finds the trace in memory.
# Then the smallest machine, 512 MB and one CPU: it dies with kdump's own 128 MiB, and without kdump.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

doctor_warns() {
	epitaph doctor >/tmp/doctor || :
	cat /tmp/doctor
	grep '^\(warning\|failure\) *crashkernel' /tmp/doctor
}

# As a machine: one CPU, and what is left of 512 MB.
is_small() {
	nproc
	grep MemTotal /proc/meminfo
	[ "$(nproc)" = 1 ] && [ "$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" -lt 400 ]
}

whole() {
	epitaph check "$1/region" && epitaph report --all "$1/region" | grep 'sysrq triggered crash'
}

small_boot() {
	check "512 MB, boot $boot: it is that small" is_small
	check "512 MB, boot $boot: kdump is loaded" kdump_is_loaded
	check "512 MB, boot $boot: what died before is saved" until_saved
	check "512 MB, boot $boot: doctor is content" epitaph doctor
	case $boot in
	1)
		panic
		;;
	2)
		check "512 MB, with kdump: the trace is there, whole" whole "$(of_ours)"
		check "512 MB, with kdump: and kdump-tools' vmcore" [ -n "$(of_theirs)" ]
		check "512 MB, with kdump: the vmcore has the same trace" same_trace
		check "512 MB, with kdump: the next boot saves no second copy" captured_once
		kexec -p -u
		panic
		;;
	3)
		check "512 MB, without kdump: the next boot has the trace out of memory, whole" whole "$(newest /var/lib/epitaph/*-*)"
		check "512 MB: no unit failed" no_unit_of_ours_failed
		;;
	esac
}

if grep -q guest.small /proc/cmdline; then
	small_boot
	exit
fi
case $boot in
1)
	check "kdump is loaded" kdump_is_loaded
	check "doctor says that it is too small" doctor_warns
	panic
	;;
2)
	check "no vmcore is there" [ -z "$(of_theirs)" ]
	until_saved
	dir=$(newest /var/lib/epitaph/*-*)
	check "the trace is harvested out of memory" sh -c "epitaph report --all $dir/region | grep 'sysrq triggered crash'"
	;;
esac
BOOTS

need_debian
cp --sparse=always "$out/disk.img" "$out/new.img"
crashkernel_debian=84M debian_boots 3 --allow 'Out of memory|oom-kill|System is deadlocked on memory|Kernel panic'
check "the guest ended well" guest_ended_well
mv "$out/console.log" "$out/console-84M.log"
mv "$out/new.img" "$out/disk.img"
region_addr=0x10000000
region_is 8M
crashkernel_debian=128M append=guest.small debian_boots 4 --memory 512M --cpus 1
check "512 MB: the guest ended well" guest_ended_well
clean_up
finish
