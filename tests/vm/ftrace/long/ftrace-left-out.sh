#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A vmcore of 6.12 from which an old makedumpfile left out what leads to ftrace's
# sub-buffers: the report says so, and all events are there, though of unknown buffers.
# shellcheck disable=SC2317

KERNEL=${KERNEL:-6.12} VM_DIR=../..
# shellcheck source=tests/vm/lib-ftrace.sh
. "$(dirname "$0")/$VM_DIR/lib-ftrace.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/$VM_DIR/lib.sh"
build_images

traced_guest <<'END'
arm_kdump
crash
END
pack_guest
make_disk 512M
region_arg="" boot --memory 512M --disk "$out/disk.img" --expect 'capture: done' \
	--allow 'panic - not syncing: sysrq triggered crash' --allow 'capture: ERROR no trace saved'
take_truth
mv "$saved"/epitaph-*/* "$saved/"

# A new makedumpfile leaves out nothing of it, and then nothing is carved.
names_what_lacks() {
	recovers "$epitaph" report --source ftrace "$saved/vmcore" >"$out/report" || return 1
	! grep -q carved "$out/report" || grep 'was left out by makedumpfile' "$out/report"
}
check "what makedumpfile left out is named" names_what_lacks
check "and no event is lost, none invented" counts "$saved/vmcore"
rm -f "$saved/vmcore"
finish
