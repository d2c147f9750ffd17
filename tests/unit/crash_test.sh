#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The extension of crash(8), in a program that plays crash's side.  A real session of
# crash is in tests/vm/long/crash-session.sh.
# shellcheck disable=SC2317
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
epitaph=$top/extractor/epitaph
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nr=0
failed=0

# claim NAME COMMAND...
claim() {
	name=$1
	shift
	nr=$((nr + 1))
	if "$@" >"$dir/said" 2>&1; then
		echo "ok $nr - crash__$name"
	else
		sed 's/^/# /' "$dir/said" | head -n 20
		echo "not ok $nr - crash__$name"
		failed=$((failed + 1))
	fi
}

# session LINE...: a session with $image; what it prints is in out, its errors in err.
session() {
	STUB=${stub:-} timeout 60 "$dir/stub" "$top/extractor/epitaph.so" "$image" "$@" \
		>"$dir/out" 2>"$dir/err"
}

# The same as of the file, but for the lines that name where it is.
same_as_file() {
	session "epitaph $* > $dir/from-session" || return
	"$epitaph" "$@" "$image" >"$dir/from-file" 2>/dev/null
	[ -s "$dir/from-file" ] || return
	for from in session file; do
		grep -vE '^(file|region|generation) |"(file|schema)":' "$dir/from-$from" >"$dir/$from"
	done
	diff "$dir/session" "$dir/file"
}

# says FILE WORDS: and the session goes on
says() {
	cat "$dir/$1"
	grep -q -- "$2" "$dir/$1" && grep -q '^the session goes on$' "$dir/out"
}

session_says() {
	file=$1 words=$2
	shift 2
	session "$@" && says "$file" "$words"
}

interrupted() {
	session_says err 'ended by signal\|ended with signal' 'epitaph report'
}

make -s -C "$top/extractor" all crash || exit 99
${CC:-gcc} -O1 -g -rdynamic -o "$dir/stub" "$here/crash_stub.c" -ldl || exit 99
for name in whole mce-fatal generations truncated hostile-texts; do
	"$top/tests/golden/mkregion" "$top/tests/golden/$name.region" "$dir/$name" || exit 99
done
image=$dir/whole
claim report_is_that_of_the_file same_as_file report --all
claim report_as_json_is_that_of_the_file same_as_file report --all --json
claim info_is_that_of_the_file same_as_file info
claim options_choose same_as_file report --events 3 --monotonic
image=$dir/mce-fatal
claim machine_checks_are_those_of_the_file same_as_file mce
image=$dir/generations
claim all_generations_are_told same_as_file info --generation all
image=$dir/hostile-texts
claim hostile_texts_are_those_of_the_file same_as_file report --all
image=$dir/truncated
claim damage_is_told_as_crash_tells_errors session_says err '^epitaph: report: this session: recovered, with damage' 'epitaph report'
image=$dir/whole
claim commands_follow_each_other session_says out 'CPU' 'epitaph report --events 1' 'epitaph info' 'epitaph report --all'
claim an_option_that_is_none_is_told session_says err '^epitaph: report: no option --lst; did you mean --last?$' 'epitaph report --lst 3'
claim a_command_that_is_none_is_told session_says err '^epitaph: no command export$' 'epitaph export'
claim usage_is_printed_without_a_command session_says out '^  epitaph report|info|mce' 'epitaph'
stub=no-symbols
claim no_symbols_are_told session_says err 'this session: has no memory that is known of' 'epitaph report'
stub=absent
claim memory_that_is_not_there_is_told session_says err 'no region in this memory of a crash session' 'epitaph report'
stub=circle
claim a_list_in_a_circle_ends same_as_file report --all
stub=large
claim a_large_session_leaves_room_to_read same_as_file report --all
stub=die
claim a_death_of_the_reader_is_told interrupted
stub=
echo nothing >"$dir/nothing"
image=$dir/nothing
claim memory_without_a_region_is_told session_says err 'epitaph: info: this session: no region' 'epitaph info'
echo "1..$nr"
exit $((failed != 0))
