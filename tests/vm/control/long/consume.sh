#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A channel is read out at the victim's full rate, by a reader that is killed and started again;
# then the machine dies.  What was read and the dump together have each of the victim's numbers
# once, or it was counted as dropped.  Careless and hostile readers are refused.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

region_is 24M

guest <<'END'
# misuse WHAT...: each is refused.
misuse() {
	for what; do check "misuse: $what" /test/consume_misuse odd "$what"; done
}
# at_most STATUS COMMAND...: its exit status.
at_most() {
	most=$1 result=0
	shift
	"$@" || result=$?
	[ "$result" -le "$most" ]
}
# unread CHANNEL CPU: sub-buffers.
unread() {
	sed -n 's/^unread //p' "/sys/kernel/epitaph/channels/$1/cpu$2"
}
pieces() {
	find /disk/rec -name '*.sub' 2>/dev/null | wc -l
}
# killed N: a reader that is killed, N times.
killed() {
	for i in $(seq "$1"); do
		before=$(pieces)
		epitaph record -o /disk/rec --sync v >>/disk/said 2>&1 &
		until [ "$(pieces)" -gt "$before" ]; do usleep 10000; done
		usleep $((i * 47003))
		kill -9 $!
		wait $! 2>/dev/null
	done
	! grep -v -e 'sub-buffers' /disk/said
}
with_disk
load_recorder channels=3M
arm_kdump
check "a channel is added" epitaph channel add v 2M consume '?victim:*'
check "one without a reader" epitaph channel add few 96K consume '?victim:*'
check "one for misuse" epitaph channel add odd 256K consume 'raw_syscalls:*'
check "it says its mode" sh -c 'epitaph-static channel | grep -q "^channel odd consume records"'
misuse without-a-channel wrong-names two-readers write wrong-index waiting without-rights
/test/consume_misuse odd hold &
holder=$!
usleep 300000
check "it says who reads" sh -c 'epitaph-static channel | grep -q "^channel odd .* read by consume_misuse-[0-9]"'
check "a second reader is refused" wrong 3 'is being read' record -o /disk/none odd
epitaph channel stop odd >/tmp/said
check "what is read is not removed" wrong 3 'is read by consume_misuse-' channel remove odd
check "nor is the recorder" refused rmmod epitaph
kill $holder
epitaph channel start odd >/tmp/said
check "no channel" wrong 2 "there is no channel 'absent'" record -o /disk/none absent
check "one that is not read out" wrong 2 'is not in mode consume' record -o /disk/none main
mkdir /tmp/small && mount -t tmpfs -o size=1M none /tmp/small
check "a full disk" wrong 3 'No space left on device' record -o /tmp/small/rec odd
check "what was stored is a trace" sh -c 'epitaph-static check /tmp/small/rec; [ $? -le 1 ]'
echo 0 >/sys/devices/system/cpu/cpu1/online
# Enough for many pieces, however little of its host this guest gets.
dd if=/dev/zero of=/dev/null bs=1 count=100000000 2>/dev/null &
calls=$!
check "a CPU that is off is read" at_most 1 epitaph record -o /disk/odd --for 0.5 --rotate-size 64K --keep 3 odd
check "to its end" [ "$(unread odd 1)" = 0 ]
kill $calls
echo 1 >/sys/devices/system/cpu/cpu1/online
check "three pieces stay" sh -c 'ls -l /disk/odd; [ "$(ls /disk/odd | grep -c sub)" = 3 ]'
epitaph channel stop odd >/tmp/said
epitaph channel remove odd >/tmp/said
check "an archive of another channel" wrong 2 'of another channel' record -o /disk/odd v
load_victim full=1
check "readers are killed, and the next goes on" killed 5
epitaph record -o /disk/rec --sync --for 0.2 v 2>&1 | sed 's/^/# /'
usleep 100000
crash
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -I "$top/include" -o "$out/consume_misuse" "$here/consume_misuse.c"
pack_guest "$out/consume_misuse" "$top/extractor/epitaph-static"
make_disk 512M
append="guest.capture=" boot --disk "$out/disk.img" --expect 'capture: done' --witness "$out/witness" \
	--allow 'panic - not syncing: sysrq triggered crash'
grep -q '^capture: done' "$out/console.log" || finish
debugfs -R "rdump /rec $out" "$out/disk.img" 2>/dev/null
take_disk

# each_once CHANNEL FILE...: of what the victim did, and of what was counted.
# shellcheck disable=SC2317 # check calls it
each_once() {
	channel=$1
	shift
	rm -f "$out/$channel.json" "$out/$channel-info.json"
	recovers "$epitaph" export --to json --channel "$channel" -o "$out/$channel.json" "$@" &&
		recovers "$epitaph" info --json "$@" >"$out/$channel-info.json" &&
		"$here/truth" --dropped "$out/$channel-info.json" --channel "$channel" "$out/witness" "$out/$channel.json"
}

# shellcheck disable=SC2317 # check calls it
read_out() {
	jq -r '.rings[] | select(.channel == "v") | .read_out' "$out/v-info.json" |
		awk '{ print; few += $1 < 100 } END { exit few || NR != 2 }'
}

# shellcheck disable=SC2317 # check calls it
drops() {
	jq -e '[.rings[] | select(.channel == "few") | .full] | min > 1000' "$out/few-info.json"
}

# A chunk that was cut is as far there as it is whole.
# shellcheck disable=SC2317 # check calls it
cut_is_read() {
	cp -r "$out/rec" "$out/cut"
	newest=$(find "$out/cut" -name '*.sub' | sort | tail -n 1)
	truncate -s -5000 "$newest"
	recovers "$epitaph" report --last 1 "$out/cut" >"$out/cut.report" && grep -q 'seq: value' "$out/cut.report"
}

# shellcheck disable=SC2317 # check calls it
no_tables() {
	cp -r "$out/rec" "$out/bad" && : >"$out/bad/channel.region"
	each_once v "$out/bad" "$saved/vmcore" &&
		recovers "$epitaph" info --json "$out/bad" "$saved/vmcore" | grep 'channel.region: is empty'
}

check "archive and vmcore have each number once" each_once v "$out/rec" "$saved/vmcore"
sed 's/^/# /' "$out/said"
check "much of it was read out" read_out
check "one without a reader has the first, and counts the rest" each_once few "$saved/vmcore"
check "that is many" drops
check "the archive alone is a trace" recovers "$epitaph" report --last 1 "$out/rec"
check "so is one that was cut" cut_is_read
check "one without tables is read beside the vmcore, and noted" no_tables
check "babeltrace2 reads it" sh -c "'$epitaph' export --to ctf -o '$out/ctf' --last 0.05 --channel v '$out/rec'; babeltrace2 '$out/ctf' | grep -c victim:seq"
check "no damage is found" no_damage "$saved/region"
finish
