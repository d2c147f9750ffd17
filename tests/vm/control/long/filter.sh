#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Events are filtered while they are recorded: what is in the region is what ftrace has of
# the same events under the same filters, line by line, from tasks, interrupts and NMIs.
# Filters outlive their modules, and wait for them; a wrong filter is reported.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

# All of it is looked at: no ring may come round.
region_is 96M

guest_modules="virtio_pci virtio_blk ext4 ahci"
guest <<'END'
t=/sys/kernel/tracing
c=$t/instances/compare
# lists LINE: "filter" alone does.
lists() {
	epitaph filter | grep -qxF -- "$1" || { epitaph filter; return 1; }
}
# both EVENT EXPRESSION: ours and ftrace's.
both() {
	dir=$c/events/$(echo "$1" | tr : /)
	epitaph filter "$1" "$2" >/tmp/said && echo "$2" >"$dir/filter" && echo 1 >"$dir/enable" &&
		[ "$(cat "$dir/filter")" = "$2" ]
}
# none EVENT...: of either.
none() {
	for event; do
		dir=$c/events/$(echo "$event" | tr : /)
		echo 0 >"$dir/enable" && echo 0 >"$dir/filter" && epitaph filter "$event" 0 >/tmp/said || return 1
	done
}
begin() {
	echo 0 >$c/tracing_on
	echo >$c/trace
	echo 1 >$c/tracing_on
	epitaph mark "$1" begins
}
end() {
	epitaph mark "$1" ends
	echo 0 >$c/tracing_on
	cp $c/trace "/tmp/trace-$1"
}
mount -t tracefs none $t 2>/dev/null || true
mkdir $c
echo 8192 >$c/buffer_size_kb
mkfifo /tmp/go
cat >/tmp/fw <<'FW'
#!/bin/sh
read -r go </tmp/go
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	echo "$i $go" >/dev/null
	usleep 1000
	sleep 0
done
FW
chmod +x /tmp/fw

load_recorder channels=2M
rmmod epitaph
load_recorder channels=2M
check "a filter, and the recorder goes" sh -c "epitaph-static filter sched:sched_switch 'prev_pid == 1' && rmmod epitaph"
load_recorder channels=2M
arm_kdump
check "after which there is none" [ -z "$(epitaph filter)" ]

# What is wrong.
check "an event that is none" wrong 2 "the nearest is 'sched:sched_switch'" filter sched:sched_swich 'prev_pid == 0'
check "one without its system" wrong 2 "no SYSTEM:EVENT" filter sched_switch 'prev_pid == 0'
check "a glob is none" wrong 2 "no event is called 'sched:*'" filter 'sched:*' 'prev_pid == 0'
check "a field that is none, in the kernel's words" wrong 2 "Field not found" filter sched:sched_switch 'prv_pid == 0'
check "and the one that is near" wrong 2 "nearest to 'prv_pid' is 'prev_pid'" filter sched:sched_switch 'prv_pid == 0'
check "also where it is not the first" wrong 2 "nearest to 'nxt_pid' is 'next_pid'" filter sched:sched_switch 'prev_pid == 0 && nxt_pid == 1'
check "an operator that is none" wrong 2 "Invalid operator" filter sched:sched_switch 'prev_pid =! 0'
check "a parenthesis too many" wrong 2 "Too many '('" filter sched:sched_switch '((prev_pid == 0)'
check "a number with a glob" wrong 2 "'prev_pid ~ \"1*\"'" filter sched:sched_switch 'prev_pid ~ "1*"'
check "no expression" wrong 2 "it is: filter [CHANNEL]" filter sched:sched_switch
check "a channel that is none" wrong 2 "no channel that records" filter nobody sched:sched_switch 'prev_pid == 0'
check "main has no errors of the hardware" wrong 2 "channel 'main' does not record 'ras:mc_event': 'ras' does" filter main ras:mc_event 'error_count > 0'
check "and ras nothing else" wrong 2 "channel 'ras' does not record 'sched:sched_switch': 'main' does" filter ras sched:sched_switch 'prev_pid == 0'
check "none to be taken away" wrong 2 "has no filter" filter sched:sched_switch 0
check "and nothing of it was done" [ -z "$(epitaph filter)" ]
check "one is changed" epitaph filter sched:sched_switch 'prev_pid == 1'
check "to one that is wrong" wrong 2 "Field not found" filter sched:sched_switch 'prev_pidd == 1'
check "stays what it was" lists 'filter main sched:sched_switch on prev_pid == 1'
check "ftrace's own filters stay as they are" grep -qx none $t/events/sched/sched_switch/filter
check "and of no instance" grep -qx none $c/events/sched/sched_switch/filter
check "it is taken away" epitaph filter sched:sched_switch 0

