#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The vmcore does not fit on the disk: the trace is there, and the console says what is not.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record
sleep 2
crash
END
pack_guest
disk_size=32M
crash_and_capture --witness "$out/witness" --allow 'panic - not syncing: sysrq triggered crash' \
	--allow 'capture: ERROR vmcore not saved' --expect 'capture: ERROR vmcore not saved' \
	--expect 'capture: trace durable'
check "the region is saved, for root only" is_private region
check "no partial vmcore is left" [ ! -e "$saved/vmcore" ]
check "nothing is left under a temporary name" nothing_unfinished
check "the region can be exported" export_json region
check "every committed event came back, none was invented" \
	truth region
finish
