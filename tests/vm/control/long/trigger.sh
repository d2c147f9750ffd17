#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Events stop and copy channels: from a task, from an interrupt and from an NMI, at once,
# after more of them and after a time.  Two problems back to back are two copies, and each
# has what led to it.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

region_is 64M

guest <<'END'
# lists PATTERN: "trigger" alone does.
lists() {
	epitaph trigger | grep -qE -- "$1" || { epitaph trigger; return 1; }
}
# copies N: there are so many, soon.
copies() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(epitaph channel | grep -c ' copy kept ')" = "$1" ] && return 0
		usleep 200000
	done
	epitaph channel
	return 1
}
channel_is() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		epitaph channel | grep -q "^channel $1 [a-z]* $2 " && return 0
		usleep 200000
	done
	epitaph channel
	return 1
}
# exec_as NAME: a task of that name comes and goes.
exec_as() {
	printf '#!/bin/sh\n:\n' >"/tmp/$1"
	chmod +x "/tmp/$1"
	"/tmp/$1"
}
# adjust N: an event that comes only when it is called.
adjust() {
	echo "$1" >/proc/self/oom_score_adj
}
load_recorder channels=12M
rmmod epitaph
load_recorder channels=12M
epitaph trigger sched:sched_switch stop main after 1000000 >/tmp/said
check "the recorder goes while one is armed" rmmod epitaph
load_recorder channels=12M
arm_kdump
check "there is none" [ -z "$(epitaph trigger)" ]
check "an event that is none" wrong 2 "the nearest is 'sched:sched_switch'" trigger sched:sched_swich stop main
check "a field that is none" wrong 2 "nearest to 'nxt_pid' is 'next_pid'" trigger sched:sched_switch if 'nxt_pid == 1' stop main
check "an action that is none" wrong 2 "not understood: 'halt'" trigger sched:sched_switch halt main
check "a channel that is none" wrong 2 "there are: main ras user" trigger sched:sched_switch snapshot nobody
check "one that does not stop" wrong 2 "always there" trigger sched:sched_switch stop user
check "a time that is none" wrong 2 "after 'soon'?" trigger sched:sched_switch stop main after soon
check "no event" wrong 2 "it is: trigger SYSTEM:EVENT" trigger stop main
check "one to be removed that is none" wrong 2 "no trigger '7'" trigger remove 7
check "nothing of it was done" [ -z "$(epitaph trigger)" ]

# Two problems.
check "from a task, with a text" epitaph trigger sched:sched_process_exec if 'filename == "/tmp/problem"' snapshot main after 100ms
check "it is listed" lists '^trigger [0-9]+ armed fired 0 missed 0 waits 0: sched:sched_process_exec if filename == "/tmp/problem" snapshot main after 100ms$'
exec_as harmless
check "others set off nothing" copies 0
epitaph mark first problem
exec_as problem
epitaph mark second problem
exec_as problem
check "two problems are two copies" copies 2
check "it was set off twice" lists '^trigger [0-9]+ armed fired 2 missed 0 waits 0: '
number=$(epitaph trigger | sed -n 's/^trigger \([0-9]*\) .*/\1/p')
check "it goes" epitaph trigger remove "$number"
check "there is none again" [ -z "$(epitaph trigger)" ]

# A channel of its own stops: by what a filter rejects, after more events.
epitaph channel add own 1M oom:oom_score_adj_update irq:softirq_entry >/tmp/said
epitaph filter oom:oom_score_adj_update 'oom_score_adj == 999' >/tmp/said
check "what a filter rejects sets off one" epitaph trigger oom:oom_score_adj_update if 'oom_score_adj == 77' stop own after 3
adjust 77
check "not yet" channel_is own records
check "it waits" lists ' armed fired 1 missed 0 waits 1: '
adjust 1
adjust 2
check "after two more it waits still" lists ' waits 1: '
adjust 3
check "after three it stops" channel_is own stopped
check "and is spent" lists '^trigger [0-9]+ spent fired 1 '
epitaph channel start own >/tmp/said
adjust 77
adjust 1
adjust 2
adjust 3
sleep 0.3
check "which it stays" channel_is own records
epitaph trigger remove "$(epitaph trigger | sed -n 's/^trigger \([0-9]*\) .*/\1/p')" >/tmp/said
check "the filter stays" sh -c 'epitaph-static filter | grep -q "oom_score_adj_update on"'
epitaph filter oom:oom_score_adj_update 0 >/tmp/said

