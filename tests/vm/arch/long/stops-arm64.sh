#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# stops on arm64, whose CPUs run at the same time, each in a thread of QEMU: a guest under full load is
# stopped at random instructions, STOPS times (200), and no event is lost, invented or doubled.  Its
# memory is that of the host, whose order is stronger than arm64's.

VM_DIR=../..
KERNEL=${KERNEL_OF_MACHINE:-6.12-arm64}
export VM_ACCEL="tcg,thread=multi"
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/../../lib-arch.sh"
build_images
build_recorder
build_victim
region_arg=reserve_mem=6M:4096:epitaph
stops=${STOPS:-200}
seed=${STOPS_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "# seed $seed, $stops stops"

cat "$here/lib-stops-guest.sh" - <<'END' | guest
load_recorder channels=1M generations=2
load_victim full=1
# Where the host finds both, which is not known before.
dmesg | grep -E 'recording into |witness at '
echo "guest: at work"
come_and_go 'sched:*' timer:hrtimer_start
END
pack_guest
cc -O2 -o "$out/quick_truth" "$here/quick_truth.c"

# place WORDS: the number behind them in the guest's log, once it is there.
place() {
	for _ in $(seq 1200); do
		found=$(sed -n "s/.*$1.* \(0x[0-9a-f]*\).*/\1/p" "$out/guest.log" 2>/dev/null | head -n 1)
		[ -z "$found" ] || ! grep -q 'guest: at work' "$out/guest.log" || break
		sleep 0.5
	done
	echo "$found"
}

judge() {
	region_at=$(place 'recording into')
	witness_at=$(place 'witness at')
	exec "$here/stops" --seed "$seed" --stops "$stops" --qmp "$out/qmp" --resets 0 \
		--region "$region_at+$((6 << 20))" --witness "$witness_at" --guest-log "$out/guest.log" \
		--epitaph "$epitaph" --quick "$out/quick_truth" --out "$out"
}
judge >"$out/stops.log" 2>&1 &
judge=$!
append="loglevel=6 no_hash_pointers" boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "$memory" \
	--timeout $((600 + 20 * stops)) --ends 'Linux version' --allow 'psci: CPU1 killed' -- \
	-qmp "unix:$out/qmp,server=on,wait=off"
status=0
wait "$judge" || status=1
grep '^#' "$out/stops.log" | tail -n 30 || cat "$out/stops.log"
check "nothing is lost, invented or doubled" [ "$status" = 0 ]
finish
