# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# In the guest: one tracepoint, with nobody on it, with us, with ftrace, and with perf and
# LTTng where they were packed.

bench=/sys/kernel/debug/epitaph_bench
ftrace=/sys/kernel/tracing/events/bench/enable

measure() {
	sh /test/measure.sh "$1"
}

load_lttng() {
	while read -r module; do
		insmod "/test/$module" || return 1
	done </test/lttng.order
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
if [ -e /test/perf_on ]; then
	/test/perf_on bench:bench_u64 bench:bench_switch -- sh /test/measure.sh perf
fi
if [ -e /test/lttng.order ] && load_lttng; then
	/test/lttng_on bench_u64 bench_switch -- sh /test/measure.sh lttng
fi
