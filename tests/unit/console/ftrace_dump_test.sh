#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel itself prints of its ftrace buffers on a console: as events.  The texts are parts of
# what tests/vm/ftrace/long/console-text.sh had.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/unit/console/lib-console.sh
. "$here/lib-console.sh"

cp "$here/ftrace-panic.text" "$dir/panic"
cp "$here/ftrace-sysrq.text" "$dir/sysrq"

# dumped FILE: TASK, CPU, letters, microseconds and words of each event, as they stand in the text.
dumped() {
	sed -nE 's/^\[[ 0-9.]*\] +(.{1,8}-[0-9]+) +([0-9]+)([^ ]{4,5}) +([0-9]+)us.: (.*)$/\1|\2|\3|\4|\5/p' "$1" |
		sed -E 's/^([^|]*\|[^|]*\|.{4})\|/\1.|/' | sort
}

without_times() {
	cut -d '|' -f 1-3,5- | sort
}

# read_of FILE [OPTION...]: the same of the report, with the time that it has.
read_of() {
	of report --all --monotonic "$@" >text || return
	grep -v ': log: ' text | sed -nE 's/^ +(.{1,8}-[0-9]+) +\[0*([0-9]+)\] (.{5}).? +([0-9]+)\.([0-9]{6}): (.*)$/\1|\2|\3|\4\5|\6/p' | sort
}

# all_of FILE: all events are there, with task, CPU, letters and words, none more.
all_of() {
	dumped "$1" | without_times >want && read_of "$1" | without_times >got && [ -s want ] && diff want got
}

of_a_panic() {
	all_of panic
}

of_sysrq_z() {
	all_of sysrq
}

# Of the lines of printk that are events, the one that was traced soonest relates the times: at 3.139846.
time_of_the_log() {
	shift=$(($(sed -n 's|.* \([0-9]*\)us : console:  </TASK>$|\1|p' panic) - 3139846))
	dumped panic | awk -F '|' -v shift="$shift" '{ print $4 - shift "|" $5 }' | sort >want
	read_of panic | cut -d '|' -f 4- | sort >got
	diff want got && ! grep -E '\] .{5}~' text
}

# Which dump was when is not known: its newest event is put to where it began, and all are marked.
no_time() {
	of report --all --monotonic sysrq >printed && grep -E '\] .{5}~ +6\.787622: sched_process_wait: comm=init pid=0' printed &&
		grep -E '\] .{5}~ +3\.986099: tracing_mark_write: ' printed &&
		grep -F "# of 25 events (~) the text does not say when they were" printed
}

# one_line: of the lines of printk only that of sysrq.
one_line() {
	sed '/us : console: sysrq/b; /us : console: /d' panic
}

a_line_alone() {
	one_line >alone && of report --all --monotonic alone >printed && grep -E '\] .{5} +3\.133856: console: sysrq' printed
}

# Two lines of the log that are alike relate nothing.
ambiguous() {
	sed 's/^\[    3.133856\] .*/&\n[    3.133857] sysrq: Trigger a crash/' alone >alike &&
		of report --all --monotonic alike >printed && grep -E '\] .{5}~ .*: console: sysrq' printed
}

# Nor does one that would have events after the dump began.
impossible() {
	sed 's/us : console: sysrq: Trigger a crash/us : console: sysrq: no such line/
		s/^\[    3.133856\] .*/&\n[    3.140900] sysrq: no such line/' alone >late &&
		of report --all --monotonic late >printed && grep -E '\] .{5}~ .*: console: sysrq' printed
}

fields() {
	of report --json panic >got.json && jq -es 'map(select(.event? == "sched:sched_switch")) | .[0].fields |
		(.prev_pid | numbers) and (.next_prio | numbers) and (.prev_state | numbers) and (.next_comm | strings)' got.json &&
		of report --json sysrq >got.json &&
		jq -es 'any(.event? == "console:function" and .fields.ip == "vfs_write" and .fields.parent_ip == "ksys_write")' got.json &&
		jq -es 'any(.event? == "console:print" and .fields.text == "marker 1 of 1: a=1")' got.json
}

# What has no name in front is one text, whatever it begins with.
without_a_name() {
	sed -E 's/sched_process_exec: filename.*pid=136/vfs_read+0x4\/0x10: a=1 b/; s/vfs_write <-ksys_write/vfs_write/
		s/sched_process_exec: filename.*pid=137/#1 inner\/outer(us): 12/' sysrq >nameless && all_of nameless &&
		of report --json nameless >got.json && jq -es '[.[] | select(.event? == "console:text").fields.text] |
			index("vfs_read+0x4/0x10: a=1 b") and index("vfs_write") and index("#1 inner/outer(us): 12")' got.json
}

stacks() {
	of report --all sysrq >printed && [ "$(grep -c '^ => do_execveat_common.isra.0$' printed)" = 2 ] &&
		! grep 'log: => \|log:  => ' printed && of report --json sysrq >got.json &&
		jq -es 'map(select(.event? == "console:kernel_stack")) | length == 2 and all(.fields.text | test("x0a => bprm_execve"))' got.json
}

losses() {
	of report --all --json sysrq >got.json &&
		jq -es 'map(select(.lost?)) | map(select(.event?) | [.cpu, .lost]) == [[0, 80], [1, 159]]' got.json
}

