#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tests/matrix/run, with programs that end at once: what is kept of each row, and that a run goes on
# where the last one stopped.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# fresh: no results yet, and four rows, whose programs write down that they ran.
fresh() {
	rm -rf "$dir/m"
	mkdir "$dir/m"
	for name in good bad; do
		printf '#!/bin/sh\necho %s >>%s\n' "$name" "$dir/m/ran" >"$dir/m/$name"
	done
	cat >>"$dir/m/good" <<'END'
echo "ok 1 - good: boots"
echo "ok 2 - good: marks: one"
END
	cat >>"$dir/m/bad" <<'END'
echo "ok 1 - bad: boots"
echo "not ok 2 - bad: marks: one"
exit 1
END
	cat >"$dir/m/rows" <<END
# FEATURE | MACHINE KERNEL | PROGRAM | CLAIMS | NOTE
boots | a 6.1 | sh $dir/m/good | : boots | -
marks | a 6.1 | sh $dir/m/good | marks: | only one
boots | b 6.1 | sh $dir/m/bad | : boots | -
marks | b 6.1 | sh $dir/m/bad | marks: | -
dumps | b 6.1 | cannot | . | it has no kexec
END
}

matrix() {
	MATRIX_ROWS=$dir/m/rows MATRIX_RESULTS=$dir/m/results MATRIX_TABLE=$dir/m/table MATRIX_STATE=$dir/m/state \
		MATRIX_COMMIT=${commit:-$(cat "$top/VERSION")/c0ffee} "$top/tests/matrix/run" "$@" >"$dir/m/said" 2>&1
}

# row MACHINE FEATURE WORDS: the result of that row begins so.
row() {
	grep -qF "$1 | 6.1 | $2 | $3" "$dir/m/results" || { cat "$dir/m/results" "$dir/m/said"; return 1; }
}

# table_has LINE...
table_has() {
	for line; do
		grep -qxF -- "$line" "$dir/m/table" || { echo "lacks: $line"; cat "$dir/m/table"; return 1; }
	done
}

# ran NAME...: these programs ran, in this order, and none more.
ran() {
	printf '%s\n' "$@" | diff - "$dir/m/ran"
}

a_row_has_its_own_claims() {
	fresh
	! matrix && row a boots 'yes | 20' && row a marks 'partly | 20' && row b boots 'yes | 20' &&
		row b marks 'no | 20' && ran good bad
}

a_line_says_when_commit_and_minutes() {
	grep -qxE 'b \| 6.1 \| marks \| no \| 20[0-9-]{8} [0-9:]{5} \| [0-9.]+/c0ffee \| 0\.0 \| bad: marks: one' "$dir/m/results" ||
		{ cat "$dir/m/results"; return 1; }
}

the_table_has_a_sign_and_a_reason_for_each() {
	table_has '| boots | ● | ● |' '| marks | ◐ 1 | ✗ 2 |' '| dumps | ? 3 | ○ 4 |' '1. only one' \
		'2. bad: marks: one' '4. it has no kexec'
}

what_is_known_at_this_commit_is_not_run() {
	matrix && ran good bad
}

what_is_known_is_run_with_again() {
	! matrix --again && ran good bad good bad
}

another_commit_is_run() {
	fresh
	! matrix
	rm "$dir/m/ran"
	! commit=$(cat "$top/VERSION")/d00d matrix && ran good bad && row a boots 'yes | 20' &&
		! grep c0ffee "$dir/m/results"
}

another_version_is_not_what_this_one_does() {
	fresh
	! commit=0.0.1/c0ffee matrix --only boots
	table_has '| boots | – 1 | – 1 |'
}

one_row_alone() {
	fresh
	matrix --only 'a 6.1' && ran good && matrix --list && grep -qxF -- '– b 6.1: boots' "$dir/m/said"
}

# The matrix is killed while its first program runs; what was known stays, and it goes last.
killed_in_the_middle() {
	fresh
	! matrix --only 'b 6.1' && row b marks 'no | 20' || return 1
	cp "$dir/m/results" "$dir/m/before"
	rm "$dir/m/ran"
	printf 'echo $$ >%s\nwhile [ -e %s ]; do sleep 0.1; done\n' "$dir/m/pid" "$dir/m/pid" >>"$dir/m/good"
	sed -i 's/| sh \([^ ]*good\)/| exec sh \1/' "$dir/m/rows"
	MATRIX_ROWS=$dir/m/rows MATRIX_RESULTS=$dir/m/results MATRIX_TABLE=$dir/m/table MATRIX_STATE=$dir/m/state \
		MATRIX_COMMIT=$(cat "$top/VERSION")/d00d "$top/tests/matrix/run" >"$dir/m/said" 2>&1 &
	run=$!
	while [ ! -s "$dir/m/pid" ]; do sleep 0.1; done
	kill -9 "$run"
	wait "$run" 2>/dev/null
	rm "$dir/m/pid"
	cmp "$dir/m/before" "$dir/m/results" && ran good
}

goes_on_behind_it() {
	rm "$dir/m/ran"
	sed -i '/^echo \$\$/d; /^while/d' "$dir/m/good"
	! commit=$(cat "$top/VERSION")/d00d matrix && ran bad good && row a boots 'yes | 20' &&
		grep -q 'was ended in the middle, and comes last: exec sh .*good' "$dir/m/said" &&
		[ ! -e "$dir/m/state/begun" ]
}

a_program_that_is_killed_has_failed() {
	fresh
	echo 'kill -9 $$' >>"$dir/m/good"
	! matrix --only 'a 6.1' && row a boots 'no | 20' && grep -q 'ended by signal 9\|exit status 137' "$dir/m/results"
}

