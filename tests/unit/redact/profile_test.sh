#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph redact --profile: what each profile keeps, and that no secret comes out of public.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
golden=$top/tests/golden
printf 'sixteen bytes!!!' >"$dir/key"

# make_region NAME: of the golden cases
make_region() {
	[ -e "$dir/$1" ] || "$golden/mkregion" "$golden/$1.region" "$dir/$1"
}

# copy PROFILE NAME: a copy NAME.PROFILE, and what is printed of it in NAME.PROFILE.text; the status
# of redact does not count, because a damaged region is copied as well
copy() {
	rm -f "$dir/$2.$1"
	"$epitaph" redact --profile "$1" --key "$dir/key" -o "$dir/$2.$1" "$dir/$2" >/dev/null 2>&1
	print_all "$dir/$2.$1"
}

# print_all FILE: all that commands print of it, in FILE.text
print_all() {
	[ -s "$1" ] || return 1
	{
		"$epitaph" report --all "$1"
		"$epitaph" export --to json --all -o - "$1"
		"$epitaph" info --json "$1"
		"$epitaph" mce "$1"
	} >"$1.text" 2>&1
	:
}

# says STATUS WORDS ARGUMENT...: of redact; the words are on stderr
says() {
	want=$1
	words=$2
	shift 2
	exits "$want" redact "$@" 2>"$dir/err" >/dev/null && grep -qF -- "$words" "$dir/err" && return
	cat "$dir/err"
	return 1
}

the_region_tells_every_kind() {
	"$here/kinds" make "$dir/kinds.region" && cp "$golden/clock.inc" "$dir" &&
		"$golden/mkregion" "$dir/kinds.region" "$dir/kinds" && print_all "$dir/kinds" || return 1
	[ "$("$here/kinds" list | wc -l)" -ge 100 ] &&
		"$here/kinds" look-clear "$dir/kinds" "$dir/kinds.text"
}

no_kind_comes_out_of_public() {
	copy public kinds && "$here/kinds" look "$dir/kinds.public" "$dir/kinds.public.text" &&
		grep -q 'sched_switch: ' "$dir/kinds.public.text"
}

# In brackets in front of a line, as a time is.
a_number_in_brackets_is_no_time() {
	sed 's/^<6>\[    0.500000\] Linux.*/[192.0.2.77] refused\n<6>[4111 1111 1111 1111] paid/' \
		"$golden/died-of-a-bug.region" >"$dir/brackets.region" && cp "$golden/clock.inc" "$dir" &&
		"$golden/mkregion" "$dir/brackets.region" "$dir/brackets" && print_all "$dir/brackets" &&
		grep -q 192.0.2.77 "$dir/brackets.text" && copy public brackets || return 1
	rm -f "$dir/brackets.none"
	"$epitaph" redact --key "$dir/key" -o "$dir/brackets.none" "$dir/brackets" && print_all "$dir/brackets.none" &&
		! grep -e 192.0.2 -e 4111 "$dir/brackets.public.text" "$dir/brackets.none.text"
}

# What each profile makes of the same region, to be read: profile.expect.
each_profile_makes_the_same_of_it() {
	for profile in public vendor full; do
		copy "$profile" kinds || return 1
		echo "--profile $profile"
		# What cannot be classified, and what it is called.
		"$epitaph" report --all "$dir/kinds.$profile" 2>&1 | sed "s|$dir/||"
	done >"$dir/profile.got"
	{ [ -z "${ACCEPT:-}" ] || cp "$dir/profile.got" "$here/profile.expect"; }
	diff "$here/profile.expect" "$dir/profile.got"
}

full_is_as_it_was() {
	for name in died-of-a-bug packed packed-tasks context symbols marks-and-crash mce-fatal; do
		make_region "$name" && copy full "$name" || return 1
		# The copy is of the newest format, which says so no more.
		"$epitaph" report --all "$dir/$name" 2>/dev/null | grep -v 'not recorded: format 1.0' >"$dir/before"
		"$epitaph" report --all "$dir/$name.full" >"$dir/after" 2>/dev/null
		diff "$dir/before" "$dir/after" || return 1
	done
}

# events_of FILE: times and places of all events
events_of() {
	"$epitaph" export --to json --all -o - "$1" 2>/dev/null | tail -n +2 |
		jq -c '[.ts_ns, .wall_ns, .cpu, (.marks | length)]'
}

