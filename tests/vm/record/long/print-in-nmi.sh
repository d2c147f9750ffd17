#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A line printed in NMI is recorded, and the kernel has nothing to warn of.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record
sleep 1
echo nmi-print >/sys/kernel/debug/victim/bug
sleep 1
crash
END
pack_guest
crash_whole --allow 'panic - not syncing: sysrq triggered crash'
check "the line is in the report" report_says 'victim: printed in NMI'
finish
