#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Regions of many events, of which one has wrapped: the last second is what it is of all, the head
# says how much was not read for it, and memory does not grow.  EVENTS=100000000 makes a region of
# 1.8 GB of them.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

events=${EVENTS:-3000000}
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -I "$top/include" -I "$top/kernel/include" -I "$top/tests/lib" \
	-o "$dir/make" "$top/tests/lib/region_large.c" "$top/tests/lib/region_image.c" \
	"$top/kernel/core/ring.c" || exit 99
"$dir/make" "$events" "$events" 20000 "$dir/region" || exit 99
# Its rings came around one and a half times.
"$dir/make" 2000000 1400000 20000 "$dir/wrapped" || exit 99
"$dir/make" 600000 600000 20000 "$dir/small" || exit 99

# most_memory MIB FILE ARGUMENT...: of epitaph, which writes to FILE; its processes each have less.
most_memory() {
	python3 - "$@" <<'END'
import resource, subprocess, sys
with open(sys.argv[2], "wb") as out:
    status = subprocess.run(sys.argv[3:], stdout=out).returncode
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"{most:.0f} MiB, status {status}")
sys.exit(status or most > int(sys.argv[1]))
END
}

# in_memory REGION: --all and --last 1 of it succeed, in so many MiB.
in_memory() {
	most_memory 256 "$dir/$1.all" "$epitaph" report --all "$dir/$1" &&
		most_memory 64 "$dir/$1.last" "$epitaph" report --last 1 "$dir/$1"
}

each_event_is_there() {
	[ "$(grep -vc '^#' "$dir/region.all")" -eq "$events" ]
}

# 1 s is 50 000 events; both ends of it are events that --all has.
last_second_is_that_of_all() {
	grep -v '^#' "$dir/$1.last" >"$dir/last.events" &&
		tail -n 50001 "$dir/$1.all" | cmp - "$dir/last.events"
}

# head_of FILE: but for what is shown.
head_of() {
	grep '^#' "$1" | sed 's/; shown: .*//'
}

# But for the numbers of what was read, the head is that of --all.
head_says_what_is_not_read() {
	grep -q '^# [0-9]* events are read, and [0-9]* MiB of older ones not' "$dir/$1.last" || return 1
	head_of "$dir/$1.all" | grep -v ' events' >"$dir/head.all"
	head_of "$dir/$1.last" | grep -v ' events' | diff "$dir/head.all" -
}

# Of each ring, what was read is complete.
what_is_read_is_complete() {
	grep '^# 2 CPUs: [0-9]* events, complete from T-' "$dir/$1.last"
}

small_region_is_read_whole() {
	most_memory 64 "$dir/small.all" "$epitaph" report --all "$dir/small" &&
		most_memory 64 "$dir/small.last" "$epitaph" report --last 1 "$dir/small" &&
		head_of "$dir/small.last" >"$dir/head.last" && head_of "$dir/small.all" | diff - "$dir/head.last"
}

# What is chosen by more than a time is looked for everywhere.
whole_region_is_read_for_other_options() {
	"$epitaph" report --last 1 --cpu 0 "$dir/region" | grep -q "^# $events events; shown" &&
		"$epitaph" report --events 10 "$dir/region" | grep -q "^# $events events; shown"
}

json_has_no_counts_of_a_part() {
	"$epitaph" report --json --last 1 "$dir/region" | head -n 1 >"$dir/head.json"
	grep '"events":null,' "$dir/head.json" && grep '"bytes_not_read":[1-9]' "$dir/head.json" &&
		"$epitaph" report --json --all "$dir/region" | head -n 1 | grep "\"events\":$events,"
}

# same JOBS REGION ARGUMENT...: what the processes print is what one prints.
same() {
	how=$1 region=$2
	shift 2
	"$epitaph" "$@" --jobs 1 "$dir/$region" >"$dir/one" || return 1
	# shellcheck disable=SC2086
	"$epitaph" "$@" $how "$dir/$region" | cmp - "$dir/one" || return 1
	[ "$(wc -c <"$dir/one")" -gt 300000 ]
}

several_processes_print_the_same() {
	same "--jobs 3" small report --all && same "--jobs 2" small report --all --json &&
		same "--jobs 8" small report --last 6 --monotonic &&
		same "--jobs 3" small report --all --cpu 1 --event '*:*' &&
		same "--jobs 3" small export --events 30000 --to html -o - &&
		same "--jobs 4" small export --to html -o -
}


few_events_are_printed_by_one() {
	"$epitaph" report --events 10 --jobs 4 "$dir/small" | cmp - "$dir/ten"
}

several_processes_in_little_memory() {
	most_memory 64 "$dir/several" "$epitaph" report --all --jobs 8 "$dir/small" &&
		most_memory 64 "$dir/several" "$epitaph" export --to json -o - --jobs 8 "$dir/small"
}

# others_of PROCESS: the processes that print for it, the writer last.
others_of() { pgrep -P "$1" | sort -n; }

