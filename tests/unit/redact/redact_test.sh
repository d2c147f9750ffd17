#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a redacted generation still has, and what it must not have.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
golden=$top/tests/golden

# what_stays FILE: times, places and kinds of all events
what_stays() {
	"$epitaph" export --to json --all -o - "$1" 2>/dev/null | tail -n +2 |
		jq -c '[.ts_ns, .wall_ns, .cpu, .channel, .event, .marks, (.fields // {} | keys)]'
}

no_secret_remains() {
	"$here/canaries" make "$dir/secrets.text" && cp "$golden/clock.inc" "$dir" &&
		"$golden/mkregion" "$dir/secrets.text" "$dir/secrets" &&
		"$here/canaries" look-clear "$dir/secrets" &&
		exits 1 redact -o "$dir/secrets.redacted" "$dir/secrets" &&
		"$here/canaries" look "$dir/secrets.redacted" &&
		exits 1 report --all "$dir/secrets.redacted" >"$dir/printed" 2>&1 || return 1
	"$epitaph" info --json "$dir/secrets.redacted" >>"$dir/printed" 2>&1
	grep -q '^# died: x' "$dir/printed" && "$here/canaries" look "$dir/printed"
}

# Whole, as it was: times, event kinds and sizes are the same.
events_stay() {
	for text in whole big-endian overwritten long-and-time time-wrap lost-events done-not-summed \
		torn-in-the-middle half-closed packed packed-big-endian packed-tasks packed-tasks-big-endian synthetic print-of-two-lines kernel-log pstore-records mce-fatal mce-storm-gap; do
		"$golden/mkregion" "$golden/$text.region" "$dir/$text" && rm -f "$dir/copy" || return 1
		"$epitaph" redact -o "$dir/copy" "$dir/$text"
		[ "$(stat -c %s "$dir/copy")" = "$(stat -c %s "$dir/$text")" ] || return 1
		! "$epitaph" check "$dir/$text" 2>/dev/null || "$epitaph" check "$dir/copy" || return 1
		what_stays "$dir/$text" >"$dir/before"
		what_stays "$dir/copy" >"$dir/after"
		if [ ! -s "$dir/before" ] || ! diff "$dir/before" "$dir/after"; then
			echo "$text"
			return 1
		fi
	done
}

