#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A null dereference in a system call.  In this guest the kernel does not trust the
# TSC, so that the slow clock is seen as well.  The memory that the recorder kept is what the vmcore
# has at the same addresses, by libkdumpfile.
# shellcheck disable=SC2317 # the check is called by name

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

# shellcheck disable=SC2034
clock=

guest <<'END'
record
sleep 2
bug process
await_end
END
pack_guest
crash_whole --allow 'BUG: kernel NULL pointer dereference|Unable to handle kernel' --allow 'Oops: 0' \
	--allow 'panic - not syncing: (Fatal exception|Oops)' \
	--expect '(RIP: |pc : |Krnl PSW ).*(dereference_null|bug_write)'

# All of the code; of the rest what did not change on the way down.
kept_memory_is_the_dumps() {
	cc -O2 -D_GNU_SOURCE -o "$out/kept_oracle" "$top/tests/lib/kept_oracle.c" -lkdumpfile &&
		"$out/kept_oracle" "$saved/region" "$saved/vmcore" | tee "$out/kept" &&
		awk '/^code:/ { code = $4 > 200 && $6 == $4 }
		     /^stack:/ { stack = $4 > 64 && $6 * 2 > $4 }
		     /^data:/ { data = $4 > 1000 && $6 * 2 > $4 }
		     END { exit !(code && stack && data) }' "$out/kept"
}
# On other machines libkdumpfile does not find where an address lies.
[ -n "${ON_MACHINE:-}" ] || check "the memory that the recorder kept is the dump's" kept_memory_is_the_dumps
finish
