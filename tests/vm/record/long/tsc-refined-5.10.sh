#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel measures the TSC again seconds after boot, and finds 999.9 MHz where it believed 1000.1: by
# the new figure an event's time would have other units. A channel that comes later has the times of main's.
# 5.10 does it late enough: 6.1 is through before its first program runs.

KERNEL=5.10
VM_DIR=../..
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
build_for_kernel
guest_modules=

guest <<'END'
load_recorder channels=1M
check "it is loaded before the TSC is measured again" refused kernel_says 'tsc: Refined TSC'
for _ in 1 2 3 4 5 6 7 8; do
	! kernel_says 'tsc: Refined TSC' >/dev/null || break
	sleep 1
done
check "which comes" kernel_says 'tsc: Refined TSC clocksource calibration: '
with_disk
epitaph channel add own 128K sched:sched_switch irq:softirq_entry
for _ in 1 2 3 4 5 6 7 8 9 10; do usleep 20000; done
epitaph channel stop own
check "what is recorded is saved" epitaph-static snapshot -o /disk/region
END

# QEMU counts an instruction as one ns: so the TSC has 1 GHz, and the kernel finds that or a kHz less, by chance.
# crosses KHZ: what it finds is on the other side of 1 GHz, where units become others.
# shellcheck disable=SC2317 # check calls it
crosses() {
	mhz=$(sed -n 's/.*Refined TSC clocksource calibration: \([0-9]*\)\..*/\1/p' "$out/console.log" | head -n 1)
	echo "believed $1 kHz, found $mhz MHz and something"
	if [ "$1" -ge 1000000 ]; then [ "$mhz" -lt 1000 ]; else [ "$mhz" -ge 1000 ]; fi
}

for khz in 1000100 999900 1000100 999900 1000100 999900 1000100 999900; do
	pack_guest "$top/extractor/epitaph-static"
	make_disk 64M
	append="tsc_early_khz=$khz" boot --disk "$out/disk.img" --cpus 1 -- -icount shift=0,sleep=off -rtc clock=vm
	! crosses "$khz" || break
done
check "the kernel finds what has other units" crosses "$khz"
cat "$out/said"
check "the guest lives on" guest_ended_well
take_all_of_disk

# same_times: each switch that both channels have was at the same time, within 20 microseconds.
# shellcheck disable=SC2317 # check calls it
same_times() {
	for channel in main own; do
		recovers "$epitaph" export --to json --event sched:sched_switch --channel "$channel" -o "$out/$channel.json" "$saved/region" || return
		sed 1d "$out/$channel.json" | jq -r 'select(.event == "sched:sched_switch") |
			"\(.fields.prev_pid)>\(.fields.next_pid) \(.ts_ns)"' >"$out/$channel.times"
		rm -f "$out/$channel.json"
	done
	# The last of main are those of the channel: it was stopped in the end.
	awk 'FNR == NR { times[$1] = times[$1] " " $2; next }
		{ n = split(times[$1], all, " "); near = 0
			for (i = 1; i <= n; i++) near += all[i] - $2 < 20000 && $2 - all[i] < 20000
			if (near) same++; else { if (!other++) print "not in main: " $0 } }
		END { print same + 0 " at the same time, " other + 0 " not"; exit same < 10 || other }' \
		"$out/main.times" "$out/own.times"
}
check "its switches are at the times of main's" same_times
cat "$out/said"
check "nothing is damaged" no_damage "$saved/region"
finish