copies_are_whole() {
	for name in whole big-endian packed packed-big-endian packed-tasks packed-tasks-big-endian synthetic context \
		kernel-log pstore-records mce-fatal hostile-texts user-marks bridge; do
		make_region "$name" || return 1
		events_of "$dir/$name" >"$dir/before"
		for profile in public vendor full; do
			copy "$profile" "$name" || return 1
			[ "$(stat -c %s "$dir/$name.$profile")" = "$(stat -c %s "$dir/$name")" ] || return 1
			! "$epitaph" check "$dir/$name" 2>/dev/null || "$epitaph" check "$dir/$name.$profile" || return 1
			events_of "$dir/$name.$profile" >"$dir/after"
			diff "$dir/before" "$dir/after" || { echo "$name $profile"; return 1; }
		done
	done
}

public_says_why_and_where_it_died() {
	make_region died-of-a-bug && copy public died-of-a-bug || return 1
	text=$dir/died-of-a-bug.public.text
	grep '^# died: .*kernel BUG at lib/list_debug.c:59!' "$text" &&
		grep -q '__list_del_entry_valid.cold+0x37/0x6f' "$text" &&
		grep -q 'list_del corruption' "$text" && ! grep -qE 'line_unlist|\[ways\]|shell|writer' "$text"
}

# A function of a module that is no part of the kernel, and how far behind its beginning.
vendor_keeps_names_and_offsets() {
	copy vendor died-of-a-bug && make_region symbols && copy vendor symbols || return 1
	text=$dir/died-of-a-bug.vendor.text
	grep -q 'line_unlist+0xe/0x20 \[ways\]' "$text" && grep -q 'task shell-' "$text" &&
		! grep -qE 'shell-7\b' "$text" && "$here/kinds" symbols "$dir/symbols.vendor" | grep -q 'victim_timer+0x0/0x40 \[victim\]' &&
		"$here/kinds" make "$dir/kinds.region" && copy vendor kinds &&
		grep -q "$("$here/kinds" word crash-task-name)" "$dir/kinds.vendor.text" &&
		grep -q "$("$here/kinds" word device-in-log)" "$dir/kinds.vendor.text" &&
		! grep -qE "$("$here/kinds" word exec-path)|$("$here/kinds" word user-mark)|$("$here/kinds" word kprobe-string)|$("$here/kinds" word module-request-name)" "$dir/kinds.vendor.text"
}

# In a copy, addresses in one function are as far from each other as they were.
a_function_stays_in_one_piece() {
	sed 's/^include ring.inc/entry 128\n\tu64 0xffffffff81000018\n\ttext 112 "do_something+0x18\/0x20"\nend\n&/' \
		"$golden/symbols.region" >"$dir/near.region" && cp "$golden"/*.inc "$dir" &&
		sed -i '/^zero 128/d' "$dir/near.region" &&
		"$golden/mkregion" "$dir/near.region" "$dir/near" && copy vendor near || return 1
	# The numbers are too large for the shell.
	"$here/kinds" symbols "$dir/near.vendor" | tee "$dir/addresses" &&
		first=$(sed -n 's/^0x\(.*\)0 do_something+0x10.*/\1/p' "$dir/addresses") &&
		[ "$first" ] && [ "$first" != ffffffff8100001 ] &&
		grep -q "^0x${first}8 do_something+0x18" "$dir/addresses"
}

# Numbers of no class stay without a profile, and go with one.
unknown_numbers_are_private() {
	rm -f "$dir/plain.copy"
	"$epitaph" redact --key "$dir/key" -o "$dir/plain.copy" "$dir/kinds" >/dev/null
	"$epitaph" export --to json --all -o - "$dir/plain.copy" 2>/dev/null | grep -q "$((0x8EC0DE51EC0DE))" &&
		! grep -q "$((0x8EC0DE51EC0DE))" "$dir/kinds.public.text"
}

one_key_gives_the_same_names_in_two_files() {
	make_region marks-and-crash && copy vendor marks-and-crash && copy public marks-and-crash &&
		cp "$dir/marks-and-crash.public" "$dir/first" && copy public marks-and-crash &&
		cmp "$dir/first" "$dir/marks-and-crash.public" &&
		head -c 16 /dev/urandom >"$dir/other" && rm -f "$dir/second" &&
		"$epitaph" redact --profile public --key "$dir/other" -o "$dir/second" "$dir/marks-and-crash" &&
		! cmp -s "$dir/first" "$dir/second"
}

