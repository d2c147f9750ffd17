#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The checks are called by name.
# shellcheck disable=SC2016,SC2317
#
# The stacks of a guest with many tasks, in all kinds of sleep, and of the CPUs that were stopped:
# against those that the kernel printed itself (sysrq-t) a moment before, and against those of
# crash(8), which has debuginfo. Fetches 860 MB once. CRASH is another crash(8).

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
crash=${CRASH:-crash}
# crash(8) reads dumps of the machine alone that it was built for.
[ -n "${ON_MACHINE:-}" ] || vmlinux=$("$top/scripts/kernels" --vmlinux "$kernel")

guest <<'END'
[ ! -f /test/epitaph.ko ] || load_recorder
arm_kdump
mkfifo /tmp/full /tmp/empty
i=0
while [ $i -lt 40 ]; do
	sleep 1000 &
	cat /tmp/empty &
	(read -r _ </dev/ttyS1) &
	sh -c 'sleep 1000; true' &
	(yes >/tmp/full) &
	i=$((i + 1))
done
sleep 3
echo t >/proc/sysrq-trigger
crash
END
pack_guest
# Of 7.2, makedumpfile leaves out a third of the tasks, and their stack pointers; of 6.12 only a few.
case $kernel in
7.[0-9]) capture_args=$(with_all_tasks) ;;
esac
append="log_buf_len=4M ${append:-}" crash_and_capture --allow 'panic - not syncing: sysrq triggered crash' \
	--allow 'proc_dohung_task_timeout_secs' ${allow:+--allow "$allow"}

# For people and for programs.
stacks_are_listed() {
	recovers "$epitaph" info --stacks "$saved/vmcore" >"$out/stacks" &&
		recovers "$epitaph" info --stacks --json "$saved/vmcore" >"$out/stacks.json" &&
		[ "$(jq '.tasks | length' "$out/stacks.json")" -gt 200 ]
}

# What ran in between has another stack, and what the kernel wakes.
as_the_kernel() {
	recovers "$epitaph" report --source log --all "$saved/vmcore" >"$out/log" &&
		"$here/stacks-same" --percent 95 --log "$out/stacks.json" "$out/log"
}

# Debian 12's crash knows no tasks of a 6.1 whose struct pid ends in an array without a size, nor of 7.2.
compare_with_crash() {
	printf 'set scroll off\nforeach bt\nquit\n' | "$crash" -s "$vmlinux" "$saved/vmcore" >"$out/bt" 2>"$out/crash.log" || true
	nr=$(grep -c '^PID: ' "$out/bt" || true)
	if [ "$nr" -gt 200 ]; then
		check "they are crash's, address by address" "$here/stacks-same" "$out/stacks.json" "$out/bt"
		sed 's/^/# /' "$out/said"
	else
		echo "# $test_name: not compared with crash, which lists $nr tasks"
	fi
}

check "the stacks of more than 200 tasks are listed" stacks_are_listed
check "they are the kernel's own" as_the_kernel
sed 's/^/# /' "$out/said"
[ -n "${ON_MACHINE:-}" ] || compare_with_crash
finish