# From an interrupt, and from whatever context the victim has, NMI too.
epitaph channel add two 1M 'sched:sched_switch' >/tmp/said
check "one waits for its module" sh -c 'epitaph-static trigger "victim:*" stop two 2>&1 | grep -q "no event is called"'
# With PREEMPT_RT the flags are not known; what expires over the idle task does so in an interrupt.
in_interrupt='common_flags & 8'
case $(uname -r) in *-rt-*) in_interrupt='common_pid == 0' ;; esac
check "an interrupt stops a channel" epitaph trigger timer:hrtimer_expire_entry if "$in_interrupt" stop two
check "it does" channel_is two stopped
load_victim
epitaph channel start two >/tmp/said
check "all contexts copy" epitaph trigger victim:seq if 'value & 1' snapshot two
check "until there is no room" sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do epitaph-static trigger | grep -q "victim:seq.* snapshot two" && epitaph-static trigger | grep "victim:seq" | grep -q spent && exit 0; sleep 1; done; epitaph-static trigger; exit 1'
check "more than there were places for" sh -c 'epitaph-static trigger | grep "victim:seq" | grep -qE "fired [1-9][0-9]+ "'
check "recording goes on" channel_is main records
check "its module goes" rmmod victim
check "and comes" load_victim

# A channel that goes while it waits for its trigger, and a trigger that is set off often.
epitaph channel remove two >/tmp/said || true
for copy in $(epitaph channel | sed -n 's/^channel \([^ ]*\) copy .*/\1/p' | sed 1,2d); do
	epitaph channel remove "$copy" >/tmp/said
done
epitaph stop >/tmp/said
epitaph start >/tmp/said
epitaph channel add gone 512K 'sched:*' >/tmp/said
epitaph trigger oom:oom_score_adj_update snapshot gone >/tmp/said
epitaph trigger oom:oom_score_adj_update if 'oom_score_adj == 70' snapshot gone after 500ms >/tmp/said
adjust 70
epitaph channel stop gone >/tmp/said
check "a channel with triggers is removed" epitaph channel remove gone
check "its triggers are spent" sh -c '[ "$(epitaph-static trigger | grep -c " spent .* snapshot gone")" = 2 ]'
adjust 71
sleep 0.6
check "no copy of it is tried" sh -c '[ "$(dmesg | grep -c "no snapshot: .*gone")" = 0 ]'
epitaph trigger oom:oom_score_adj_update if 'oom_score_adj == 72' snapshot user >/tmp/said
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do
	adjust 72
	usleep 20000
done
check "forty times" sh -c 'epitaph-static trigger | grep -E "fired [1-9][0-9] .*== 72 "'
epitaph mark all is well
sleep 0.3
bug panic
END
pack_guest "$top/extractor/epitaph-static"

# The first copy ends 100 ms behind its problem, the second one has both.
# shellcheck disable=SC2317 # check calls it
copy_has() {
	recovers "$epitaph" report --all --channel "main@$1" "$saved/region" >"$out/copy$1" 2>/dev/null
	grep -c 'sched_process_exec: filename=/tmp/problem' "$out/copy$1" >"$out/nr" || true
	echo "copy $1: $(cat "$out/nr")"
	[ "$(cat "$out/nr")" -ge "$2" ] && grep -q 'sched_process_exec: filename=/tmp/harmless' "$out/copy$1"
}

# shellcheck disable=SC2317 # check calls it
later_than_problem() {
	awk '/filename=\/tmp\/problem/ { found = 1; next } found && /sched_/ { n++ } END { exit n < 10 }' "$out/copy$1"
}

crash_and_capture --allow 'panic - not syncing: victim: panic'
check "the region is saved" [ -s "$saved/region" ]
check "the first copy has the first problem and what led to it" copy_has 1 1
check "and what came after it" later_than_problem 1
check "the second one has the second" copy_has 2 2
recovers "$epitaph" report --all "$saved/region" >"$out/report" 2>/dev/null
check "the report says what set them off" grep -qE 'mark: trigger on CPU .*: trigger [0-9]+: ' "$out/report"
check "it says who stopped it before many more" grep -q 'mark: stop on CPU' "$out/report"
check "check finds no damage" no_damage "$saved/region"
finish
