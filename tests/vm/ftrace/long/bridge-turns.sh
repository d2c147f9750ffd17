#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# An event that a probe of ours and the bridge could both record is there once: the victim's
# events, of tasks, interrupts and NMIs, while its probes come on and go off a hundred times.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

region_is 64M
guest <<'END'
i=/sys/kernel/tracing/instances/epitaph
load_recorder bridge=1
arm_kdump
load_victim
check "the victim's events are on in the instance" sh -c "echo 1 >$i/events/victim/enable"
handed_over() {
	for turn in $(seq 100); do
		epitaph events '!victim:*' >/dev/null || return 1
		usleep 10000
		epitaph events '+victim:*' >/dev/null || return 1
		usleep 10000
	done
}
check "they are handed over and back" handed_over
check "the bridge got some of each" sh -c "epitaph-static bridge | grep -E 'bridge on, [3-9] events, 0 refused'"
epitaph events '!victim:*' >/dev/null
sleep 1
bug panic
END
pack_guest "$top/extractor/epitaph-static"
crash_whole --allow 'panic - not syncing: victim: panic'
finish
