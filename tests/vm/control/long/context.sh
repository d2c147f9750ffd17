#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Events say more than their own fields where somebody asks: what is off and what runs is
# what ftrace has of the same events, from tasks, interrupts and NMIs; cgroups are those of
# /proc.  The same events in another channel say what they always did.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

# All of it is looked at: no ring may come round.
region_is 96M

guest_modules="virtio_pci virtio_blk ext4"
guest <<'END'
t=/sys/kernel/tracing
c=$t/instances/compare
# lists LINE: "context" alone does.
lists() {
	epitaph context | grep -qxF -- "$1" || { epitaph context; return 1; }
}
mount -t tracefs none $t 2>/dev/null || true
mkdir $c
echo 8192 >$c/buffer_size_kb
# What ftrace has of these two with PREEMPT_RT is not known, and they are refused.
both=irq,preempt, back=preempt,irq, one=irq other=preempt
case $(uname -r) in
*-rt-*) both='' back='' one=task other=task ;;
esac
load_recorder channels=2M
arm_kdump
if [ -z "$both" ]; then
	check "what is not known here" wrong 2 "what ftrace has as 'irq' on this kernel is not known to the recorder" context sched:sched_switch task,irq
	check "nor is the other" wrong 2 "what ftrace has as 'preempt' on this kernel is not known to the recorder" context sched:sched_switch preempt
fi
check "at first there is none" [ -z "$(epitaph context)" ]

# What is wrong.
check "a word that is none" wrong 2 "no context is called 'irqs'; the nearest is 'irq'; there are: irq preempt task cgroup cgroup:CONTROLLER perf:COUNTER" context sched:sched_switch task,irqs
check "one that takes no more" wrong 2 "no context is called 'irq:off'" context sched:sched_switch irq:off
check "one that needs more" wrong 2 "no context is called 'perf'" context sched:sched_switch perf
check "a counter that is none" wrong 2 "no counter is called 'cycle'; the nearest is 'cycles'; this machine has:" context sched:sched_switch perf:cycle
check "one that this machine has not" wrong 2 "this machine has no counter 'cycles'; it has: page-faults" context sched:sched_switch task,perf:cycles
check "a controller that is none" wrong 2 "no cgroup controller 'memry'; it has:" context sched:sched_switch cgroup:memry
check "an event that is none" wrong 2 "the nearest is 'sched:sched_switch'" context sched:sched_swich task
check "one without its system" wrong 2 "no SYSTEM:EVENT" context sched_switch task
check "a channel that is none" wrong 2 "no channel that records" context nobody sched:sched_switch task
check "main has no errors of the hardware" wrong 2 "channel 'main' does not record 'ras:*'" context main 'ras:*' task
check "no words" wrong 2 "a word lacks behind 'sched:sched_switch'" context sched:sched_switch
check "too many" wrong 2 "not understood: 'task'" context sched:sched_switch task task
check "none to be taken away" wrong 2 "has no context" context sched:sched_switch 0
check "and nothing of it was done" [ -z "$(epitaph context)" ]

# cgroups: one hierarchy of v1, and v2.
mkdir -p /tmp/v1 /tmp/v2
mount -t cgroup -o pids none /tmp/v1
mount -t cgroup2 none /tmp/v2
mkdir -p /tmp/v1/one /tmp/v2/outer/inner
echo "outer $(stat -c %i /tmp/v2/outer/inner) one $(stat -c %i /tmp/v1/one)" >/tmp/cgroups

check "a glob of events, all words" epitaph context 'sched:*' ${both}task,cgroup,cgroup:pids,perf:page-faults
check "they are listed in order" lists "context main sched:sched_switch on ${both}task,cgroup,cgroup:pids,perf:page-faults"
check "those that are off wait" lists "context main sched:sched_stat_runtime waits ${both}task,cgroup,cgroup:pids,perf:page-faults"
epitaph mark tasks begin
sh -c 'usleep 2000; echo $$ >/tmp/v2/outer/inner/cgroup.procs; echo $$ >/tmp/v1/one/cgroup.procs; echo "in $$ $(tr "\n" " " </proc/$$/cgroup)" >>/tmp/cgroups; for i in 1 2 3 4 5 6 7 8; do usleep 2000; /bin/true; done'
epitaph mark tasks end
check "they say nothing more" epitaph context 'sched:*' 0
check "nothing is listed" [ -z "$(epitaph context)" ]
epitaph mark plain begin
sh -c 'for i in 1 2 3; do usleep 1000; done'
epitaph mark plain end

# The same as ftrace.
load_victim
check "of a module's own, in all contexts" epitaph context 'victim:*' ${back}task
if [ -n "$both" ]; then
	check "two words of one with a text" epitaph context victim:text irq,preempt
	check "of an interrupt" epitaph context timer:hrtimer_expire_entry irq,preempt
fi
check "with a filter" epitaph filter victim:seq 'value & 1'
for event in victim/seq victim/text timer/hrtimer_expire_entry; do
	echo 1 >$c/events/$event/enable
