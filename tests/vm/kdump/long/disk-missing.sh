#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No disk: the last events go to the console, with the error.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record
sleep 2
crash
END
pack_guest
append="guest.capture=capture.save=/dev/vdz" \
	boot --allow 'panic - not syncing: sysrq triggered crash' \
	--allow 'capture: ERROR no disk' --expect 'capture: ERROR no disk /dev/vdz' \
	--expect 'capture: the last events follow' --expect 'capture: done'

# The last events between the two lines around them.
printed() {
	sed -n '/capture: the last events follow/,/capture: end of the last events/p' \
		"$out/console.log" | grep -cE '[0-9]+\.[0-9]{6}: [a-z_]+: '
}
check "at least 100 events are on the console" [ "$(printed)" -ge 100 ]
sed -n '/capture: the last events follow/,/capture: end of the last events/p' "$out/console.log" |
	sed '1d;$d' | tr -d '\r' >"$out/head-console"
check "cause, place and frames are the kernel's own" \
	"$here/kernel-says" "$out/console.log" "$out/head-console"
finish
