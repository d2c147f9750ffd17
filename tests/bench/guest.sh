# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# In the guest: one tracepoint, with nobody on it, with us, with ftrace.  The second
# reading counts: the first finds caches of the kernel cold.

bench=/sys/kernel/debug/epitaph_bench
ftrace=/sys/kernel/tracing/events/bench/enable

measure() {
	cat $bench >/dev/null
	sed "s/^/bench: $1 /" $bench
}

load_recorder
insmod /test/epitaph_bench.ko
measure off
echo 1 >$ftrace
measure ftrace
echo 0 >$ftrace
echo 1 >$bench
measure epitaph
echo 0 >$bench
