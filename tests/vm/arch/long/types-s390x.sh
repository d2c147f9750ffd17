#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# A kernel without types (BTF) and with symbols of functions alone, Debian's 6.1 of s390x, which is
# big-endian: the recorder has types of it.  QEMU dumps the guest while its tasks sleep; what sysrq-t
# printed of their stacks before is the truth.

VM_DIR=../..
KERNEL=6.1-s390x
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/$VM_DIR/lib-arch.sh"
build_images
build_recorder
check "the build says that this kernel has no types, and how many bytes it adds" \
	grep -E '^types: [0-9]{6} bytes of BTF, which this kernel has not$' "$out/build.log"
region_arg=guest.recorder=pages=4M

guest <<'END_OF_GUEST'
load_recorder $(param guest.recorder)
dmesg | grep 'epitaph: ' || true
check "sysfs says whose types there are" [ "$(cat /sys/kernel/epitaph/types)" = recorder ]
mkfifo /tmp/full /tmp/empty
for _ in $(seq 20); do
	sleep 1000 &
	cat /tmp/empty &
	sh -c 'sleep 1000; true' &
	(yes >/tmp/full) &
done
sleep 3
echo t >/proc/sysrq-trigger
echo "guest: its tasks sleep"
sleep 100
END_OF_GUEST
pack_guest
core=$out/core.elf
append="log_buf_len=4M" boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "$memory" --timeout 400 \
	--when "guest: its tasks sleep=>stop; dump-guest-memory $core; quit" --

stacks_are_listed() {
	recovers "$epitaph" info --stacks "$core" >"$out/stacks" &&
		recovers "$epitaph" info --stacks --json "$core" >"$out/stacks.json" &&
		[ "$(jq '.tasks | length' "$out/stacks.json")" -gt 100 ]
}

as_the_kernel() {
	recovers "$epitaph" report --source log --all "$core" >"$out/log" &&
		"$here/stacks-same" --percent 95 --log "$out/stacks.json" "$out/log"
}

whose_types() {
	grep -x "types  *of the recorder's build: the kernel has none" "$out/stacks" &&
		jq -e '.types_by == "recorder"' "$out/stacks.json"
}

check "the stacks of more than 100 tasks are listed" stacks_are_listed
check "they are the kernel's own" as_the_kernel
sed 's/^/# /' "$out/said"
check "it is said whose types were read" whose_types
rm -f "$core"
finish
