#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A kernel dies, and the next ones die while they harvest it, each a moment later than the one
# before: it is harvested whole in the end, once, and nothing half is left under its name.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-warm.sh"

guest <<'END'
with_disk
if [ "$boot" = 2 ]; then
	keep_witness /disk/witness
	sync
fi
load_recorder
if [ "$boot" = 1 ]; then
	load_surviving_victim
	sleep 1
	die panic
fi
# A line behind each that is done.
if [ "$boot" -lt 12 ]; then
	(epitaph-static harvest -o /disk/harvest && echo "$boot" >>/disk/done; sync) &
	usleep $(((boot - 2) * 150000))
	echo c >/proc/sysrq-trigger
fi
check "the last boot harvests" sh -c 'epitaph-static harvest -o /disk/harvest || [ $? = 1 ]'
sync
END
pack_guest "$top/extractor/epitaph-static"
warm_boots 12 --allow 'panic - not syncing: victim: panic' --allow 'panic - not syncing: sysrq triggered crash'
check "the guest's script ends well" guest_ended_well

# shellcheck disable=SC2317 # check calls it
all_are_whole() {
	find "$saved/harvest" -name region | while read -r region; do
		recovers "$epitaph" check "$region" || { echo "$region"; exit 1; }
	done
}

truth_args=--from-start

# first_death: the region of the boot that the victim was in.
first_death() {
	for region in "$saved"/harvest/*/region; do
		! recovers "$epitaph" report "$region" 2>/dev/null | grep -q '^# died: .*victim: panic' || echo "$region"
	done
}

region=$(first_death)
echo "# $test_name: $(find "$saved/harvest" -name region | wc -l) harvested, the first by boot $(head -n 1 "$saved/done" 2>/dev/null)"
check "each that is there is whole" all_are_whole
check "the first death is there once" [ "$(echo "$region" | wc -w)" = 1 ]
check "with all that was recorded" true_to "$saved/witness" "$region" first
check "nothing unfinished is left" sh -c "! find '$saved/harvest' -mindepth 1 -name '.*' | grep ."
finish