done
echo 'value & 1' >$c/events/victim/seq/filter
sleep 0.2
echo 0 >$c/tracing_on
echo >$c/trace
echo 1 >$c/tracing_on
epitaph mark contexts begin
sleep $pace
epitaph mark contexts end
echo 0 >$c/tracing_on
cp $c/trace /tmp/trace
check "sysrq-z prints them as others" sh -c 'echo z >/proc/sysrq-trigger'

# A channel's own.
check "a channel" epitaph channel add own 512K irq:softirq_entry sched:sched_switch
check "has context of its own" epitaph context own irq:softirq_entry $one
check "of an event that it has" wrong 2 "channel 'own' does not record 'timer:*'" context own 'timer:*' $one
check "it says whose" lists "context own irq:softirq_entry on $one"
check "the same words again" epitaph context own irq:softirq_entry $one,$one
epitaph channel add gone 128K irq:softirq_entry >/tmp/said
epitaph context gone irq:softirq_entry $one >/tmp/said
epitaph channel stop gone >/tmp/said
check "it goes with it" sh -c 'epitaph-static channel remove gone >/dev/null && ! epitaph-static context | grep gone'
epitaph stop >/tmp/said
check "it outlives a stop" epitaph start
check "and waits meanwhile" lists "context own irq:softirq_entry on $one"

# Modules go and come.
check "its module goes" sh -c "echo 0 >$c/events/victim/enable; rmmod victim"
check "its context waits" lists "context main victim:seq waits ${both}task"
check "it comes again" load_victim
check "it is on" lists "context main victim:seq on ${both}task"
(for i in 1 2 3 4 5 6 7 8; do epitaph context victim:seq $one; epitaph context victim:seq $one,task; done >/tmp/one) &
one=$!
(for i in 1 2 3 4 5 6 7 8; do epitaph context 'victim:*' 0; epitaph context 'victim:*' $other; done >/tmp/two 2>&1) &
wait $one $!
check "two at once both get what they said" lists "context main victim:text on $other"
sleep 0.3
load_modules /lib/modules
await_file /dev/vda
mount -t ext4 /dev/vda /disk
mkdir -p /disk/truth
cp /tmp/trace /tmp/cgroups /disk/truth/
umount /disk
bug panic
END
pack_guest "$top/extractor/epitaph-static"

case $kernel in
*-rt) is_rt=yes field=context_pid ;;
*) is_rt='' field=context_irq ;;
esac

# check_known NAME COMMAND...: not with PREEMPT_RT.
check_known() {
	if [ -n "$is_rt" ]; then
		ok "$1 # SKIP what ftrace has of interrupts and preemption with PREEMPT_RT is not known to the recorder"
	else
		check "$@"
	fi
}

# window NAME: events between two marks of the report, as ftrace writes them.
# shellcheck disable=SC2317 # check calls it
window() {
	awk -v from="text=$1 begin" -v to="text=$1 end" \
		'index($0, from) { on = 1; next } index($0, to) { exit } on' "$out/report" | grep -v '^#'
}

# plain EVENT: CPU FLAGS PID EVENT FIELDS of lines of either, by CPU, without context.
# shellcheck disable=SC2317 # check calls it
plain() {
	sed -nE "s/^ *[^ ].*-([0-9]+) +(\[[0-9]+\]) ([^ ]*) +[T0-9.-]+: (${1}: .*)/\2 \3 \1 \4/p" | sed 's/ | .*//; s/hrtimer=[^ ]* //'
}

# same EVENT LEAST: the flags of those that both have, from the first to the last, by CPU.
# Between the two probes an interrupt may ask for the CPU (the second letter). 5.10 has no fifth: it cannot
# forbid to migrate.
# shellcheck disable=SC2317 # check calls it
same() {
	window contexts | plain "$1" >"$out/ours"
	plain "$1" <"$saved/truth/trace" >"$out/theirs"
	awk -v least="$2" '
		{ flags = $2; $2 = "" }
		FNR == NR { theirs[$0] = length(flags) == 4 ? flags "." : flags; next }
		!($0 in theirs) { alone++; next }
		{
			both++
			if (theirs[$0] == flags) next
			sub(/^(.)./, "&", flags)
			a = substr(flags, 1, 1) substr(flags, 3); b = substr(theirs[$0], 1, 1) substr(theirs[$0], 3)
			if (a == b) asked++
			else { print "ours " flags ", theirs " theirs[$0] ":" $0; bad++ }
		}
		END {
			print both " both, " alone + 0 " only ours, " asked + 0 " where the CPU was asked for in between"
			exit bad || both < least || asked > both / 50 || alone > both / 10
		}' "$out/theirs" "$out/ours"
}

# shellcheck disable=SC2317 # check calls it
from_all_contexts() {
	for letter in Z h s; do
		window contexts | plain seq | awk -v letter="$letter" '$2 ~ letter { n++ } END { exit n < 5 }' || { echo "no $letter"; return 1; }
	done
	window contexts | plain seq | awk '$2 ~ /^\.[^zZhHs]*$/ { n++ } END { exit n < 5 }'
}

