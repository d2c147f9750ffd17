# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# In the guest: one tracepoint, with nobody on it, with us, with ftrace, and with perf and
# LTTng where they were packed.

bench=/sys/kernel/debug/epitaph_bench
ftrace=/sys/kernel/tracing/events/bench

measure() {
	sh /test/measure.sh "$1"
}

# Of no event: a number, and a text.
none_u64='value == 1000'
none_switch='prev_comm == "nobody"'

# filter WHOSE EXPRESSION EXPRESSION: of bench_u64 and bench_switch.
filter() {
	if [ "$1" = ftrace ]; then
		echo "$2" >$ftrace/bench_u64/filter
		echo "$3" >$ftrace/bench_switch/filter
	else
		echo "filter bench:bench_u64 $2" >/dev/epitaph-control
		echo "filter bench:bench_switch $3" >/dev/epitaph-control
	fi
}

load_lttng() {
	while read -r module; do
		insmod "/test/$module" || return 1
	done </test/lttng.order
}

load_recorder
insmod /test/epitaph_bench.ko
measure off
echo 1 >$ftrace/enable
measure ftrace
filter ftrace "$none_u64" "$none_switch"
measure ftrace-rejects
filter ftrace 0 0
echo 0 >$ftrace/enable
echo 1 >$bench
measure epitaph
filter epitaph "$none_u64" "$none_switch"
measure epitaph-rejects
filter epitaph 0 0
echo 0 >$bench
if [ -e /test/perf_on ]; then
	/test/perf_on bench:bench_u64 bench:bench_switch -- sh /test/measure.sh perf
fi
if [ -e /test/lttng.order ] && load_lttng; then
	/test/lttng_on bench_u64 bench_switch -- sh /test/measure.sh lttng
fi
