#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How long the recorder keeps interrupts off, each time that it does: the kernel's own events of that,
# in the kernel that looks at what it does, which is several times slower than others.  QEMU counts:
# a microsecond is 1000 instructions; with a second CPU the time would be of both.  None of ours is longer
# than MOST (25) us.  irqs-off-rt.sh sees the rest: what probes, and functions that another CPU asks for,
# add to the kernel's own.  With a second CPU, clocks are compared with interrupts off; that gives up
# behind 100 us (kernel/sources/skew.c).

VM_DIR=../..
# shellcheck source=tests/vm/lib-debug.sh
. "$(dirname "$0")/../../lib-debug.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
build_for_kernel
build_victim

guest <<'END'
t=/sys/kernel/tracing
# Of modules alone.
stext=0x$(awk '$3 == "_stext" { print $1 }' /proc/kallsyms)
above=$((0xffffffffc0000000 - stext))
echo 8192 >$t/buffer_size_kb
echo mono >$t/trace_clock
for event in irq_disable irq_enable; do
	echo "caller_offs >= $above" >$t/events/preemptirq/$event/filter
	echo 1 >$t/events/preemptirq/$event/enable
done
say() {
	exec 3<>/dev/epitaph-control
	echo "$1" >&3 || { echo "# refused: $1"; comment <&3; return 1; }
	cat <&3 >/tmp/answer
	exec 3>&-
}
load_recorder channels=2M
load_victim
say 'channel add own 256K sched:* victim:*'
say 'context own sched:sched_switch irq,task'
say 'filter own sched:sched_waking common_pid != 0'
say 'channel set own size=512K'
say 'channel set own size=192K'
say 'snapshot own 128K'
say 'bridge on'
say 'bridge off'
say 'stop'
say 'start'
echo 'a mark' >/dev/epitaph-mark
sleep 1
dd if=/dev/epitaph of=/dev/null bs=64k count=16 2>/tmp/dd
# By their names, as long as they are there.
grep -v '^#' $t/trace
echo >$t/trace
rmmod victim
rmmod epitaph
grep -v '^#' $t/trace
END
pack_guest
boot --cpus 1 --timeout 1800 -- -icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm
check "the guest ended well" guest_ended_well

# Pairs on one CPU: the longest in us, who began it, and how often.
awk '/irq_(dis|en)able: caller=/ {
		match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART, RLENGTH)
		match($0, /[0-9]+\.[0-9]+: irq/); now = substr($0, RSTART, RLENGTH - 5)
		match($0, /caller=[^+ ]+/); who = substr($0, RSTART + 7, RLENGTH - 7)
		if (/irq_disable:/) { begin[cpu] = now; by[cpu] = who; next }
		if (!(cpu in begin)) next
		us = (now - begin[cpu]) * 1e6; n[by[cpu]]++
		if (us > most[by[cpu]]) most[by[cpu]] = us
		delete begin[cpu]
	}
	END { for (who in n) printf "%d %s %d\n", most[who], who, n[who] }' "$out/guest.log" | sort -rn >"$out/stretches"
head -n 12 "$out/stretches" | awk '{ print "# " $2 ": " $1 " us at most, " $3 " times" }'
check "some of ours were seen" [ -s "$out/stretches" ]

# shellcheck disable=SC2317 # check calls it
none_is_longer() {
	awk -v most="$1" '$1 > most { bad++ } END { exit bad || !NR }' "$out/stretches"
}
check "none is longer than ${MOST:-25} us" none_is_longer "${MOST:-25}"
finish
