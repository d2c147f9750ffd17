#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each page of what was recorded has a parity that fits it: when nothing is recorded any more, and
# behind a panic without kdump.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
load_recorder
for cpu in 1 2; do
	taskset $cpu sh -c 'for i in $(seq 400); do cat /proc/version; done' >/dev/null &
done
wait
echo "in the table of marks" >/dev/epitaph-mark
epitaph-static stop
sleep 3
echo "guest: stopped"
sleep 2
epitaph-static start
echo "guest: goes on"
sleep 2
echo c >/proc/sysrq-trigger
END
pack_guest "$top/extractor/epitaph-static"

# fits NAME WHAT MISSES: all pages but MISSES have a parity that fits.
# shellcheck disable=SC2317 # check calls it
fits() {
	"$here/parity" "$out/$1" >"$out/parity-$1" || return
	sed -n "s/^$2: \([0-9]*\) pages, \([0-9]*\) fit.*/\1 \2/p" "$out/parity-$1" |
		awk -v misses="$3" '{ n++; bad += $1 < 1 || $1 - $2 > misses } END { exit bad || n != 1 }' ||
		{ cat "$out/parity-$1"; return 1; }
}

append="panic=0" boot --allow 'sysrq: Trigger a crash' --allow 'panic - not syncing: sysrq triggered crash' \
	--when "guest: stopped=>sleep 1; pmemsave $region_addr 0x1000000 region" \
	--when "end Kernel panic=>sleep 1; pmemsave $region_addr 0x1000000 region-dead" \
	--when 'end Kernel panic=>sleep 4; quit'
for part in header main copy; do
	check "stopped: $part has its parity" fits region $part 0
done
# An anchor of the clock is written each second.
check "stopped: of the tables, all but one" fits region tables 1
check "enough was recorded" grep -E '^main: [0-9]{3,} pages' "$out/parity-region"
check "dead: the header has its parity" fits region-dead header 0
check "dead: of the tables, all but two" fits region-dead tables 2
check "dead: of each CPU's sub-buffers, all but two" fits region-dead main 4
finish
