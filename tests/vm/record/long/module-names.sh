#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A module is unloaded and another one comes to its place: each event has the name that its
# address had at that time.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
where_is() {
	cat "/sys/module/$1/sections/.text"
}
load_recorder events='workqueue:* !workqueue:workqueue_queue_work'
# The kernel gives back the memory of a module a moment after it has gone.
for round in 1 2 3 4 5 6 7 8 9 10; do
	insmod /test/tenant_first.ko
	first=$(where_is tenant_first)
	rmmod tenant_first
	sleep 0.2
	insmod /test/tenant_second.ko
	second=$(where_is tenant_second)
	[ "$first" != "$second" ] || break
	rmmod tenant_second
done
check "the second module lies where the first one lay" [ "$first" = "$second" ]
echo "guest: round $round"
arm_kdump
crash
END
pack_guest "${victim%/*}/tenant_first.ko" "${victim%/*}/tenant_second.ko"

# in_order FILE: of the last two works, one of the first module came before one of the second.
# shellcheck disable=SC2317 # check calls it
in_order() {
	recovers "$epitaph" report --all --event workqueue:workqueue_execute_start "$1" >"$out/works"
	grep -o 'function work_of_.*' "$out/works" | tail -n 2 >"$out/last"
	printf 'function work_of_first [tenant_first]\nfunction work_of_second [tenant_second]\n' |
		diff - "$out/last"
}

# shellcheck disable=SC2317 # check calls it
trace_cmd_has_none_of_the_two() {
	recovers "$epitaph" export --to trace.dat -o "$out/trace.dat" "$saved/region"
	trace-cmd report -i "$out/trace.dat" 2>&1 | grep workqueue_execute_start >"$out/shown"
	names=$(grep -c 'function work_of_' "$out/works")
	shown=$(grep -c 'function work_of_' "$out/shown" || :)
	echo "$names names, $shown in the file"
	[ -s "$out/shown" ] && [ "$names" -ge 2 ] && [ "$shown" -le $((names - 2)) ]
}

crash_and_capture --allow 'panic - not syncing: sysrq triggered crash'
check "region: each work has the name of its module" in_order "$saved/region"
check "vmcore: each work has the name of its module" in_order "$saved/vmcore"
check "a file with one name for an address has none of the two" trace_cmd_has_none_of_the_two
finish
