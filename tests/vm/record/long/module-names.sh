#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A module is unloaded and another one comes to its place: each event has the name that its
# address had at that time; or none, if that name was overwritten.

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

# forget FROM TO: a copy in which the place of the first module's name is free.
forget() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here python3 - "$1" "$2" <<'FORGET'
import sys
import regions

data = open(sys.argv[1], "rb").read()
gone = 0
for gen in regions.generations(sys.argv[1]):
    for kind, section in gen.sections():
        for entry in regions.entries(section, 128) if kind == 6 else ():
            if b"work_of_first" in entry and regions.is_good(entry, 120, gen.salt):
                gone += data.count(entry)
                data = data.replace(entry, bytes(128))
print(gone, "entries")
open(sys.argv[2], "wb").write(data)
sys.exit(not gone)
FORGET
}

# shellcheck disable=SC2317 # check calls it
no_other_name() {
	forget "$saved/region" "$out/forgotten" || return
	recovers "$epitaph" report --all --event workqueue:workqueue_execute_start "$out/forgotten" >"$out/nameless"
	grep -E 'function (work_of_|0x)' "$out/nameless" | tail -n 2 >"$out/last"
	rm "$out/forgotten"
	cat "$out/last"
	! grep work_of_first "$out/nameless" && sed -n 1p "$out/last" | grep -q 'function 0x' &&
		sed -n 2p "$out/last" | grep -q 'function work_of_second \[tenant_second\]$'
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
check "without its name, a work of the first has not the second's" no_other_name
check "a file with one name for an address has none of the two" trace_cmd_has_none_of_the_two
finish
