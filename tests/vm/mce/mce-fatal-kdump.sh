#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A machine check that the kernel dies of, with kdump armed and its defaults: on
# one CPU (MCE_FIRST=1), and on all at once.  MCE_TRIALS says which trial is the last.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-mce.sh"
. "$(dirname "$0")/../lib-stamp.sh"

guest <<'EOF'
record
sleep 1
echo "guest: awaits a machine check"
await_end
EOF

# die_of MONITOR-COMMAND CPU-MODEL
die_of() {
	pack_guest
	crash_and_capture --cpu "$2" --when "guest: awaits a machine check=>$1" \
		--allow 'panic - not syncing: ' --allow 'RETBleed: WARNING'
	check "trial $trial: the region can be read" mces_of "$saved/region"
	fatal_one "$dying" "$printed"
	check "trial $trial: there is a stamp" stamp_of "$saved/region"
	check "trial $trial: it says that it was a machine check" \
		stamp_says '^reason: .*([Mm]achine check|broadcast exception)'
	check "trial $trial: in words it is one error, seen by all" decoded "$saved/region" \
		"bank 9 of CPU $dying .*: the machine died of this one" \
		'severity: +fatal: .*\(PCC\)' 'address: +physical address 0x12345640, exact to 4096' \
		"source: +$source"
	check "trial $trial: the report's header names it" headed "$saved/region" \
		"fatal machine check on CPU $dying, bank 9: "
}

# An AMD panics where it failed.  On an Intel a CPU alone waits for the others in
# vain, panics of that, and the kernel prints nothing of the error itself.
once() {
	dying=$((trial / 2 % 2))
	printed=1
	source="printed by the kernel; read from the CPU's registers"
	case $((trial % 4)) in
	1)
		die_of "mce $dying 9 $fatal $mcg_fatal $addr $misc" max
		;;
	3)
		printed=0
		source="read from the CPU's registers"
		die_of "mce $dying 9 $fatal $mcg_fatal $addr $misc" "$intel"
		;;
	*) die_of "mce -b $dying 9 $fatal $mcg_fatal $addr $misc" "$intel" ;;
	esac
}

intel=Skylake-Server,vendor=GenuineIntel
for trial in $(seq "${MCE_FIRST:-2}" "${MCE_TRIALS:-2}"); do
	once
done
finish