# --- a preview ----------------------------------------------------------------

a_dry_run_lists_and_writes_nothing() {
	mkdir -p "$dir/empty" || return 1
	( cd "$dir/empty" && exits 1 redact --profile public --dry-run "$dir/kinds" >"$dir/dry" ) || return 1
	[ -z "$(ls "$dir/empty")" ] && exits 3 redact --profile public --dry-run "$dir/kinds" >/dev/full || return 1
	grep -q '^# profile public: ' "$dir/dry" && grep -q '^# what goes' "$dir/dry" &&
		grep -q '^# what stays' "$dir/dry" && grep -qE "^    tasks: comm: .* -> x" "$dir/dry" &&
		grep -q '^private: ' "$dir/dry" || return 1
	# A class has up to three examples on a side.
	awk '/^    /{ n++; if (n > 3) exit 1; next } { n = 0 }' "$dir/dry"
}

a_dry_run_is_json_too() {
	"$epitaph" redact --profile vendor --dry-run --json "$dir/kinds" >"$dir/dry.json" 2>/dev/null
	jq -e '.profile == "vendor" and (.goes | length > 3) and (.stays | length > 3) and
		all(.goes[], .stays[]; .examples | length <= 3) and
		any(.stays[]; .class == "task")' "$dir/dry.json"
}

# --- a table of one's own -------------------------------------------------------

a_field_can_get_a_class() {
	printf '# ours\nfield vendor_driver:submit secret number plain\nfield sched:sched_switch prev_comm text text\nmodule %s\n' \
		"$("$here/kinds" word module-of-symbol)" >"$dir/own" && rm -f "$dir/own.copy" || return 1
	"$epitaph" redact --profile public --classes "$dir/own" --key "$dir/key" -o "$dir/own.copy" "$dir/kinds" >"$dir/own.said"
	grep -q "classes of $dir/own" "$dir/own.said" &&
		"$epitaph" report --all "$dir/own.copy" 2>/dev/null | grep -q '0x8ec0de51ec0de' &&
		"$epitaph" report --all "$dir/own.copy" 2>/dev/null | grep -q "\[$("$here/kinds" word module-of-symbol)\]" &&
		! grep -q '8ec0de51ec0de' "$dir/kinds.public.text" || return 1
	# The names of the event stay away until its system is listed.
	! "$epitaph" report --all "$dir/own.copy" 2>/dev/null | grep -q 'submit: ' || return 1
	printf 'system vendor_driver\n' >>"$dir/own" && rm -f "$dir/own.copy"
	"$epitaph" redact --profile public --classes "$dir/own" -o "$dir/own.copy" "$dir/kinds" >/dev/null
	"$epitaph" report --all "$dir/own.copy" 2>/dev/null | grep -q 'submit: '
}

wrong_tables_are_named() {
	while IFS='|' read -r line words; do
		printf '# first\n%b\n' "$line" >"$dir/wrong"
		says 2 "$words" --profile public --classes "$dir/wrong" -o "$dir/none" "$dir/kinds" || { echo "$line"; return 1; }
		[ ! -e "$dir/none" ] || return 1
	done <<'END'
field a:b c number pain|wrong: line 2: no class "pain": did you mean plain?; there are plain, result,
field a:b c numbr plain|line 2: no type "numbr": did you mean number?; there are number, pointer, text, array, bytes and any
feild a:b c number plain|line 2: no line called "feild": did you mean field?; there are field, system and module
field a:b c plain|line 2: five words were expected: field EVENT FIELD TYPE CLASS
class mine keep keep x|line 2: the classes are those of epitaph
END
	head -c 300 /dev/zero | tr '\0' a >"$dir/wrong" &&
		says 2 'line 1: it has more than 200 bytes' --profile public --classes "$dir/wrong" -o "$dir/none" "$dir/kinds" &&
		printf 'system a\0b\n' >"$dir/wrong" &&
		says 2 'it is no text: byte 8 is 0' --profile public --classes "$dir/wrong" -o "$dir/none" "$dir/kinds" &&
		says 3 'No such file' --profile public --classes "$dir/nowhere" -o "$dir/none" "$dir/kinds" &&
		head -c 1100000 /dev/zero >"$dir/wrong" &&
		says 2 'at most 1048576 bytes' --profile public --classes "$dir/wrong" -o "$dir/none" "$dir/kinds"
}

