#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each allocation of loading and of each command fails in turn: what is refused says so, nothing is
# lost, and afterwards all works.  LOAD_STEP=1 has every allocation of loading fail, and not each
# 97th, of which the kernel itself makes the most.

VM_DIR=../..
# shellcheck source=tests/vm/lib-debug.sh
. "$(dirname "$0")/../../lib-debug.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
build_for_kernel
build_victim

cat >"$out/guest.sh" <<END
load_step=${LOAD_STEP:-97}
load_from=${LOAD_FROM:-1}
END
cat >>"$out/guest.sh" <<'END'
cd /sys/kernel/debug
for what in failslab fail_page_alloc; do
	echo 0 >$what/ignore-gfp-wait
	echo ${verbose:-0} >$what/verbose
done
echo 0 >fail_page_alloc/ignore-gfp-highmem
echo 0 >fail_page_alloc/min-order
cd /test
control=/dev/epitaph-control
# fails WHAT STEP WORD...: fail_nth's words.
fails() {
	what=$1
	shift
	check "$what" fail_nth "$@"
	sed 's/^/# /' /tmp/said
}
nothing_is_left() {
	[ ! -e /sys/kernel/epitaph ] && [ ! -e /dev/epitaph ] && ! grep '(epitaph)' /proc/iomem
}
fails "the module is loaded or refused" "$load_from" "$load_step" load /test/epitaph.ko channels=1M
check "and nothing of it is left" nothing_is_left
check "then it can be loaded" load_recorder channels=1M
load_victim work=0
ask() {
	exec 3<>$control
	echo "$1" >&3
	cat <&3
	exec 3>&-
}
states() {
	for command in events channel filter context trigger bridge; do
		ask "$command"
	done
}
ask 'channel add own 256K sched:*' >/tmp/said
# each TEXT [UNDO]...: of a command, each allocation; or each $step-th.
step=1
each() {
	fails "$1" 1 "$step" write $control "$@"
}
states >/tmp/before
each 'events +raw_syscalls:sys_enter !timer:timer_start' 'events default'
each events
each status
# All probes go and come; that takes seconds.
step=13
each stop start
each start
step=1
each 'channel add one 128K sched:* irq:*' 'channel stop one' 'channel remove one'
each 'channel add two 128K stop kmem:*' 'channel stop two' 'channel remove two'
each 'channel stop own' 'channel start own'
each 'channel set own size=320K' 'channel set own size=256K'
each 'channel add users 192K rings' 'channel stop users' 'channel remove users'
each 'events calls:vfs_read' 'events !calls:*' 'channel remove calls'
each channel
each 'filter sched:sched_switch prev_pid == 0 && next_comm ~ "kworker*"' 'filter sched:sched_switch 0'
each 'filter own sched:sched_wakeup common_pid != 0' 'filter own sched:sched_wakeup 0'
each 'context sched:sched_switch irq,preempt,task,cgroup,perf:page-faults' 'context sched:sched_switch 0'
each 'context own sched:* task' 'context own sched:* 0'
each 'snapshot own' 'channel remove %s'
fails "a mark" 1 1 write /dev/epitaph-mark 'a mark'
# It is read in thousands of pieces.
fails "the device" 1 997 read /dev/epitaph
fails "sysfs" 1 1 read /sys/kernel/epitaph/region
states >/tmp/after
check "what was refused changed nothing" diff /tmp/before /tmp/after
each 'trigger sched:sched_switch if prev_pid == 77777 snapshot main after 5' 'trigger remove %s'
# What stands there, as it is with memory.
for command in 'filter own sched:sched_switch next_pid != 0' 'context own sched:sched_waking task' 'trigger sched:sched_waking stop own after 99999999'; do
	ask "$command" >/tmp/said
	each "${command%% *}"
done
# Each waits until all tasks have slept once.
step=13
each 'bridge on' 'bridge off'
rmmod victim
check "it goes" rmmod epitaph
check "and nothing of it is left then" nothing_is_left
END
# shellcheck disable=SC2154 # lib.sh sets it
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -o "$out/fail_nth" "$here/fail_nth.c"
pack_guest "$out/fail_nth"
boot
check "the guest ended well" guest_ended_well
finish
