#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The example of libepitaph's header is a program that works; a debug build of the library finds
# two threads on one dump.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

extractor=$top/extractor
"$top/tests/golden/mkregion" "$top/tests/golden/marks-and-crash.region" "$dir/region" || exit 99

# The lines of the comment between "Example, ...::" and the next paragraph.
example_is_compiled() {
	sed -n '/^ \* Example, /,/^ \* \*\*/s/^ \*\t//p' "$top/include/epitaph/epitaph.h" >"$dir/example.c"
	grep -q '^int main' "$dir/example.c" &&
		cc -std=gnu11 -Wall -Wextra -Werror -I"$top/include" -o "$dir/example" "$dir/example.c" \
			-L"$extractor" -lepitaph
}

example() {
	LD_LIBRARY_PATH=$extractor EPITAPH_READER=$extractor/epitaph-reader "$dir/example" "$@"
}

# Each event of the last second, as the report's JSON has them, the mark and the crash.
example_prints_the_last_second() {
	example "$dir/region" >"$dir/lines" 2>"$dir/errors" && [ ! -s "$dir/errors" ] || return 1
	"$epitaph" report --last 1 --json "$dir/region" | grep -c '"event":' >"$dir/events"
	[ "$(grep -cE 'before the end: (test|sched):[a-z_]* ' "$dir/lines")" = "$(cat "$dir/events")" ] &&
		[ "$(cat "$dir/events")" -gt 0 ] && grep -q ' 200 ns before the end: epitaph:recorder_mark' "$dir/lines" &&
		grep -q ' 0 ns before the end: epitaph:crash' "$dir/lines" && return
	cat "$dir/lines" "$dir/events"
	return 1
}

example_says_what_is_wrong() {
	! example "$dir" >"$dir/lines" 2>"$dir/errors" && [ ! -s "$dir/lines" ] &&
		grep -q "^epitaph_dump_open\|$dir" "$dir/errors" && [ "$(wc -l <"$dir/errors")" = 1 ] || return 1
	! example >"$dir/lines" 2>"$dir/errors" && [ "$(wc -l <"$dir/errors")" = 1 ]
}

# $1: flags
two_threads() {
	# shellcheck disable=SC2086 # words
	(cd "$extractor" && cc -std=gnu11 -O1 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DEPITAPH_VERSION='"0"' $1 \
		-I. -I../include -o "$dir/two" "$here/two_threads.c" lib/*.c ../build/extractor/libepitaph.a \
		-lzstd -llzo2 -lz -ldeflate -lnettle -lsnappy -lbpf -ldw -lelf -lpthread) && "$dir/two" "$dir/region"
}

two_threads_are_found_by_a_debug_build() {
	two_threads -DEPITAPH_DEBUG
}

# In directories of parts: the check of each part takes a while.
two_dumps_may_be_opened_by_two_threads() {
	"$here/large_region" "$dir/large" 15000 && (cd "$dir" && "$top/tests/golden/mkparts" large 1000000 parts && cp -r parts others) &&
		cc -std=gnu11 -O1 -Wall -Wextra -Werror -I"$top/include" -o "$dir/two-dumps" "$here/two_dumps.c" -L"$extractor" -lepitaph -lpthread &&
		LD_LIBRARY_PATH=$extractor "$dir/two-dumps" "$dir/parts" "$dir/others"
}

for claim in example_is_compiled example_prints_the_last_second example_says_what_is_wrong \
	two_threads_are_found_by_a_debug_build two_dumps_may_be_opened_by_two_threads; do
	ok $claim $claim
done
finish
