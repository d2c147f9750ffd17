#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A channel is read out at the victim's full rate, by a reader that is killed and started again, KILLS
# times (5) and for READ_SECONDS at least (0); then the machine dies.  What was read and the dump
# together have each of the victim's numbers once, or it was counted as dropped.  Careless and hostile
# readers are refused.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

kills=${KILLS:-5}
read_seconds=${READ_SECONDS:-0}
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
seconds() {
	read -r up _ </proc/uptime
	echo "${up%.*}"
}
# killed N SECONDS: a reader that is killed, N times; they are spread over so many seconds, or are near
# to each other.
killed() {
	begin=$(seconds)
	for i in $(seq "$1"); do
		# Each begins a piece of the next number.
		next=/disk/rec/$(printf %06d "$i").sub
		epitaph record -o /disk/rec --sync v >>/disk/said 2>&1 &
		until [ -e "$next" ]; do usleep 10000; done
		usleep $((i * 47003 % 500000))
		while [ $((($(seconds) - begin) * $1)) -lt $((($2 * (i - 1)))) ]; do usleep 100000; done
		kill -9 $!
		wait $! 2>/dev/null
		[ $((i % 50)) != 0 ] || echo "$i readers killed in $(($(seconds) - begin)) s" >/dev/kmsg
	done
	echo "# $1 readers killed, in $(($(seconds) - begin)) s"
	! grep -v -e 'sub-buffers' /disk/said
}
with_disk
load_recorder channels=3M
arm_kdump
check "a channel is added" epitaph channel add v 2M @SUB@ consume '?victim:*'
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
check "readers are killed, and the next goes on" killed @KILLS@ @SECONDS@
grep '^# ' /tmp/said
epitaph record -o /disk/rec --sync --for 0.2 v 2>&1 | sed 's/^/# /'
usleep 100000
crash
END
# An archive has 2^18 sub-buffers at most.
sub=
[ "$read_seconds" = 0 ] || sub=sub=16K
sed -i "s/@KILLS@/$kills/; s/@SECONDS@/$read_seconds/; s/@SUB@/$sub/" "$out/guest.sh"
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -I "$top/include" -o "$out/consume_misuse" "$here/consume_misuse.c"
${CC:-cc} -O2 -Wall -Wextra -Werror -o "$out/quick_truth" "$here/quick_truth.c"
pack_guest "$out/consume_misuse" "$top/extractor/epitaph-static"
make_disk $((512 + read_seconds * 8))M
append="guest.capture=" boot --timeout $((300 + 5 * read_seconds)) --disk "$out/disk.img" --expect 'capture: done' --witness "$out/witness" \
	--allow 'panic - not syncing: sysrq triggered crash'
grep -q '^capture: done' "$out/console.log" || finish
debugfs -R "rdump /rec $out" "$out/disk.img" 2>/dev/null
take_disk

# each_once CHANNEL FILE...: of what the victim did, and of what was counted.
# shellcheck disable=SC2317 # check calls it
each_once() {
	channel=$1
	shift
	rm -f "$out/$channel.json" "$out/$channel-info.json" "$out/$channel.fifo"
	recovers "$epitaph" info --json "$@" >"$out/$channel-info.json" || return 1
	if [ "$read_seconds" = 0 ]; then
		recovers "$epitaph" export --to json --channel "$channel" -o "$out/$channel.json" "$@" &&
			"$here/truth" --dropped "$out/$channel-info.json" --channel "$channel" "$out/witness" "$out/$channel.json"
		return
	fi
	dropped=$(jq -r "[.rings[] | select(.channel == \"$channel\") | [.dropped[] | select(.event | startswith(\"victim:\")).nr] |
		add // 0] | join(\",\")" "$out/$channel-info.json")
	mkfifo "$out/$channel.fifo"
	recovers "$epitaph" export --to json --channel "$channel" -o - "$@" 2>"$out/export.log" >"$out/$channel.fifo" &
	"$out/quick_truth" --dropped "$dropped" "$out/witness" <"$out/$channel.fifo"
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
# These copy it.
if [ "$read_seconds" = 0 ]; then
	check "so is one that was cut" cut_is_read
	check "one without tables is read beside the vmcore, and noted" no_tables
fi
check "babeltrace2 reads it" sh -c "'$epitaph' export --to ctf -o '$out/ctf' --last 0.05 --channel v '$out/rec'; babeltrace2 '$out/ctf' | grep -c victim:seq"
check "no damage is found" no_damage "$saved/region"
finish
