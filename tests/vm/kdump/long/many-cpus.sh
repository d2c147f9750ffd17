#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# 24 CPUs ($cpus): each has a ring in every channel, as large as it was to be, and what
# the dead machine's memory holds is whole, a copy among it.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

cpus=${cpus:-24}
# Rings of a size at which each CPU has something to lose; more CPUs need more of everything, and
# are longer in coming up, one after the other.
size=64 memory=1G patience=180
[ "$cpus" -le 64 ] || size=192 memory=3G patience=1800
# lib.sh puts them on the guest's command line.
# shellcheck disable=SC2034
region_arg="memmap=${size}M!0x20000000 epitaph.addr=0x20000000 epitaph.size=${size}M"
append=guest.size=$size
guest <<'END'
size=$(param guest.size)
pool=$((size * 3 / 8))
lists() {
	epitaph channel | grep -qE "$1" || { epitaph channel; return 1; }
}
cpus=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | wc -l)
# is_near BYTES WANTED: not more, and less by rounding of each ring to sub-buffers.
is_near() {
	[ "$1" -le "$2" ] && [ "$1" -gt $(($2 - cpus * 8192)) ] || { echo "$1 of $2"; return 1; }
}
# bytes NAME: of a channel, as the recorder lists it.
bytes() {
	epitaph channel | sed -n "s/^channel $1 .* \([0-9]*\) bytes.*/\1/p"
}
load_recorder generations=1 channels=${pool}M
echo "# $cpus CPUs came up in $(cut -d' ' -f1 /proc/uptime) s"
check "all of them are on" [ "$(cat /sys/devices/system/cpu/online)" = "0-$((cpus - 1))" ]
check "the region has the size of its parameter" sh -c "[ \$(wc -c </dev/epitaph) = $((size << 20)) ]"
check "the pool has the size of its parameter" lists "^pool $((pool << 20)) bytes"
check "a channel for all of them is added" epitaph channel add wide $((pool / 2))M 'sched:*'
check "it has a ring for each CPU" [ "$(ls /sys/kernel/epitaph/channels/wide | wc -l)" = "$cpus" ]
check "and so has main" [ "$(ls /sys/kernel/epitaph/channels/main | wc -l)" = "$cpus" ]
check "it has that room" is_near "$(bytes wide)" $((pool << 19))
check "too little for so many is refused" sh -c '! epitaph-static channel add thin 128K "sched:*" 2>/tmp/thin && grep -q "too few for .* CPUs: the least is" /tmp/thin'
check "a copy of all of them" epitaph snapshot wide $((pool / 3))M
check "and one into a file" epitaph snapshot -o /tmp/copy
check "in which nothing is damaged" epitaph check /tmp/copy
# An idle CPU records nothing: each runs something.
cpu=0
while [ "$cpu" -lt "$cpus" ]; do
	zeroes=$((cpu / 4))
	[ "$zeroes" = 0 ] && zeroes= || zeroes=$(printf "%0${zeroes}d" 0)
	taskset "$((1 << cpu % 4))$zeroes" true
	cpu=$((cpu + 1))
done
arm_kdump
bug() { echo c >/proc/sysrq-trigger; }
bug
END
pack_guest "$top/extractor/epitaph-static"

# shellcheck disable=SC2317 # check calls it
has_all_cpus() {
	jq -r "select(.channel == \"$1\") | .cpu" "$out/region.json" | sort -un | wc -l >"$out/nr"
	[ "$(cat "$out/nr")" = "$cpus" ] || { cat "$out/nr"; return 1; }
}

# But for what rounding each ring to pages takes, and the table and its copy.
# shellcheck disable=SC2317 # check calls it
memory_is_used_up() {
	used=$("$epitaph" info --json "$saved/region" 2>/dev/null | jq '[.sections[].size] | add')
	main=$("$epitaph" info --json "$saved/region" 2>/dev/null |
		jq -r '.rings[] | select(.channel == "main") | .sub_buffers' | sort -u | wc -l)
	echo "$used of $((size << 20)), main's rings are of $main sizes"
	[ "$used" -le $((size << 20)) ] && [ "$used" -gt $(((size << 20) - (cpus + 32) * 4096)) ] && [ "$main" = 1 ]
}

crash_and_capture --cpus "$cpus" --memory "$memory" --timeout "$patience" --allow 'panic - not syncing: sysrq'
recovers "$epitaph" export --to json -o "$out/region.json" "$saved/region"
check "all of the memory is used, and main's rings are alike" memory_is_used_up
sed 's/^/# /' "$out/said"
check "every CPU has events in main" has_all_cpus main
check "and in the channel" has_all_cpus wide
check "check finds no damage" sh -c "'$epitaph' check '$saved/region' 2>&1 | grep -vE 'events? (was|were) lost' | grep . && exit 1 || true"
finish
