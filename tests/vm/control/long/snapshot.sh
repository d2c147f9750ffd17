#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Copies of a running recorder into files, while its rings come around: each is whole, ends with one
# moment on every CPU, and has the events that the region itself has of that time.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END_OF_GUEST'
# shot NAME [CHANNEL]: a copy, and what was said of it.
shot() {
	name=$1
	shift
	epitaph snapshot --json "$@" -o "/disk/$name" >"/disk/$name.said" || { cat "/disk/$name.said"; return 1; }
}
# stopped US: a copy of a process that stands for two seconds, that long after it began. What was overwritten is lost.
stopped() {
	epitaph-static snapshot -o /tmp/stopped >/tmp/stopped.said 2>&1 &
	usleep "$1"
	kill -STOP $!
	sleep 2
	kill -CONT $!
	wait $!
	status=$?
	cat /tmp/stopped.said
	rm -f /tmp/stopped
	[ $status -le 1 ]
}
with_disk
check "without a recorder there is none" wrong 3 'the recorder is not loaded' snapshot -o /disk/none
load_recorder channels=1M
load_victim full=1
epitaph channel add calls 256K 'raw_syscalls:*' >/dev/null
usleep 300000
# At full speed: system calls lap the ring of their channel many times a second.
for cpu in 0 1; do
	taskset $((1 << cpu)) dd if=/dev/zero of=/dev/null bs=1 count=100000000 2>/dev/null &
	echo $! >>/tmp/load
done
usleep 500000
check "a copy is made at full speed" shot busy0
for i in 1 2 3 4 5 6 7 8 9; do check "and once more: $i" shot "busy$i"; done
for us in 10000 30000 60000 100000 200000; do check "its process stands: $us" stopped $us; done
check "a channel alone" shot alone calls
epitaph mark before the last copy
usleep 20000
kill $(cat /tmp/load)
rmmod victim
load_victim
usleep 500000
check "one of a machine that is less busy" shot last
# The region itself has that time still.
epitaph save --live -o /disk/after >/dev/null || echo "guest: save said $?"
check "a file that is there stays" wrong 3 'File exists' snapshot -o /disk/last
check "a channel that is none" wrong 2 "there is no channel 'nobody'; there are: main ras user calls" snapshot nobody -o /disk/nobody
mkdir /tmp/small && mount -t tmpfs -o size=64k none /tmp/small
check "no room" wrong 3 'No space left on device' snapshot -o /tmp/small/f
check "and nothing is left of it" sh -c '[ -z "$(ls -A /tmp/small)" ]'
epitaph snapshot calls 128K >/dev/null
check "a copy in memory goes into a file" shot kept calls@1
rmmod victim
END_OF_GUEST
pack_guest "$top/extractor/epitaph-static"
warm_boots 1
check "the guest's script came to its end" guest_ended_well
sed 's/^/# /' "$saved"/*.said

# shellcheck disable=SC2317 # check calls it
undamaged() {
	"$epitaph" check "$1" >"$out/check" 2>&1 || { cat "$out/check"; return 1; }
}

# shellcheck disable=SC2317 # check calls it
has_channel() {
	recovers "$epitaph" export --to json -o "$out/$1.json" "$saved/$1" 2>/dev/null &&
		[ "$(jq -r 'select(.fields and .channel) | .channel' "$out/$1.json" | sort | uniq -c | sort -rn | awk 'NR == 1 && $1 > 500 { print $2 }')" = "$2" ] &&
		[ "$(jq -r 'select(.fields and .channel) | .channel' "$out/$1.json" | sort -u | wc -l)" = 1 ]
}

for i in 0 1 2 3 4 5 6 7 8 9; do
	check "check finds no damage in copy $i" undamaged "$saved/busy$i"
done
check "nor in the last one" undamaged "$saved/last"
recovers "$epitaph" export --to json -o "$out/after.json" "$saved/after/region" 2>/dev/null
# bound FILE: how well it says that it knows its times, in ns.
bound() {
	"$epitaph" info --json "$1" 2>/dev/null | jq .clock.bound_ns
}

for i in 0 5 last; do
	name=busy$i least=0
	[ "$i" != last ] || name=last least=1000
	recovers "$epitaph" export --to json -o "$out/$name.json" "$saved/$name" 2>/dev/null
	check "every CPU of copy $i ends with the moment, and nothing lacks in it" "$here/snapshot-same" "$out/$name.json" "$saved/$name.said" "$out/after.json" "$least" \
		$(($(bound "$saved/$name") + $(bound "$saved/after/region")))
	sed 's/^/# /' "$out/said"
done
check "it says what it is" sh -c "'$epitaph' report --all '$saved/last' 2>/dev/null | grep 'mark: snapshot on CPU .*: all channels copied to a file, up to here'"
check "a channel alone has its events alone" has_channel alone calls
check "so has a copy that was in memory" has_channel kept calls@1
finish
