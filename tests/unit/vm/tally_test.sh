#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tests/tally, with suites that end at once: what it counts, what it keeps, and its exit status.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

good='echo ok 1 - one'
bad='echo not ok 1 - two'

# More than ten, so that it says which were the slowest.
tally_many() {
	"$top/tests/tally" -j 2 -d "$dir/tap" --build "$1" "$good #1" "$good #2" "$good #3" "$good #4" "$good #5" \
		"$good #6" "$good #7" "$good #8" "$good #9" "$good #10" "$2" >"$dir/printed" 2>&1
}

many_suites_that_pass__end_with_a_count_and_status_0() {
	tally_many true "$good #11" || return 1
	[ "$(tail -n 1 "$dir/printed")" = "11 passed, 0 failed" ]
}

one_that_fails__is_named_last_and_status_1() {
	tally_many true "$bad"
	[ $? = 1 ] || return 1
	[ "$(tail -n 2 "$dir/printed")" = "failed: $bad: two
10 passed, 1 failed" ]
}

one_that_fails__is_named_with_what_it_said_behind() {
	tally_many true 'echo ok 1; echo not ok 2 - two; echo "# of two"; echo ok 3; echo "# of three"'
	grep -A 10 '^failed: ' "$dir/printed" >"$dir/end"
	[ "$(sed -n 2p "$dir/end")" = "        # of two" ] && [ "$(tail -n +3 "$dir/end")" = "12 passed, 1 failed" ]
}

one_that_fails__is_named_with_what_it_said_before() {
	tally_many true "echo ok 1; printf '# line %d\\n' 1 2 3 4 5 6 7 8; echo not ok 2 - two"
	grep -A 10 '^failed: ' "$dir/printed" >"$dir/end"
	[ "$(grep -c '^        # line [345678]$' "$dir/end")" = 6 ] && ! grep -q 'line 2' "$dir/end" &&
		[ "$(tail -n 1 "$dir/end")" = "11 passed, 1 failed" ]
}

every_suite_and_the_build__is_kept_with_its_status() {
	tally_many 'true build' 'echo ok 1; exit 3'
	[ "$(cut -f 4,6 "$dir/tap/suites" | sort | uniq -c | wc -l)" = 12 ] &&
		grep -q "	0	builds	true build$" "$dir/tap/suites" &&
		grep -q "	3	builds	echo ok 1; exit 3$" "$dir/tap/suites"
}

a_build_that_fails__runs_no_suite() {
	tally_many 'exit 7' "$good"
	[ $? = 7 ] && ! grep -q passed "$dir/printed"
}

ok many_suites_that_pass__end_with_a_count_and_status_0 many_suites_that_pass__end_with_a_count_and_status_0
ok one_that_fails__is_named_last_and_status_1 one_that_fails__is_named_last_and_status_1
ok one_that_fails__is_named_with_what_it_said_behind one_that_fails__is_named_with_what_it_said_behind
ok one_that_fails__is_named_with_what_it_said_before one_that_fails__is_named_with_what_it_said_before
ok every_suite_and_the_build__is_kept_with_its_status every_suite_and_the_build__is_kept_with_its_status
ok a_build_that_fails__runs_no_suite a_build_that_fails__runs_no_suite
finish
