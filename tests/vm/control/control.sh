#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A recorder is steered while it records: events are taken away and added, also before
# their module is there; recording stops and goes on.  The report of the machine
# that died afterwards has what was chosen at each time, and says why there is nothing.

. "$(dirname "$0")/../lib.sh"

guest_modules=ahci
guest <<'END'
state() {
	[ "$(epitaph events | grep "^event $1 ")" = "event $1 $2" ] ||
		{ epitaph events | grep "^event $1 "; return 1; }
}
ask() {
	exec 3<>/dev/epitaph-control
	echo "$1" >&3
	cat <&3
	exec 3>&-
}
tells() {
	ask status | grep -qE "$1" || { ask status; return 1; }
}
# keeps: while all is stopped by COMMAND, what was recorded stays, and the name of its task.
keeps() {
	load_recorder pages=1M
	printf '#!/bin/sh\nusleep 20000\necho 77 >/proc/self/oom_score_adj\n' >/tmp/rare
	chmod +x /tmp/rare
	/tmp/rare
	"$@"
	/test/churn 25000 600 || return 1
	epitaph-static save --live -o /tmp/kept >/dev/null || true
	rmmod epitaph
	epitaph-static report --all /tmp/kept/region >/tmp/report
	rm -r /tmp/kept
	grep ' oom_score_adj=77$' /tmp/report >/tmp/found
	wc -l /tmp/report
	cat /tmp/found
	grep -qE '^ *rare-[0-9]+ ' /tmp/found
}
check "what was recorded before a stop is kept" keeps epitaph stop
check "so it is of the main channel alone" keeps epitaph channel stop main
load_recorder
arm_kdump
check "it records" tells '^recording yes'
check "the default is on" state sched:sched_switch on
check "others are off" state raw_syscalls:sys_enter off
check "an event that is none is refused, with what is near" \
	wrong 2 "no event is called 'sched:sched_swich'; the nearest is 'sched:sched_switch'" events '+sched:sched_swich'
check "so is a list of which one word is wrong" wrong 2 "'nowhere:x'" events '+raw_syscalls:*' '!nowhere:x'
check "and nothing of it is done" state raw_syscalls:sys_enter off
check "start takes no words" wrong 2 "takes no words: 'now'" start now
check "the device names the commands" sh -c \
	'exec 3<>/dev/epitaph-control; ! echo nonsense >&3 2>/dev/null; grep -q "no command .nonsense.; there are: bridge channel context events filter size snapshot start status stop trigger" <&3'
check "4096 bytes are no command" refused dd if=/dev/zero of=/dev/epitaph-control bs=4096 count=1
epitaph mark softirqs go
check "events are taken away" epitaph events '!irq:softirq_*'
epitaph mark softirqs are away
check "they are off" state irq:softirq_entry off
sleep 1
epitaph mark softirqs come
check "and come again" epitaph events '+irq:softirq_*'
epitaph mark system calls come
check "others are added" epitaph events '+raw_syscalls:sys_enter'
sleep 0.2
check "and taken away" epitaph events '!raw_syscalls:*'
epitaph mark system calls are away
check "events of a module that is not loaded can be asked for" epitaph events '+libata:*'
check "they wait" state libata:ata_qc_issue absent
load_modules /lib/modules
check "they come with it" state libata:ata_qc_issue on
check "unknown events can be asked for by ?" epitaph events '+?nobody:*'
check "recording stops" epitaph stop
check "it says so" tells '^recording no'
check "an event that was on is stopped" state sched:sched_switch stopped
epitaph mark nothing else here
sleep 0.5
check "recording goes on" epitaph start
check "it was on once" tells '^recording yes'
(for i in $(seq 20); do epitaph events '+net:*'; epitaph events '!net:*'; done >/tmp/one; epitaph events '+net:*') &
(for i in $(seq 20); do epitaph events '!timer:*'; epitaph events '+timer:*'; done >/tmp/two; epitaph events '!timer:*') &
wait
check "two at once both get what they said: added" state net:netif_rx on
check "two at once both get what they said: taken away" state timer:timer_start off
check "a new list is a new choice" epitaph events 'default' 'raw_syscalls:sys_exit'
check "of which the default is part" state timer:timer_start on
check "and of which the others are not" state net:netif_rx off
epitaph events default
load_victim
check "a module that brings events is recorded" sh -c 'epitaph-static events | grep -q "^event victim:seq on"'
sleep 1
bug panic
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -o "$out/churn" "$here/churn.c"
pack_guest "$out/churn" "$top/extractor/epitaph-static"

# between FROM TO PATTERN: events that lie between two marks in the report.
# shellcheck disable=SC2317 # check calls it
between() {
	recovers "$epitaph" report --all "$saved/region" |
		awk -v from="$1" -v to="$2" 'index($0, from) { on = 1; next } index($0, to) { exit } on' |
		grep -v '^#' >"$out/between" || true
	grep -E -- "$3" "$out/between" >"$out/found" || true
}

# shellcheck disable=SC2317 # check calls it
are_between() {
	between "$@"
	[ -s "$out/found" ]
}

# shellcheck disable=SC2317 # check calls it
are_not_between() {
	between "$@"
	head -n 3 "$out/found"
	wc -l "$out/between"
	[ -s "$out/between" ] && [ ! -s "$out/found" ]
}

# shellcheck disable=SC2317 # check calls it
only_the_mark() {
	between 'recording was stopped by' 'recording goes on by' .
	[ "$(wc -l <"$out/found")" = 1 ] && grep -F 'text=nothing else here' "$out/found"
}

# shellcheck disable=SC2317 # check calls it
formats_are_there_once() {
	recovers "$epitaph" export --to trace.dat -o "$out/trace.dat" "$saved/region"
	trace-cmd report -i "$out/trace.dat" >"$out/trace-cmd" 2>&1
	grep -q 'softirq_entry' "$out/trace-cmd" && grep -q 'sys_enter' "$out/trace-cmd"
}

crash_whole --allow 'panic - not syncing: victim: panic'
check "softirqs were there" are_between '# ' 'text=softirqs go' 'softirq_entry: '
check "softirqs were away when they were taken away" are_not_between 'text=softirqs are away' 'text=softirqs come' 'softirq_'
check "and came again" are_between 'text=softirqs come' 'recording was stopped' 'softirq_entry: vec='
check "system calls were there while they were asked for" \
	are_between 'text=system calls come' 'text=system calls are away' 'sys_enter: NR '
check "not later" are_not_between 'text=system calls are away' 'recording was stopped' 'sys_enter: '
check "the module's events came with it" are_between 'text=system calls are away' 'recording was stopped' 'ata_'
check "a mark says who stopped it" report_says 'mark: stop on CPU'
check "while it was stopped there is the mark alone" only_the_mark
check "the pid is right at once" are_between 'recording goes on by' 'zzz' '-[0-9]+ '
check "trace-cmd reads formats that came late" formats_are_there_once
finish
