#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Logs without times: what is said of them is what is said of the same lines with a time.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/unit/console/lib-console.sh
. "$here/lib-console.sh"
cd "$dir" || exit 1

# verdict FILE
verdict() {
	of explain --json "$1" | jq -r '.kind, .strength, .claim, .signature, .evidence[].text'
}

# Of each crash whose lines are here, with the head that says what is wanted of it taken off.
same_of_crashes() {
	crashes=0
	for log in "$top"/tests/crashes/*.log; do
		grep -v '^#[= ]' "$log" >timeless
		grep -qE '^ *(BUG: |Oops: |Kernel panic - |WARNING: |UBSAN: |general protection fault)' timeless || continue
		grep -qE '^ *(Call [Tt]race:|CPU: |RIP: 0010:)' timeless || continue
		sed 's/^/[    0.000000] /' timeless >timed
		verdict timed >of-timed || return
		verdict timeless >of-timeless || { echo "$log"; return 1; }
		diff of-timed of-timeless || { echo "$log"; return 1; }
		crashes=$((crashes + 1))
	done
	echo "$crashes crashes"
	[ "$crashes" -gt 60 ]
}
ok what_is_said_of_crashes_is_the_same same_of_crashes

says_that_there_are_no_times() {
	grep -v '^#[= ]' "$top/tests/crashes/kasan-freed.log" | sed '/Kernel panic/,$d' >report
	of explain report >printed && says 'times: the lines of this text have none' &&
		says 'behind this report; the machine may have' && ! grep 'goes on for' printed
}
ok says_that_there_are_no_times says_that_there_are_no_times

# A log that ends with such a report: with times it says how long it goes on.
report_without_a_panic() {
	sed 's/^/[   11.000000] /' report >timed
	echo '[   14.500000] usb 1-1: new device' >>timed
	of explain timed >printed && says '__sk_destruct() had freed it' && says 'how sure  shown' && says 'goes on for 3 s'
}
ok a_report_without_a_panic_is_the_answer report_without_a_panic

# An oops says more of the end than what a sanitizer saw before.
oops_behind_it() {
	sed 's/^/[   11.000000] /' report >timed
	grep -v '^#[= ]' "$top/tests/crashes/divide.log" | sed 's/^/[   12.000000] /' >>timed
	of explain timed >printed && says 'signature exception' && says 'KASAN'
}
ok an_oops_behind_it_is_the_answer oops_behind_it

warning() {
	cat <<'LINES'
refcount_t: underflow; use-after-free.
WARNING: CPU: 0 PID: 6453 at lib/refcount.c:28 refcount_warn_saturate+0xd8/0xe0
CPU: 0 PID: 6453 Comm: kworker/0:2 Not tainted 6.1.58+ #244
RIP: 0010:refcount_warn_saturate+0xd8/0xe0
Call Trace:
 <TASK>
 group_free_work+0x5a/0xa0
 process_one_work+0x1c7/0x380
LINES
}

# What was cut out of a log; the machine went on.
warning_at_the_end() {
	warning >pasted
	of explain pasted >printed && says 'signature refcount:group_free_work<process_one_work' && says 'behind this report; the machine may have' &&
		! grep 'panic_on_warn' printed
}
ok a_warning_at_the_end_is_the_answer warning_at_the_end

warning_long_before() {
	warning | sed 's/^/[   11.000000] /' >long-ago
	echo '[   14.500000] usb 1-1: new device' >>long-ago
	of explain long-ago >printed && says 'signature reset' && says '1 earlier report of the kernel'
}
ok a_warning_long_before_the_end_is_not warning_long_before

with_priorities() {
	sed 's/^/<4>/' report >with-priorities
	verdict report >plain && verdict with-priorities | diff plain -
}
ok priorities_are_skipped with_priorities

# As a mail quotes it, and as syslog writes it in a language whose months are not read.
quoted() {
	sed "s/^/$1/" report >quoted
	verdict report >plain && verdict quoted | diff plain -
}
ok a_quotation_is_read quoted '> > '
ok dates_of_any_language_are_skipped quoted 'sept. 27 21:47:33 mon-hote kernel: '
ok quoted_dates_are_skipped quoted '> 27 sept. 2026 21:47:33 kernel: '

# Each line takes more room with a time in front.
millions_of_lines() {
	yes a | head -n 8000000 | cat - report >long && verdict report >short-says && verdict long | diff short-says -
}
ok the_last_lines_of_very_many_are_read millions_of_lines

# refused LINES: it is no log of a kernel
refused() {
	printf '%b' "$1" >text
	"$epitaph" explain text >printed 2>&1
	[ $? = 4 ] || { cat printed; return 1; }
	says 'or reports a crash'
}
ok a_text_that_only_warns_is_refused refused 'make: all\nWARNING: the disk is full\nBUG: none\n'
ok a_trace_without_a_title_is_refused refused 'hello\nCall Trace:\n f+0x1/0x2\n'

finish
