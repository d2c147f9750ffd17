#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A CPU without SSE4.2 has no instruction for CRC-32C: its sums come from a table, of packed events
# and of others, and the capture kernel and the host read them.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
load_recorder
check "the CPU has no instruction for it" refused grep -qw sse4_2 /proc/cpuinfo
arm_kdump
load_victim full=1
sleep 3
bug panic
END
pack_guest
truth_args="--least 20000"
crash_whole --cpu max,-erms,-fsrm,-la57,-sse4.2 --allow 'panic - not syncing: victim: panic'
finish
