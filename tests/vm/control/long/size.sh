#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# epitaph size says how large a region must be; a region of that size then holds so much of the same
# load, for each of four loads.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

region_is 256M
export VM_TIMEOUT=500

guest <<'END'
seconds=15
# Each load runs until /tmp/load is gone.  It is paced, so that it is the same load at both times,
# whatever else the host does.
goes_on() {
	usleep "$1"
	[ -e /tmp/load ]
}
load_forks() {
	while goes_on 60000; do cat /proc/uptime /proc/loadavg >/dev/null; done
}
load_pipes() {
	while goes_on 100000; do dd if=/dev/zero bs=64 count=100 2>/dev/null | dd of=/dev/null bs=64 2>/dev/null; done
}
load_sleeps() {
	for i in 1 2 3 4 5; do (while goes_on "${i}7000"; do :; done) & done
	wait
}
load_files() {
	while goes_on 150000; do
		for i in 1 2 3 4 5 6 7 8 9; do echo $i >/tmp/load.$i; done
		cat /tmp/load.* >/dev/null
		rm /tmp/load.*
	done
}
# rings: what sysfs says of those of main.
rings() {
	cat /sys/kernel/epitaph/channels/main/cpu[0-9]*
}
# horizon: how far all of them reach back, in ms.
horizon() {
	rings | sed -n 's/^horizon_ns //p' | sort -n | head -n 1 | sed 's/......$//'
}
# within MOST-APART-IN-PERCENT N
within() {
	echo "$2 ms of $((seconds * 1000))"
	[ "$2" -ge $((seconds * (1000 - 10 * $1))) ] && [ "$2" -le $((seconds * (1000 + 10 * $1))) ]
}
# held LOAD: measured in a small region, then held against one of the size that was said.
held() {
	: >/tmp/load
	"load_$1" &
	load_recorder addr=0x20000000 size=8M
	usleep 1000000
	epitaph size --for ${seconds}s --json >/tmp/size.json
	region=$(sed 's/.*"region":\([0-9]*\).*/\1/' /tmp/size.json)
	rmmod epitaph
	load_recorder addr=0x20000000 size="$region"
	waited=0
	while rings | grep -qx 'whole 1' && [ $waited -lt 80 ]; do
		usleep 500000
		waited=$((waited + 1))
	done
	ms=$(horizon)
	epitaph size --for ${seconds}s --measure 1s | sed 's/^/# /'
	rm /tmp/load
	wait
	rmmod epitaph
	echo "# $1: $ms ms held of $((seconds * 1000)), region $region"
	check "$1: the region holds what was said" within 20 "$ms"
}
for load in forks pipes sleeps files; do held $load; done
END
pack_guest "$top/extractor/epitaph-static"
boot
grep '^#' "$out/guest.log"
finish
