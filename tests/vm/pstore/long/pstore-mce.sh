#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A corrected machine check, and a fatal one that the kernel dies of: both are
# files in the next boot, as text, with what the kernel said last.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-mce.sh"
. "$(dirname "$0")/../../lib-pstore.sh"

{
	guest_words
	cat <<'END'
# raw_values NAME: every field of struct epitaph_mce has a line.
raw_values() {
	for field in seq source clock real_ns recorded_by cpu bank status addr misc synd ipid \
		mcgstatus mcgcap tsc time ip ppin synd1 synd2 cpuid apicid socket microcode cs \
		vendor inject_flags severity kflags pid comm; do
		file_says "$1" "^$field " || return
	done
}

with_disk
load_recorder
load_backend
mount_pstore
case $boot in
1)
	load_victim
	echo 1 >/sys/devices/system/machinecheck/machinecheck0/check_interval
	echo "guest: awaits a corrected one"
	sleep 4
	echo "guest: awaits a fatal one"
	await_end
	;;
2)
	ls -l "$pstore"
	cat "$pstore"/mce-epitaph-100001
	keep second
	check "the corrected one is the first file" \
		file_says mce-epitaph-100001 '^\[Hardware Error\]: CPU 0: Machine Check: 0 Bank 5: 9c00004000010091$'
	check "with its address and what else the kernel prints" \
		file_says mce-epitaph-100001 '^\[Hardware Error\]: TSC .*ADDR 12345[0-9a-f]* MISC 8c '
	check "the fatal one is there" grep -rq \
		'^\[Hardware Error\]: CPU 1: Machine Check Exception: 4 Bank 3: be00000000800091$' "$pstore"
	check "with every raw value" raw_values mce-epitaph-100001
	check "the log of the panic is there" grep -q 'Kernel panic - not syncing: .*achine check' \
		"$pstore/dmesg-epitaph-100001"
	check "the summary counts them" file_says dmesg-epitaph-100000 '^machine checks: [0-9]*, mce-epitaph-100001 to '
	;;
esac
END
} | guest
pack_guest "$backend"
warm_boots 2 --timeout 300 --allow 'Kernel panic - not syncing: ' \
	--when "guest: awaits a corrected=>mce 0 5 $corrected 0 $addr $misc" \
	--when "guest: awaits a fatal=>mce -b 1 3 $fatal $mcg_fatal $addr $misc"
check "the script ends well" guest_ended_well
compare_boot 1 "$saved/second"
recovers "$epitaph" mce "$saved/second" >"$out/mce.txt"
check "epitaph reads them from the directory" grep -q '^machine check 1 of [0-9]*: ' "$out/mce.txt"
check "and says which one it died of" grep -q ', bank 3 of CPU 1 .*: the machine died of this one$' "$out/mce.txt"
finish
