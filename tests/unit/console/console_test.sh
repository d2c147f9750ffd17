#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The text of a console, as a serial line, dmesg and journalctl give it: lines, boots, events, and
# what cannot be read.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/unit/console/lib-console.sh
. "$here/lib-console.sh"

cp "$here/panic.text" "$dir/panic"
cp "$here/hang.text" "$dir/hang"

why_it_died() {
	of explain panic >printed && says "take_it() of module thief" && says "a NULL pointer" && of report panic >printed &&
		says "6.1.0-56-amd64" && says ", 4 CPUs" && says "12 lines of the kernel and 0 events"
}

task_that_died() {
	of report panic >printed && says "kworker/u8:3-233" && says "CPU 3"
}

is_the_same() {
	of explain "$1" | sed 1d >got && of explain panic | sed 1d | sed "s/panic\$/$1/" >want && diff want got
}

carriage_returns_and_priorities() {
	sed 's/^\[/<4>[/; s/$/\r/' panic >crlf && is_the_same crlf
}

journal() {
	sed 's/^\(\[[ 0-9.]*\]\) /\1 host kernel: /' panic >journal && is_the_same journal
}

callers() {
	sed 's/^\(\[[ 0-9.]*\]\) /\1[  T233] /' panic >callers && is_the_same callers
}

standard_input() {
	of explain - <panic | sed 1d >got && of explain panic | sed 1d >want && sed 's/ -$/ panic/' got | diff want -
}

three_boots() {
	{ sed 's/thief/first/' panic; cat panic; printf '[    0.000000] Linux version 5.0 (x) #1\n[    9.000000] reboot: Power down\n'; } >boots
}

the_boot_that_died() {
	three_boots && of report boots >printed && says "boot 2 of 3 in it" && says "[thief]"
}

a_boot_by_its_number() {
	three_boots && of report --generation 1 boots >printed && says "boot 1 of 3" && of report --generation 3 boots >printed &&
		says "ended in order: Power down"
}

no_such_boot() {
	three_boots && ! "$epitaph" report --generation 4 boots >printed 2>&1 && says "there is no boot 4 in this text of a console; it has 3"
}

a_capture_kernel_followed() {
	{ sed '/BUG/,$d' panic; printf '[    9.500000] usb 1-1: new device\n[    0.000000] Kernel command line: quiet elfcorehdr=0x1000\n[    3.000000] reboot: machine restart\n'; } >captured
	of explain captured >printed && says "It crashed, and no word of why is left"
}

an_oops_that_others_outlive() {
	sed '/Kernel panic/d' panic >oops && printf '[   99.000000] usb 1-1: new device\n' >>oops && of report oops >printed &&
		says "the kernel did not say"
}

events_have_fields() {
	of report --json hang >got.json
	cat got.json
	jq -es 'map(select(.event? == "sched:sched_switch")) | .[0].fields |
		.prev_pid == 99 and .prev_state == 2 and .next_comm == "swapper/1"' got.json &&
		jq -es 'map(select(.event? == "sched:sched_waking"))[0].fields.target_cpu == 1' got.json
}

# Nothing says whether it is decimal.
numbers_of_unknown_events_are_texts() {
	printf '[    1.100000]           y-7       [001]     1.000001: seq: value=29\n' >numbers &&
		of report --json numbers | jq -es 'map(select(.event? == "console:seq"))[0].fields.value == "29"'
}

is_printed_as_it_was() {
	of report --all hang >printed && says "sched_waking: comm=a b=c pid=99 prio=120 target_cpu=001" &&
		says "prev_state=D ==> next_comm=swapper/1" && says "softirq_raise: vec=1 [action=TIMER]" && says "event 41: 8 bytes"
}

# The line that is an event as well was printed at 130.116 by the log's clock, at 130.0 by the other.
one_clock() {
	of report --all --monotonic hang >printed && grep -E ' 130\.084000: log: epitaph: last events' printed
}

twice_the_same() {
	{ cat hang; sed 's/^\[  130\.2/[  131.2/' hang | sed 1,2d; } >twice && of report twice >printed && says " 5 events"
}

