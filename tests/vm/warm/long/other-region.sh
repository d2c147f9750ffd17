#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two regions on one machine: a boot dies over one of them, and the next one was given the other by
# its operator.  What lies in the first stays as it was, and each is harvested when its turn comes.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

region_is 8M
other=0x24000000

cat >"$out/guest.sh" <<END
other=$other
END
cat >>"$out/guest.sh" <<'END'
# record [PARAMETER...]: from now on, until it dies.
record_on() {
	load_recorder "$@"
	load_surviving_victim full=1
	sleep 1
	die panic
}
# harvested NAME [PARAMETER...]: what that region has, in /disk/NAME.
harvested() {
	dir=/disk/$1
	shift
	load_recorder "$@"
	harvest
	rmmod epitaph
}
with_disk
case $boot in
1) record_on ;;
2)
	keep_witness /disk/witness-first
	keep_region /disk/before
	load_recorder addr=$other size=8M
	check "nothing earlier is found in the other region" sh -c '[ -z "$(ls /sys/kernel/epitaph/generations)" ]'
	rmmod epitaph
	keep_region /disk/after
	check "the first one is as it was" cmp /disk/before /disk/after
	rm /disk/before /disk/after
	record_on addr=$other size=8M
	;;
3)
	keep_witness /disk/witness-other
	check "the first one is harvested" harvested first
	check "and the other one" harvested other addr=$other size=8M
	;;
esac
END
pack_guest "$top/extractor/epitaph-static"
append="memmap=8M!$other" warm_boots 3 --allow 'panic - not syncing: victim: panic'

# is_true NAME: what was harvested of that region, against the victim's numbers.
# shellcheck disable=SC2317 # check calls it
is_true() {
	region=$(find "$saved/$1" -name region)
	[ "$(echo "$region" | wc -w)" = 1 ] || { echo "harvested: ${region:-nothing}"; return 1; }
	recovers "$epitaph" export --to json -o "$out/$1.json" "$region" &&
		"$here/truth" --least 10000 "$saved/witness-$1" "$out/$1.json"
}
check "the guest's script ends well" guest_ended_well
check "every event of the boot that died first is there" is_true first
check "and of the one behind it" is_true other
finish
