#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# What an event costs on other kernels than 6.1, of which tests/bench has it in full: the same loops,
# whose instructions QEMU counts, without a recorder, with ftrace and with ours, in one boot.
#
#	TESTS=event-cost sh tests/vm/control/long/kernel-6.12.sh
#	TESTS=event-cost sh tests/vm/arch/long/kernel-arm64.sh

VM_DIR=../..
# Of arm64: the counter goes as -icount does, one tick an instruction.
export MACHINE_CPU=max,pauth-impdef=on,cntfrq=1000000000
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

# build_loops: for this kernel.
build_loops() {
	# shellcheck disable=SC2046 # words
	"$top/scripts/kernels" --run "$kernel" make -s -C "$top/tests/bench" build-for OUT="$out/loops" \
		KCFLAGS="-g0 -I$top/kernel/include -I$top/include" RECORDER="${recorder%/*}" \
		KDIR="$("$top/scripts/kernels" --headers "$kernel")" \
		$("$top/scripts/kernels" --make-args "$kernel") &&
		"${guest_cc:-cc}" -O2 -Wall -Wextra -Werror -static -o "$out/tasks" "$top/tests/bench/tasks.c"
}
check "the loops build" build_loops

guest <"$top/tests/bench/guest.sh"
guest_modules="${guest_modules:-} null_blk" pack_guest "$out/loops/epitaph_bench.ko" \
	"$out/loops/epitaph_bench_real.ko" "$out/tasks" "$top/tests/bench/measure.sh"
# As the boots of tests/bench are: nothing random, and no kernel for another crash.
[ -n "${system:-}" ] || set -- --cpu max,rdrand=off,rdseed=off
crashkernel='' append="quiet nokaslr" boot "$@" --cpus 1 --timeout 900 -- \
	-icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm
check "all loops ran" guest_ended_well
grep '^bench: ' "$out/guest.log" | comment

# of_ftrace OURS THEIRS EVENT LIMIT NAME: the share that OURS is of THEIRS, expressions of the least
# that the loop of EVENT took by whom: once a second a thread keeps the parity.
of_ftrace() {
	share=$(awk -v event="$3" '
		$1 == "bench:" && $3 == event && (!($2 in took) || $4 < took[$2]) { took[$2] = $4 }
		END {
			ours = '"$1"'
			theirs = '"$2"'
			if (ours <= 0 || theirs <= 0)
				exit 1
			printf "%.3f\n", ours / theirs
		}' "$out/guest.log") || share=unknown
	check "$5: $share of ftrace's instructions, at most $4" \
		awk -v share="$share" -v limit="$4" 'BEGIN { exit !(share + 0 > 0 && share + 0 <= limit + 0) }'
}

# Each takes EVENT LIMIT.
costs() {
	of_ftrace 'took["epitaph"]' 'took["ftrace"]' "$1" "$2" "$1"
}
rejects() {
	of_ftrace 'took["epitaph-rejects"]' 'took["ftrace-rejects"]' "$1" "$2" "$1 that a filter rejects"
}
has_context() {
	of_ftrace 'took["epitaph-context"]' 'took["ftrace"]' "$1" "$2" "$1 with irq flags and preempt count"
}
bridge_adds() {
	of_ftrace 'took["epitaph-bridge"] - took["ftrace"]' 'took["ftrace"]' "$1" "$2" "$1, what the bridge adds"
}
# Of the kernel's own events: what a round takes longer.  Those of pipes and forks move by as much, but
# for the boots of tests/bench.
round_takes() {
	of_ftrace 'took["packed"] - took["off"]' 'took["ftrace"] - took["off"]' "$1" "$2" "a round of $1"
}

case ${system:-} in
aarch64)
	costs u64 0.18
	costs switch 0.26
	costs string 0.34
	costs block 0.28
	costs odd 0.23
	costs strings 0.45
	costs nested 0.24
	costs array 0.32
	rejects u64 0.39
	rejects switch 0.37
	has_context u64 0.25
	has_context switch 0.34
	bridge_adds u64 0.4
	bridge_adds string 0.43
	round_takes sched_switch 0.25
	round_takes softirq 0.16
	round_takes read 0.33
	;;
# No instruction sums up there: 3.5 of them for each byte.
s390x)
	costs u64 0.3
	costs switch 0.64
	costs string 0.58
	costs block 0.69
	costs odd 0.47
	costs strings 0.78
	costs nested 0.47
	costs array 0.55
	rejects u64 0.59
	rejects switch 0.68
	has_context u64 0.67
	has_context switch 1.02
	bridge_adds u64 0.51
	bridge_adds string 0.7
	round_takes sched_switch 0.39
	round_takes softirq 0.24
	round_takes read 0.59
	;;
*)
	costs u64 0.16
	costs switch 0.22
	costs string 0.3
	costs block 0.24
	costs odd 0.2
	costs strings 0.42
	costs nested 0.22
	costs array 0.31
	rejects u64 0.32
	rejects switch 0.37
	has_context u64 0.26
	has_context switch 0.34
	bridge_adds u64 0.5
	bridge_adds string 0.4
	round_takes sched_switch 0.25
	round_takes softirq 0.15
	round_takes read 0.32
	;;
esac
finish
