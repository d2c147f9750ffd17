#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel finds the TSC unstable while we record by it: the log and the reader say so, and events
# of different CPUs have no certain order any more.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
with_disk
insmod /test/provoker.ko
load_recorder
sleep 1.2
check "before it a region is saved" epitaph-static snapshot -o /disk/before
check "and the recorder says nothing" refused kernel_says 'the kernel found the TSC unstable'
read -r up _ </proc/uptime
echo "$up" >/disk/uptime
echo 1 >/sys/kernel/debug/provoker/tsc
check "the kernel says it" kernel_says 'Marking TSC unstable due to being provoked'
check "the recorder says it too" await kernel_says 'epitaph: the kernel found the TSC unstable'
read -r up _ </proc/uptime
echo "$up" >>/disk/uptime
sleep 1.2
check "once" [ "$(dmesg | grep -c 'epitaph: the kernel found')" = 1 ]
check "behind it a region is saved" epitaph-static snapshot -o /disk/behind
rmmod epitaph
load_recorder
check "another load takes the clock of the kernel" \
	sh -c 'epitaph-static snapshot -o /disk/anew && epitaph-static info /disk/anew | grep "trace_clock_local"'
END
pack_guest "${victim%/*}/provoker.ko" "$top/extractor/epitaph-static"
make_disk 256M
boot --disk "$out/disk.img"
check "the guest lives on" guest_ended_well
saved=$out/saved
mkdir -p "$saved"
debugfs -R "rdump / $saved" "$out/disk.img" 2>/dev/null
rm -f "$out/disk.img"

# Between the moment before and the one behind.
# shellcheck disable=SC2317 # check calls it
is_dated() {
	"$epitaph" info --json "$saved/behind" | jq .clock.unstable_ns >"$out/unstable_ns" &&
		awk 'FNR == NR { up[FNR] = $1; next }
			{ at = $1 / 1e9; print "#", at, "between", up[1], "and", up[2] }
			END { exit !(FNR == 1 && at > up[1] - 0.02 && at < up[2] + 0.02) }' "$saved/uptime" "$out/unstable_ns"
}

# nr_uncertain FILE: events whose order to those of the other CPU is not certain
nr_uncertain() {
	"$epitaph" report --all --json "$1" | grep -c uncertain-order || true
}

check "before it the head says nothing of it" \
	sh -c "'$epitaph' report '$saved/before' >'$out/text' && ! grep unstable '$out/text'"
check "behind it the head says it" \
	sh -c "'$epitaph' report '$saved/behind' | grep -E '^# clock: TSC; .*; the kernel found this clock unstable by [0-9]+\.[0-9]{3} s: CPUs may differ\$'"
check "JSON has the time" is_dated
before=$(nr_uncertain "$saved/before")
behind=$(nr_uncertain "$saved/behind")
echo "# uncertain order: $before events before, $behind behind"
check "the order of many events is uncertain" [ "$behind" -gt $((10 * before + 10)) ]
finish
