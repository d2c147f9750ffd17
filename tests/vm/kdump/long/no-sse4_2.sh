#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A CPU without SSE4.2 has no instruction for CRC-32C: its sums come from a table, of packed events
# and of others, and the capture kernel and the host read them.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
calls_are_there() {
	cat /proc/uptime >/tmp/uptime
	rm -f /tmp/region
	epitaph-static snapshot -o /tmp/region >/tmp/said
	epitaph-static report --all --channel calls /tmp/region >/tmp/calls
	grep -q 'function: vfs_read <-' /tmp/calls
}
load_recorder channels=2M
check "the CPU has no instruction for it" refused grep -qw sse4_2 /proc/cpuinfo
epitaph-static events 'calls:vfs_*' >/tmp/said
check "calls are recorded" calls_are_there
epitaph-static context calls calls:function cgroup >/tmp/said
check "with a context" calls_are_there
epitaph-static context calls calls:function 0 >/tmp/said
check "and without one again" calls_are_there
epitaph-static events '!calls:*' >/tmp/said
arm_kdump
load_victim full=1
sleep 3
bug panic
END
pack_guest "$top/extractor/epitaph-static"
truth_args="--least 20000"
crash_whole --cpu max,-erms,-fsrm,-la57,-sse4.2 --allow 'panic - not syncing: victim: panic'
finish