# shellcheck disable=SC2317 # check calls it
task_is_the_pid() {
	window contexts | sed -nE 's/^ *[^ ].*-([0-9]+) +\[.*: seq: .* task=([^ ].*) pid=([0-9]+) tgid=([0-9]+)$/\1 \3/p' |
		awk '$1 != $2 { bad++ } END { print NR " events, " bad + 0 " differ"; exit bad || NR < 500 }'
}

# The cgroups of the shell that went there, as /proc/PID/cgroup and the inodes of both say.
# shellcheck disable=SC2317 # check calls it
cgroups_are_those_of_proc() {
	grep '^in .*:pids:/one .*0::/outer/inner' "$saved/truth/cgroups" || return 1
	v2=$(awk '/^outer/ { print $2 }' "$saved/truth/cgroups")
	v1=$(awk '/^outer/ { print $4 }' "$saved/truth/cgroups")
	pid=$(awk '/^in/ { print $2 }' "$saved/truth/cgroups")
	grep -m 1 "sched_.* | .*pid=$pid .* cgroup=$v2(/outer/inner) pids_cgroup=$v1 " "$out/report" || return 1
	jq -se --argjson pid "$pid" --argjson v1 "$v1" --argjson v2 "$v2" 'map(select(.event == "sched:sched_switch" and .fields.context_pid == $pid)) |
		length > 8 and (.[-5:] | all(.fields.context_cgroup == $v2 and .fields.context_pids_cgroup == $v1)) and
		(.[0].fields.context_cgroup != $v2)' "$out/main.json"
}

# shellcheck disable=SC2317 # check calls it
counters_grow() {
	jq -se 'map(select(.fields.context_page_faults != null)) | group_by(.cpu) | length == 2 and
		all(. as $of | map(.fields.context_page_faults) | . == sort and .[-1] > .[0] + 20)' "$out/main.json"
}

# Events of the same name before, between and after have no context.
# shellcheck disable=SC2317 # check calls it
others_are_plain() {
	window plain | grep 'sched_switch: ' | grep -q 'prev_comm' && ! window plain | grep -E ' \| (irq|task)='
}

# shellcheck disable=SC2317 # check calls it
only_own_has() {
	recovers "$epitaph" export --to json --channel own -o "$out/own.json" "$saved/region"
	jq -se --arg field "$field" 'map(select(.event == "irq:softirq_entry")) | length > 20 and (.[length / 2 | floor:] | all(.fields[$field] >= 0))' "$out/own.json" &&
		jq -se --arg field "$field" 'map(select(.event == "irq:softirq_entry")) | length > 20 and all(.fields | has($field) | not)' "$out/main.json"
}

# shellcheck disable=SC2317 # check calls it
redaction_leaves_none() {
	v2=$(awk '/^outer/ { print $2 }' "$saved/truth/cgroups")
	recovers "$epitaph" redact -o "$out/redacted" "$saved/region"
	recovers "$epitaph" export --to json --channel main -o "$out/redacted.json" "$out/redacted"
	jq -se --argjson v2 "$v2" 'map(select(.fields.context_comm != null)) | length > 100 and all(.fields.context_cgroup != $v2) and
		all(.fields.context_comm != "sh" and (.fields.context_pid == .pid or .event == "sched:sched_switch"))' "$out/redacted.json" &&
		! grep -q outer "$out/redacted" && "$epitaph" report --all --channel main "$out/redacted" 2>/dev/null | grep -m 1 'cgroup=[0-9]*(x[0-9a-z]*)'
}

# trace-cmd shows flags and fields.
# shellcheck disable=SC2317 # check calls it
trace_cmd_shows_them() {
	recovers "$epitaph" export --to trace.dat --channel main -o "$out/trace.dat" "$saved/region"
	trace-cmd report -i "$out/trace.dat" -l 2>/dev/null | grep -E "[0-9]d[^ ]*h[^ ]* .*hrtimer_expire_entry: .* [|] irq=[^ ]*hardirq" | head -n 1 | grep .
}

crash_and_capture --allow 'panic - not syncing: victim: panic'
check "the region is saved" [ -s "$saved/region" ]
recovers "$epitaph" report --all --channel '[mu]*' "$saved/region" >"$out/report"
recovers "$epitaph" export --to json --channel main -o "$out/main.json" "$saved/region"
check_known "flags are ftrace's" same seq 500
check_known "of events with a text too, and the text is" same text 20
check_known "of interrupts" same hrtimer_expire_entry 100
check_known "there are all contexts" from_all_contexts
check "the task is the one that runs" task_is_the_pid
check "cgroups are those of /proc" cgroups_are_those_of_proc
check "counters grow" counters_grow
check "what was not asked says nothing more" others_are_plain
check "a channel has its own" only_own_has
check "redacted, they have no owner" redaction_leaves_none
check_known "trace-cmd shows flags and fields" trace_cmd_shows_them
check "check finds no damage" no_damage "$saved/region"
finish
