#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# So little memory for the capture kernel that it dies for want of more: nothing of ours can run
# there.  Doctor has said so before, and the boot after finds the trace in memory.

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

case $boot in
1)
	check "kdump is loaded" kdump_is_loaded
	check "doctor says that it is too small" doctor_warns
	panic
	;;
2)
	check "no vmcore is there" [ -z "$(of_theirs)" ]
	dir=$(newest /var/lib/epitaph/*-*)
	check "the trace is harvested out of memory" sh -c "epitaph report --all $dir/region | grep 'sysrq triggered crash'"
	;;
esac
BOOTS

need_debian
crashkernel_debian=84M debian_boots 3 --allow 'Out of memory|oom-kill|System is deadlocked on memory|Kernel panic'
check "the guest ended well" guest_ended_well
clean_up
finish