# "CPU:1 [LOST EVENTS]"
losses_of_unknown_number() {
	sed 's/\[LOST 80 EVENTS\]/[LOST EVENTS]/' sysrq >uncounted && of report --all uncounted >printed &&
		grep -F 'CPU:0 [LOST EVENTS]' printed
}

# What no event of that CPU follows stays a line of the log.
losses_alone() {
	sed '/LOST 80/a [    6.787797] CPU:3 [LOST 7 EVENTS]' sysrq >lone && echo '[    6.808950] CPU:1 [LOST 8 EVENTS]' >>lone &&
		of report --all lone >printed && grep 'log: CPU:3 .LOST 7 EVENTS.$' printed && grep 'log: CPU:0 .LOST 80 EVENTS.$' printed &&
		grep 'log: CPU:1 .LOST 8 EVENTS.$' printed && ! grep 'log: CPU:1 .LOST 159' printed
}

# Kernels before 5.15 have four letters.
four_letters() {
	sed -E 's/( [01][d.][N.][hs.].)[0-9.] /\1 /' panic >four && grep -q ' [01]d\.h1 ' four && all_of four
}

# What was copied may have no blanks in front.
no_blanks() {
	sed -E 's/^(\[[ 0-9.]*\]) +/\1 /' panic >trimmed && dumped panic | cut -d '|' -f 1-3,5- >want &&
		read_of trimmed | cut -d '|' -f 1-3,5- >got && diff want got
}

# Of a dump whose begin was overwritten, the first line that is left says until when it was.
no_begin() {
	sed '/Dumping ftrace/,/-----/d; /us : console: /d' panic >headless && of report --all --monotonic headless >printed &&
		grep -E '\] .{5}~ +3\.14[0-9]*: ' printed && ! grep 'log: .*us : ' printed
}

# A clock that counts has no times: its lines stay lines.
counts() {
	sed -E 's/([0-9]+)us (:)/\1\2/; s/([0-9]+)us(.):/\1:/' panic >counted && of report --all counted >printed &&
		grep -F "and 0 events" printed && grep -F "log: " printed | grep -q "sched_switch: "
}

# What another CPU prints between is no part of an event.
a_line_between() {
	sed '/<stack trace>/i [    3.986400] usb 1-1: new device' sysrq >between && of report --all between >printed &&
		grep 'log: usb 1-1: new device$' printed && grep -c '^ => ' printed
}

# Lines of printk that go on in a next line, among texts that make the buffer of these grow.
joined_lines_of_printk() {
	cp panic joined
	for i in 1 2 3 4 5 6 7 8; do
		printf '[    5.00000%d]  x-1  1..... 9%d22137us : console: a\n' "$i" "$i"
		seq 1 300 | sed "s/^/[    5.00000$i] line/"
	done >>joined
	of report --all joined >printed && [ "$(grep -c '^line300$' printed)" = 8 ]
}

instances() {
	sed 's/Dumping ftrace buffer:/Dumping ftrace instance foo buffer:/' sysrq >instance && of report --all instance >printed &&
		grep -F "# of 25 events (~)" printed
}

escaped() {
	sed 's/marker 1 of 1/\x1b[31m/; s/cat-136/c\x1b-136/' sysrq >hostile && of report --all hostile >printed &&
		! grep -q "$(printf '\033')" printed
}

cut_anywhere() {
	size=$(wc -c <sysrq)
	for n in $(seq 1 97 "$size"); do
		head -c "$n" sysrq >short
		"$epitaph" report --all short >printed 2>&1
		[ $? -le 4 ] || { echo "cut at $n"; cat printed; return 1; }
		tail -c "$n" sysrq >short
		"$epitaph" report --all short >printed 2>&1
		[ $? -le 4 ] || { echo "the last $n"; cat printed; return 1; }
	done
}

# A text of one event that goes on for a million lines, and a million dumps.
long() {
	{ sed -n 1,9p sysrq; echo '[    3.986239]  x-1  1..... 22137us : <stack trace>'; seq 1 200000 | sed 's/^/[    3.986239]  => f/'; } >stack &&
		timeout 20 "$epitaph" report --events 1 stack >printed; [ $? -le 1 ] || return
	seq 1 200000 | awk '{ printf "[    3.%06d] Dumping ftrace buffer:\n[    3.%06d]  x-1  1..... %dus : console: line\n", $1, $1, $1 }' >dumps &&
		timeout 20 "$epitaph" report --events 1 dumps >printed; [ $? -le 1 ]
}

# shellcheck disable=SC2154 # lib.sh has dir
cd "$dir" || exit
ok of_a_panic of_a_panic
ok of_sysrq_z of_sysrq_z
ok time_of_the_log time_of_the_log
ok no_time no_time
ok a_line_alone a_line_alone
ok ambiguous ambiguous
ok impossible impossible
ok fields fields
ok without_a_name without_a_name
ok stacks stacks
ok losses losses
ok losses_of_unknown_number losses_of_unknown_number
ok losses_alone losses_alone
ok four_letters four_letters
ok no_blanks no_blanks
ok no_begin no_begin
ok counts counts
ok a_line_between a_line_between
ok joined_lines_of_printk joined_lines_of_printk
ok instances instances
ok escaped escaped
ok cut_anywhere cut_anywhere
ok long long
finish
