#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# From where a program begins to hibernate the machine to the end of it, the image may be made at any
# moment, and then nothing may be under way that writes to the region: recording is not started, and
# nothing is copied, by a command or by a trigger.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
tells() {
	epitaph-static status >/tmp/status
	grep -qE "$1" /tmp/status || { cat /tmp/status; return 1; }
}
has_copy() {
	epitaph-static channel | grep -q '^channel main@1 copy'
}
comes() {
	i=0
	until "$@"; do
		i=$((i + 1))
		[ $i -lt 50 ] || return 1
		usleep 100000
	done
}
load_recorder channels=1M
check "it records" tells '^recording +yes'
check "a trigger waits" epitaph-static trigger sched:sched_switch snapshot main after 500ms
usleep 100000
exec 4</dev/snapshot
check "nothing is recorded from where a program hibernates the machine" tells '^recording +stopped'
check "it cannot be started" wrong 3 "the machine hibernates" start
check "so it stays stopped" tells '^recording +stopped'
check "nor can it be stopped for later" wrong 3 "the machine hibernates" stop
check "nothing is copied" wrong 3 "the machine hibernates" snapshot main
sleep 2
check "nor what a trigger had waited for" refused has_copy
exec 4<&-
check "it records when that is over" tells '^recording +yes'
check "the trigger has copied then" comes has_copy
check "it is stopped" epitaph-static stop
exec 4</dev/snapshot
exec 4<&-
check "stopped before, it stays so" tells '^recording +stopped'
check "and is started again" epitaph-static start
rmmod epitaph
END
pack_guest "$top/extractor/epitaph-static"
boot
check "the guest ended well" guest_ended_well
finish
