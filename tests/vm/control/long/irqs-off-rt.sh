#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How late an interrupt comes where the recorder is at work: the kernel's own tracer "timerlat" asks
# for one every 100 us on each CPU and prints by how much it was late, which is how long interrupts were
# off; the same work without the recorder, and with it.  QEMU counts: 1 ns is one instruction; with a
# second CPU the time would be of both.  With the recorder none is later by more than MORE (15000) ns.
# KERNEL_TO_STEER is 6.12-rt, or 6.1-rt.

KERNEL=${KERNEL_TO_STEER:-6.12-rt}
few=--few
VM_DIR=../..
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
build_for_kernel
build_victim

guest <<'END'
t=/sys/kernel/tracing
echo 100 >$t/osnoise/timerlat_period_us
echo 32768 >$t/buffer_size_kb
cd /tmp
say() {
	exec 3<>/dev/epitaph-control
	echo "$1" >&3 || { echo "# refused: $1"; comment <&3; return 1; }
	cat <&3 >/tmp/answer
	exec 3>&-
}
# Processes, a pipe, system calls, a timer: what the default events speak of.
work() {
	i=0
	while [ $i -lt 40 ]; do
		/bin/true
		dd if=/dev/zero bs=512 count=20 2>/dev/null | cat >/dev/null
		usleep 500
		i=$((i + 1))
	done
}
orders() {
	say 'channel add own 256K sched:* irq:*'
	say 'context own sched:sched_switch task'
	say 'channel set own size=384K'
	say 'channel set own size=192K'
	say 'snapshot own 128K'
	say 'events +raw_syscalls:*'
	say 'stop'
	say 'start'
	echo 'a mark' >/dev/epitaph-mark
	dd if=/dev/epitaph of=/dev/null bs=64k count=16 2>/dev/null
	say 'events default'
	say 'channel stop own'
	say 'channel remove own'
}
# late NAME COMMAND...: how late they are meanwhile.  What moves the trace away is not of it.
late() {
	name=$1
	shift
	echo timerlat >$t/current_tracer
	"$@"
	echo 0 >$t/tracing_on
	awk -v name="$name" '/context +irq timer_latency/ { n++; ns = $(NF - 1); sum += ns; if (ns > most) most = ns
		} END { printf "late %s %d %d %d\n", name, n, most, n ? sum / n : 0 }' $t/trace
	echo nop >$t/current_tracer
	echo >$t/trace
	echo 1 >$t/tracing_on
}
late without work
late without work
load_recorder channels=2M
late with work
late with work
late orders orders
late orders orders
load_victim
late victim work
rmmod victim
END
pack_guest
boot --cpus 1 --timeout 900 -- -icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm
check "the guest ended well" guest_ended_well
awk '/^late / { printf "# %s: %d interrupts, %d ns late at most, %d on the average\n", $2, $3, $4, $5 }' "$out/guest.log"

# shellcheck disable=SC2317 # check calls it
# hardly_later NAME: than without it.
hardly_later() {
	awk -v name="$1" -v more="${MORE:-15000}" '$1 == "late" && $2 == "without" && $4 > without { without = $4; n = $3 }
		$1 == "late" && $2 == name && $4 > with { with = $4; m = $3 }
		END { print without " ns without it, " with " ns with it"; exit n < 1000 || m < 1000 || with > without + more }' "$out/guest.log"
}
check "events keep no interrupt away for longer" hardly_later with
check "nor do orders" hardly_later orders
check "nor events of all contexts, at full rate" hardly_later victim
finish
