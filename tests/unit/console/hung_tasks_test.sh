#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Hung tasks in the text of a console: the kernel reports each of them in each of its passes, and ten times
# in all.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# hung TIME TASK SECONDS: a report as kernel/hung_task.c prints it, of which a part is left out.
hung() {
	printf '[%12.6f] INFO: task %s blocked for more than %s seconds.\n' "$1" "$2" "$3"
	printf '[%12.6f] Call Trace:\n[%12.6f]  __schedule+0x34d/0xa00\n' "$1" "$1"
	printf '[%12.6f]  __mutex_lock.constprop.0+0x39d/0x720\n' "$1"
	printf '[%12.6f]  %s+0x1b/0x22 [locks]\n[%12.6f]  kthread+0xda/0x100\n' "$1" "${2%:*}" "$1"
}

# pass SECOND AGE TASK...
pass() {
	second=$1 age=$2 at=0
	shift 2
	for task; do
		hung "$second.00$at" "$task" "$age"
		at=$((at + 1))
	done
}

later() {
	printf '[  900.000000] usb 1-1: new device\n'
}

# why PATTERN: what explain says of the text "hung".
why() {
	"$epitaph" explain --json hung >got || [ $? = 1 ]
	jq -r '"\(.kind) \(.strength): \(.claim)", "signature \(.signature)", .missing[]' got >printed
	grep -E "$1" printed || { cat printed; return 1; }
}

short_passes() {
	{ pass 16 10 a:7 b:8 c:9; pass 18 12 a:7 b:8 c:9; } >hung
	why '^hung-task possible: 3 tasks waited too long, 0 s .* found, a-7,'
}

# Nine reports of three, and one more: the kernel stopped behind the first of its pass.
stopped_within() {
	{ pass 16 10 a:7 b:8 c:9; pass 18 12 a:7 b:8 c:9; pass 20 14 a:7 b:8 c:9; pass 22 16 a:7; } >hung
}

cut_pass() {
	stopped_within
	why '^hung-task possible: 3 tasks waited too long, 1 s .* found, a-7,' && why '^signature hung-task:a<kthread$'
}

# Three reports less, and the kernel would have gone on: the others went on.
two_went_on() {
	{ pass 16 10 a:7 b:8 c:9; pass 18 12 a:7; } >hung
	why '^hung-task possible: The task a-7 waited too long'
}

# Blocked later, and earlier in the kernel's list.
another_comes_first() {
	{ pass 16 10 a:7; pass 18 10 b:6 a:7; } >hung
	why '^hung-task possible: 2 tasks waited too long, 0 s .* found, b-6,'
}

long_ago() {
	stopped_within; later >>hung
	why '^hung-task possible: 3 tasks waited too long, 879 s' && why 'reports no more hung tasks'
}

# Fewer than ten: the kernel would have said it again.
long_ago_and_over() {
	{ pass 16 10 a:7 b:8 c:9; later; } >hung
	why '^reset not known: '
}

# Since 6.4 it says that it says no more.
says_that_it_stops() {
	{ pass 16 10 a:7 b:8 c:9; printf '[   16.100000] Future hung task reports are suppressed, see sysctl kernel.hung_task_warnings\n'; later; } >hung
	why '^hung-task possible: 3 tasks waited too long, 883 s'
}

# shellcheck disable=SC2154 # lib.sh has dir
cd "$dir" || exit
ok short_passes short_passes
ok cut_pass cut_pass
ok two_went_on two_went_on
ok another_comes_first another_comes_first
ok long_ago long_ago
ok long_ago_and_over long_ago_and_over
ok says_that_it_stops says_that_it_stops
finish
