#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# A machine that panics without kdump, and that its host dumps: the panic has stopped the other CPUs,
# which called themselves offline then. They count, and what they ran has a stack.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
load_recorder
load_victim
echo 1 >/proc/sys/kernel/softlockup_panic
echo 2 >/proc/sys/kernel/watchdog_thresh
while :; do cat /proc/kallsyms; done >/dev/null &
bug soft-lockup &
sleep 100
END
pack_guest
core=$out/core
append=panic=0 crashkernel='' boot --allow 'soft lockup - CPU' \
	--allow 'panic - not syncing: softlockup' --expect 'panic - not syncing: softlockup' --timeout 200 \
	--when "end Kernel panic=>sleep 2; dump-guest-memory $core.elf; quit"

# has_stacks: each CPU has a task that ran there, and each of these a stack that is known to its end.
has_stacks() {
	recovers "$epitaph" info --stacks --json "$core.elf" >"$out/stacks.json" || return
	jq -e '[.tasks[] | select(.ran)] | length == 2 and all(.ends != "not unwound")' "$out/stacks.json"
}

# stopped_where_it_was: behind the function that stops a CPU is what it ran.
stopped_where_it_was() {
	[ -s "$out/stacks.json" ] &&
		jq -e '[.tasks[] | select(.ran) | [.frames[] | select(.sure) | .name] | select(any(startswith("stop_this_cpu")))] |
			length == 1' "$out/stacks.json"
}

has_both_cpus() {
	recovers "$epitaph" report --source log "$core.elf" >"$out/report" && grep '^# kernel: .*, 2 CPUs$' "$out/report"
}

accuses_the_poller() {
	recovers "$epitaph" explain "$core.elf" >"$out/why" && grep poller_unpreemptible "$out/why"
}

check "both CPUs are counted" has_both_cpus
check "what ran on each has a stack" has_stacks
check "that of the other one leads to where it was stopped" stopped_where_it_was
check "the one that looped is why" accuses_the_poller
sed 's/^/# /' "$out/why"
[ -n "${KEEP:-}" ] || rm -f "$core".*
finish
