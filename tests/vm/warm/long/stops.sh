#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A guest under full load is stopped at random instructions, STOPS times (200), RESETS of them (a
# tenth) by a reset: no event is lost, invented or doubled.  Meanwhile channels, filters, context,
# snapshots, the bridge and a CPU come and go.  STOPS_SEED repeats the waits of a run.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

stops=${STOPS:-200}
resets=${RESETS:-$(((stops + 9) / 10))}
seed=${STOPS_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "# seed $seed, $stops stops, $resets resets"
region_is 6M

cat "$here/lib-stops-guest.sh" - <<'END' | guest
RANDOM=$(($(date +%s) % 30000))
keep_witness /tmp/witness
load_recorder channels=1M generations=2
harvest() {
	epitaph-static harvest -o /tmp/harvest >/tmp/said 2>&1 || :
	rm -rf /tmp/harvest
}
# Before the victim begins, beside it, or never: the next recorder finds more then.
case $((RANDOM % 3)) in
0) harvest ;;
1) (usleep $((RANDOM * 20)) && harvest) & ;;
esac
load_surviving_victim full=1
echo "guest: at work"
come_and_go 'sched:* raw_syscalls:sys_enter' kmem:kmalloc
END
# What takes time at each boot: 20 MB of debuginfo, and a console of which no line is a warning.
strip -g -o "$out/epitaph.ko" "$recorder"
strip -g -o "$out/victim.ko" "$victim"
recorder=$out/epitaph.ko victim=$out/victim.ko
pack_guest "$top/extractor/epitaph-static"
cc -O2 -o "$out/quick_truth" "$here/quick_truth.c"

"$here/stops" --seed "$seed" --stops "$stops" --resets "$resets" --qmp "$out/qmp" \
	--region "$region_addr+$((${region_size%M} << 20))" --witness "$witness_addr" --guest-log "$out/guest.log" \
	--epitaph "$epitaph" --quick "$out/quick_truth" --out "$out" >"$out/stops.log" 2>&1 &
judge=$!
append="memmap=64K!$witness_addr loglevel=6 cryptomgr.notests" boot --any-boots --timeout $((600 + 20 * stops + 200 * resets)) \
	--ends 'Linux version' --allow 'smpboot: CPU 1 is now offline' -- \
	-qmp "unix:$out/qmp,server=on,wait=off"
status=0
wait "$judge" || status=1
grep '^#' "$out/stops.log" | tail -n 30 || cat "$out/stops.log"
check "nothing is lost, invented or doubled" [ "$status" = 0 ]
finish
