#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What stops recording stops the bridge on each CPU, also on one whose works wait for another work that does
# not sleep: system calls are on in the instance, and made there.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
i=/sys/kernel/tracing/instances/epitaph
written() {
	sed -n 's/^written //p' /sys/kernel/epitaph/channels/main/cpu1
}
# grows: something is written by CPU 1 within half a second.
grows() {
	before=$(written)
	usleep 500000
	after=$(written)
	echo "from $before to $after bytes"
	[ "$before" != "$after" ]
}
# done_soon COMMAND...: it comes to its end within ten seconds, on CPU 0, whose works SRCU needs for that.
done_soon() {
	taskset 1 "$@" &
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 1
		kill -0 $! 2>/dev/null || return 0
	done
	cat /proc/$!/stack
	return 1
}
load_recorder bridge=1 events=sched:sched_switch
check "system calls are on in the instance" sh -c "echo 1 >$i/events/raw_syscalls/sys_enter/enable"
taskset 2 sh -c 'while :; do echo; done' >/dev/null &
sleep 1
insmod /test/busy.ko cpu=1
check "the bridge records them" grows
check "recording stops" done_soon epitaph stop
check "nothing is recorded behind that" refused grows
rmmod busy
check "it goes on" epitaph start
check "and so does the bridge" grows
insmod /test/busy.ko cpu=1
check "the main channel stops" done_soon epitaph channel stop main
check "nothing is recorded there" refused grows
rmmod busy
kill %1
END
pack_guest "$top/extractor/epitaph-static" "${victim%/*}/busy.ko"
boot
check "the guest's script came to its end" guest_ended_well
finish
