#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# reserve_mem= is memory of the kernel's own: kdump has it, and it is found there.

VM_DIR=../..
export KERNEL="${KERNEL_WITH_RESERVE:-6.12}"
few=--few
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
region_arg="reserve_mem=16M:4096:trace reserve_mem=1M:4096:kept reserve_mem=1M:4096:oops trace_instance=boot@kept,sched:sched_switch ramoops.mem_name=oops"
build_for_kernel

guest <<'END'
check "a name without reserved memory" refused load_recorder reserve=nothing
check "says why" kernel_says 'no reserve_mem=SIZE:ALIGN:nothing on the kernel command line'
check "nor the usual one" refused load_recorder
check "says what would do" kernel_says 'or reserve_mem=16M:4096:epitaph'
for other in kept:trace_instance= oops:ramoops.mem_name=; do
	check "memory of ${other#*:} is refused" refused load_recorder reserve=${other%:*}
	check "the log names it: ${other#*:}" kernel_says "reserve=${other%:*}: ${other#*:} of the kernel command line uses that memory already"
done
load_recorder reserve=trace
arm_kdump
echo "hello from the one that dies" >/dev/kmsg
sleep 1
crash
END
pack_guest
append=panic_on_warn=1 crash_and_capture --allow 'panic - not syncing: sysrq triggered crash'
check "the region is saved, for root only" is_private region
check "the vmcore can be exported" export_json vmcore
check "region and vmcore give the same trace" same_trace region vmcore
check "the report has what was recorded" report_says "hello from the one that dies"
finish
