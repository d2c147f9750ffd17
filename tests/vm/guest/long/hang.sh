#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A guest is saved while it runs, without a stop; then it feeds its watchdog no more, and QEMU holds
# it: its region is saved, and a dump of all of it; then it is quit.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-watch.sh sets them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-watch.sh"

region_arg=epitaph.device=ivshmem
guest_modules="virtio_pci virtio_blk ext4 i6300esb"

guest <<'END'
with_disk
load_recorder
load_surviving_victim
sleep 2
echo "guest: save me"
sleep 3
rmmod i6300esb
insmod /lib/modules/i6300esb.ko heartbeat=3
echo >/dev/watchdog
echo "guest: it feeds its watchdog no more"
sleep 100
END
pack_guest
words=$(qemu_words)
# The rings come around.
truth_args="--least 1000"
watch_guests DUMP=yes AFTER=quit SIZE=2G

save_running() {
	for _ in $(seq 900); do
		! grep -q '^guest: save me' "$out/guest.log" 2>/dev/null || break
		sleep 0.1
	done
	"$epitaph" guest save --state "$out/state" -o "$store" ../web1 >"$out/save.log" 2>&1 || [ $? = 1 ]
}

save_running &
make_disk 64M
# shellcheck disable=SC2086 # words
append="memmap=64K!$witness_addr" boot --disk "$out/disk.img" --timeout 120 --when 'no such words=>quit' \
	-- $words -device i6300esb -action watchdog=pause
wait $!
dd if="$out/ram" of="$out/witness" bs=4096 skip=$((witness_addr / 4096)) count=16 2>"$out/said"
rm -f "$out/ram"

# QEMU says STOP when it holds the guest, which it does for the watchdog alone.
never_stopped() {
	sed -n 's/^{.*"event":"\([A-Z_]*\)".*/\1/p' "$(capture 2)/qmp.txt" | tr '\n' ' ' >"$out/events"
	cat "$out/events"
	! grep -q 'STOP.*WATCHDOG' "$out/events"
}

# The longest time in which the victim, which works all the time, did nothing: from a second and a half
# after it was loaded on, because QEMU translates its code before that. A busy host adds to it.
longest_gap() {
	recovers "$epitaph" export --to json -o "$out/all.json" "$(capture 2)/region" &&
		jq -r 'select((.event // "") | startswith("victim:")) | .ts_ns' "$out/all.json" | sort -n |
		awk 'NR == 1 { first = $1 } $1 - first > 1.5e9 && $1 - last > gap { gap = $1 - last }
			{ last = $1 } END { printf "# longest gap %.1f ms in %.1f s\n", gap / 1e6, (last - first) / 1e9 }'
}

dump_is_whole() {
	dump=$(capture 2)/dump
	[ "$(stat -c %a "$dump")" = 400 ] || return
	recovers "$epitaph" report --source log --all "$dump" >"$out/dump-report" || return
	head -n 3 "$out/dump-report"
	grep -q 'epitaph: recording into' "$out/dump-report"
}

check "a guest that runs is saved" grep -q '^saved .*: 16 MiB, ' "$out/save.log"
check "what is saved of it can be read" recovers "$epitaph" report --last 0.1 "$(capture 1)/region"
check "a hang is saved" journal_says '^../web1: after WATCHDOG: saved '
check "a dump is made" journal_says '^../web1: dumped: .*/dump'
check "every committed event came back, none was invented" true_capture 2 "$out/witness"
check "it was not stopped to be saved" never_stopped
longest_gap
check "the dump has the kernel's log" dump_is_whole
check "the service ends when it should" end_watch
finish
