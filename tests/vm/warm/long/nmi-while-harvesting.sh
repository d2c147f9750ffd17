#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A kernel dies, and an NMI ends each of the next ones, as a watchdog's does, while it loads the
# recorder or harvests: the first death is harvested whole in the end, once, and nothing half is left
# under its name.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-warm.sh"

guest <<'END'
with_disk
echo 1 >/proc/sys/kernel/unknown_nmi_panic
if [ "$boot" = 2 ]; then
	keep_witness /disk/witness
	sync
fi
# An NMI at any moment from here on; a line behind each that is done.
case $boot in
1 | 12) load_recorder ;;
2 | 3 | 4)
	echo "guest: boot $boot awaits its NMI"
	load_recorder
	echo "$boot" >>/disk/loaded
	sync
	;;
*)
	load_recorder
	echo "guest: boot $boot awaits its NMI"
	while ! epitaph-static harvest -o /disk/harvest && [ $? != 1 ]; do :; done
	echo "$boot" >>/disk/done
	sync
	;;
esac
case $boot in
1)
	load_surviving_victim
	sleep 1
	die panic
	;;
12)
	check "the last boot harvests" sh -c 'epitaph-static harvest -o /disk/harvest || [ $? = 1 ]'
	sync
	;;
*)
	sleep 60
	echo "guest: still alive"
	exit 1
	;;
esac
END
pack_guest "$top/extractor/epitaph-static"
for n in 2 3 4 5 6 7 8 9 10 11; do
	case $n in
	[234]) wait=0.$(((n - 2) * 2)) ;;
	*) wait=0.$(((n - 5) * 15)) ;;
	esac
	nmis="${nmis:-}|--when|guest: boot $n awaits its NMI=>sleep $wait; nmi"
done
with_words "$nmis" warm_boots 12 --allow 'panic - not syncing: victim: panic' \
	--allow 'panic - not syncing: NMI: Not continuing' --allow 'NMI: Not continuing' --allow 'Uhhuh. NMI received'
check "the guest's script ends well" guest_ended_well
check "each of ten was ended by an NMI" [ "$(grep -c 'panic - not syncing: NMI' "$out/console.log")" = 10 ]

# shellcheck disable=SC2317 # check calls them
all_are_whole() {
	find "$saved/harvest" -name region | while read -r region; do
		recovers "$epitaph" check "$region" || { echo "$region"; exit 1; }
	done
}

truth_args=--from-start

# deaths_of TEXT: the regions of those that died so.
deaths_of() {
	for region in "$saved"/harvest/*/region; do
		! recovers "$epitaph" report "$region" 2>/dev/null | grep -q "^# died: .*$1" || echo "$region"
	done
}

# ended_in_the_midst: a boot that began and has no line behind it.
# shellcheck disable=SC2317 # check calls it
ended_in_the_midst() {
	[ $(($(lines loaded) + $(lines 'done') + 0)) -lt 10 ]
}

# lines NAME: of that file of the guest's, if there is one.
lines() {
	[ ! -f "$saved/$1" ] || wc -l <"$saved/$1"
}

harvested=$(find "$saved/harvest" -name region | wc -l)
region=$(deaths_of 'victim: panic')
echo "# $test_name: $harvested harvested; $(lines loaded) of 3 were loaded, $(lines 'done') of 7 had harvested when it came"
check "one at least came in the midst" ended_in_the_midst
check "each that is there is whole" all_are_whole
check "the first death is there once" [ "$(echo "$region" | wc -w)" = 1 ]
check "with all that was recorded" true_to "$saved/witness" "$region" first
check "each other one died of an NMI" [ "$(deaths_of NMI | wc -w)" = $((harvested - 1)) ]
check "and there are some" [ "$harvested" -gt 1 ]
check "nothing unfinished is left" sh -c "! find '$saved/harvest' -mindepth 1 -name '.*' | grep ."
finish
