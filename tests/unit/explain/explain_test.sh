#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What epitaph explain says of crashes whose log lines are in tests/crashes/*.log: kind, strength and
# signature, and what it must not say.  tests/vm/lib-die.sh has guests that die so.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# of FILE KEY: what its head wants
of() {
	sed -n "s/^#= $2 //p" "$1"
}

is_explained() {
	# The page names the file, and "silent" words may be in the name of the log.
	ln -f "$dir/regions/$(basename "$1" .log)" "$dir/region" || return
	"$epitaph" explain --json "$dir/region" >"$dir/json" 2>"$dir/err"
	"$epitaph" explain "$dir/region" >"$dir/page" 2>/dev/null
	cat "$dir/page"
	cat "$dir/json" >>"$dir/all"
	status=0
	# To start jq for each word takes most of a minute, of all cases.
	jq -r '"kind \(.kind)", "strength \(.strength)", "signature \(.signature)", "claim \(.claim)",
		"why_not_more \(.why_not_more // "")", "evidence \(.evidence[].text)", "also \(.also[])"' \
		"$dir/json" >"$dir/lines" || return
	for key in kind strength signature; do
		want=$(of "$1" "$key")
		grep -Fx "$key $want" "$dir/lines" >/dev/null || {
			echo "$(grep "^$key " "$dir/lines"), and not $want"
			status=1
		}
	done
	of "$1" says >"$dir/says"
	while read -r word; do
		grep -E '^(claim|why_not_more|evidence|also) ' "$dir/lines" | grep -F -- "$word" >/dev/null || {
			echo "it does not say \"$word\""
			status=1
		}
	done <"$dir/says"
	of "$1" silent >"$dir/silent"
	while read -r word; do
		! grep -F "$word" "$dir/page" || {
			echo "it says \"$word\""
			status=1
		}
	done <"$dir/silent"
	of "$1" never >"$dir/never"
	while read -r word; do
		! grep '^claim ' "$dir/lines" | grep -F -- "$word" >/dev/null || {
			echo "it claims \"$word\""
			status=1
		}
	done <"$dir/never"
	return "$status"
}

# What died, why, how sure, evidence and what to do fit a terminal.
fits_a_screen() {
	sed '/^$/,$d' "$dir/page" >"$dir/screen"
	[ "$(wc -l <"$dir/screen")" -le 24 ] && ! sed '/^next$/,$d; /^signature /d' "$dir/page" | grep -E '^.{81}'
}

