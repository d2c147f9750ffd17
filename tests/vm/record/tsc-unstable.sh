#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel finds the TSC unstable while we record by it: the log and the reader say so, and events
# of different CPUs have no certain order any more.  On s390x, the TOD clock is moved.

. "$(dirname "$0")/../lib.sh"

case $kernel in
*-s390x) counter='TOD clock' happened='stp: the TOD clock was moved' anew='TOD clock' ;;
*) counter=TSC happened='Marking TSC unstable due to being provoked' anew=trace_clock_local ;;
esac
{
	printf "counter='%s' happened='%s' anew='%s'\n" "$counter" "$happened" "$anew"
	cat <<'END'
with_disk
[ ! -e /test/provoker.ko ] || insmod /test/provoker.ko
load_recorder
sleep 1.2
check "before it a region is saved" epitaph-static snapshot -o /disk/before
check "and the recorder says nothing" refused kernel_says "the kernel found the $counter unstable"
read -r up _ </proc/uptime
echo "$up" >/disk/uptime
if [ -e /test/stp.ko ]; then
	insmod /test/stp.ko
else
	echo 1 >/sys/kernel/debug/provoker/tsc
fi
check "the kernel says it" kernel_says "$happened"
check "the recorder says it too" await kernel_says "epitaph: the kernel found the $counter unstable"
read -r up _ </proc/uptime
echo "$up" >>/disk/uptime
sleep 1.2
check "once" [ "$(dmesg | grep -c 'epitaph: the kernel found')" = 1 ]
check "behind it a region is saved" epitaph-static snapshot -o /disk/behind
rmmod epitaph
load_recorder
check "another load takes a clock that is good" \
	sh -c "epitaph-static snapshot -o /disk/anew && epitaph-static info /disk/anew >/tmp/anew && grep '^clock  *$anew' /tmp/anew && ! grep unstable /tmp/anew"
END
} | guest
pack_guest "${victim%/*}/provoker.ko" "${victim%/*}/stp.ko" "$top/extractor/epitaph-static"
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
	sh -c "'$epitaph' report '$saved/behind' | grep -E '^# clock: $counter; .*; the kernel found this clock unstable by [0-9]+\.[0-9]{3} s: CPUs may differ\$'"
check "JSON has the time" is_dated
# QEMU's CPUs of s390x do not answer each other soon enough to be measured: all is uncertain before it.
[ "$counter" = TSC ] || finish
before=$(nr_uncertain "$saved/before")
behind=$(nr_uncertain "$saved/behind")
echo "# uncertain order: $before events before, $behind behind"
check "the order of many events is uncertain" [ "$behind" -gt $((10 * before + 10)) ]
finish
