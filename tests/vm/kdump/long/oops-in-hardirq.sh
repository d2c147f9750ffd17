#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A null dereference in a hard interrupt.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record
sleep 2
bug hardirq
await_end
END
pack_guest
crash_whole --allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	--allow 'panic - not syncing: Fatal exception in interrupt' \
	--expect '(RIP: |pc : |Krnl PSW ).*(dereference_null|bad_hardirq)'
finish
