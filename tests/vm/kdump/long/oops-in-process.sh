#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A null dereference in a system call.  In this guest the kernel does not trust the
# TSC, so that the slow clock is seen as well.

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
finish