# kill_one_of ARGUMENT...: while nothing reads, all wait; then one of those that print is killed.
kill_one_of() {
	rm -f "$dir/fifo"
	mkfifo "$dir/fifo"
	"$epitaph" "$@" >"$dir/fifo" 2>"$dir/errors" &
	command=$!
	exec 3<"$dir/fifo"
	head -c 1000 <&3 >"$dir/begin"
	others_of "$command" >"$dir/others"
	head -n 1 "$dir/others" | xargs kill -9
	cat <&3 >"$dir/rest"
	exec 3<&-
	wait "$command"
}

# The next FILE is whole.
killed_process_is_an_error() {
	"$epitaph" report --all --json --jobs 1 "$dir/small" >"$dir/one" || return 1
	kill_one_of report --all --json --jobs 3 "$dir/small" "$dir/small"
	[ $? -eq 3 ] && [ "$(wc -l <"$dir/others")" -eq 3 ] && tail -c "$(wc -c <"$dir/one")" "$dir/rest" | cmp - "$dir/one" &&
		[ "$(cat "$dir/errors")" = "epitaph report: $dir/small: one of the processes that print ended, and its part is missing; try --jobs 1" ]
}

# Without being asked, on a machine with more than one CPU.
many_events_are_printed_by_several() {
	same "" region export --to json -o - || return 1
	[ "$(nproc)" -eq 1 ] && return
	kill_one_of report --all --json "$dir/region"
	[ $? -eq 3 ] && grep 'its part is missing' "$dir/errors"
}

# Of a slow reader, for three seconds: ten times a second at most, by one process.
progress_is_shown_once() {
	python3 - "$epitaph" "$dir/small" <<'END'
import os, pty, subprocess, sys, time
terminal, stderr = pty.openpty()
with subprocess.Popen([sys.argv[1], "report", "--all", "--json", "--jobs", "3", sys.argv[2]], stdout=subprocess.PIPE,
                      stderr=stderr, env={**os.environ, "TERM": "xterm"}) as command:
    end = time.monotonic() + 3
    while time.monotonic() < end and command.stdout.read(65536):
        time.sleep(0.005)
    command.kill()
os.close(stderr)
shown = os.read(terminal, 65536).count(b"%")
print(f"{shown} times")
sys.exit(not 5 <= shown <= 25)
END
}

no_process_stays() {
	"$epitaph" report --all --jobs 4 "$dir/small" | head -n 1 >"$dir/begin"
	! pgrep -f "report --all --jobs 4 $dir/small"
}

# What is closed stays closed, and is no pipe of theirs.
closed_descriptors_do_no_harm() {
	timeout 60 "$epitaph" report --all --jobs 3 "$dir/small" <&- >&- 2>"$dir/errors"
	[ $? -eq 3 ] && grep 'cannot write: Bad file descriptor' "$dir/errors" || return 1
	"$epitaph" report --all --json --jobs 1 "$dir/region" >"$dir/one" &&
		"$epitaph" report --all --json "$dir/region" 2>&- | cmp - "$dir/one"
}

wrong_number_of_jobs_is_refused() {
	for jobs in 0 9 x -1 ''; do
		"$epitaph" report --all --jobs "$jobs" "$dir/small" >"$dir/out" 2>"$dir/errors"
		[ $? -eq 2 ] && [ ! -s "$dir/out" ] &&
			grep -- "--jobs: a number of processes, from 1 to 8, and not \"$jobs\"" "$dir/errors" || return 1
	done
}

ok many_events_in_little_memory in_memory region
ok each_event_is_there each_event_is_there
ok last_second_is_that_of_all last_second_is_that_of_all region
ok head_says_what_is_not_read head_says_what_is_not_read region
ok what_is_read_is_complete what_is_read_is_complete region
ok small_region_is_read_whole small_region_is_read_whole
ok whole_region_is_read_for_other_options whole_region_is_read_for_other_options
ok json_has_no_counts_of_a_part json_has_no_counts_of_a_part
ok a_wrapped_region_in_little_memory in_memory wrapped
ok last_second_of_a_wrapped_region last_second_is_that_of_all wrapped
ok head_of_a_wrapped_region head_says_what_is_not_read wrapped
ok what_is_read_of_it_is_complete what_is_read_is_complete wrapped
"$epitaph" report --events 10 "$dir/small" >"$dir/ten"
ok several_processes_print_the_same several_processes_print_the_same
ok many_events_are_printed_by_several many_events_are_printed_by_several
ok few_events_are_printed_by_one few_events_are_printed_by_one
ok several_processes_in_little_memory several_processes_in_little_memory
ok a_killed_process_is_an_error killed_process_is_an_error
ok progress_is_shown_once progress_is_shown_once
ok no_process_stays no_process_stays
ok closed_descriptors_do_no_harm closed_descriptors_do_no_harm
ok a_wrong_number_of_jobs_is_refused wrong_number_of_jobs_is_refused
finish
