#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Errors of a memory controller and of PCI Express stay, while everything else is
# overwritten many times: they have rings of their own.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
# Nothing is said of ras:*, and it is recorded.
load_recorder events='sched:sched_switch'
arm_kdump
insmod /test/aer_inject.ko
# Bus 0, device 1; uncorrected status 0, corrected 1: receiver error.
printf '\000\001\0\0\0\0\0\0\001\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >/dev/aer_inject
sleep 1
insmod /test/provoker.ko
echo 7 >/sys/kernel/debug/provoker/ras
load_victim full=1
for i in $(seq 20); do
	echo "$i" >/sys/kernel/debug/victim_mc_event
done
sleep 3
bug panic
END
pack_guest "$(module aer_inject)" "${victim%/*}/provoker.ko"

# ras_event NAME FIELDS: the JSON of the region has it, of the channel "ras".
# shellcheck disable=SC2317 # check calls it
ras_event() {
	jq "select(.channel == \"ras\" and .event == \"ras:$1\") | select($2)" \
		"$out/region.json" >"$out/found"
	[ -s "$out/found" ]
}

# All events of the main channel are later than the last of the others.
# shellcheck disable=SC2317 # check calls it
main_is_overwritten() {
	last=$(jq -s 'map(select(.channel == "ras").ts_ns) | max' "$out/region.json")
	first=$(jq -s 'map(select(.channel == "main").ts_ns) | min' "$out/region.json")
	echo "last of ras at $last, first of main at $first"
	[ "$first" -gt "$last" ]
}

# Of two records of firmware, the type of one is known.
# shellcheck disable=SC2317 # check calls it
firmware_in_words() {
	"$epitaph" mce "$out/saved/region" >"$out/mce"
	grep '^errors of other hardware: ' "$out/mce" &&
		[ "$(grep -c ' non_standard_event: severity: ' "$out/mce")" -eq 2 ] &&
		grep -A 1 'non_standard_event: severity: 1;.* slot 3;' "$out/mce" |
			grep '^#   firmware.s record is about: PCI Express; corrected, if GHES reported it$' &&
		[ "$(grep -c '^#   firmware' "$out/mce")" -eq 1 ]
}

truth_args="--least 50000"
crash_whole --allow 'panic - not syncing: victim: panic' --allow 'AER: ' \
	-- -device pcie-root-port,id=rp0,chassis=1
check "the region can be exported" export_json region
check "the first error of the memory controller is there" \
	ras_event mc_event '.fields.error_count == 1'
check "the last one as well, with its texts" \
	ras_event mc_event '.fields.error_count == 20 and .fields.label == "DIMM 3"'
check "the task is who reported it" ras_event mc_event '.comm == "init"'
check "the error on the bus is there" ras_event aer_event '.fields.status == 1 and .fields.severity == 2'
check "epitaph mce has them, and says what a record of firmware is about" firmware_in_words
check "the main channel was overwritten meanwhile" main_is_overwritten
finish
