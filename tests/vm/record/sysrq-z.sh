#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sysrq-z typed on the serial console: a break, then the key.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
echo 1 >/proc/sys/kernel/sysrq
load_recorder
load_victim
sleep 1
echo "guest: press"
check "the key prints the last events" await kernel_says 'end of the last events'
rmmod victim
rmmod epitaph
load_recorder sysrq_z=0
dmesg -c >/dev/null
echo z >/proc/sysrq-trigger
check "with sysrq_z=0 the key is the kernel's" kernel_says 'Dumping ftrace buffer'
check "and we say nothing" refused kernel_says 'last events of'
END
pack_guest
append=panic_on_warn=1
boot --when 'guest: press=>chardev-send-break s0' --when 'guest: press=>!z'
check "the guest lives on" guest_ended_well

# What was printed, without the kernel's own time stamps.
dump() {
	sed -n '/last events of . CPUs, newest last/,/end of the last events/p' "$out/console.log" |
		tr -d '\r' | sed 's/^\[[^]]*\] //'
}
lines() {
	dump | grep -E '^ +.+-[0-9]+ +\[[0-9]{3}\] .* [0-9]+\.[0-9]{6}: [a-z_]+: '
}
dump >"$out/dump"
lines >"$out/lines"

# shellcheck disable=SC2317 # check calls it
newest_last() {
	sed -E 's/^.*\[[0-9]{3}\] +[^ ]* *([0-9]+\.[0-9]{6}): .*/\1/' "$out/lines" | sort -n -c
}
# 115200 baud are 11520 bytes a second.
# shellcheck disable=SC2317 # check calls it
in_five_seconds() {
	[ "$(wc -c <"$out/dump")" -le 57600 ]
}
check "at least 100 events are printed" [ "$(wc -l <"$out/lines")" -ge 100 ]
check "ours are among them" grep -q 'seq: value=[0-9a-f]' "$out/lines"
check "the newest are last" newest_last
check "no line but events, the first, the last and gaps" \
	[ "$(grep -cvE ': [a-z_]+: |last events|left out' "$out/dump")" = 0 ]
check "it ends as it should" grep -q 'end of the last events' "$out/dump"
check "it takes at most five seconds of the console" in_five_seconds

# Each line of the dump is an event, in the words that were printed.
# shellcheck disable=SC2317 # check calls it
read_back() {
	"$epitaph" report --all --monotonic "$out/console.log" >"$out/report" || [ $? = 1 ] || return
	sed -E 's/^.*[0-9]+\.[0-9]{6}: //' "$out/lines" | sort >"$out/printed"
	grep -v '^#' "$out/report" | grep -v ': log: ' | sed -E 's/^.* +[0-9]+\.[0-9]{6}: //' | sort >"$out/read"
	diff "$out/printed" "$out/read"
}
check "epitaph report reads all of them out of the console's text" read_back
finish
