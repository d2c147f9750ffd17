#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# Stacks of arm64 since 6.13, where an exception saves its registers in another way: of a guest without
# a recorder that QEMU dumps.  The truth is what the kernel printed of them itself (sysrq-t).

VM_DIR=../..
KERNEL=${KERNEL_OF_MACHINE:-7.2-arm64}
top=$(cd "$(dirname "$0")/../../../.." && pwd)
# shellcheck source=tests/vm/lib-deps.sh
. "$(dirname "$0")/../../lib-deps.sh"
need_deps machines
# shellcheck source=tests/vm/lib-machine.sh
. "$(dirname "$0")/../../lib-machine.sh"
build_images

guest <<'END'
i=0
while [ $i -lt 40 ]; do
	sleep 1000 &
	sh -c 'sleep 1000; true' &
	(yes >/tmp/pipe-$i) 2>/dev/null &
	i=$((i + 1))
done
killall yes
sleep 2
echo t >/proc/sysrq-trigger
# One CPU loops in the kernel, interrupted by its own timer and by the other.
(while :; do cat /proc/kallsyms; done >/dev/null) &
sleep 3
echo "guest: its tasks sleep"
sleep 100
END
recorder=none victim=none pack_guest
core=$out/core
# shellcheck disable=SC2086 # words
append="log_buf_len=4M" boot --system "$system" --machine "$machine" --cpu "$cpu" --memory 1G --timeout 400 \
	--when "guest: its tasks sleep=>stop; dump-guest-memory $core; quit" -- $vmcoreinfo_device

are_listed() {
	recovers "$epitaph" info --stacks "$core" >"$out/stacks" &&
		recovers "$epitaph" info --stacks --json "$core" >"$out/stacks.json" &&
		grep -F 'frame records (6.13 and newer)' "$out/stacks" && [ "$(jq '.tasks | length' "$out/stacks.json")" -gt 100 ]
}
as_the_kernel() {
	tr -d '\r' <"$out/console.log" >"$out/log"
	"$here/stacks-same" --percent 95 --log "$out/stacks.json" "$out/log"
}

check "the stacks of more than 100 tasks are listed" are_listed
check "they are the kernel's own" as_the_kernel
comment <"$out/said"
each_cpu_has_one() {
	[ -s "$out/stacks.json" ] &&
		jq -e '[.tasks[] | select(.ran) | .ends] | length == 2 and all(. == "user space" or . == "thread")' "$out/stacks.json"
}
check "each CPU has the stack that it ran on" each_cpu_has_one
awk '/, ran on CPU/ { p = 1 } p { print } /ends/ { p = 0 }' "$out/stacks" | comment
rm -f "$core"
finish