# As many as leave room for other marks.
many="irq_handler_entry irq_handler_exit softirq_entry softirq_exit softirq_raise"
for event in $many; do
	epitaph filter irq:$event 'common_pid == 1' >/tmp/said
done
many_of_sched="switch wakeup waking wakeup_new migrate_task process_free process_exit process_fork process_exec process_wait"
for event in $many_of_sched; do
	epitaph filter sched:sched_$event 'common_pid == 1' >/tmp/said
done
check "15 there can be" sh -c '[ "$(epitaph-static filter | wc -l)" = 15 ]'
check "one more is refused" wrong 3 "there are 15 filters, and room for 15" filter timer:timer_start 'common_pid == 1'
check "one of them can be changed" epitaph filter sched:sched_switch 'common_pid == 2'
check "one is taken away" epitaph filter sched:sched_switch 0
check "then there is room" epitaph filter timer:timer_start 'common_pid == 1'
for event in $many; do
	epitaph filter irq:$event 0 >/tmp/said
done
for event in timer:timer_start ${many_of_sched#switch }; do
	case $event in *:*) ;; *) event=sched:sched_$event ;; esac
	epitaph filter $event 0 >/tmp/said
done
check "they are taken away" [ -z "$(epitaph filter)" ]

# The same as ftrace.
epitaph events sched:sched_switch sched:sched_process_exec raw_syscalls:sys_enter timer:hrtimer_expire_entry irq:softirq_entry >/tmp/said
/tmp/fw &
fw=$!
sleep 0.3
check "numbers, a pid" both raw_syscalls:sys_enter "(id == 1 || id >= 50 && id <= 70) && common_pid == $fw"
check "a text of any length, with a glob" both sched:sched_process_exec 'filename ~ "/proc/*exe" && pid != 1 || filename == "/tmp/fw"'
check "names" both sched:sched_switch 'prev_comm == "fw" || next_comm ~ "f[w]*"'
check "three are listed" sh -c '[ "$(epitaph-static filter | grep -c "^filter main .* on ")" = 3 ]'
begin tasks
echo go >/tmp/go
wait $fw
end tasks
check "they go" none raw_syscalls:sys_enter sched:sched_process_exec sched:sched_switch
epitaph mark all again
/tmp/fw &
echo go >/tmp/go
wait
epitaph mark that was all

# What ftrace has of the moment of an event, in states that ftrace distinguishes.
load_victim work=0
round=0
: >/tmp/moments
begin moments
while read -r expression; do
	round=$((round + 1))
	check "$expression" both victim:moment "$expression"
	echo "$round $expression" >>/tmp/moments
	echo $round >/sys/kernel/debug/victim_moments
done <<MOMENTS
common_flags == 0
common_flags & 1
common_flags & 2
common_flags & 4
common_flags & 32
common_flags & 128
common_preempt_count == 0
common_preempt_count == 1
common_preempt_count == 14
common_preempt_count == 15
common_preempt_count & 240
common_preempt_count == 17
common_preempt_count > 8 && common_flags == 129
MOMENTS
end moments
dmesg | sed -n 's/.*moment \(round=.*\) changed$/\1/p' >/tmp/changed
none victim:moment
rmmod victim

load_victim
check "of a module's own, in all contexts" both victim:seq 'value & 1'
check "with a text" both victim:text 'text ~ "*a*"'
check "where the kernel looks at the flags" both timer:hrtimer_expire_entry 'common_flags & 8'
check "also in softirqs" both victim:switch_like 'common_flags & 16 && !(common_flags & 72)'
sleep 0.2
begin contexts
sleep $pace
end contexts
check "beside the bridge" epitaph bridge on
check "which goes" epitaph bridge off
check "filters stay" lists 'filter main victim:seq on value & 1'
check "and are not in ftrace's instances" sh -c "! ls $t/instances | grep -v compare"

