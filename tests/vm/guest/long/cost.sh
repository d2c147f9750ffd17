#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What an event costs in a guest whose region is in an ivshmem device, against the memmap region: QEMU counts the
# instructions of the bench's loops.  Each region is measured twice, in turns.

# shellcheck disable=SC2317 # check calls what is defined here

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

bench=$top/tests/bench
region_arg="memmap=$region_size!$region_addr"

guest <<'END'
# measure_in WHAT PARAMETER...: the recorder loaded with these.
measure_in() {
	what=$1
	shift
	load_recorder "$@"
	insmod /test/epitaph_bench.ko
	echo 1 >/sys/kernel/debug/epitaph_bench
	sh /test/measure.sh "$what"
	rmmod epitaph_bench
	rmmod epitaph
}

for time in 1 2; do
	measure_in memmap addr=0x20000000 size=16M
	measure_in device device=ivshmem
done
END
make -s -C "$bench" KERNEL="$kernel" guest-module >"$out/built" 2>&1 || { cat "$out/built"; exit 99; }
pack_guest "$bench/guest/epitaph_bench.ko" "$bench/measure.sh"
truncate -s 16M "$out/region"
boot --cpus 1 --cpu max,rdrand=off,rdseed=off --timeout 300 -- -icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm \
	-object "memory-backend-file,id=region,mem-path=region,size=16M,share=on" -device ivshmem-plain,memdev=region

# Of hundredths of an instruction; both times of both, and at most 0.02 apart.
costs_the_same() {
	awk '$1 == "bench:" && $3 ~ /^(u64|switch|string|block)$/ { n[$3, $2]++; sum[$3, $2] += $4; names[$3] = 1 }
		END {
			for (name in names) {
				one = sum[name, "memmap"]; other = sum[name, "device"]; measured += n[name, "memmap"] == 2 && n[name, "device"] == 2
				ratio = one ? other / one : 0
				printf "# %s: %.2f instructions, %.2f in the device, ratio %.4f\n", name, one / 200, other / 200, ratio
				bad += ratio < 0.98 || ratio > 1.02
			}
			exit measured != 4 || bad
		}' "$out/guest.log" >"$out/costs" || { cat "$out/costs"; return 1; }
}

check "an event costs as many instructions in a device" costs_the_same
cat "$out/costs"
# The second memory was written to, not the first one alone.
check "the device has what was recorded last" recovers "$epitaph" report --last 1 --event 'bench_*' "$out/region"
finish
