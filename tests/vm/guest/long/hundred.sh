#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A hundred QEMUs that stopped at their start, with a stored region in the file of each: what the service that
# watches them takes, and how long after its end each is saved, one by one and all at once.  QEMUS=10: fewer.
# shellcheck disable=SC2317 # ok calls the claims
. "$(dirname "$0")/../../../lib/lib.sh"
top=$here/../../../..
epitaph=$top/extractor/epitaph
suite=hundred
qemus=${QEMUS:-100}
most_kib=65536
most_ms=2000

"$top/tests/golden/mkregion" "$top/tests/golden/generations-numbered.region" "$dir/image" || exit 99
# The first generation crashed.
head -c 20480 "$dir/image" >"$dir/crashed"

# start N: its process is in pid-N
start() {
	cp "$dir/crashed" "$dir/memory-$1"
	truncate -s 1M "$dir/memory-$1"
	qemu-system-x86_64 -S -machine pc -nodefaults -no-user-config -display none -accel tcg -m 2 -name "web$1" \
		-uuid "6b0c2ea1-1111-4222-8333-$(printf %012d "$1")" -qmp "unix:$dir/web$1.qmp,server=on,wait=off" \
		-object "memory-backend-file,id=epitaph,mem-path=$dir/memory-$1,size=1M,share=on" \
		-device ivshmem-plain,memdev=epitaph >>"$dir/qemu" 2>&1 &
	echo $! >"$dir/pid-$1"
}

now_ms() { date +%s%3N; }

# await REGEX COUNT: so many lines of the journal; the seconds are those of a busy machine.
await() {
	for _ in $(seq 1200); do
		[ "$(grep -cE -- "$1" "$dir/journal")" -lt "$2" ] || return 0
		sleep 0.05
	done
	echo "$(grep -cE -- "$1" "$dir/journal") of $2: $1"
	tail -n 5 "$dir/journal" "$dir/qemu"
	return 1
}

files() { find "/proc/$watcher/fd" -type l 2>/dev/null | wc -l; }
memory() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$watcher/status"; }

all_are_watched() {
	for n in $(seq "$qemus"); do
		start "$n"
	done
	for n in $(seq "$qemus"); do
		for _ in $(seq 600); do
			[ ! -S "$dir/web$n.qmp" ] || break
			sleep 0.05
		done
	done
	printf '%s\n' "QMP=$dir/*.qmp" >"$dir/conf"
	"$epitaph" guest watch --conf "$dir/conf" --output "$dir/store" --state "$dir/state" >"$dir/journal" 2>&1 &
	watcher=$!
	await '^web[0-9]*: is watched: ' "$qemus" && files >"$dir/files"
}

# The longest of ten, from SIGKILL to the line of the journal.
each_is_saved_in_time() {
	most=0
	for n in $(seq 10); do
		begin=$(now_ms)
		kill -9 "$(cat "$dir/pid-$n")"
		await "^web$n: after QEMU ended: saved " 1 || return
		took=$(($(now_ms) - begin))
		[ "$took" -le "$most" ] || most=$took
	done
	echo "the slowest of 10: $most ms"
	[ "$most" -le "$most_ms" ]
}

all_at_once() {
	begin=$(now_ms)
	for n in $(seq 11 "$qemus"); do
		kill -9 "$(cat "$dir/pid-$n")"
	done
	await 'after QEMU ended: saved ' "$qemus" || return
	echo "$((qemus - 10)) at once: $(($(now_ms) - begin)) ms until the last"
	[ "$(find "$dir/store" -name region | wc -l)" = "$qemus" ]
}

bounds_hold() {
	echo "memory of the service: $(memory) KiB at most; files: $(cat "$dir/files") with $qemus guests, $(files) now"
	[ "$(memory)" -le "$most_kib" ] && [ "$(cat "$dir/files")" -le $((qemus * 4 + 20)) ] && [ "$(files)" -le 20 ]
}

it_ends_in_order() { kill "$watcher" && wait "$watcher"; }

# said CLAIM COMMAND: as ok, and what it says is shown
said() {
	ok "$@"
	sed 's/^/# /' "$dir/said"
}

ok all_are_watched all_are_watched
said each_is_saved_in_two_seconds each_is_saved_in_time
said all_that_end_at_once_are_saved all_at_once
said memory_and_files_are_bounded bounds_hold
ok the_service_ends_in_order it_ends_in_order
cat "$dir"/pid-* 2>/dev/null | while read -r pid; do kill -9 "$pid" 2>/dev/null; done
finish
