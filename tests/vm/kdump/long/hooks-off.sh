#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nothing of ours runs between the fault and the capture kernel, and the trace is the same.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
load_recorder hooks=0
arm_kdump
load_victim
sleep 2
bug process
await_end
END
pack_guest
# shellcheck disable=SC2034
not_compared="with hooks=0 nothing of ours runs when the kernel dies, and no stamp says why"
crash_whole --allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	--allow 'panic - not syncing: Fatal exception'
finish
