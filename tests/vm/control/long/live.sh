#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A recorder is followed while it records: what it printed is what the region has then, each
# event once.  Who is too slow is told so, and nobody who records waits for him.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
live() {
	epitaph-static live "$@"
}
with_disk
load_recorder
load_victim
epitaph-static live --json >/disk/live.json 2>/disk/live.err &
followers=$!
epitaph-static live --ctf /disk/ctf 2>/disk/ctf.err &
followers="$followers $!"
until [ -s /disk/live.json ] && [ -s /disk/ctf/metadata ]; do
	usleep 100000
done
epitaph-static events '!irq:softirq_*' >/dev/null
epitaph-static events '+workqueue:*' >/dev/null
epitaph-static mark followed
sleep 2
# The region keeps what they read, however long it takes to save it.
epitaph-static stop >/dev/null
caught_up() {
	size=$(wc -c </disk/live.json)
	sleep 1
	[ "$size" = "$(wc -c </disk/live.json)" ]
}
until grep -q followed /disk/live.json && caught_up; do
	:
done
# shellcheck disable=SC2086 # words
kill -TERM $followers
wait
epitaph-static save --live -o /disk/after >/dev/null || echo "guest: save said $?"
epitaph-static start >/dev/null
check "the one who followed was not lapped" grep -E '^epitaph live: [0-9]+ events$' /disk/live.err
check "the history before can be had" sh -c 'epitaph-static live --for 0.1 --last 1000 2>/dev/null | grep -q "text=followed"'
check "a filter holds" sh -c '! epitaph-static live --for 0.3 --event victim:seq 2>/dev/null | grep -v "^#" | grep -v " seq: "'
rmmod victim
check "who closes the pipe ends it" sh -c 'epitaph-static live --last 1 2>/tmp/piped | head -n 3 >/dev/null; ! grep -vE "^epitaph live: [0-9]+ events; the reader of standard output went$" /tmp/piped'
check "the recorder stays while it is followed" sh -c 'epitaph-static live --for 3 >/dev/null 2>&1 & sleep 0.3; ! rmmod epitaph 2>/dev/null; kill -TERM $!'
live --for 2 --json >/disk/idle.json 2>/dev/null
epitaph-static events '+raw_syscalls:*' >/dev/null
epitaph-static live --json --event 'sched:*' >/disk/lapped.json 2>/disk/lapped.err &
pid=$!
until [ -s /disk/lapped.json ]; do
	usleep 100000
done
kill -STOP $pid
dd if=/dev/zero of=/dev/null bs=1 count=100000 2>/dev/null
kill -CONT $pid
epitaph-static events default >/dev/null
# The loss is printed before the next event, after the events before it.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	! grep -q lapped_sub_buffers /disk/lapped.json || break
	sleep 0.5
done
kill -TERM $pid
status=0
wait $pid || status=$?
check "a stopped reader reports that it was lapped" grep -E 'lapped [0-9]+ times?: [0-9]+ sub-buffers' /disk/lapped.err
check "and so says the status" [ "$status" = 1 ]
END
pack_guest "$top/extractor/epitaph-static"
warm_boots 1
check "the guest's script came to its end" guest_ended_well
for file in live ctf lapped; do
	sed "s/^/# $file: /" "$saved/$file.err"
done

recovers "$epitaph" export --to json -o "$out/after.json" "$saved/after/region" 2>/dev/null
check "the output is what the region has, each event once" "$here/live-same" "$saved/live.json" "$out/after.json"

# shellcheck disable=SC2317 # check calls it
joined() {
	jq -r '.event // empty' "$saved/live.json" | grep -q "$1"
}

# shellcheck disable=SC2317 # check calls it
babeltrace_reads() {
	babeltrace2 "$saved/ctf" >"$out/ctf.txt" && [ "$(wc -l <"$out/ctf.txt")" -gt 1000 ] &&
		grep -q 'victim:seq' "$out/ctf.txt" && grep -q 'workqueue:' "$out/ctf.txt"
}

# Of an idle machine: events of the follower itself, of all in 2 s.
own=$(jq -r 'select(.comm == "epitaph-static") | .event' "$saved/idle.json" | wc -l)
all=$(wc -l <"$saved/idle.json")
echo "# $test_name: $own of $all events in 2 s are the follower's own"
check "an event that was added joins" joined '^workqueue:'
check "a mark is printed" joined '^epitaph:mark'
check "it does not feed itself" [ "$own" -lt 4000 ]
check "babeltrace2 reads what grew" babeltrace_reads
check "where it was lapped stands among the events" sh -c \
	"jq -c 'select(.lapped_sub_buffers > 0)' '$saved/lapped.json' | grep ."
finish
