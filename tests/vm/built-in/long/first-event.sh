#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The recorder is built in: which initcalls it sees, and when its first event is, next to when a module
# could be loaded.  initcall_debug has the kernel print each initcall that it calls: the truth.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-built-in.sh"

region_is 32M
built_in_guest
append="epitaph.events=default,initcall:* initcall_debug loglevel=8" warm_boots 1
check "the guest ended well" guest_ended_well
recovers "$epitaph" export --to json -o "$out/events.json" "$saved/region"
recovers "$epitaph" info --json "$saved/region" >"$out/info.json"
recovers "$epitaph" report --all "$saved/region" >"$out/report"

# As the kernel printed them: "calling  con_init+0x0/0x2d0 @ 0".
sed -n 's/^\[ *[0-9.]*\] calling  *\([A-Za-z0-9_.]*\)+0x.* @ [0-9]*.*/\1/p' "$saved/log" >"$out/calls-kernel"
sed -n 's/.*: initcall_start: func=\([A-Za-z0-9_.]*\)+0x.*/\1/p' "$out/report" >"$out/calls-recorded"

# shellcheck disable=SC2317 # check calls these
sees_all_initcalls() {
	# Ours is the one that begins to record.
	grep -vx begin_recording "$out/calls-kernel" >"$out/calls-wanted"
	echo "$(wc -l <"$out/calls-wanted") wanted"
	[ "$(wc -l <"$out/calls-wanted")" -gt 100 ] && diff "$out/calls-wanted" "$out/calls-recorded"
}

# shellcheck disable=SC2317 # check calls these
log_comes_first() {
	sed 1d "$out/events.json" | awk '/"event":"epitaph:log"/ { if (events) { bad++; print } else log_lines++; next }
		{ events++ } END { print log_lines " lines, " events " events"; exit bad || !log_lines || !events }'
}

# shellcheck disable=SC2317 # check calls these
knows_boot_id() {
	jq -r .boot_id "$out/info.json" | grep -qxF "$(cat "$saved/boot_id")"
}

# By the kernel's own clock, of what it printed.
ms_of() {
	sed -n "s/^\\[ *\\([0-9]*\\)\\.\\([0-9]\\{3\\}\\)[0-9]*\\] $1.*/\\1\\2/p" "$saved/log" | head -n 1 | sed 's/^0*\(.\)/\1/'
}
begins=$(ms_of 'epitaph: recording into')
first_after=$(ms_of 'calling  con_init')
program=$(ms_of 'Run .* as init process')
echo "# recording begins at $begins ms of the kernel's clock, the next driver's initcall is at $first_after ms, the first program, which could load a module, at $program ms"

check "ours is the first initcall that the kernel calls" [ "$(head -n 1 "$out/calls-kernel")" = begin_recording ]
check "each initcall behind it is recorded, and in its order" sees_all_initcalls
check "before which there is the kernel's log" grep -q 'Linux version [0-9]' "$out/events.json"
check "all of which stands in front of the first event" log_comes_first
check "it has the boot's id" knows_boot_id
check "nothing is damaged" no_damage "$saved/region"
finish
