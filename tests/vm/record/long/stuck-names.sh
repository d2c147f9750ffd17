#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A CPU is stuck with interrupts off, and saw a function of a module just before: what another CPU
# sees first meanwhile gets its name nevertheless.  The host takes the memory: little of the guest goes on.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
load_recorder events='workqueue:*'
insmod /test/stuck.ko
END
pack_guest "${victim%/*}/stuck.ko"
stuck='stuck: interrupts are off'
append=panic_on_warn=1 boot --timeout 60 --expect "$stuck" --ends "$stuck" \
	--when "$stuck=>sleep 3; pmemsave $region_addr $((16 << 20)) \"region\"" --when "$stuck=>sleep 6; quit"
recovers "$epitaph" report --all --event workqueue:workqueue_execute_start "$out/region" >"$out/works"
check "the other CPU's work has its name" grep -q 'function work_beside_the_stuck \[stuck\]' "$out/works"
finish
