#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A region full of a victim's events, each of which bears its proof in itself, decays at every rate and in
# every way, until EVENTS (10 million) came back: none is wrong.  DECAY_SEED repeats a run.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

seed=${DECAY_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

guest <<'END'
keep_witness /tmp/witness
load_recorder
load_surviving_victim full=1
sleep 20
rmmod victim
# What was recorded last gets its parity.
sleep 10
echo c >/proc/sysrq-trigger
END
pack_guest
append="panic=0 memmap=64K!$witness_addr" boot --timeout 240 --allow 'sysrq: Trigger a crash' \
	--allow 'panic - not syncing: sysrq triggered crash' \
	--when "end Kernel panic=>sleep 1; pmemsave $region_addr 0x1000000 region; pmemsave $witness_addr 0x10000 witness" \
	--when 'end Kernel panic=>sleep 4; quit'
cc -O2 -o "$out/quick_truth" "$here/quick_truth.c"
"$epitaph" export --to json -o - "$out/region" 2>"$out/said" | "$out/quick_truth" --damaged "$out/witness" | comment
wrong=0
"$here/decay" --truth "$out/quick_truth" "$out/witness" "$epitaph" "$out/region" "$out" "$seed" "${EVENTS:-10000000}" \
	1e-6 1e-5 1e-4 1e-3 3e-3 row zeroes stuck >"$out/decay" || wrong=1
grep -v '[0-9] s$' "$out/decay" | tail -n 30 | comment
check "nothing that came back was invented, is there twice, or out of order" [ "$wrong" = 0 ]
finish
