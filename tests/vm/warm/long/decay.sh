#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A full region, behind a panic without kdump, whose memory decays: what comes back, and that none
# of it is wrong.  SEEDS: of each kind of damage.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
load_recorder
for cpu in 1 2; do
	taskset $cpu sh -c 'while :; do cat /proc/version; done' >/dev/null &
done
sleep 60
echo c >/proc/sysrq-trigger
END
pack_guest
append="panic=0" boot --timeout 240 --allow 'sysrq: Trigger a crash' \
	--allow 'panic - not syncing: sysrq triggered crash' \
	--when "end Kernel panic=>sleep 1; pmemsave $region_addr 0x1000000 region" \
	--when 'end Kernel panic=>sleep 4; quit'

# comes_back HOW PERCENT
# shellcheck disable=SC2317 # check calls it
comes_back() {
	"$here/decay" "$epitaph" "$out/region" "$out" "${SEEDS:-5}" "$1" >"$out/decay-$1" || { cat "$out/decay-$1"; return 1; }
	sed 's/^/# /' "$out/decay-$1" >&3
	awk -v least="$2" '/% back/ { n++; bad += $4 < least } END { exit bad || n != 1 }' "$out/decay-$1"
}

exec 3>&1
check "one bit of 10^6: 99.9 % of the events come back, and none is wrong" comes_back 1e-6 99.9
check "one bit of 10^5: 99.9 %" comes_back 1e-5 99.9
check "one bit of 10^4: 99 %" comes_back 1e-4 99
check "one bit of 10^3: 95 %" comes_back 1e-3 95
check "8 rows of 8 KiB: 98 %" comes_back row 98
check "8 pages of zeroes: 98 %" comes_back zeroes 98
check "a stuck bit in each 64th byte: 95 %" comes_back stuck 95
finish
