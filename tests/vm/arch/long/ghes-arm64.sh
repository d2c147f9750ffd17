#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317,SC2154 # claims are called by name; lib-machine.sh sets them
#
# Hardware errors of arm64 come from its firmware (ACPI's GHES): a corrected one of a processor, one
# that no kernel knows, and a fatal one, of which the machine dies.  The next boot finds all three; where
# a kernel can reserve nothing, a dump that the host makes has them.  The kernel's own log of them is the
# truth.  QEMU can do that from 11 on, and needs firmware for it.

VM_DIR=../..
KERNEL=${KERNEL_OF_MACHINE:-6.12-arm64}
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/../../lib-arch.sh"
headers=$headers,ras_event
unstable=$("$top/scripts/qemu-unstable" 2>"$out/said") || {
	echo "ok 1 - $test_name # SKIP needs QEMU of Debian unstable: $(tail -n 1 "$out/said")"
	echo "1..1"
	exit
}
build_images
build_recorder

guest <<'END_OF_GUEST'
with_disk
# shellcheck disable=SC2046 # words
load_recorder $(param guest.recorder)
dmesg | grep 'epitaph: ' || true
case $boot in
1)
	dmesg | grep -i 'GHES\|HEST' || true
	echo "guest: inject arm"
	await kernel_says 'event severity: corrected'
	sleep 1
	dmesg -c >/disk/log-arm
	echo "guest: inject unknown"
	await kernel_says 'section type: unknown'
	sleep 1
	dmesg -c >/disk/log-unknown
	sync
	umount /disk
	echo "guest: inject fatal"
	sleep 60
	;;
2)
	ls /sys/kernel/epitaph/generations
	cat /dev/epitaph >/disk/region
	;;
esac
END_OF_GUEST
pack_guest
make_disk 256M
region_arg=${region_of_machine:-reserve_mem=16M:4096:epitaph}
case $region_arg in
*pages=*) outlives="--dump $out/core" panic=0 ;;
*) outlives="--boots 2" panic=1 ;;
esac

# Errors as soon as the guest asks for them.
inject() {
	for kind in arm unknown fatal; do
		until grep -q "^guest: inject $kind" "$out/guest.log" 2>/dev/null; do sleep 0.2; done
		"$here/inject-ghes" "$out/qmp" $kind || return
	done
}
rm -f "$out/guest.log"
inject >"$out/injected" 2>&1 &
# shellcheck disable=SC2086 # words
PATH=$unstable/bin:$PATH append="panic=$panic nokaslr no_hash_pointers" boot --system "$system" --machine virt,ras=on --cpu "$cpu" \
	--memory "$memory" --disk "$out/disk.img" --timeout 900 $outlives --allow 'Fatal hardware error' --allow 'Hardware Error' \
	-- -bios "$unstable/firmware.fd" -qmp "unix:$out/qmp,server=on,wait=off"
kill $! 2>/dev/null || true
comment <"$out/injected"
take_all_of_disk
set -- --generation 1 "$saved/region"
[ ! -f "$out/core" ] || set -- "$out/core"
recovers "$epitaph" report --all "$@" >"$out/report"
recovers "$epitaph" explain "$@" >"$out/explained"

# says FILE WORD...: the file has a line with all of them.
says() {
	file=$1
	shift
	cp "$file" "$out/lines"
	for word; do
		grep -F -- "$word" "$out/lines" >"$out/left" || { echo "no line has: $*"; return 1; }
		mv "$out/left" "$out/lines"
	done
}

check "corrected: the kernel itself has it" says "$saved/log-arm" '(MPIDR): 0x0000000080000001'
check "corrected: it is an event, of that processor" says "$out/report" ' arm_event: ' 'MPIDR: 0000000080000001' 'MIDR: 00000000410fd0c0'
check "unknown: the kernel itself has it" says "$saved/log-unknown" 'section type: unknown, 0b5e7700-1111-2222-3333-444455556666'
check "unknown: it is an event, with its bytes" says "$out/report" ' non_standard_event: ' 'raw data:00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f'
check "fatal: what is left knows that it died" grep '^# died: Kernel panic - not syncing: .*Fatal hardware error' "$out/report"
check "fatal: explain says that the hardware failed" says "$out/explained" 'The hardware failed: the firmware reported a fatal ARM processor'
check "fatal: and which processor and what" says "$out/explained" 'error_type: 0x08: bus error'
finish
