#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The extension of crash(8), in a program that plays crash's side.  A real session of
# crash is in tests/vm/kdump/long/crash-session.sh.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# session LINE...: a session with $image; what it prints is in out, its errors in err.
session() {
	STUB=${stub:-} timeout 600 "$dir/stub" "$top/extractor/epitaph.so" "$image" "$@" \
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
ok report_is_that_of_the_file same_as_file report --all
ok report_as_json_is_that_of_the_file same_as_file report --all --json
ok info_is_that_of_the_file same_as_file info
ok options_choose same_as_file report --events 3 --monotonic
image=$dir/mce-fatal
ok machine_checks_are_those_of_the_file same_as_file mce
image=$dir/generations
ok all_generations_are_told same_as_file info --generation all
image=$dir/hostile-texts
ok hostile_texts_are_those_of_the_file same_as_file report --all
image=$dir/truncated
ok damage_is_told_as_crash_tells_errors session_says err '^epitaph: report: this session: recovered, with damage' 'epitaph report'
image=$dir/whole
ok commands_follow_each_other session_says out 'CPU' 'epitaph report --events 1' 'epitaph info' 'epitaph report --all'
ok an_option_that_is_none_is_told session_says err '^epitaph: report: no option --lst; did you mean --last?$' 'epitaph report --lst 3'
ok a_command_that_is_none_is_told session_says err '^epitaph: no command export$' 'epitaph export'
ok usage_is_printed_without_a_command session_says out '^  epitaph explain|report|info|mce' 'epitaph'
stub=no-symbols
ok no_symbols_are_told session_says err 'this session: has no memory that is known of' 'epitaph report'
stub=absent
ok memory_that_is_not_there_is_told session_says err 'no region in this memory of a crash session' 'epitaph report'
stub=circle
ok a_list_in_a_circle_ends same_as_file report --all
stub=large
ok a_large_session_leaves_room_to_read same_as_file report --all
stub=die
ok a_death_of_the_reader_is_told interrupted
stub=
echo nothing >"$dir/nothing"
image=$dir/nothing
ok memory_without_a_region_is_told session_says err 'epitaph: info: this session: no region' 'epitaph info'
finish
