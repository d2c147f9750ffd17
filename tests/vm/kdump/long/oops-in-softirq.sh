#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A null dereference in a timer, which asked for another one just before: no work comes any more to find
# the name of that one's function.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record
echo 'events +timer:timer_start' >/dev/epitaph-control
sleep 2
bug timer
await_end
END
pack_guest
crash_whole --allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	--allow 'BUG: KASAN: null-ptr-deref in session_expire' \
	--allow 'panic - not syncing: Fatal exception in interrupt' \
	--expect '(RIP: |pc : |Krnl PSW ).*session_expire'
check "the report shows the timer expire" report_says 'session: id=7 expires'

# shellcheck disable=SC2317 # check calls it
names_the_function() {
	recovers "$epitaph" report --all "$saved/region" | grep 'timer_start: .*function=session_again \[victim\]'
}
check "the region has the name of the other's function" names_the_function
finish
