#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A channel is followed while its rings move: each of its events is given, once.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

region_is 32M

guest <<'END'
# lines N: so many events have come.
lines() {
	for try in $(seq 100); do
		[ "$(grep -c sys_enter /tmp/followed)" -lt "$1" ] || return 0
		usleep 100000
	done
	return 1
}
# follows N: from now on as many events come as there are calls, not one more.
follows() {
	n=$(grep -c sys_enter /tmp/followed)
	for i in $(seq "$1"); do
		for size in 1500K 1M; do
			sync
			epitaph channel set calls size=$size >/tmp/said || return 1
		done
	done
	sync
	lines $((n + 2 * $1 + 1)) && sleep 1
	echo "# $n events, then $(grep -c sys_enter /tmp/followed)"
	[ "$(grep -c sys_enter /tmp/followed)" = $((n + 2 * $1 + 1)) ]
}
load_recorder channels=8M
check "a channel is added" epitaph channel add calls 1M 'raw_syscalls:sys_enter'
check "it has one kind of call" epitaph filter calls raw_syscalls:sys_enter 'id == 162'
epitaph-static live --json --event raw_syscalls:sys_enter >/tmp/followed 2>/tmp/follower &
reader=$!
for try in $(seq 100); do
	sync
	! grep -q sys_enter /tmp/followed || break
	usleep 300000
done
sleep 1
check "it is followed" lines 1
check "wherever it goes, each event once" follows 10
check "and the follower is there still" kill -TERM $reader
status=0
wait $reader || status=$?
cat /tmp/follower
echo "# its status: $status"
check "nothing lacks" sh -c "[ $status = 0 ] && grep -E '^epitaph live: [0-9]+ events' /tmp/follower"
END
pack_guest "$top/extractor/epitaph-static"

warm_boots 1
check "the guest's script came to its end" guest_ended_well
finish
