#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph capture: what a hook of kdump leaves on disk, and what one that is stopped leaves to the next.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
golden=$top/tests/golden
trap 'umount "$dir/small" 2>/dev/null; rm -rf "$dir"' EXIT

# on_clean CLAIM: a function of that name, with nothing of the one before left
on_clean() {
	rm -rf "$dir/out"
	ok "$1" "$1"
}

# exits STATUS OUT [FILE]
exits() {
	want=$1
	shift
	"$epitaph" capture -o "$@" >"$dir/told" 2>&1
	status=$?
	cat "$dir/told"
	[ "$status" -eq "$want" ] || { echo "capture -o $*: not $want"; return 1; }
}

the_only() {
	[ $# -eq 1 ] && [ -e "$1" ] && echo "$1"
}
saved() { the_only "$dir"/out/epitaph-*; }
names() { find "$(saved)" -mindepth 1 -printf '%f %m\n' | sort | tr '\n' ' '; }

own=$(uname -n | tr -c 'a-zA-Z0-9\n-' _)
content() { zstd -dcq "$1"; }

everything_is_there() {
	exits 0 "$dir/out" "$dir/whole" && content "$(saved)/region" | cmp - "$dir/whole" || return 1
	[ "$(names)" = "region 400 summary.txt 400 " ] || return 1
	[ "$(stat -c %a "$(saved)")" = 700 ] || return 1
	"$epitaph" report --events 40 "$dir/whole" | cmp - "$(saved)/summary.txt"
}

machine_checks_are_a_text() {
	exits 0 "$dir/out" "$dir/mce-fatal" &&
		"$epitaph" mce "$dir/mce-fatal" | cmp - "$(saved)/mce.txt"
}

# In the report, the summary and the file itself; of the region alone there is nothing to name.
why_it_died_is_a_text() {
	exits 0 "$dir/out" "$dir/mce-fatal" &&
		[ "$(names)" = "mce.txt 400 region 400 summary.txt 400 why.txt 400 " ] &&
		"$epitaph" explain "$dir/mce-fatal" | sed -n '/^how sure /q; s/^why  *//p; s/^          //p' | tr '\n' ' ' | sed 's/ $//' >"$dir/claim" &&
		[ "$(cat "$(saved)/why.txt")" = "$(cat "$dir/claim")" ] && grep . "$dir/claim" &&
		"$epitaph" report "$(saved)/region" | grep -xF "# why: $(cat "$dir/claim")" &&
		grep -xF "# why: $(cat "$dir/claim")" "$(saved)/summary.txt" &&
		! "$epitaph" report "$dir/mce-fatal" | grep '^# why: '
}

# What another has put there is shown as text, cut, and never followed.
a_strange_reason_is_harmless() {
	exits 0 "$dir/out" "$dir/mce-fatal" && rm -f "$(saved)/why.txt" && ln -s "$dir/whole" "$(saved)/why.txt" &&
		! "$epitaph" report "$(saved)/region" | grep '^# why: ' && rm "$(saved)/why.txt" && mkfifo "$(saved)/why.txt" &&
		! timeout 60 "$epitaph" report "$(saved)/region" | grep '^# why: ' && rm "$(saved)/why.txt" &&
		{ printf '\033]0;x\007'; head -c 400 /dev/zero | tr '\0' a; } >"$(saved)/why.txt" &&
		"$epitaph" report "$(saved)/region" | grep '^# why: ' >"$dir/why" && grep -F '\x1b]0;x\x07aaa' "$dir/why" &&
		grep -q 'aaa\.\.\.$' "$dir/why" && [ "$(wc -c <"$dir/why")" -lt 180 ]
}

damage_is_1() {
	exits 1 "$dir/out" "$dir/damaged-payload" && [ -s "$(saved)/summary.txt" ]
}

again() { exits 0 "$dir/out" "$dir/whole" && grep '^captured before, in ' "$dir/told"; }

# A wrong setting is reported. The trace is saved all the same, with status 0.
the_oldest_of_too_many_are_removed() {
	old=$dir/out/epitaph-00010203-0405-0607-0809-0a0b0c0d0e0f-20200101T000000Z
	mkdir -p "$old" "$dir/out/202001010000" "$dir/etc" && echo old >"$old/region" && echo dump >"$dir/out/202001010000/dump" || return 1
	touch -d 2020-01-01 "$old/region"
	echo COUNT=one >"$dir/etc/retention.conf"
	exits 0 "$dir/out" --etc "$dir/etc" "$dir/whole" && grep -q 'line 1: no number' "$dir/told" && [ -d "$old" ] || return 1
	echo COUNT=1 >"$dir/etc/retention.conf"
	exits 0 "$dir/out" --etc "$dir/etc" "$dir/whole" && [ ! -e "$old" ] && [ -n "$(saved)" ] &&
		[ -e "$dir/out/202001010000/dump" ]
}

the_next_hook_has_nothing_to_do() {
	exits 0 "$dir/out" "$dir/whole" && find "$dir/out" -type f -printf '%p %i %T@\n' | sort >"$dir/before" &&
		again && find "$dir/out" -type f -printf '%p %i %T@\n' | sort | cmp - "$dir/before"
}

# Stopped between the name and the texts, or in the middle of one.
the_next_hook_makes_what_lacks() {
	exits 0 "$dir/out" "$dir/whole" && rm "$(saved)/summary.txt" && echo half >"$(saved)/.summary.txt" &&
		again && [ "$(names)" = "region 400 summary.txt 400 " ] &&
		"$epitaph" report --events 40 "$dir/whole" | cmp - "$(saved)/summary.txt"
}

what_was_left_over_is_removed() {
	half=$dir/out/.epitaph-$own.0123456789abcdef
	mkdir -p "$half" && echo half >"$half/region" &&
		exits 0 "$dir/out" "$dir/whole" && [ "$(find "$dir/out" -mindepth 1 -maxdepth 1 | wc -l)" = 1 ]
}

# On a server that hosts share, one may be at work while another begins.
what_another_host_fills_stays() {
	half=$dir/out/.epitaph-${own}x.0123456789abcdef
	mkdir -p "$half" && echo half >"$half/region" && exits 0 "$dir/out" "$dir/whole" && [ -s "$half/region" ]
}

# as_another_user NAME...: a directory of another user's for each, with one in it, which keeps it
as_another_user() {
	for name; do
		mkdir -p "$dir/out/$name/x" && chown -R 65534 "$dir/out/$name" || return 1
	done
}

# Another user has made what our process would make, and what its trace will be called.
what_another_user_has_made_is_not_entered() {
	mkdir "$dir/out" && chmod 1777 "$dir/out" || return 1
	exits 0 "$dir/out" "$dir/whole" && final=$(basename "$(saved)") && rm -rf "$dir/out/$final" || return 1
	# The PIDs of the next 50 processes.
	sh -c 'echo $$' >"$dir/pid" && read -r pid <"$dir/pid"
	# shellcheck disable=SC2046
	as_another_user $(seq -f .epitaph-%.0f "$pid" $((pid + 500))) "$final" $(seq -f "$final.%.0f" 1 99) || return 1
	exits 0 "$dir/out" "$dir/whole" && place=$(sed -n 's/^captured \(.*\): [0-9].*/\1/p' "$dir/told") &&
		[ "$(stat -c %u "$place")" = "$(id -u)" ] && content "$place/region" | cmp - "$dir/whole"
}

# The same bytes in a directory of another user, who may remove them.
what_another_user_holds_is_not_taken_for_saved() {
	exits 0 "$dir/out" "$dir/whole" && first=$(saved) && chown 65534 "$first" &&
		exits 0 "$dir/out" "$dir/whole" && grep '^captured /' "$dir/told" && [ "$(stat -c %u "$first.1")" = "$(id -u)" ]
}

another_trace_of_that_name_stays() {
	exits 0 "$dir/out" "$dir/whole" && first=$(saved) && chmod 600 "$first/region" &&
		printf x | dd of="$first/region" bs=1 seek=4096 conv=notrunc 2>/dev/null &&
		sum=$(sha256sum <"$first/region") && exits 0 "$dir/out" "$dir/whole" &&
		[ "$(sha256sum <"$first/region")" = "$sum" ] && content "$first.1/region" | cmp - "$dir/whole"
}

nothing_of_ours_is_4() {
	exits 4 "$dir/out" "$here/capture_test.sh" && [ -z "$(ls -A "$dir/out")" ]
}

a_format_of_the_future_is_5() {
	exits 5 "$dir/out" "$dir/unknown-incompat-bit" && [ -z "$(ls -A "$dir/out")" ]
}

no_vmcore_is_3() {
	exits 3 "$dir/out" && grep '/proc/vmcore: cannot open' "$dir/told" && [ -z "$(ls -A "$dir/out")" ]
}

on_a_disk_of() {
	umount "$dir/small" 2>/dev/null
	mount -t tmpfs -o "size=$1" tmpfs "$dir/small"
}

no_room_for_the_region_leaves_nothing() {
	on_a_disk_of 4k && echo full >"$dir/small/file" && exits 3 "$dir/small" "$dir/whole" &&
		grep 'No space left' "$dir/told" && [ "$(ls -A "$dir/small")" = file ]
}

# Two older ones, of which the first goes.
older_traces_make_room() {
	on_a_disk_of 704k || return 1
	for day in 1 2; do
		old=$dir/small/epitaph-generation-$day-2022010${day}T000000Z
		mkdir "$old" && head -c 350k /dev/zero >"$old/region" && touch -d "2022-01-0$day" "$old/region" || return 1
	done
	exits 0 "$dir/small" --keep-size 0 "$dir/whole" && grep 'removed .*/epitaph-generation-1-.*, the oldest, to make room' "$dir/told" &&
		[ -d "$dir/small/epitaph-generation-2-20220102T000000Z" ] && content "$dir"/small/epitaph-0*/region | cmp - "$dir/whole"
}

# ten_old BYTES: that each has
ten_old() {
	for day in 0 1 2 3 4 5 6 7 8 9; do
		old=$dir/small/epitaph-generation-$day-2022010${day}T000000Z
		mkdir "$old" && head -c "$1" /dev/zero >"$old/region" && touch -d "2022-01-1$day" "$old/region" || return 1
	done
}
old_ones_left() { find "$dir/small" -maxdepth 1 -name 'epitaph-generation-*' | wc -l; }

# Compressed, the new one takes little of what it takes in memory. No more go than it needs.
only_as_many_go_as_the_compressed_one_needs() {
	on_a_disk_of 80k && ten_old 8192 && exits 0 "$dir/small" --keep-size 0 --keep 0 "$dir/whole"
	left=$(old_ones_left)
	echo "$left of 10 are left"
	content "$dir"/small/epitaph-0*/region | cmp - "$dir/whole" && [ "$left" -ge 8 ]
}

# Not bytes are what lacks, but inodes: two each, and one of the root. Two are not enough for the texts.
inodes_that_lack_are_made_as_well() {
	on_a_disk_of 8m,nr_inodes=21 && ten_old 100 || return 1
	exits 3 "$dir/small" --keep-size 0 --keep 0 "$dir/whole" || return 1
	left=$(old_ones_left)
	echo "$left of 10 are left"
	content "$dir"/small/epitaph-0*/region | cmp - "$dir/whole" && [ "$left" = 9 ]
}

# The clock was set back by ten hours since the last one was saved.
what_is_saved_last_is_the_newest() {
	old=$dir/out/epitaph-generation-1-20220101T000000Z
	mkdir -p "$old" && echo old >"$old/region" && touch -d '10 hours' "$old/region" || return 1
	exits 0 "$dir/out" "$dir/whole" && [ -n "$(find "$dir"/out/epitaph-0*/region -newer "$old/region")" ]
}

# One budget for what kdump's hooks have captured and what was harvested, on one file system.
harvests_count_as_well() {
	old=$dir/harvests/generation-1-20220101T000000Z
	mkdir -p "$old" && echo old >"$old/region" && touch -d 2022-01-01 "$old/region" || return 1
	exits 0 "$dir/out" --keep 1 "$dir/whole" && [ -d "$old" ] &&
		exits 0 "$dir/out" --keep 1 --harvests "$dir/harvests" "$dir/whole" && [ ! -e "$old" ] &&
		grep "^removed $dir/harvests/generation-1-.*, the oldest of too many" "$dir/told" && [ -n "$(saved)" ]
}

# A harvest that is under way has that directory to itself.
harvests_of_another_at_work_stay() {
	old=$dir/harvests/generation-1-20220101T000000Z
	mkdir -p "$old" && echo old >"$old/region" && touch -d 2022-01-01 "$old/region" || return 1
	flock "$dir/harvests" "$epitaph" capture -o "$dir/out" --keep 1 --harvests "$dir/harvests" "$dir/whole" && [ -d "$old" ]
}

# On a disk that they fill, harvested ones make room as well; they do not on another disk.
harvests_make_room() {
	on_a_disk_of 704k && mkdir "$dir/small/harvests" "$dir/small/out" && mkdir -p "$dir/other" || return 1
	for day in 1 2; do
		old=$dir/small/harvests/generation-$day-2022010${day}T000000Z
		mkdir "$old" && head -c 350k /dev/zero >"$old/region" && touch -d "2022-01-0$day" "$old/region" || return 1
	done
	exits 3 "$dir/small/out" --keep-size 0 --harvests "$dir/other" "$dir/whole" && [ "$(find "$dir/small/harvests" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ] &&
		exits 0 "$dir/small/out" --keep-size 0 --harvests "$dir/small/harvests" "$dir/whole" &&
		grep 'removed .*/harvests/generation-1-.*, the oldest, to make room' "$dir/told" &&
		[ "$(ls "$dir/small/harvests")" = generation-2-20220102T000000Z ]
}

# Room for one file, and its directories.
no_room_for_a_text_keeps_the_region() {
	on_a_disk_of 8m,nr_inodes=3 && exits 3 "$dir/small" "$dir/whole" &&
		grep 'summary.txt could not be written' "$dir/told" &&
		content "$dir"/small/epitaph-*/region | cmp - "$dir/whole" &&
		[ "$(ls -A "$dir"/small/epitaph-*)" = region ]
}

for name in whole mce-fatal damaged-payload unknown-incompat-bit; do
	"$golden/mkregion" "$golden/$name.region" "$dir/$name" || exit 1
done
mkdir "$dir/small"

on_clean everything_is_there
on_clean machine_checks_are_a_text
on_clean why_it_died_is_a_text
on_clean a_strange_reason_is_harmless
on_clean damage_is_1
on_clean the_next_hook_has_nothing_to_do
on_clean the_next_hook_makes_what_lacks
on_clean what_was_left_over_is_removed
on_clean what_another_host_fills_stays
if [ "$(id -u)" = 0 ]; then
	on_clean what_another_user_has_made_is_not_entered
	on_clean what_another_user_holds_is_not_taken_for_saved
fi
on_clean another_trace_of_that_name_stays
on_clean nothing_of_ours_is_4
on_clean a_format_of_the_future_is_5
on_clean no_vmcore_is_3
on_clean the_oldest_of_too_many_are_removed
on_clean what_is_saved_last_is_the_newest
on_clean harvests_count_as_well
on_clean harvests_of_another_at_work_stay
if [ "$(id -u)" = 0 ] && on_a_disk_of 64k 2>/dev/null; then
	on_clean no_room_for_the_region_leaves_nothing
	on_clean older_traces_make_room
	on_clean only_as_many_go_as_the_compressed_one_needs
	on_clean inodes_that_lack_are_made_as_well
	on_clean harvests_make_room
	on_clean no_room_for_a_text_keeps_the_region
else
	nr=$((nr + 1))
	echo "ok $nr - capture__no_room # SKIP a small disk needs root and mount"
fi
finish
