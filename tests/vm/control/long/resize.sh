#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A channel grows and shrinks while it records at the victim's full rate; the machine dies in the
# middle of it.  Of the victim's numbers the channel has the newest, each once.  What cannot change
# its size says why.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

region_is 32M

guest <<'END'
lists() {
	epitaph channel | grep -qE "$1" || { epitaph channel; return 1; }
}
free() {
	epitaph channel | sed -n 's/^pool [0-9]* bytes, \([0-9]*\) free.*/\1/p'
}
# sizes N: it grows and shrinks, N times.
sizes() {
	for i in $(seq "$1"); do
		for size in 1M 1500K 400K 2M; do
			epitaph channel set v size=$size >>/tmp/moves || return 1
		done
		epitaph channel set v size=1M sub=16K >>/tmp/moves && epitaph channel set v size=2M sub=4K >>/tmp/moves || return 1
	done
}
room_is_free() {
	[ $((before - $(free))) -lt 8192 ] || { epitaph channel; return 1; }
}
# stays TEXT COMMAND...: its answer says that.
stays() {
	text=$1
	shift
	"$@" | grep -E "$text"
}
load_recorder channels=8M
arm_kdump
check "a channel is added" epitaph channel add v 2M '?victim:*'
check "one with large sub-buffers" epitaph channel add large 2500K sub=64K 'raw_syscalls:sys_enter'
check "one that stops" epitaph channel add first 128K stop 'raw_syscalls:*'
check "one that is read out" epitaph channel add odd 128K consume 'raw_syscalls:*'
check "sub-buffers of no size" wrong 2 "sub=3K is no size of a sub-buffer: 1K, 2K, 4K" channel add x 1M sub=3K 'sched:*'
check "too large ones" wrong 2 'sub=128K is no size of a sub-buffer' channel set v sub=128K
check "no unit" wrong 2 "'1Q' is no size: a number of bytes, or with K, M or G" channel set v size=1Q
check "too small" wrong 2 'too few for 2 CPUs' channel set v size=8K
check "too small for such sub-buffers" wrong 2 'and sub-buffers of that size: the least is' channel set v size=1M sub=64K
check "too large" wrong 3 'do not fit: of the pool' channel set v size=100M
check "too few" wrong 2 'subs=3 is no number of sub-buffers' channel set v subs=3
check "both" wrong 2 'give one of them' channel set v size=1M subs=64
check "a word" wrong 2 "not understood: 'siez=1M'" channel set v siez=1M
check "none" wrong 2 'a word lacks' channel set v
check "main" wrong 2 "where the region's header says" channel set main size=1M
check "none of that name" wrong 2 'there is no channel' channel set absent size=1M
check "one that stops keeps its size" wrong 2 'only a channel in mode overwrite' channel set first size=1M
check "so does one that is read out" wrong 2 'only a channel in mode overwrite' channel set odd size=256K
epitaph record -o /tmp/odd odd >/tmp/said 2>&1 &
reader=$!
usleep 300000
check "also while it is read" wrong 3 'its rings cannot move' channel set odd size=256K
kill $reader
wait $reader 2>/dev/null || true
epitaph snapshot large 600K >/tmp/said
check "and a copy" wrong 2 'is a copy' channel set large@1 size=1M
for name in first odd large@1; do
	epitaph channel stop "$name" >/tmp/said 2>&1 || true
	epitaph channel remove "$name" >/tmp/said
done
before=$(free)
load_victim full=1
check "it grows and shrinks" sizes 4
sed 's/^/# /' /tmp/moves | grep moved
check "the room before is free again" room_is_free
check "it says what stays" stays 'channel v moved, [1-9][0-9]* sub-buffers of its history stay' epitaph channel set v size=1500K
check "by number" stays '^channel v overwrite records 1310720 bytes' epitaph channel set v subs=160
check "that size already" stays 'has that size' epitaph channel set v subs=160
check "its files say it" sh -c 'grep -x "size 655360" /sys/kernel/epitaph/channels/v/cpu0'
check "a copy is taken meanwhile" sh -c 'epitaph-static channel set v size=1M >/tmp/a & epitaph-static snapshot v 256K; wait; grep moved /tmp/a'
check "a CPU that is off moves as well" sh -c 'echo 0 >/sys/devices/system/cpu/cpu1/online; epitaph-static channel set v size=1500K >/tmp/a; echo 1 >/sys/devices/system/cpu/cpu1/online; grep moved /tmp/a'
while :; do sizes 1; done &
usleep 700000
crash
END
pack_guest "$top/extractor/epitaph-static"

# shellcheck disable=SC2317 # check calls it
each_once() {
	recovers "$epitaph" export --to json --channel v -o "$out/v.json" "$saved/region" &&
		"$here/truth" "$out/witness" "$out/v.json"
}

crash_and_capture --witness "$out/witness" --allow 'panic - not syncing: sysrq triggered crash'
check "the region is saved" [ -s "$saved/region" ]
check "the channel has the newest, each once" each_once
check "the one with large sub-buffers is read" sh -c "'$epitaph' info '$saved/region' | grep large"
check "check finds no damage" no_damage "$saved/region"
finish