wrong_options_are_named() {
	says 2 'no such profile: did you mean public?; there are public, vendor and full' --profile pubic -o "$dir/none" "$dir/kinds" &&
		says 2 'there are public, vendor and full' --profile secret --dry-run "$dir/kinds" &&
		says 2 '--profile public, vendor or full is missing' --dry-run "$dir/kinds" &&
		says 2 '--profile public, vendor or full is missing' --classes "$dir/own" -o "$dir/none" "$dir/kinds" &&
		says 2 'a dry run writes nothing' --profile public --dry-run -o "$dir/none" "$dir/kinds" &&
		says 2 '-o OUT is missing' --profile public "$dir/kinds" && [ ! -e "$dir/none" ]
}

# A record of printk may hold a NUL byte; text in pstore is filled up with them.
lines_behind_a_nul_byte_stay() {
	sed 's/^log$/log escaped=1/; s/^<1>.*#PF: .*/<4>[    0.900001] a\\x00b/' "$golden/excerpt-of-an-oops.region" >"$dir/nul.region" &&
		grep -q 'x00' "$dir/nul.region" && "$golden/mkregion" "$dir/nul.region" "$dir/nul" || return 1
	for profile in public vendor full; do
		copy "$profile" nul
		grep -E 'log: |kernel log' "$dir/nul.$profile.text"
		[ "$(grep -c ' log: ' "$dir/nul.$profile.text")" = 11 ] && grep -q 'log: <4>Oops: 0000' "$dir/nul.$profile.text" || return 1
	done
}

# --- what is said of it -----------------------------------------------------------

# The manual and docs/redact.md have the table of classes.txt, word by word.
a_text_of_a_console_is_refused() {
	! "$epitaph" redact --profile public --key "$dir/key" -o "$dir/copy" "$top/tests/crashes/bug-of-small-machines.log" 2>"$dir/printed" &&
		grep "bug-of-small-machines.log: a text of a console.*give the region or the vmcore" "$dir/printed" && [ ! -e "$dir/copy" ]
}
the_manual_has_the_table() {
	make -s -C "$top/extractor" pages || return 1
	man=$top/build/manual/man1/epitaph-redact.1
	tr -s ' \n\t' '   ' <"$man" | sed 's/\\-/-/g; s/\.TP\|\.PP\|\.B\|\\fB\|\\fR\|\\fP//g; s/  */ /g' >"$dir/manual"
	sed -n 's/^class //p' "$top/extractor/redact/classes.text" >"$dir/classes"
	[ "$(wc -l <"$dir/classes")" = 18 ] || return 1
	while read -r name public vendor meaning; do
		echo "$name"
		grep -qF "$public, $vendor: $meaning" "$dir/manual" || return 1
		grep -qF "| $name | $public | $vendor | $meaning |" "$top/docs/redact.md" || return 1
	done <"$dir/classes"
}

ok the_region_tells_every_kind the_region_tells_every_kind
ok no_kind_comes_out_of_public no_kind_comes_out_of_public
ok a_number_in_brackets_is_no_time a_number_in_brackets_is_no_time
ok each_profile_makes_the_same_of_it each_profile_makes_the_same_of_it
ok full_is_as_it_was full_is_as_it_was
ok copies_are_whole copies_are_whole
ok public_says_why_and_where_it_died public_says_why_and_where_it_died
ok vendor_keeps_names_and_offsets vendor_keeps_names_and_offsets
ok a_function_stays_in_one_piece a_function_stays_in_one_piece
ok unknown_numbers_are_private unknown_numbers_are_private
ok one_key_gives_the_same_names_in_two_files one_key_gives_the_same_names_in_two_files
ok a_dry_run_lists_and_writes_nothing a_dry_run_lists_and_writes_nothing
ok a_dry_run_is_json_too a_dry_run_is_json_too
ok lines_behind_a_nul_byte_stay lines_behind_a_nul_byte_stay
ok a_field_can_get_a_class a_field_can_get_a_class
ok wrong_tables_are_named wrong_tables_are_named
ok wrong_options_are_named wrong_options_are_named
ok a_text_of_a_console_is_refused a_text_of_a_console_is_refused
ok the_manual_has_the_table the_manual_has_the_table
finish
