#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# 24 CPUs ($cpus): each has a ring in every channel, as large as it was to be, and what
# the dead machine's memory holds is whole, a copy among it.

VM_DIR=..
. "$(dirname "$0")/../lib.sh"

cpus=${cpus:-24}
# lib.sh puts it on the guest's command line.
# shellcheck disable=SC2034
region_arg='memmap=64M!0x20000000 epitaph.addr=0x20000000 epitaph.size=64M'
guest <<'END'
epitaph() {
	epitaph-static "$@"
}
lists() {
	epitaph channel | grep -qE "$1" || { epitaph channel; return 1; }
}
cpus=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | wc -l)
load_recorder generations=1 channels=24M
check "the pool is as it was told" lists '^pool 25165824 bytes'
check "a channel for all of them is added" epitaph channel add wide 12M 'sched:*'
check "it has a ring for each CPU" [ "$(ls /sys/kernel/epitaph/channels/wide | wc -l)" = "$cpus" ]
check "and so has main" [ "$(ls /sys/kernel/epitaph/channels/main | wc -l)" = "$cpus" ]
check "it has that room" lists '^channel wide overwrite records 1[12][0-9]{6} bytes'
check "too little for so many is refused" sh -c '! epitaph-static channel add thin 128K "sched:*" 2>/tmp/thin && grep -q "too few for .* CPUs: the least is" /tmp/thin'
check "a copy of all of them" epitaph snapshot wide 8M
arm_kdump
sleep 1
bug() { echo c >/proc/sysrq-trigger; }
bug
END
pack_guest "$top/extractor/epitaph-static"

# shellcheck disable=SC2317 # check calls it
has_all_cpus() {
	jq -r "select(.channel == \"$1\") | .cpu" "$out/region.json" | sort -un | wc -l >"$out/nr"
	[ "$(cat "$out/nr")" = "$cpus" ] || { cat "$out/nr"; return 1; }
}

crash_and_capture --cpus "$cpus" --allow 'panic - not syncing: sysrq'
recovers "$epitaph" export --to json -o "$out/region.json" "$saved/region"
check "every CPU has events in main" has_all_cpus main
check "and in the channel" has_all_cpus wide
check "check finds no damage" sh -c "'$epitaph' check '$saved/region' 2>&1 | grep -v 'events were lost' | grep . && exit 1 || true"
finish
