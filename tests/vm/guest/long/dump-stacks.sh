#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# A machine that hangs, and that its host dumps: no kernel died, and what its CPUs did is in the notes
# that QEMU writes.  The stack of the one that loops is what the kernel's watchdog printed of it; on
# s390x, which has none, RCU, that waits for this CPU.  There the dump is also read in the form that IBM's
# dumpers write; no real dumper was seen, as QEMU has no disk for one.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

found='soft lockup - CPU'
[ "${system:-}" != s390x ] || found='self-detected stall on CPU'

guest <<'END'
load_recorder
load_victim
if [ -e /proc/sys/kernel/watchdog_thresh ]; then
	echo 0 >/proc/sys/kernel/softlockup_panic
	echo 2 >/proc/sys/kernel/watchdog_thresh
else
	echo 3 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
fi
bug soft-lockup &
# RCU has something to wait for whenever a task has ended.
for _ in $(seq 100); do
	sleep 1
done
END
pack_guest
core=$out/core
crashkernel='' boot --allow "$found" --expect "$found" --timeout 200 \
	--when "$found=>sleep 2; dump-guest-memory $core.elf; dump-guest-memory -z $core.zlib; quit"

# Frames of the first report: behind the place where it was, what called that.  s390x puts what it is not
# sure of in brackets.
sed -n "/$found/,/^\[[^]]*\] \(---\|<\/TASK>\|Last Breaking\)\|el0t_64_sync+/p" "$out/console.log" | tr -d '\r' |
	sed -n 's/^\[[^]]*\]  *\(\[<[0-9a-f]*>\] \)\{0,1\}\([a-z_A-Z0-9.]*+0x[0-9a-f]*\/0x[0-9a-f]*\)\( .*\)\{0,1\}$/\2/p' >"$out/printed"

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

# converted: IBM's own tool makes a dump of s390's own form of it.  It expects the program headers behind
# the ELF header, where QEMU has those of sections.
converted() {
	zgetdump=$("$top/scripts/kernels" --zgetdump "$kernel") || return
	cp "$core.elf" "$core.moved"
	chmod u+w "$core.moved"
	dd if="$core.elf" of="$core.moved" bs=1 skip=192 seek=64 count=112 conv=notrunc
	printf '\0\0\0\0\0\0\0\100' | dd of="$core.moved" bs=1 seek=32 conv=notrunc
	qemu-s390x-static -L "$zgetdump" "$zgetdump/sbin/zgetdump" -f s390 "$core.moved" >"$core.s390"
}

forms='elf zlib'
if [ "${system:-}" = s390x ]; then
	check "zgetdump makes a dump of a stand-alone dumper of it" converted
	forms="$forms s390"
fi
for form in $forms; do
	check "$form: the CPU that loops has the stack that its watchdog printed" stack_is_printed "$core.$form"
	check "$form: the other one has a stack, or was in user space" the_other_has_one
	sed 's/^/# /' "$out/stacks"
done
[ -n "${KEEP:-}" ] || rm -f "$core".*
finish
