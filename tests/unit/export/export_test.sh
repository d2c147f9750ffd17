#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Exports, by the tools that they are for: every event as the JSON export has it.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# export TO FILE OPTION...: into $dir/out, whatever the status of a damaged file
export_to() {
	rm -rf "$dir/out"
	to=$1
	shift
	"$epitaph" export --to "$to" -o "$dir/out" "$@" 2>"$dir/noise"
	[ $? -le 1 ] || { cat "$dir/noise"; return 1; }
}

# the_same TO FILE OPTION...: all events of an export are those of JSON
the_same() {
	rm -f "$dir/json"
	"$epitaph" export --to json -o "$dir/json" "$@" 2>"$dir/noise"
	[ -s "$dir/json" ] || return 0
	for to in ${only:-ctf trace.dat}; do
		export_to "$to" "$@" || return 1
		"$here/export_compare" "$to" "$dir/json" "$dir/out" || { echo "$to $*"; return 1; }
	done
}

golden_regions_are_the_same_events() {
	for region in "$dir"/golden/*; do
		case $region in
		*/callers | */moving) ;;
		*) the_same "$region" || return 1 ;;
		esac
	done
}

# trace.dat has the place that a channel left as one more instance, NAME#2.
a_channel_that_moves_is_one_in_ctf() {
	only=ctf the_same "$dir/golden/moving"
}

# trace-cmd writes a line for each of them, so that lines are no events.
callers_are_as_many_as_there_were() {
	only=ctf the_same "$dir/golden/callers" && export_to trace.dat "$dir/golden/callers" &&
		trace-cmd report -i "$dir/out" >"$dir/text" 2>"$dir/noise" &&
		[ "$(grep -c '^=> ' "$dir/text")" = 12 ]
}

a_newline_ends_a_marker_and_is_no_question() {
	export_to trace.dat "$dir/golden/callers" && trace-cmd report -i "$dir/out" >"$dir/text" 2>"$dir/noise" &&
		grep -q ': a marker$' "$dir/text" && grep -q ': b?c$' "$dir/text"
}

windows_are_the_same_events() {
	the_same --events 3 "$dir/golden/whole" && the_same --cpu 1 "$dir/golden/whole" &&
		the_same --damaged "$dir/golden/damaged-payload" &&
		the_same --event 'no such event' "$dir/golden/whole" &&
		the_same --event test:number "$dir/golden/lost-before-another"
}

dumps_are_the_same_events() {
	"$top/tests/lib/wrap" kdump "$dir/golden/whole" "$dir/dump" && the_same "$dir/dump" &&
		"$top/tests/lib/wrap" elf --machine s390x --big "$dir/golden/big-endian" "$dir/dump" &&
		the_same "$dir/dump"
}

losses_are_told() {
	"$epitaph" export --to json -o - "$dir/golden/lost-events" 2>/dev/null | tail -n +2 |
		jq -s 'map(.lost // 0) | add' >"$dir/want"
	export_to trace.dat "$dir/golden/lost-events"
	trace-cmd report -i "$dir/out" 2>/dev/null | grep -q "\[$(cat "$dir/want") EVENTS DROPPED\]" || return 1
	export_to ctf "$dir/golden/lost-events"
	babeltrace2 "$dir/out" 2>&1 | grep -q "discarded $(cat "$dir/want") events"
}

# Of a ring that no CPU owns, on the CPU of the mark that follows.
withheld_marks_are_told() {
	export_to trace.dat "$dir/golden/user-marks-damaged"
	trace-cmd report -i "$dir/out" 2>/dev/null | grep -q '^CPU:1 \[1 EVENTS DROPPED\]'
}

what_has_no_place_is_counted() {
	export_to ctf "$dir/golden/torn-in-the-middle" && grep -q ": 1 unfinished event has no place" "$dir/noise"
}

# Also of the event whose second half of that word is not zero.
a_synthetic_event_has_its_text() {
	export_to trace.dat "$dir/golden/synthetic" && trace-cmd report -i "$dir/out" 2>/dev/null >"$dir/text" &&
		grep -q 'woken: *lat=18, what=bash, pid=43' "$dir/text" &&
		export_to ctf "$dir/golden/synthetic" && babeltrace2 "$dir/out" >"$dir/text" &&
		grep -F 'synthetic:woken: ' "$dir/text" | grep -qF '{ lat = 18, what = "bash", pid = 43 }'
}

# What a tool prints of an export, and the metadata, cannot write on a terminal.
no_control_byte_gets_through() {
	for region in "$dir"/golden/*; do
		export_to trace.dat --damaged "$region" 2>/dev/null || continue
		trace-cmd report -N -i "$dir/out" >"$dir/text" 2>&1
		export_to ctf --damaged "$region" || return 1
		babeltrace2 "$dir/out" >>"$dir/text" 2>&1
		cat "$dir/out/metadata" "$dir/noise" >>"$dir/text"
		tr -d '\t' <"$dir/text" | "$top/tests/lib/control-bytes" || { echo "$region"; return 1; }
	done
	return 0
}

pipes_are_refused() {
	exits 2 export --to ctf -o - "$dir/golden/whole" && exits 2 export --to trace.dat -o - "$dir/golden/whole"
}

what_exists_is_refused() {
	mkdir "$dir/taken" && : >"$dir/file" && ln -s "$dir/never" "$dir/link" || return 1
	for to in ctf trace.dat; do
		for out in taken file link; do
			exits 3 export --to "$to" -o "$dir/$out" "$dir/golden/whole" || return 1
		done
	done
	[ -z "$(ls "$dir/taken")" ] && [ ! -s "$dir/file" ] && [ ! -e "$dir/never" ]
}

a_full_disk_leaves_nothing() {
	for to in ctf trace.dat json; do
		rm -rf "$dir/out"
		( ulimit -f 1; exits 3 export --to "$to" -o "$dir/out" "$dir/golden/mce-storm-gap" ) || return 1
		[ ! -e "$dir/out" ] || { echo "$to is still there"; return 1; }
	done
}

mkdir "$dir/golden"
"$top/tests/golden/mkregion" "$top"/tests/golden/*.region "$dir/golden/" || exit 99
for claim in golden_regions_are_the_same_events a_channel_that_moves_is_one_in_ctf callers_are_as_many_as_there_were \
	a_newline_ends_a_marker_and_is_no_question windows_are_the_same_events dumps_are_the_same_events \
	losses_are_told withheld_marks_are_told what_has_no_place_is_counted a_synthetic_event_has_its_text no_control_byte_gets_through \
	pipes_are_refused what_exists_is_refused a_full_disk_leaves_nothing; do
	ok $claim $claim
done
finish
