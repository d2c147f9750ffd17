# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# What came over the bridge against the instance's own trace file, /disk/truth/trace in the guest.
# Source it behind lib.sh.

# lines: "PID [CPU] TEXT" of a trace file or a report, without what the two write in other ways, and
# without the names of disks behind their numbers.
lines() {
	sed -nE 's/([0-9]+[,:][0-9]+) \([a-z][a-z0-9-]*\)/\1/g
		s/^.*-([0-9]+) +(\([ 0-9-]*\) )?(\[[0-9]+\]) [^ ]+ +[0-9.]+: /\1 \3 /p' | tr -d , | sed -E 's, +$,,; s,(\+0x[0-9a-f]+)/0x[0-9a-f]+,\1,g' | sort
}

# both_have PATTERN: the instance's trace file and the report have the same lines of it.
both_have() {
	lines <"$saved/truth/trace" | grep -E -- "$1" >"$out/theirs" || true
	lines <"$out/report" | grep -E -- "$1" >"$out/ours" || true
	wc -l "$out/theirs" "$out/ours"
	[ -s "$out/theirs" ] && diff "$out/theirs" "$out/ours"
}
