#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# A machine that hangs, and that its host dumps: no kernel died, and what its CPUs did is in the notes
# that QEMU writes.  The stack of the one that loops is what the kernel's watchdog printed of it.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
load_recorder
load_victim
echo 0 >/proc/sys/kernel/softlockup_panic
echo 2 >/proc/sys/kernel/watchdog_thresh
bug soft-lockup &
sleep 100
END
pack_guest
core=$out/core
crashkernel='' boot --allow 'soft lockup - CPU' --expect 'soft lockup - CPU' --timeout 200 \
	--when "soft lockup - CPU=>sleep 2; dump-guest-memory $core.elf; dump-guest-memory -z $core.zlib; quit"

# Frames of the first report: behind the place where it was, what called that.
sed -n '/soft lockup - CPU/,/^\[[^]]*\] \(---\|<\/TASK>\)\|el0t_64_sync+/p' "$out/console.log" | tr -d '\r' |
	sed -n 's/^\[[^]]*\]  *\([a-z_A-Z0-9.]*+0x[0-9a-f]*\/0x[0-9a-f]*\)\( .*\)\{0,1\}$/\1/p' >"$out/printed"

# stack_is_printed CORE
stack_is_printed() {
	recovers "$epitaph" info --stacks --json "$1" >"$out/stacks.json" || return
	jq -r '.tasks[] | select(.ran) | .frames | map(select(.sure) | .name | split(" ")[0]) | join("\n") + "\n"' \
		"$out/stacks.json" >"$out/stacks"
	awk -v RS= '/poller_unpreemptible/' "$out/stacks" | tail -n +2 >"$out/ours"
	tail -n "$(wc -l <"$out/ours")" "$out/printed" | diff "$out/ours" - && [ "$(wc -l <"$out/ours")" -ge 3 ]
}

the_other_has_one() {
	[ -s "$out/stacks.json" ] &&
		jq -e '[.tasks[] | select(.ran) | select(.ends != "not unwound")] | length == 2' "$out/stacks.json"
}

for form in elf zlib; do
	check "$form: the CPU that loops has the stack that its watchdog printed" stack_is_printed "$core.$form"
	check "$form: the other one has a stack, or was in user space" the_other_has_one
	sed 's/^/# /' "$out/stacks"
done
[ -n "${KEEP:-}" ] || rm -f "$core".*
finish