# Two events of one microsecond in one dump are two.
alike_in_one_dump() {
	sed 's/.*event 41.*/&\n&/' hang >alike && of report alike >printed && says " 6 events"
}

a_text_without_times() {
	sed 's/\[[ 0-9.]*\] //; /BUG: /,$d' panic >plain && [ -s plain ] && ! "$epitaph" report plain >printed 2>&1 && says "no line of it has the kernel's time" &&
		says "LC_ALL=C journalctl -k"
}

bytes_of_no_text() {
	{ head -c 4096 /dev/zero; cat panic; } >zeros && ! "$epitaph" report zeros >printed 2>&1 && says "it is no text of a console"
}

# Whatever is cut off, the rest is read.
cut_anywhere() {
	for n in 1 15 40 200 500 777 900; do
		head -c "$n" hang >short
		"$epitaph" report --all short >printed 2>&1
		[ $? -le 4 ] || { echo "cut at $n"; cat printed; return 1; }
		tail -c "$n" hang >short
		"$epitaph" report --all short >printed 2>&1
		[ $? -le 4 ] || { echo "the last $n"; cat printed; return 1; }
	done
}

# A hundred thousand formats, of which no more than a few thousand are kept; the rest are lines.
many_formats() {
	seq 1 20000 | awk '{ printf "[  130.200001]           <idle>-0       [001]   129.%06d: e%d: f%d=1\n", $1, $1, $1 }' >formats
	of report --events 1 formats >printed && says "the text of a console"
}

names_of_controls_are_escaped() {
	printf '[    1.000000] a \033[31mred\007 line\n[    1.100000]           x\033y-7       [001]     1.000001: seq: v=\033[2J\n' >hostile &&
		of report --all hostile >printed && ! grep -q "$(printf '\033')" printed
}

an_oops_that_ends_the_text() {
	sed '/Kernel panic/d' panic >oops && of explain oops >printed && says "take_it() of module thief" &&
		says "the machine may"
}

# of_head KEY LOG: what the head of the log says.
of_head() {
	sed -n "s/^#= $1 //p" "$2"
}

# The logs of tests/crashes of which lines are all that there is: another kind is never said to be sure.
crashes_of_others() {
	same=0 all=0
	for log in "$top"/tests/crashes/*.log; do
		! grep -qE '^#= (event|cpu|silent|symbol|late)' "$log" || continue
		grep -vE '^#(=| SPDX)' "$log" | awk '{ printf "[%12.6f] %s\n", 10 + NR / 1000000, $0 }' >lines
		of explain --json lines | jq -r '"\(.kind) \(.signature) \(.strength)"' >got || return
		all=$((all + 1))
		case $(cat got) in
		"$(of_head kind "$log") $(of_head signature "$log") "*) same=$((same + 1)) ;;
		*" shown" | *" likely") echo "$log: $(cat got)"; return 1 ;;
		esac
	done
	echo "$same of $all"
	[ "$all" -ge 80 ] && [ $((all - same)) -le 5 ]
}

# shellcheck disable=SC2154 # lib.sh has dir
cd "$dir" || exit
ok why_it_died why_it_died
ok task_that_died task_that_died
ok carriage_returns_and_priorities carriage_returns_and_priorities
ok journal journal
ok callers callers
ok standard_input standard_input
ok the_boot_that_died the_boot_that_died
ok a_boot_by_its_number a_boot_by_its_number
ok no_such_boot no_such_boot
ok a_capture_kernel_followed a_capture_kernel_followed
ok an_oops_that_others_outlive an_oops_that_others_outlive
ok an_oops_that_ends_the_text an_oops_that_ends_the_text
ok crashes_of_others crashes_of_others
ok events_have_fields events_have_fields
ok numbers_of_unknown_events_are_texts numbers_of_unknown_events_are_texts
ok is_printed_as_it_was is_printed_as_it_was
ok one_clock one_clock
ok twice_the_same twice_the_same
ok alike_in_one_dump alike_in_one_dump
ok a_text_without_times a_text_without_times
ok bytes_of_no_text bytes_of_no_text
ok cut_anywhere cut_anywhere
ok many_formats many_formats
ok names_of_controls_are_escaped names_of_controls_are_escaped
finish
