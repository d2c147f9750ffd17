#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph size on a sysfs that is a directory, which changes while it looks, and a recorder that is a
# pipe: it answers with the question.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

sys=$dir/sys

# ring CHANNEL CPU WRITTEN: as in the recorder's sysfs, its file exchanged at once
ring() {
	mkdir -p "$sys/channels/$1"
	cat >"$dir/ring" <<END
size 1048576
sub_size 4096
written $3
horizon_ns 300000000000
whole 0
events 500
span_ns 250000000
too_large 0
too_deep 0
END
	mv "$dir/ring" "$sys/channels/$1/cpu$2"
}

fresh() {
	rm -rf "$sys" "$dir/device"
	mkdir -p "$sys/generations"
	mkfifo "$dir/device"
	echo "0x20000000 16777216 memmap" >"$sys/region"
	echo 7 >"$sys/current"
	echo 1700000000123456789 >"$sys/start"
	echo "0 0" >"$sys/lost"
	ring main 0 1000000
	ring main 1 5000000
	ring ras 0 96
	ring net 0 0
}

size() { "$epitaph" size --sysfs "$sys" --device "$dir/device" "$@"; }

# asks BYTES OPTION...: of the recorder, for rings of main
asks() {
	bytes=$1
	shift
	size "$@" >"$dir/out" 2>&1
	status=$?
	cat "$dir/out"
	[ "$status" = 4 ] && grep -qF "$dir/device: size $bytes" "$dir/out"
}

# meanwhile COMMAND...: when the tool that runs as $! has looked once, and sleeps until it looks again.
meanwhile() {
	until grep -q '^[0-9]* (.*) S ' "/proc/$!/stat" || ! kill -0 $!; do
		sleep 0.01
	done
	"$@"
}

more() {
	ring main 0 1100000
	ring main 1 6000000
}

# 1 MB in a second, and no more time than the tool ran: sub-buffers for 10 s, of the busiest CPU.
it_asks_for_what_the_busiest_cpu_needs() {
	began=$(date +%s%N)
	"$epitaph" size --sysfs "$sys" --device "$dir/device" --for 10s --measure 1s >"$dir/out" 2>&1 &
	meanwhile more
	! wait $! || return 1
	us=$((($(date +%s%N) - began) / 1000))
	bytes=$(sed -n 's/.*device: size //p' "$dir/out")
	echo "$bytes, $us us"
	[ $((bytes % 4096)) = 0 ] && [ "$bytes" -ge $((10000000 * 1000000 / us)) ] && [ "$bytes" -lt 10010000 ]
}

an_idle_machine_needs_the_least() {
	asks 65536 --for 1h --measure 0.1s
}

units_are_understood() {
	asks 65536 --for 5m --measure 0.1 && asks 65536 --for .5 --measure 0.1s
}

# refuses TEXT OPTION...
refuses() {
	text=$1
	shift
	exits 2 size --sysfs "$sys" "$@" 2>"$dir/noise"
	cat "$dir/noise"
	grep -qF -- "$text" "$dir/noise"
}

what_it_does_not_understand_it_says() {
	refuses '--for lacks' && refuses '--for: from 0.1s to 720h, such as 30s, 5m or 1h: 30d' --for 30d &&
		refuses '--for: from 0.1s' --for 0 && refuses '--for: from 0.1s' --for 999999h &&
		refuses '--measure: from 0.1s' --for 3s --measure x && refuses 'not at files' --for 3s file
}

no_recorder_is_4() {
	rm -rf "$sys"
	exits 4 size --for 3s --sysfs "$sys" --measure 0.1 2>"$dir/noise"
}

an_older_recorder_is_4() {
	grep -v written "$sys/channels/main/cpu0" >"$dir/ring" && mv "$dir/ring" "$sys/channels/main/cpu0"
	exits 4 size --for 3s --sysfs "$sys" --measure 0.1 2>"$dir/noise" && grep -q 'does not say how much it wrote' "$dir/noise"
}

one_that_was_loaded_anew_is_4() {
	"$epitaph" size --for 3s --sysfs "$sys" --measure 1 2>"$dir/noise" &
	meanwhile sh -c "echo 8 >'$sys/current'"
	wait $!
	[ $? = 4 ] && grep -q 'loaded anew' "$dir/noise"
}

setup_measures_this_machine_alone() {
	exits 2 setup --for 30s --size 16M 2>"$dir/noise" && grep -q -- '--for measures this machine' "$dir/noise" &&
		exits 2 setup --for 30x 2>"$dir/noise" && grep -q 'such as 30s, 5m or 1h: 30x' "$dir/noise"
}

for claim in it_asks_for_what_the_busiest_cpu_needs an_idle_machine_needs_the_least units_are_understood \
	what_it_does_not_understand_it_says no_recorder_is_4 an_older_recorder_is_4 \
	one_that_was_loaded_anew_is_4 setup_measures_this_machine_alone; do
	fresh
	ok $claim $claim
done
finish
