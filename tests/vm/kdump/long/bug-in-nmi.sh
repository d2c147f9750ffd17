#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A BUG in an NMI that interrupts whatever runs.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record
sleep 2
bug nmi-bug
await_end
END
pack_guest
crash_whole --allow 'kernel BUG at' --allow 'panic - not syncing: Fatal exception' \
	--allow 'invalid opcode'
finish
