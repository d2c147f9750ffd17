#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph status on a sysfs that is a directory, with a manager that is a socket.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

sys=$dir/sys

# ring CHANNEL CPU HORIZON_NS WHOLE EVENTS SPAN_NS TOO_LARGE: its files as in the recorder's sysfs
ring() {
	mkdir -p "$sys/channels/$1"
	cat >"$sys/channels/$1/cpu$2" <<END
size 3796992
horizon_ns $3
whole $4
events $5
span_ns $6
something_newer 1
too_large $7
too_deep 2
END
}

generation() {
	mkdir -p "$sys/generations/$1"
	echo 0 >"$sys/generations/$1/offset"
	echo 8388608 >"$sys/generations/$1/size"
	echo 1700000000000000000 >"$sys/generations/$1/start"
	echo "$2" >"$sys/generations/$1/state"
}

# A machine of two CPUs; CPU 10 has the shorter history.
fresh() {
	rm -rf "$sys"
	mkdir -p "$sys/generations"
	echo "0x20000000 16777216 memmap" >"$sys/region"
	echo 7 >"$sys/current"
	echo 1700000000123456789 >"$sys/start"
	echo "0 0" >"$sys/lost"
	ring main 2 300000000000 0 500 250000000 0
	ring main 10 252000000000 0 300 100000000 0
	ring ras 2 900000000000 1 0 900000000000 1
	ring ras 10 900000000000 1 0 900000000000 0
	generation 5 harvested
	generation 6 evidence
}

status() { "$epitaph" status --sysfs "$sys" "$@"; }

# says TEXT: a line of what it prints begins with it
says() {
	status >"$dir/out"
	grep -qxF -- "$1" "$dir/out" || { cat "$dir/out"; return 1; }
}

is() {
	status --json | jq -e "$1" >/dev/null || { status --json | jq .; return 1; }
}

it_says_into_what_is_recorded() {
	says "recording    yes, into generation 7, since 2023-11-14 22:13:20 UTC" &&
		says "region       16 MiB at 0x20000000, memmap, the same place in every boot"
}

the_horizon_is_that_of_the_shortest_ring() {
	says "horizon      4 min 12 s on every CPU; CPU 10 has the least" &&
		is '.channels[0].horizon_ns == 252000000000 and .channels[0].whole == false'
}

a_ring_that_lost_nothing_shortens_nothing() {
	ring main 10 9000000000 1 300 100000000 0
	says "horizon      5 min 0 s on every CPU; CPU 2 has the least"
}

all_of_it_is_the_beginning() {
	ring main 2 300000000000 1 500 250000000 0
	ring main 10 299000000000 1 300 100000000 0
	says "horizon      5 min 0 s: all since recording began" && is '.channels[0].whole'
}

events_a_second_are_those_of_all_cpus() {
	says "events       5000/s" && is '.channels[0].events_per_s == 5000' &&
		is '.channels[0].cpus | map(.events_per_s) == [2000, 3000]'
}

what_was_dropped_is_told_by_cause() {
	says "dropped      at least 9: 1 too large, 8 nested too deep" &&
		is '.channels[1].dropped == {too_large: 1, too_deep: 4}'
}

cpus_are_in_their_order() {
	is '.channels[0].cpus | map(.cpu) == [2, 10]'
}

earlier_generations_are_told() {
	says "earlier      generation 5: saved, 6: crashed and not saved yet" &&
		is '.generations | map(.state) == ["harvested", "evidence"]'
}

what_was_overwritten_is_told() {
	echo "2 4" >"$sys/lost"
	says "earlier      generation 5: saved, 6: crashed and not saved yet; 2 overwritten before they were saved"
}

a_busy_ring_may_say_less() {
	printf 'size 4096\ntoo_large 0\ntoo_deep 0\n' >"$sys/channels/main/cpu2"
	is '.channels[0].cpus[0].events_per_s == null and .channels[0].cpus[0].horizon_ns == null' &&
		says "events       3000/s"
}

an_older_recorder_says_less() {
	rm -r "$sys/channels" "$sys/start"
	says "horizon      not known: this recorder is older than this tool" &&
		is '.start_ns == null and .channels == []'
}

lost_in_hibernation_is_4() {
	echo lost-in-hibernation >"$sys/recording"
	says "recording    no: the region was lost in hibernation; unload the module and load it again" &&
		exits 4 status --sysfs "$sys" && status --json | jq -e '.recording == false'
}

