#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The TSC of CPU 1 is ahead of that of CPU 0: the recorder measures by how much, and the reader corrects
# it.  The truth is a token that the CPUs pass on through memory: what is in another order is marked.
#
# The skew is that of a patched QEMU (scripts/qemu-skewed).

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

nr=${TOKEN_PASSES:-20000}
cpus=${TOKEN_CPUS:-2}
skew=${TOKEN_SKEW:-0,2500000}
# A bound below this many ns, of each measurement.
bound=${TOKEN_BOUND:-20000}
# Of the events, room is needed for all.
region_is "${TOKEN_REGION:-16M}"

# 10 minutes of CPU, the first time.
skewed=$("$top/scripts/qemu-skewed" 2>"$out/qemu-skewed") || {
	tail -n 20 "$out/qemu-skewed"
	check "scripts/qemu-skewed builds QEMU" false
	finish
}
PATH=$skewed:$PATH
EPITAPH_TSC_SKEW=$skew
export EPITAPH_TSC_SKEW

sed "s/@NR@/$nr/" <<'END' | guest
with_disk
load_recorder
load_victim work=n
echo @NR@ >/sys/kernel/debug/victim_token
check "what is recorded is saved" epitaph-static snapshot -o /disk/region
echo 0 >/sys/devices/system/cpu/cpu1/online
echo 1 >/sys/devices/system/cpu/cpu1/online
echo 1000 >/sys/kernel/debug/victim_token
check "and behind a hotplug of CPU 1" epitaph-static snapshot -o /disk/replugged
rmmod victim
END
pack_guest "$top/extractor/epitaph-static"
make_disk 512M
boot --disk "$out/disk.img" --cpus "$cpus" --allow 'smpboot: CPU 1 is now offline'
check "the guest lives on" guest_ended_well
take_all_of_disk

# token_order REGION NR
# shellcheck disable=SC2317 # check calls it
token_order() {
	recovers "$epitaph" report --all --json --event victim:token "$1" | grep '"event"' | "$here/token-order" "$2"
}

# measured REGION: each measurement of each CPU has the truth within its bound, which is small; there are some
# of each.
# shellcheck disable=SC2317 # check calls it
measured() {
	"$epitaph" info --json "$1" | jq -r '.clock as $c | $c.skew[] | select(.cpu != 0) |
		"\(.cpu) \(.offset_ns) \(.bound_ns) \($c.khz)"' >"$out/skews"
	awk -v truth="$skew" -v cpus="$cpus" -v most="$bound" 'BEGIN { split(truth, ticks, ",") }
		{ real = ticks[$1 + 1] * 1000000 / $4; off = $2 - real; seen[$1] = 1
			bad += (off < 0 ? -off : off) > $3 + 1 || $3 >= most
			if ($1 == 1 || $3 > widest) print "# CPU " $1 ": " $2 " ns within " $3 ", truth " real
			if ($3 > widest) widest = $3 }
		END { for (cpu = 1; cpu < cpus; cpu++) bad += !seen[cpu]; exit bad || !NR }' "$out/skews"
}

# doubted REGION: it has passes in the wrong order, and each of them is marked.
# shellcheck disable=SC2317 # check calls it
doubted() {
	token_order "$1" "$nr" >"$out/order"
	marked=$?
	cat "$out/order"
	[ "$marked" = 0 ] && grep -Eq '[: ][1-9][0-9]* in the wrong order, 0 of these not marked' "$out/order"
}

# without_skew FILE: a copy of the region in which no measurement is.
without_skew() {
	cp "$saved/region" "$1"
	"$epitaph" info --json "$saved/region" | jq -r '.sections[] | select(.name == "skew") | "\(.offset) \(.size)"' |
		{ read -r off size && dd if=/dev/zero of="$1" bs=1 seek="$off" count="$size" conv=notrunc 2>/dev/null; }
}

check "each measurement has the truth within its bound" measured "$saved/region"
cat "$out/said"
check "the head says it" sh -c "'$epitaph' report '$saved/region' | grep -E '^# skew: CPU 1 was [0-9.]+ [mu]s (ahead|behind) \(within [0-9.]+ [nmu]?s\).* of CPU 0: corrected'"
cat "$out/said"
check "no pass of the token is in the wrong order and not marked" token_order "$saved/region" "$nr"
cat "$out/said"
without_skew "$out/believed"
check "without the measurements some are in the wrong order, and marked" doubted "$out/believed"
cat "$out/said"
rm -f "$out/believed"
check "behind a hotplug of CPU 1 too: measurements" measured "$saved/replugged"
check "and order" token_order "$saved/replugged" "$((nr + 1000))"
cat "$out/said"
finish
