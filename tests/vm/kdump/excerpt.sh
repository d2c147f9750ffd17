#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A vmcore of a kernel without the recorder: `redact --profile` makes a small dump of its log, its
# symbols and the stacks of its CPUs, and report and explain say of that why and where it died.

# shellcheck disable=SC2317 # check calls them
. "$(dirname "$0")/../lib.sh"

guest <<'END'
with_disk
arm_kdump
( while :; do :; done ) &
sleep 2
umount /disk
crash
END
recorder=none
victim=none
pack_guest
crash_and_capture --timeout 300 --allow 'panic - not syncing: sysrq triggered crash' \
	--allow 'capture: ERROR no trace saved'

redacts() {
	rm -f "$out/$1"
	recovers "$epitaph" redact --profile "$1" -o "$out/$1" "$saved/vmcore" &&
		ls -la "$saved/vmcore" "$out/$1" && [ "$(stat -c %s "$out/$1")" -lt 2000000 ]
}

# The lines of the log, without what is in front of them
log_of() {
	recovers "$epitaph" report --all "$@" | sed -n 's/.* log: \(<[0-9]*>\)\{0,1\}//p'
}

has_the_log() {
	log_of "$out/full" >"$out/log-of-copy" && log_of --source log "$saved/vmcore" >"$out/log-of-vmcore" &&
		[ "$(wc -l <"$out/log-of-vmcore")" -gt 200 ] && diff "$out/log-of-vmcore" "$out/log-of-copy"
}

# The sentence, how sure it is and the signature
why() {
	recovers "$epitaph" explain "$1" | sed -n '/^why/,/^how/p; /^signature/p'
}

says_the_same_why() {
	why "$saved/vmcore" >"$out/why-vmcore" && why "$out/full" >"$out/why-full" && [ -s "$out/why-full" ] &&
		diff "$out/why-vmcore" "$out/why-full"
}

has_the_stacks() {
	recovers "$epitaph" report --all "$out/$1" >"$out/report-$1" &&
		grep -q 'was running .*, and it is the one that died' "$out/report-$1" &&
		grep -q '^#     sysrq_handle_crash+0x' "$out/report-$1" &&
		[ "$(grep -c '^# CPU [0-9]* was running' "$out/report-$1")" = 2 ] &&
		grep -q '^#        ip [0-9a-f]\{16\}' "$out/report-$1"
}

names_no_task() {
	"$epitaph" report --all "$saved/vmcore" 2>&1 | grep -q 'Comm: init ' &&
		! grep -qE 'Comm: init|init-[0-9]' "$out/report-public" && ! grep -q '6\.1\.0-' "$out/report-public"
}

# A copy of nothing would be mailed as the crash.
refuses_the_half_of_it() {
	head -c 200000 "$saved/vmcore" >"$out/half"
	rm -f "$out/of-half"
	"$epitaph" redact --profile full -o "$out/of-half" "$out/half" 2>"$out/half.err"
	[ $? -ge 4 ] && cat "$out/half.err" && grep -q 'truncated' "$out/half.err" && [ ! -e "$out/of-half" ]
}

for profile in full vendor public; do
	check "the $profile copy is made, and small" redacts "$profile"
	check "it has the stacks of both CPUs" has_the_stacks "$profile"
done
check "the full copy has every line of the log" has_the_log
check "and explain says the same of it" says_the_same_why
check "the public copy names no task and no build" names_no_task
check "of a vmcore without its end no empty copy is made" refuses_the_half_of_it
check "nothing in it is damaged" "$epitaph" check "$out/full"
finish