a_removed_device_is_4() {
	echo device-removed >"$sys/recording"
	says "recording    no: the device with the region was removed; unload the module and load it again" &&
		exits 4 status --sysfs "$sys" && status --json | jq -e '.recording == false'
}

stopped_is_not_recording() {
	echo stopped >"$sys/recording"
	says "recording    stopped, into generation 7, since 2023-11-14 22:13:20 UTC" && is '.recording == false'
}

one_channel_more_is_shown() {
	ring 'net
x' 0 1000000000 1 1 1000000000 0
	is '.channels | length == 3' && status | grep -q '^net\\x0ax '
}

no_recorder_is_4_and_says_what_to_do() {
	rm -r "$sys"
	exits 4 status --sysfs "$sys" 2>"$dir/noise" && grep -q 'no recorder is loaded: .*/sys/generations is not there' "$dir/noise" &&
		grep -q 'nothing is recorded: \(no memory is reserved for it: epitaph setup --write\|modprobe epitaph\)' "$dir/noise"
}

nonsense_is_5() {
	echo "a region" >"$sys/region"
	exits 5 status --sysfs "$sys"
}

# manager COMMAND...: its notifications, into $dir/told, until the command ends
manager() {
	/usr/bin/python3 - "$dir/socket" "$dir/told" "$@" <<'END'
import os, socket, subprocess, sys
path, told, command = sys.argv[1], sys.argv[2], sys.argv[3:]
if not path.startswith("@") and os.path.exists(path):
    os.unlink(path)
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(path)
s.settimeout(0.3)
p = subprocess.Popen(command, env=dict(os.environ, NOTIFY_SOCKET=path))
got = []
ended = False
while True:
    try:
        got.append(s.recv(4096).decode())
    except socket.timeout:
        if ended:
            break
        ended = p.poll() is not None
    if len(got) == 3:
        os.unlink(os.environ["GONE"] + "/current")
open(told, "w").write("\n--\n".join(got) + "\n")
sys.exit(p.returncode)
END
}

the_manager_is_told_until_nothing_is_recorded() {
	export GONE="$sys"
	manager timeout 20 "$epitaph" status --notify --every 0.2 --sysfs "$sys"
	[ $? -eq 3 ] || return 1
	cat "$dir/told"
	head -n 1 "$dir/told" | grep -qx READY=1 && [ "$(grep -c '^READY' "$dir/told")" = 1 ] &&
		[ "$(grep -c '^WATCHDOG=1$' "$dir/told")" -ge 3 ] &&
		grep -qx 'STATUS=Recording 5000 events/s, the last 4 min 12 s kept, 9 dropped; 16 MiB at 0x20000000, generation 7, 2 earlier (1 not saved)' "$dir/told" &&
		tail -n 1 "$dir/told" | grep -qx 'STATUS=Nothing is recorded any more'
}

the_watchdog_is_fed_in_time() {
	export GONE="$sys"
	WATCHDOG_USEC=400000 manager timeout 20 "$epitaph" status --notify --every 3600 --sysfs "$sys"
	[ "$(grep -c '^WATCHDOG=1$' "$dir/told")" -ge 3 ]
}

without_a_manager_it_is_misused() {
	exits 2 status --notify --sysfs "$sys" 2>"$dir/noise" && grep -q NOTIFY_SOCKET "$dir/noise"
}

options_are_checked() {
	exits 2 status --every 0 && exits 2 status file && exits 2 status --what
}

for claim in it_says_into_what_is_recorded the_horizon_is_that_of_the_shortest_ring \
	a_ring_that_lost_nothing_shortens_nothing all_of_it_is_the_beginning \
	events_a_second_are_those_of_all_cpus what_was_dropped_is_told_by_cause cpus_are_in_their_order \
	earlier_generations_are_told what_was_overwritten_is_told a_busy_ring_may_say_less \
	an_older_recorder_says_less lost_in_hibernation_is_4 a_removed_device_is_4 stopped_is_not_recording one_channel_more_is_shown no_recorder_is_4_and_says_what_to_do \
	nonsense_is_5 the_manager_is_told_until_nothing_is_recorded the_watchdog_is_fed_in_time \
	without_a_manager_it_is_misused options_are_checked; do
	fresh
	ok $claim $claim
done
finish
