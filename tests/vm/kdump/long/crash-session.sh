#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The extension in a session of Debian's crash(8), with the debuginfo of the guest's kernel, on
# both dumps of a guest that died: what it prints is what epitaph(1) prints of the file.
# shellcheck disable=SC2317 # check calls them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

# session FILE LINE...: into $out/session, without what crash says of itself.
session() {
	dump=$1
	shift
	{
		echo "extend $top/extractor/epitaph.so"
		printf '%s\n' "$@"
		echo quit
	} >"$out/session.in"
	timeout 1200 crash -s "$vmlinux" "$saved/$dump" <"$out/session.in" >"$out/session" 2>&1
}

# same_in_session FILE WORD...: but for the line that names the file.
same_in_session() {
	dump=$1
	shift
	session "$dump" "epitaph $* > $out/in-session" || return
	recovers "$epitaph" "$@" "$saved/$dump" | grep -v '^file ' >"$out/of-file"
	[ -s "$out/of-file" ] && grep -v '^file ' "$out/in-session" | cmp - "$out/of-file"
}

pipes_work() {
	session vmcore 'epitaph report --all | wc -l' || return
	lines=$(recovers "$epitaph" report --all "$saved/vmcore" | wc -l)
	grep -qx "$lines" "$out/session"
}

# A misuse, an interrupted command, and the session is what it was.
session_goes_on() {
	session vmcore 'epitaph report --lst 1' 'epitaph report --all | head -n 1' 'epitaph mce' \
		'help epitaph' 'sys' "extend -u $top/extractor/epitaph.so" || return
	cat "$out/session"
	grep -q '^epitaph: report: no option --lst; did you mean --last?$' "$out/session" &&
		grep -q 'no machine checks recorded' "$out/session" &&
		grep -q 'EXAMPLES' "$out/session" && grep -q 'PANIC:.*sysrq' "$out/session" &&
		grep -q 'shared object unloaded' "$out/session"
}

guest <<'END_OF_GUEST'
record
sleep 2
crash
END_OF_GUEST
make -s -C "$top/extractor" crash
vmlinux=$("$top/scripts/kernels" --vmlinux "$kernel")
pack_guest
capture_args=capture.elf
crash_and_capture --allow 'panic - not syncing: sysrq triggered crash'
for file in vmcore vmcore.elf; do
	check "$file: report is that of the file" same_in_session "$file" report --all
	check "$file: JSON is that of the file" same_in_session "$file" report --all --json
	check "$file: info is that of the file" same_in_session "$file" info
	check "$file: machine checks are those of the file" same_in_session "$file" mce
done
check "its output can be piped" pipes_work
check "errors are printed, and the session goes on" session_goes_on
finish