# Modules go and come.
check "its module goes" sh -c "echo 0 >$c/events/victim/enable; rmmod victim"
check "its filters wait" lists 'filter main victim:seq waits value & 1'
check "it comes again" load_victim
check "they are on" lists 'filter main victim:seq on value & 1'
none timer:hrtimer_expire_entry
check "an event can wait for its module" epitaph filter libata:ata_qc_issue 'ata_port >= 1'
check "one that is wrong as well" epitaph filter libata:ata_qc_complete_done 'no_such_field == 1'
epitaph events '+libata:*' >/tmp/said
check "they wait" lists 'filter main libata:ata_qc_issue waits ata_port >= 1'
load_modules /lib/modules
check "it comes" lists 'filter main libata:ata_qc_issue on ata_port >= 1'
check "the wrong one is reported" lists 'filter main libata:ata_qc_complete_done refused no_such_field == 1'
check "its event is not recorded" sh -c 'epitaph-static events | grep -qx "event libata:ata_qc_complete_done refused"'
check "the log says why" kernel_says 'filter or trigger of libata:ata_qc_complete_done: Field not found'
check "changed, it is" epitaph filter libata:ata_qc_complete_done 'ata_port >= 1'
check "recorded" sh -c 'epitaph-static events | grep -qx "event libata:ata_qc_complete_done on"'

# A channel's own.
check "a channel" epitaph channel add own 256K irq:softirq_entry victim:seq
check "has filters of its own" epitaph filter own irq:softirq_entry 'vec == 1'
check "of an event that it has" wrong 2 "does not record" filter own sched:sched_switch 'prev_pid == 0'
check "it says whose" lists 'filter own irq:softirq_entry on vec == 1'
epitaph channel add gone 128K irq:softirq_entry >/tmp/said
epitaph filter gone irq:softirq_entry 'vec == 1' >/tmp/said
epitaph channel stop gone >/tmp/said
check "they go with it" sh -c 'epitaph-static channel remove gone >/dev/null && ! epitaph-static filter | grep gone'
epitaph stop >/tmp/said
check "they outlive a stop" epitaph start
(for i in 1 2 3 4 5 6 7 8; do epitaph filter irq:softirq_entry "vec == $i"; done >/tmp/one) &
one=$!
(for i in 1 2 3 4 5 6 7 8; do epitaph filter own victim:seq "value & $i"; done >/tmp/two) &
wait $one $!
check "two at once both get what they said" lists 'filter main irq:softirq_entry on vec == 8'
check "the other too" lists 'filter own victim:seq on value & 8'
check "one goes" epitaph filter irq:softirq_entry 0
sleep 0.5
await_file /dev/vda
mount -t ext4 /dev/vda /disk
mkdir -p /disk/truth
cp /tmp/trace-* /tmp/moments /tmp/changed /disk/truth/
umount /disk
bug panic
END
pack_guest "$top/extractor/epitaph-static"

# window NAME: events between two marks of the report, as ftrace writes them.
# shellcheck disable=SC2317 # check calls it
window() {
	awk -v from="text=$1 begins" -v to="text=$1 ends" \
		'index($0, from) { on = 1; next } index($0, to) { exit } on' "$out/report" | grep -v '^#'
}

