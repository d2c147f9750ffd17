# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words for machine checks.  QEMU's monitor makes them:
# mce [-b] CPU BANK STATUS MCG_STATUS ADDR MISC, -b on the other CPUs too.

# Bits: valid, (uncorrected), enabled, misc and addr valid, (context corrupt); a
# corrected count of 1; memory controller, read, channel 1.
corrected=0x9c00004000010091
fatal=0xbe00000000800091
# In progress, and no address to go on at.
mcg_fatal=4
addr=0x12345640
misc=0x8c

# A CPU waits for the others in the handler of machine checks, for a second by its own count of loops
# with interrupts off. On a host that gives the guest a third of a CPU that takes longer than 21 s.
append=rcupdate.rcu_cpu_stall_timeout=120

# mces_of REGION: from now on, its machine checks are what is asked about.
mces_of() {
	"$here/mces" "$1" >"$out/mces"
}

# mce_says REGEX: one of them is like that.
mce_says() {
	grep -Eq -- "$1" "$out/mces" && return
	cut -c 1-400 "$out/mces" | head -n 20
	return 1
}

# mce_lacks REGEX
mce_lacks() {
	! grep -E -- "$1" "$out/mces" | cut -c 1-400
}

# mce_count REGEX N: so many are.
mce_count() {
	found=$(grep -Ec -- "$1" "$out/mces")
	[ "$found" = "$2" ] && return
	echo "$found of them, not $2"
	cut -c 1-400 "$out/mces" | head -n 20
	return 1
}

# mces_fill_it: there are as many as the section has entries, and none is damaged.
mces_fill_it() {
	entries=$(sed -n 's/.*: MCE of \([0-9]*\) entries, 0 damaged/\1/p' "$out/mces")
	mce_count ' seq ' "${entries:-unknown}"
}

# decoded "REGION [OPTION...]" REGEX...: each is a line of what epitaph mce says of it.
decoded() {
	# shellcheck disable=SC2086 # options behind the name
	"$top/extractor/epitaph" mce $1 >"$out/decoded" 2>&1
	shift
	for regex; do
		grep -Eq -- "$regex" "$out/decoded" && continue
		echo "no line is like $regex"
		head -n 40 "$out/decoded"
		return 1
	done
}

# headed "REGION [OPTION...]" REGEX...: each is a line of the report's header.
headed() {
	# shellcheck disable=SC2086 # options behind the name
	"$top/extractor/epitaph" report --events 1 $1 >"$out/headed" 2>&1
	shift
	for regex; do
		grep -Eq -- "^# .*$regex" "$out/headed" && continue
		echo "no line of the header is like $regex"
		head -n 40 "$out/headed"
		return 1
	done
}

# fatal_one CPU PRINTED: what the region has of one that killed that CPU; and if it
# is to be there (1), the kernel's own record.
fatal_one() {
	if [ "$2" = 1 ]; then
		check "trial $trial: the kernel's own record of it is there" \
			mce_says " source printed cpu $1 bank 9 status be00000000800091 addr 12345[0-9a-f]* misc 8c .* mcgstatus 4 "
	fi
	check "trial $trial: the register of that CPU is there" \
		mce_says " source crash cpu $1 bank 9 status be00000000800091 addr 12345640 misc 8c .* mcgstatus 4 "
	check "trial $trial: nothing is damaged" mce_says ', 0 damaged$'
}