a_program_that_hangs_is_ended() {
	fresh
	echo 'sleep 1000 & wait' >>"$dir/m/good"
	! MATRIX_LIMIT=0.01 matrix --only 'a 6.1' && row a boots 'no | 20' &&
		grep -q 'not over after 0.01 minutes' "$dir/m/results"
}

# What make check saw of the rows' programs, one of which died behind its claims.
what_make_check_saw_is_taken() {
	fresh
	echo 'exit 3' >>"$dir/m/good"
	# What suites a tally of more than ten had, it keeps.
	! "$top/tests/tally" -d "$dir/m/tap" "sh $dir/m/good" "sh $dir/m/bad" \
		'echo ok 1' 'echo ok 2' 'echo ok 3' 'echo ok 4' 'echo ok 5' 'echo ok 6' 'echo ok 7' 'echo ok 8' \
		'echo ok 9' >"$dir/m/said" || return
	sed -i "s,| sh $dir/m/good |,| sh sh $dir/m/good |," "$dir/m/rows"
	sed -i "s,| sh $dir/m/bad |,| sh sh $dir/m/bad |," "$dir/m/rows"
	rm "$dir/m/ran"
	touch "$dir/m/tap"/*
	! matrix --from "$dir/m/tap" && [ ! -e "$dir/m/ran" ] && row a boots 'no | 20' &&
		grep -q 'exit status 3$' "$dir/m/results" && row b boots 'yes | 20' && row b marks 'no | 20'
}

what_is_older_than_its_source_is_not_taken() {
	touch -d 2001-01-01 "$dir/m/tap"/*
	rm -f "$dir/m/results"
	! matrix --from "$dir/m/tap" && grep -q 'is older than the newest change' "$dir/m/said" &&
		! matrix --from "$dir/m" && grep -q 'no suites: ' "$dir/m/said" && [ ! -e "$dir/m/results" ]
}

a_program_that_does_not_claim_it_has_failed() {
	fresh
	sed -i '/marks/d' "$dir/m/good"
	! matrix --only 'a 6.1' && row a marks 'no | 20' && row a boots 'yes | 20' &&
		grep -q 'its program does not claim this' "$dir/m/results"
}

skipped_is_not_run() {
	fresh
	sed -i 's/: boots"/: boots # SKIP no QEMU"/' "$dir/m/good"
	matrix --only 'a 6.1' && row a boots 'not run | 20' && grep -q 'not run .*| no QEMU$' "$dir/m/results" &&
		grep -q '^| boots | – ' "$dir/m/table"
}

# refuses TEXT LINE: such a line of the rows is refused, with where it is.
refuses() {
	fresh
	echo "$2" >>"$dir/m/rows"
	! matrix && grep -F "$1" "$dir/m/said" && grep -q "rows:7: " "$dir/m/said" && [ ! -e "$dir/m/ran" ]
}

a_table_that_was_edited_is_found() {
	fresh
	matrix --only 'a 6.1' && matrix --check || return 1
	sed -i 's/◐/●/' "$dir/m/table"
	! matrix --check
}

all_rows_name_programs_that_are_there() {
	sed -n 's/^[^#|]* | [^|]* | \(.*\) | [^|]* | [^|]*$/\1/p' "$top/tests/matrix/rows" | tr ' ' '\n' |
		grep '^tests/' | sort -u | while read -r program; do
		[ -e "$top/$program" ] || echo "$program is not there"
	done >"$dir/missing"
	cat "$dir/missing"
	[ ! -s "$dir/missing" ] && [ "$(grep -c '^[^#|]* | ' "$top/tests/matrix/rows")" -ge 60 ]
}

ok a_row_has_its_own_claims a_row_has_its_own_claims
ok a_line_says_when_commit_and_minutes a_line_says_when_commit_and_minutes
ok the_table_has_a_sign_and_a_reason_for_each the_table_has_a_sign_and_a_reason_for_each
ok what_is_known_at_this_commit_is_not_run what_is_known_at_this_commit_is_not_run
ok what_is_known_is_run_with_again what_is_known_is_run_with_again
ok another_commit_is_run another_commit_is_run
ok another_version_is_not_what_this_one_does another_version_is_not_what_this_one_does
ok one_row_alone one_row_alone
ok killed_in_the_middle_results_are_whole killed_in_the_middle
ok and_the_next_run_goes_on_behind_it goes_on_behind_it
ok a_program_that_is_killed_has_failed a_program_that_is_killed_has_failed
ok a_program_that_hangs_is_ended a_program_that_hangs_is_ended
ok a_program_that_does_not_claim_it_has_failed a_program_that_does_not_claim_it_has_failed
ok what_make_check_saw_is_taken what_make_check_saw_is_taken
ok what_is_older_than_its_source_is_not_taken what_is_older_than_its_source_is_not_taken
ok skipped_is_not_run skipped_is_not_run
ok four_fields_are_no_row refuses 'not FEATURE' 'marks | a 6.1 | true | .'
ok a_machine_without_a_kernel_is_none refuses 'not FEATURE' 'marks | a | true | . | -'
ok cannot_has_a_reason refuses 'cannot without a reason' 'more | a 6.1 | cannot | . | -'
ok claims_that_are_no_expression_are_refused refuses 'unterminated' 'more | a 6.1 | true | ( | -'
ok a_row_twice_is_refused refuses 'again' 'boots | a 6.1 | true | . | -'
ok a_table_that_was_edited_is_found a_table_that_was_edited_is_found
ok all_rows_name_programs_that_are_there all_rows_name_programs_that_are_there
ok the_manuals_table_is_of_these_rows_and_results "$top/tests/matrix/run" --check
finish
