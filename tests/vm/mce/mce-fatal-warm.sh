#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A machine check that the kernel dies of, without kdump: it reboots warm, and the
# next boot finds it.  On one CPU, and with MCE_TRIALS=N on all at once by turns.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-mce.sh"

trials=${MCE_TRIALS:-1}
cpu=Skylake-Server,vendor=GenuineIntel

guest <<EOF
trials=$trials
EOF
cat >>"$out/guest.sh" <<'EOF'
with_disk
load_recorder
cat /dev/epitaph >"/disk/region-$boot"
for dir in /sys/kernel/epitaph/generations/*; do
	[ ! -e "$dir" ] || basename "$dir" >"$dir/harvested"
done
[ "$boot" -le "$trials" ] || return 0
load_victim
sync
sleep 1
echo "guest: boot $boot awaits a machine check"
await_end
EOF
pack_guest

# injection TRIAL: every second time on all CPUs.
injection() {
	case $(($1 % 2)) in
	1) echo "mce $(dying "$1") 9 $fatal $mcg_fatal $addr $misc" ;;
	*) echo "mce -b $(dying "$1") 9 $fatal $mcg_fatal $addr $misc" ;;
	esac
}

dying() {
	echo $(($1 / 2 % 2))
}

set --
for trial in $(seq "$trials"); do
	set -- "$@" --when "guest: boot $trial awaits a machine check=>$(injection "$trial")"
done
warm_boots $((trials + 1)) --cpu "$cpu" --timeout $((60 * (trials + 1))) \
	--allow 'panic - not syncing: ' --allow 'RETBleed: WARNING' "$@"

for trial in $(seq "$trials"); do
	region=$saved/region-$((trial + 1))
	check "trial $trial: the next boot's region can be read" mces_of "$region"
	sed -i -n "/^generation $trial:/p;/^$trial:/p" "$out/mces"
	# One CPU alone: the others are waited for in vain, and nothing is printed.
	fatal_one "$(dying "$trial")" $((trial % 2 == 0))
	check "trial $trial: in words it is what the machine died of" \
		decoded "$region --generation $trial" "bank 9 of CPU $(dying "$trial") .*: the machine died of this one"
	check "trial $trial: the report's header names it" headed "$region --generation $trial" \
		"fatal machine check on CPU $(dying "$trial"), bank 9: "
	compare_boot "$trial" "$region" --generation "$trial"
done
finish