# plain EVENT: PID CPU EVENT FIELDS of lines of either, by CPU.  Not the names of tasks: ftrace
# has those that they had last; and not where hrtimers lie, which it hides.
# shellcheck disable=SC2317 # check calls it
plain() {
	sed -nE "s/^ *[^ ].*-([0-9]+) +(\[[0-9]+\]) [^:]*: (${1}: .*)/\1 \2 \3/p" | sed 's/hrtimer=[^ ]* //' | sort -s -t[ -k2.1,2.3
}

# same WINDOW EVENT LEAST: ours and ftrace's, line by line.
# shellcheck disable=SC2317 # check calls it
same() {
	# Not where an interrupt changed what a filter looks at, between one probe and the other.
	window "$1" | plain "$2" | grep -vwFf "$saved/truth/changed" >"$out/ours"
	plain "$2" <"$saved/truth/trace-$1" | grep -vwFf "$saved/truth/changed" >"$out/theirs"
	wc -l "$out/theirs" "$saved/truth/changed"
	diff "$out/ours" "$out/theirs" && [ "$(wc -l <"$out/ours")" -ge "$3" ]
}

# same_values FIELD EVENT LEAST: of events that never cease, from the first to the last one that
# both have on each CPU.
# shellcheck disable=SC2317 # check calls it
same_values() {
	window contexts | plain "$1" | sed 's/^[^[]*//' >"$out/ours"
	plain "$1" <"$saved/truth/trace-contexts" | sed 's/^[^[]*//' >"$out/theirs"
	awk -v least="$2" '
		FNR == NR { ours[++n] = $0; is_ours[$0] = 1; next }
		{ theirs[++m] = $0; is_theirs[$0] = 1 }
		function clip(list, nr, other,   i, cpu) {
			delete first; delete last
			for (i = 1; i <= nr; i++)
				if (list[i] in other) {
					cpu = substr(list[i], 1, 5)
					if (!(cpu in first)) first[cpu] = i
					last[cpu] = i
				}
			got = 0
			delete clipped
			for (cpu in first)
				for (i = first[cpu]; i <= last[cpu]; i++)
					clipped[++got] = list[i]
		}
		END {
			clip(ours, n, is_theirs)
			for (i = 1; i <= got; i++) if (!(clipped[i] in is_theirs)) { print "only ours: " clipped[i]; bad++ }
			a = got
			clip(theirs, m, is_ours)
			for (i = 1; i <= got; i++) if (!(clipped[i] in is_ours)) { print "only theirs: " clipped[i]; bad++ }
			print n " ours, " m " theirs, " a " and " got " between"
			exit bad || a != got || got < least || n - a > n / 10 || m - got > m / 10
		}' "$out/ours" "$out/theirs"
}

# shellcheck disable=SC2317 # check calls it
from_all_contexts() {
	for flag in Z h s; do
		grep -E "^ *[^ ].* \[00[01]\] [^ ]*${flag}[^ ]* .* seq: " "$saved/truth/trace-contexts" | head -n 1 | grep . || return 1
	done
}

# told_apart EXPRESSIONS: how many of the 94 states fit each; most are about some of them.
# shellcheck disable=SC2317 # check calls it
told_apart() {
	while read -r round expression; do
		echo "$(grep -c "round=$round " "$out/theirs") $expression"
	done <"$saved/truth/moments" >"$out/moments"
	cat "$out/moments"
	[ "$(awk '$1 > 0 && $1 < 94' "$out/moments" | wc -l)" -ge "$1" ]
}

# shellcheck disable=SC2317 # check calls it
all_again() {
	awk '/text=all again/ { on = 1 } /text=that was all/ { exit } on' "$out/report" >"$out/again"
	grep -c 'sched_switch: ' "$out/again"
	grep 'sched_switch: ' "$out/again" | grep -qv '=fw ' && grep -q 'sys_enter: NR 0 ' "$out/again"
}

# shellcheck disable=SC2317 # check calls it
channel_has() {
	recovers "$epitaph" export --to json --channel own -o "$out/own.json" "$saved/region"
	jq -se 'map(select(.event == "irq:softirq_entry")) | length > 20 and (map(select(.fields.vec != 1)) | length) < length / 2 and
		(.[length / 2 | floor:] | all(.fields.vec == 1))' "$out/own.json"
}

# shellcheck disable=SC2317 # check calls it
main_has_others() {
	recovers "$epitaph" export --to json --channel main -o "$out/main.json" "$saved/region"
	jq -se 'map(select(.event == "irq:softirq_entry" and .fields.vec != 1)) | length > 10' "$out/main.json"
}

crash_and_capture --allow 'panic - not syncing: victim: panic'
check "the region is saved" [ -s "$saved/region" ]
recovers "$epitaph" report --all --channel '[mu]*' "$saved/region" >"$out/report" 2>/dev/null ||
	recovers "$epitaph" report --all "$saved/region" >"$out/report"
check "system calls are those that ftrace has, and of the same task" same tasks sys_enter 20
check "programs as well" same tasks sched_process_exec 20
check "and switches" same tasks sched_switch 40
check "moments are those that ftrace's flags and counts fit" same moments moment 100
# Debian's 5.10 does not count preemption, and has no flag for softirqs that are off.
[ "$kernel" = 5.10 ] && least=4 || least=8
check "ftrace distinguishes them" told_apart "$least"
sed 's/^/# /' "$out/moments"
check "then there are all of them again" all_again
check "ftrace has some of all contexts" from_all_contexts
check "and we have the same" same_values seq 500
check "texts too" same_values text 20
check "what an interrupt expires" same_values hrtimer_expire_entry 100
check "and softirqs" same_values switch_like 40
check "a channel has what its filter says" channel_has
check "main has the others" main_has_others
check "nothing of a channel that is gone" sh -c "! grep 'filtered.*channel gone' '$out/report'"
check "the report says what is filtered" grep -q '^# filtered since T-.*: channel main has of victim:seq only those with value & 1$' "$out/report"
check "and what was" grep -q 'mark: filter on CPU .*: main irq:softirq_entry vec == 8' "$out/report"
check "check finds no damage" no_damage "$saved/region"
finish
