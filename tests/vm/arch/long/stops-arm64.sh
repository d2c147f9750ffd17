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

guest <<'END'
# Quietly: what is refused is none of this test's.
say() {
	(exec 3<>/dev/epitaph-control && echo "$1" >&3) 2>/dev/null || :
}
one_of() {
	shift $((RANDOM % $#))
	echo "$1"
}
load_recorder channels=1M generations=2
load_victim full=1
# Where the host finds both, which is not known before.
dmesg | grep -E 'recording into |witness at '
echo "guest: at work"
while :; do
	case $((RANDOM % 12)) in
	0) say 'channel add own 192K sched:*' ;;
	1) say 'channel stop own' && say 'channel remove own' ;;
	2) say "filter own sched:sched_switch prev_pid == $((RANDOM % 100))" ;;
	3) say 'filter sched:sched_waking comm == "none"' && say 'filter sched:sched_waking 0' ;;
	4) say "context own sched:sched_switch $(one_of irq preempt task 0)" ;;
	5) say 'snapshot main 256K' ;;
	6) for n in $(seq 9); do say "channel remove main@$n"; done ;;
	7) say 'bridge on' && say 'bridge off' ;;
	8) echo 0 >/sys/devices/system/cpu/cpu1/online ;;
	9) echo 1 >/sys/devices/system/cpu/cpu1/online ;;
	10) say 'events +timer:*' && say 'events !timer:hrtimer_start' ;;
	11) say 'trigger sched:sched_switch snapshot main after 3' && say 'trigger remove 1' ;;
	esac
	usleep $((RANDOM % 30000))
done
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
