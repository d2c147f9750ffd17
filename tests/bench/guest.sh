# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# In the guest: one tracepoint: unused, with the recorder, with ftrace, and with perf and
# LTTng where they were packed.

bench=/sys/kernel/debug/epitaph_bench

events=/sys/kernel/tracing/events
real_ones="sched:sched_switch irq:softirq_raise irq:softirq_entry irq:softirq_exit"
real_ones="$real_ones block:block_rq_issue block:block_rq_complete"
real_ones="$real_ones sched:sched_waking sched:sched_wakeup sched:sched_wakeup_new"
real_ones="$real_ones sched:sched_process_fork sched:sched_process_exit sched:sched_process_free"
real_ones="$real_ones sched:sched_process_wait task:task_newtask signal:signal_generate"

measure() {
	sh /test/measure.sh "$1"
}

# Events of the kernel's own, of which a recorder records no others.
measure_real() {
	sh /test/measure.sh "$1" epitaph_bench_real
	# Behind the works that a load leaves; as there, the second time counts.
	sleep 3
	/test/tasks >/dev/null
	/test/tasks | sed "s/^/bench: $1 /"
}

# ftrace_real 0|1
ftrace_real() {
	for event in $real_ones; do
		echo "$1" >"$events/$(echo "$event" | tr : /)/enable"
	done
}

# real WHO [PARAMETER...]: while the recorder, loaded with these, records.
real() {
	who=$1
	shift
	load_recorder generations=1 events="\"$real_ones\"" "$@"
	measure_real "$who"
	rmmod epitaph
}

events_of_bench="bench_u64 bench_switch bench_string bench_block"
# Not of perf and LTTng.
others_of_bench="bench_odd bench_strings bench_nested bench_array"

# none_of EVENT: an expression that is true of none of them: of a number or a text.
none_of() {
	case $1 in
	bench_u64) echo 'value == 1000' ;;
	bench_switch) echo 'prev_comm == "no_such_task"' ;;
	bench_string) echo 'text == "no_such_task"' ;;
	bench_block) echo 'bytes == 1000' ;;
	bench_odd) echo 'value == 1000' ;;
	bench_strings) echo 'driver == "no_such_driver"' ;;
	bench_nested) echo 'tag == 1000' ;;
	bench_array) echo 'nr == 1000' ;;
	esac
}

# reject WHO: each event, by its filter.
reject() {
	for event in $events_of_bench $others_of_bench; do
		filter "$1" "$event" "$(none_of "$event")"
	done
}

# reject_none WHO
reject_none() {
	for event in $events_of_bench $others_of_bench; do
		filter "$1" "$event" 0
	done
}

# filter WHO EVENT EXPRESSION
filter() {
	if [ "$1" = ftrace ]; then
		echo "$3" >"$events/bench/$2/filter"
	else
		echo "filter bench:$2 $3" >/dev/epitaph-control
	fi
}

load_lttng() {
	while read -r module; do
		insmod "/test/$module" || return 1
	done </test/lttng.order
}

while read -r module; do
	insmod "/lib/modules/$module" irqmode=0
done </lib/modules/order
# By the scheduler mq-deadline of 5.10 a read is done by another task: eight events, six of them switches and wakeups.
echo none >/sys/block/nullb0/queue/scheduler
insmod /test/epitaph_bench_real.ko
echo 0 >/proc/sys/kernel/randomize_va_space
# Behind the works that a boot leaves.
sleep 5
measure_real off
ftrace_real 1
measure_real ftrace
echo 0 >/sys/kernel/tracing/options/record-cmd
measure_real ftrace-without-names
echo 1 >/sys/kernel/tracing/options/record-cmd
ftrace_real 0
real unpacked packed=0
real packed packed=1

load_recorder
insmod /test/epitaph_bench.ko
measure off
echo 1 >$events/bench/enable
measure ftrace
reject ftrace
measure ftrace-rejects
reject_none ftrace
echo 0 >$events/bench/enable
echo "bridge on" >/dev/epitaph-control
echo 1 >/sys/kernel/tracing/instances/epitaph/events/bench/enable
measure epitaph-bridge
echo "bridge off" >/dev/epitaph-control
echo 1 >$bench
echo "context bench:* irq,preempt" >/dev/epitaph-control
measure epitaph-context
echo "context bench:* 0" >/dev/epitaph-control
measure epitaph
reject epitaph
measure epitaph-rejects
reject_none epitaph
echo 0 >$bench
if [ -e /test/perf_on ]; then
	# shellcheck disable=SC2046,SC2086 # words
	/test/perf_on $(printf 'bench:%s ' $events_of_bench) -- sh /test/measure.sh perf
fi
if [ -e /test/lttng.order ] && load_lttng; then
	# shellcheck disable=SC2086 # words
	/test/lttng_on $events_of_bench -- sh /test/measure.sh lttng
fi
