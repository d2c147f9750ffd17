#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installed, and no memory was reserved: the boot goes on, doctor says what to do, and kdump-tools
# makes its dump, with one line of ours.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

doctor_says() {
	epitaph doctor >/tmp/doctor && return 1
	cat /tmp/doctor
	grep -A 1 '^failure *region' /tmp/doctor | grep -e '->'
}

case $boot in
1)
	check "no recorder is there" [ ! -d /sys/kernel/epitaph ]
	check "doctor says what to do" doctor_says
	systemctl status --no-pager -l epitaph epitaph-recover | sed 's/^/# /'
	check "kdump is loaded" kdump_is_loaded
	panic
	;;
2)
	check "kdump-tools made its vmcore" [ -s "$(of_theirs)"/dump.* ]
	check "nothing of ours lies beside it" [ -z "$(of_ours)" ]
	check "it says what the kernel's own log was" sh -c 'epitaph report --events 20 /var/crash/2*/dump.* | grep "sysrq triggered crash"'
	;;
esac
BOOTS

need_debian
reservation='' debian_boots 3
check "the guest ended well" guest_ended_well
check "the hook says that there is nothing of ours" console_says 'epitaph capture: /proc/vmcore:'
clean_up
finish