mkdir "$dir/regions"
ok each_log_makes_a_region "$top/tests/crashes/mkregion" "$top"/tests/crashes/*.log "$dir/regions/"
for case in "$top"/tests/crashes/*.log; do
	name=$(basename "$case" .log | tr - _)
	ok "$name" is_explained "$case"
	ok "${name}_fits_a_screen" fits_a_screen
done

every_json_follows_the_schema() {
	[ "$(wc -l <"$dir/all")" = "$(find "$top/tests/crashes" -name '*.log' | wc -l)" ] &&
		"$top/tests/lib/json-schema" follows "$top/docs/explain.schema.json" <"$dir/all"
}
ok every_json_follows_the_schema every_json_follows_the_schema

# Lines, events of the ring; by their time in the report's JSON.
evidence_with_a_time_has_its_item() {
	jq -c '.evidence[] | select(.ts_ns != .item.ts_ns)' "$dir/all" >"$dir/wrong"
	[ ! -s "$dir/wrong" ] || { cat "$dir/wrong"; return 1; }
	[ "$(jq -c '.evidence[].item | select(.)' "$dir/all" | wc -l)" -gt 100 ] || return
	region=$dir/regions/timer-of-another
	"$epitaph" report --all --json "$region" >"$dir/report"
	"$epitaph" explain --json "$region" | jq -c '.evidence[].item | select(.)' >"$dir/items"
	grep -q '"timer:timer_start"' "$dir/items" && grep -q '"epitaph:log"' "$dir/items" || return
	while read -r item; do
		jq -es --argjson item "$item" 'any(.event == $item.event and .ts_ns == $item.ts_ns and .cpu == $item.cpu)' \
			"$dir/report" >/dev/null || { echo "$item"; return 1; }
	done <"$dir/items"
}
ok evidence_with_a_time_has_its_item evidence_with_a_time_has_its_item

# By the page alone: of each log whose kind is no row of "Of other kinds".
a_second_program_makes_the_same_signatures() {
	set --
	for log in "$top"/tests/crashes/*.log; do
		kind=$(of "$log" kind)
		[ -z "$(of "$log" signed)" ] || continue
		case $kind in
		timer-damaged | unloaded-module | lock-not-returned | nmi | out-of-memory) continue ;;
		esac
		echo "$(of "$log" signature) $log" >>"$dir/wanted"
		set -- "$@" "$kind" "$log"
	done
	"$here/signature_reference" "$top/docs/signature.md" "$@" >"$dir/made" || return
	[ "$(wc -l <"$dir/made")" -gt 100 ] && diff "$dir/wanted" "$dir/made"
}
ok a_second_program_makes_the_same_signatures a_second_program_makes_the_same_signatures

# plumbing_is_of_spinning() has no part in it.
the_functions_left_out_are_those_of_the_program() {
	"$here/signature_reference" --lists "$top/docs/signature.md" >"$dir/written"
	sed -e '/^bool plumbing_is_of_spinning/,/^}/d' "$top/extractor/judge/plumbing.c" | grep -v '^#' |
		grep -o '"[^"]*"' | tr -d '"' | sort -u | diff "$dir/written" -
}
the_functions_of_the_tick_are_those_of_the_program() {
	"$here/signature_reference" --of-the-tick "$top/docs/signature.md" >"$dir/written"
	sed -n '/^static bool is_of_tick/,/};/p; /^static bool is_entry_of_interrupt/,/};/p' \
		"$top/extractor/linux_kernel/kernel_report.c" | grep -o '"[^"]*"' | tr -d '"' | sort -u | diff "$dir/written" -
}
ok the_functions_of_the_tick_are_those_of_the_program the_functions_of_the_tick_are_those_of_the_program

the_functions_of_sanitizers_are_those_of_the_program() {
	"$here/signature_reference" --of-sanitizers "$top/docs/signature.md" >"$dir/written"
	sed -n '/^static bool is_of_caller/,/NULL/p' "$top/extractor/judge/access/sanitizer.c" | grep -o '"[^"]*"' | tr -d '"' |
		sort -u | diff "$dir/written" -
}
ok the_functions_of_sanitizers_are_those_of_the_program the_functions_of_sanitizers_are_those_of_the_program

ok the_functions_left_out_are_those_of_the_program the_functions_left_out_are_those_of_the_program

# A start of Python for each region takes longer than all that is claimed of it.
golden_regions_are_made() {
	mkdir "$dir/golden"
	"$top/tests/golden/mkregion" "$top"/tests/golden/*.region "$dir/golden/"
}
ok golden_regions_are_made golden_regions_are_made

every_golden_region_has_a_page() {
	for region in "$dir"/golden/*; do
		"$epitaph" explain "$region" >"$dir/page" 2>"$dir/err"
		case $? in
		0 | 1) grep -q '^signature ' "$dir/page" || { echo "$region"; return 1; } ;;
		4 | 5) [ -s "$dir/err" ] ;;
		*) echo "$region: $?"; return 1 ;;
		esac || return
	done
	[ -s "$dir/page" ]
}
ok every_golden_region_has_a_page every_golden_region_has_a_page

# Of a copy that was cut: with a damaged part and no log, no reset is known.
kinds() {
	jq -r 'if type == "string" then "of " + .
		elif (.missing | any(startswith("what was in")) and any(. == "the kernel\u0027s log")) then .kind + " without"
		else .kind end'
}
a_region_that_was_cut_is_no_reset() {
	for region in "$dir"/golden/*; do
		for part in 2 4 6; do
			head -c $(($(stat -c %s "$region") * part / 8)) "$region" >"$dir/part"
			echo "\"$region, $part of 8\""
			"$epitaph" explain --json "$dir/part" 2>/dev/null
		done
	done | kinds >"$dir/kinds"
	! grep -B1 '^reset without' "$dir/kinds" && [ "$(grep -c '^unreadable without' "$dir/kinds")" -ge 3 ]
}
ok a_region_that_was_cut_is_no_reset a_region_that_was_cut_is_no_reset

the_page_has_a_row_for_each_key() {
	"$top/tests/lib/json-schema" row-for-each "$top/docs/explain.schema.json" "$top/docs/explain.md"
}
ok the_page_has_a_row_for_each_key the_page_has_a_row_for_each_key

a_file_that_is_none_is_told() {
	echo none >"$dir/none"
	! "$epitaph" explain "$dir/none" 2>"$dir/err" && grep -q '^epitaph explain: .*none' "$dir/err" || return
	! "$epitaph" explain 2>"$dir/err" && [ -s "$dir/err" ]
}
ok a_file_that_is_none_is_told a_file_that_is_none_is_told
finish
