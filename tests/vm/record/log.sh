#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the kernel logged before the recorder was there is taken from its log: each
# line once, at its time, on one timeline with the events that follow.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
with_disk
echo on >/proc/sys/kernel/printk_devkmsg
# CLOCK_MONOTONIC, ns.
now() {
	sed -n 's/^now at \([0-9]*\) nsecs.*/\1/p' /proc/timer_list
}
print() {
	begin=$(now)
	echo "<5>log: $1." >/dev/kmsg
	echo "guest: printed $begin $(now) log: $1."
}
print "before one"
sleep 1
print "before two"
# Two at once: one prints for both, and the consoles are behind.  In bursts, and
# not more than the log has room for, however long the load takes.
noise() {
	n=$1
	while [ ! -e /tmp/enough ] && [ "$n" -lt 2000 ]; do
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			echo "<5>noise $n." >/dev/kmsg
			n=$((n + 2))
		done
		usleep 50000
	done
	echo "guest: noise $((n - 2))"
}
noise 1 &
noise 2 &
sleep 0.2
load_recorder
print "after one"
sleep 0.2
touch /tmp/enough
wait
print "after two"
sleep 0.2
dd if=/dev/epitaph of=/disk/region bs=1M 2>/dev/null
rmmod epitaph
load_recorder addr=0x20000000 size=4M
dd if=/dev/epitaph of=/disk/small bs=1M 2>/dev/null
END
pack_guest
warm_boots 1
check "the guest ended well" guest_ended_well
"$here/stamp" "$saved/region" >"$out/log"
"$here/stamp" "$saved/small" >"$out/log-small"
recovers "$epitaph" export --to json -o "$out/events.json" "$saved/region"
recovers "$epitaph" report --all "$saved/region" >"$out/report"

# At its time: between two looks at the clock, around it.
# shellcheck disable=SC2317 # check calls all of these
is_in_time() {
	# shellcheck disable=SC2046 # words
	set -- $(grep "^guest: printed .* log: $1\\.\$" "$out/guest.log") \
		"$(sed -n "s/^log at \\([0-9]*\\): log: $1\\.\$/\\1/p" "$out/log")"
	echo "from $3 to $4: $8"
	# The log has whole microseconds.
	[ "$8" -ge $(($3 - 1000)) ] && [ "$8" -le "$4" ]
}
# shellcheck disable=SC2317
in_log() {
	grep -c "^log at [0-9]*: log: $1\\.\$" "$out/log"
}
# shellcheck disable=SC2317
in_events() {
	grep '"printk:console"' "$out/events.json" | grep -c "log: $1\\."
}
# shellcheck disable=SC2317
once() {
	in_log=$(in_log "$1" || :) in_events=$(in_events "$1" || :)
	echo "log: $in_log, events: $in_events"
	[ "$in_log $in_events" = "$2" ]
}
# shellcheck disable=SC2317
all_once() {
	{
		sed -n 's/^log at [0-9]*: noise \([0-9]*\)\.$/\1/p' "$out/log"
		sed -n 's/.*"printk:console".*noise \([0-9]*\)\..*/\1/p' "$out/events.json"
	} | sort -n >"$out/noise"
	sed -n 's/^guest: noise //p' "$out/guest.log" | while read -r last; do
		seq $((2 - last % 2)) 2 "$last"
	done | sort -n | diff - "$out/noise"
}
# shellcheck disable=SC2317
in_order() {
	grep -oE 'Linux version 6|log: (before|after) (one|two)\.' "$out/report" |
		tr '\n' ' ' >"$out/order"
	cat "$out/order"
	[ "$(cat "$out/order")" = "Linux version 6 log: before one. log: before two. log: after one. log: after two. " ]
}
check "all of it: it begins with the kernel's first line" \
	sh -c "grep -q '^log: .*, cut 0' '$out/log' && grep '^log at' '$out/log' | head -n 1 | grep -q 'Linux version 6'"
check "a line from before is in the log alone" once "before one" "1 0"
check "the next as well" once "before two" "1 0"
check "one from afterwards is an event alone" once "after one" "0 1"
check "the next one too" once "after two" "0 1"
check "those printed meanwhile are there once" all_once
check "at its time" is_in_time "before one"
check "the other as well" is_in_time "before two"
check "on one timeline, in order" in_order
check "where there is less room, the newest are kept" \
	sh -c "grep -q '^log: .*, cut 1' '$out/log-small' && grep -q 'log: after two' '$out/log-small'"
check "from the beginning of a line on" \
	sh -c "! grep '^log without a time' '$out/log-small'"
finish
