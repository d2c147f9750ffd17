#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records of more than one line: dmesg and journalctl indent the further ones to the column of the text, and
# print no time in front of them.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/unit/console/lib-console.sh
. "$here/lib-console.sh"
cd "$dir" || exit 1
${CC:-cc} -D_GNU_SOURCE -shared -fPIC -o dmesg_of.so "$here/dmesg_of.c" -ldl || exit 1

# As /dev/kmsg has them: a newline within a text is escaped.
{
	printf '%s\n' '6,1,1000000,-;amd_pstate: The CPPC feature is supported but currently disabled by the BIOS.\x0aPlease enable it if your BIOS has the CPPC option.'
	echo '4,2,2000000,-;usb 1-1: new device'
	printf '%s\n' '30,3,3000000,-;systemd[1]: first\x0a  deeper\x0a\x0alast'
	grep -oE '\[ *[0-9]+\.[0-9]{6}\] .*' "$here/panic.text" | sed '/Linux version/d' | awk '{
		match($0, /[0-9]+\.[0-9]+/)
		printf "4,%d,%d,-;%s\n", 10 + NR, substr($0, RSTART, RLENGTH) * 1000000 + 5000000, substr($0, RSTART + RLENGTH + 2) }'
} >kmsg

# dmesg_prints OPTION...: what util-linux prints of them, into "printed-so"
dmesg_prints() {
	LC_ALL=C DMESG_OF=kmsg LD_PRELOAD="$dir/dmesg_of.so" dmesg "$@" >printed-so
}

# lines FILE: of the kernel, without their times
lines() {
	of report --all "$1" | sed -n 's/^ .*T[-+][0-9.]*: log: //p' | sed 's/^<[0-9]*>//'
}

when_printed() {
	of report --all "$1" | sed -n 's/^ .*\(T[-+][0-9.]*\): log: .*/\1/p'
}

all_are_there() {
	dmesg_prints "$@" && head -n 6 printed-so && of report --json printed-so >json &&
		lines printed-so >got && lines kmsg >want && grep 'Please enable it if your BIOS' want && diff want got
}

# with_times OPTION...: further lines have the time of the first one
with_times() {
	all_are_there "$@" && when_printed printed-so >got && when_printed kmsg >want && diff want got
}

# other_lines: those of a program, behind a line of the kernel
other_lines() {
	printf '%s\n' '[    1.000000] usb 1-1: new device' '          Welcome to the machine' 'login:' \
		'               not behind a line of the kernel' '[    2.000000] usb 1-1: gone' >console &&
		lines console >got && printf '%s\n' 'usb 1-1: new device' 'usb 1-1: gone' | diff - got
}

of_a_serial_line() {
	printf '%s\r\n' '[    1.000000] usb 1-1: new device' '               Welcome to the machine' '[    2.000000] usb 1-1: gone' >console &&
		lines console >got && printf '%s\n' 'usb 1-1: new device' 'usb 1-1: gone' | diff - got
}

of_journalctl() {
	printf '%s\n' 'Jun 26 01:37:55 fox5 kernel: Kernel panic - not syncing: one' '                             two' \
		'Jun 26 01:37:56 fox5 systemd[1]: not the kernel' '                                 nor this' >journal
	lines journal >got && printf '%s\n' 'Kernel panic - not syncing: one' two | diff - got
}

ok seconds with_times
ok seconds_and_levels with_times -x
ok raw with_times -r
ok dates all_are_there -T
ok dates_and_levels all_are_there -x -T
ok iso with_times --time-format iso
ok iso_and_levels with_times -x --time-format iso
ok for_people all_are_there -H --color=never
ok for_people_and_levels all_are_there -x -H --color=never
ok what_lies_between with_times -d
ok what_lies_between_alone all_are_there --time-format delta
ok no_times all_are_there -t
ok no_times_and_levels all_are_there -x -t
ok journalctl of_journalctl
ok what_is_indented_less_or_behind_others__is_no_line_of_the_kernel other_lines
ok nor_is_what_a_serial_line_has of_a_serial_line
finish
