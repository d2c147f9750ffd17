#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A null dereference in a timer.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record
sleep 2
bug timer
await_end
END
pack_guest
crash_whole --allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	--allow 'BUG: KASAN: null-ptr-deref in session_expire' \
	--allow 'panic - not syncing: Fatal exception in interrupt' \
	--expect 'RIP: .*session_expire'
check "the report shows the timer expire" report_says 'session: id=7 expires'
finish