# A pid inside an event id has no pseudonym: it is removed.
small_ones_that_tell_a_pid_are_gone() {
	mkdir -p "$dir/pids" && cp "$golden"/*.inc "$golden/packed.region" "$dir/pids" || return 1
	sed -i 's/int vec;/int pid;/; s/REC->vec/REC->pid/g' "$dir/pids/packings.inc"
	"$golden/mkregion" "$dir/pids/packed.region" "$dir/pids/packed" &&
		exits 1 redact -o "$dir/pids/copy" "$dir/pids/packed" || return 1
	"$epitaph" report --all "$dir/pids/packed" | grep -c 'vec=1$' &&
		what_stays "$dir/pids/copy" | grep -c epitaph:packed | grep -qx 5 &&
		! what_stays "$dir/pids/copy" | grep -E 'softirq|behind' &&
		! "$epitaph" report --all "$dir/pids/copy" | grep -E 'number=(483|484|491|511)'
}

# switches_of FILE: the tasks of its switches, "name pid priority"
switches_of() {
	"$epitaph" export --to json --all -o - "$1" 2>/dev/null | tail -n +2 |
		jq -r 'select(.event == "sched:sched_switch").fields | "\(.prev_comm) \(.prev_pid) \(.prev_prio)",
			"\(.next_comm) \(.next_pid) \(.next_prio)"'
}

# One in a slot and one in the event itself; a name and its pid have the same pseudonyms everywhere.
tasks_of_packed_events_are_others() {
	for name in packed-tasks packed-tasks-big-endian; do
		rm -f "$dir/copy"
		"$golden/mkregion" "$golden/$name.region" "$dir/tasks" &&
			"$epitaph" redact -o "$dir/copy" "$dir/tasks" || return 1
		switches_of "$dir/tasks" >"$dir/before"
		switches_of "$dir/copy" >"$dir/after"
		grep -c '^worker 101 120$' "$dir/before" && grep -c '^fifteen letters 2147483647 -1$' "$dir/before" &&
			! grep -E 'worker|letters| 101 | 2147483647 ' "$dir/after" || return 1
		! strings "$dir/copy" | grep -E 'worker|fifteen' || return 1
		paste -d: "$dir/before" "$dir/after" | sort -u >"$dir/pairs"
		cat "$dir/pairs"
		[ "$(wc -l <"$dir/pairs")" = 3 ] && grep -qE '^worker 101 120:[^ ]+ [1-9][0-9]* 120$' "$dir/pairs" &&
			grep -qE '^fifteen letters 2147483647 -1:.* [1-9][0-9]* -1$' "$dir/pairs" &&
			grep -qx ' 0 120: 0 120' "$dir/pairs" || return 1
	done
}

one_key_gives_the_same_names() {
	head -c 16 /dev/urandom >"$dir/key" && head -c 16 /dev/urandom >"$dir/key2" &&
		exits 1 redact --key "$dir/key" -o "$dir/a" "$dir/secrets" &&
		exits 1 redact --key "$dir/key" -o "$dir/b" "$dir/secrets" &&
		exits 1 redact --key "$dir/key2" -o "$dir/c" "$dir/secrets" &&
		exits 1 redact -o "$dir/d" "$dir/secrets" &&
		cmp "$dir/a" "$dir/b" && ! cmp -s "$dir/a" "$dir/c" && ! cmp -s "$dir/a" "$dir/d"
}

# records_of FILE: what info says of them and of damage.
records_of() {
	"$epitaph" info "$1" 2>&1 | grep -E '^(record|damage) '
}

records_go_into_their_own_section() {
	cp "$golden"/*.inc "$dir" && cp "$golden/pstore-records.region" "$dir/two.text" &&
		printf 'section records unit=8192\nzero 8192\n' >>"$dir/two.text" || return 1
	for region in "$golden/pstore-records.region" "$dir/two.text"; do
		"$golden/mkregion" "$region" "$dir/records" && rm -f "$dir/copy" || return 1
		"$epitaph" redact --key "$dir/key" -o "$dir/copy" "$dir/records" 2>/dev/null
		records_of "$dir/copy" >"$dir/$(basename "$region").records"
	done
	cat "$dir/two.text.records"
	grep -c 'compressed' "$dir/two.text.records" && cmp "$dir/pstore-records.region.records" "$dir/two.text.records"
}

# The copies of a fixed key are those of copies.expect, which an earlier epitaph made.
a_copy_without_a_profile_is_as_it_was() {
	names="whole big-endian packed packed-big-endian synthetic symbols context channels copies user-marks
		kernel-log log-at-boot mce-fatal marks-and-crash died-of-a-bug died-of-hostile-words
		hostile-formats hostile-texts bridge taken secrets"
	mkdir -p "$dir/pins" && printf 'sixteen bytes!!!' >"$dir/pins/key" || return 1
	for name in $names; do
		case $name in
		secrets) cp "$dir/secrets" "$dir/pins/from" ;;
		*) "$golden/mkregion" "$golden/$name.region" "$dir/pins/from" ;;
		esac || return 1
		"$epitaph" redact --key "$dir/pins/key" -o "$dir/pins/$name" "$dir/pins/from"
	done
	# shellcheck disable=SC2086
	( cd "$dir/pins" && "$here/pins" "$epitaph" $names ) >"$dir/pinned" &&
		diff "$here/copies.expect" "$dir/pinned"
}

it_is_private_and_never_over_another_file() {
	[ "$(stat -c %a "$dir/a")" = 400 ] && exits 3 redact -o "$dir/a" "$dir/secrets" &&
		ln -s "$dir/nowhere" "$dir/link" && exits 3 redact -o "$dir/link" "$dir/secrets" &&
		[ ! -e "$dir/nowhere" ]
}

what_fails_leaves_nothing() {
	: >"$dir/empty"
	exits 4 redact -o "$dir/none" "$dir/empty" && exits 2 redact "$dir/secrets" &&
		exits 2 redact -o "$dir/none" --key "$dir/empty" "$dir/secrets" &&
		exits 2 redact -o "$dir/none" "$dir/secrets" "$dir/a" && [ ! -e "$dir/none" ]
}

# Of a ring, the last sub-buffer is not in the file.
what_is_not_in_the_file_is_not_claimed() {
	"$golden/mkregion" "$golden/overwritten.region" "$dir/short" || return 1
	end=$("$epitaph" info --json "$dir/short" | jq '.sections[] | select(.name == "ring") | .offset + .size')
	truncate -s $((end - 100)) "$dir/short" &&
		exits 1 redact -o "$dir/short.copy" "$dir/short" && exits 1 check "$dir/short.copy" || return 1
	"$epitaph" report --all "$dir/short.copy" 2>&1 | grep '^# CPU 0:.*damaged'
}

no_copy_goes_to_standard_output() {
	( cd "$dir" && exits 2 redact -o - "$dir/secrets" && exits 2 save -o - "$dir/secrets" && [ ! -e - ] )
}

# A slot whose owner is known, and which is empty.
that_programs_rings_are_left_out_is_said() {
	cp "$golden"/formats.inc "$golden"/clock.inc "$dir" && cat >"$dir/rings.region" <<'END' || return 1
header minor=4
include formats.inc
include clock.inc
section counters
u64 0 0xffffffffffffffff 0 0xffffffffffffffff
zero 32
section added
entry 128
	u64 0x4200 73728 0
	u32 3 3 4096 1 0 0
	u64 1500000000
	text 32 "programs"
	u64 0 0x4000
	zero 16
end
section ring cpu=0 channel=1 unit=512 index=0
sub seq=1 time=2000000000 pid=5
	event 16 time=2000000100 : u64 1
section pool
entry 128
	u64 1 77 1500000000
	u32 9 9 0 0
	text 16 "shopper"
	text 16 "shop"
	text 32 "orders"
	zero 16
end
zero 384
zero 73728
END
	"$golden/mkregion" "$dir/rings.region" "$dir/rings" || return 1
	for profile in --key "--profile public --key"; do
		rm -f "$dir/rings.out"
		# shellcheck disable=SC2086
		"$epitaph" redact $profile "$dir/key" -o "$dir/rings.out" "$dir/rings" >"$dir/said" &&
			grep -q '; without 1 ring of programs' "$dir/said" || return 1
	done
	"$epitaph" redact --profile public --dry-run "$dir/rings" | grep -q '^# without 1 ring of programs'
}

a_full_disk_leaves_nothing() {
	( ulimit -f 2; exits 3 redact -o "$dir/full" "$dir/secrets" ) && [ ! -e "$dir/full" ]
}

ok no_secret_remains no_secret_remains
ok events_stay events_stay
ok small_ones_that_tell_a_pid_are_gone small_ones_that_tell_a_pid_are_gone
ok tasks_of_packed_events_are_others tasks_of_packed_events_are_others
ok one_key_gives_the_same_names one_key_gives_the_same_names
ok records_go_into_their_own_section records_go_into_their_own_section
ok a_copy_without_a_profile_is_as_it_was a_copy_without_a_profile_is_as_it_was
ok it_is_private_and_never_over_another_file it_is_private_and_never_over_another_file
ok what_fails_leaves_nothing what_fails_leaves_nothing
ok what_is_not_in_the_file_is_not_claimed what_is_not_in_the_file_is_not_claimed
ok no_copy_goes_to_standard_output no_copy_goes_to_standard_output
ok that_programs_rings_are_left_out_is_said that_programs_rings_are_left_out_is_said
ok a_full_disk_leaves_nothing a_full_disk_leaves_nothing
finish
