#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph snapshot -o as its user has it, beside a writer.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -I "$top/include" -I "$top/kernel/include" -I "$top/tests/lib" -o "$dir/write" "$top/tests/lib/live_write.c" \
	"$top/tests/lib/live_image.c" "$top/tests/lib/region_image.c" "$top/kernel/core/ring.c" || exit 99
"$dir/write" 5000 >"$dir/where" &
writer=$!
trap 'kill $writer 2>/dev/null; umount "$dir/small" 2>/dev/null; rm -rf "$dir"' EXIT
until [ -s "$dir/where" ]; do sleep 0.1; done
where=$(cat "$dir/where")

snapshot() {
	"$epitaph" snapshot --device "$where" "$@"
}

# Two rings of 20 sub-buffers.
until snapshot -o "$dir/filling" --json | jq -e '.sub_buffers > 30' >/dev/null; do
	rm -f "$dir/filling"
	sleep 0.1
done
rm "$dir/filling"

# refused STATUS TEXT ARGUMENT...: in these words, and nothing is left behind.
refused() {
	want=$1 text=$2
	shift 2
	before=$(find "$dir" -name '*snapshot*' -o -name 'f*' | sort)
	result=0
	"$epitaph" snapshot "$@" >"$dir/out" 2>"$dir/err" || result=$?
	cat "$dir/err"
	[ "$result" = "$want" ] && grep -qF -- "$text" "$dir/err" &&
		[ "$(find "$dir" -name '*snapshot*' -o -name 'f*' | sort)" = "$before" ]
}

it_says_what_it_copied() {
	snapshot -o "$dir/f" >"$dir/out" && cat "$dir/out" &&
		grep -qE "^copied to $dir/f: 36 KiB, [0-9]+ sub-buffers of 2 rings, up to [0-9]+\.[0-9]{6}" "$dir/out"
}

it_is_its_owner_s_alone() {
	[ "$(stat -c %a "$dir/f")" = 400 ] && [ "$(find "$dir" -name '.*' -type f | wc -l)" = 0 ]
}

check_finds_no_damage() {
	exits 0 check "$dir/f"
}

# Numbers grow by one each.
it_has_no_gap() {
	"$epitaph" export --to json -o "$dir/json" "$dir/f" &&
		jq -r 'select(.fields) | "\(.cpu) \(.fields.number)"' "$dir/json" |
		awk '($1 in last) && $2 != last[$1] + 1 { print "gap:", $0; bad = 1 }
			{ last[$1] = $2; n++ } END { print n; exit bad || n < 200 }'
}

every_command_reads_it() {
	for to in json trace.dat ctf perfetto html; do
		"$epitaph" export --to "$to" -o "$dir/$to.export$([ "$to" != trace.dat ] || echo .dat)" "$dir/f" || return 1
	done
	"$epitaph" report --all "$dir/f" | grep -q 'fixed: number=' && "$epitaph" info "$dir/f" &&
		"$epitaph" redact -o "$dir/redacted" "$dir/f" && babeltrace2 "$dir/ctf.export" | grep -q test:fixed
}

json_says_the_same() {
	snapshot main -o "$dir/fj" --json >"$dir/out" &&
		jq -e '.channel == "main" and .size == 36864 and .rings == 2 and .sub_buffers > 2 and .lost_rings == 0' "$dir/out"
}

it_is_locked_in() {
	snapshot -o "$dir/fv" -v 2>&1 >/dev/null | grep 'seccomp, memory limited'
}

no_room_is_told() {
	mkdir -p "$dir/small" && mount -t tmpfs -o size=16k none "$dir/small" || return 77
	refused 3 "$dir/small/f: cannot write at byte" --device "$where" -o "$dir/small/f"
	result=$?
	[ -z "$(ls -A "$dir/small")" ] || result=1
	umount "$dir/small"
	return "$result"
}

a_user_is_told_who_may() {
	setpriv --reuid 65534 --clear-groups "$epitaph" snapshot --device "$where" -o "$dir/fu" 2>"$dir/err"
	[ $? = 3 ] && cat "$dir/err" && grep -q 'only root may open it\|not permitted to root' "$dir/err"
}

# The other way round: what is no snapshot to a file goes to the recorder.
without_a_file_it_is_the_recorder_s() {
	refused 3 '/dev/none-control is not there: the recorder is not loaded' --device /dev/none-control main 1M
}

ok it_says_what_it_copied it_says_what_it_copied
ok it_is_its_owner_s_alone it_is_its_owner_s_alone
ok check_finds_no_damage check_finds_no_damage
ok it_has_no_gap it_has_no_gap
ok every_command_reads_it every_command_reads_it
ok json_says_the_same json_says_the_same
ok it_is_locked_in it_is_locked_in
ok a_file_that_is_there_stays refused 3 "$dir/f: File exists" --device "$where" -o "$dir/f"
ok a_link_is_not_followed sh -c "ln -s $dir/elsewhere $dir/link; ! '$epitaph' snapshot --device $where -o $dir/link && [ ! -e $dir/elsewhere ]"
ok an_unknown_channel_is_named refused 2 "there is no channel 'mian'; there are: main" --device "$where" mian -o "$dir/fn"
ok no_recorder_is_told refused 3 '/dev/none is not there: the recorder is not loaded' --device /dev/none -o "$dir/fn"
ok no_directory_is_told refused 3 "$dir/none/: No such file" --device "$where" -o "$dir/none/f"
ok a_size_is_refused refused 2 'no SIZE: 1M' --device "$where" -o "$dir/fn" main 1M
ok standard_output_is_no_file refused 2 'not the name of a file: -' --device "$where" -o -
ok a_directory_is_no_file refused 2 'not the name of a file' --device "$where" -o "$dir/"
ok what_is_no_region_is_told refused 4 /dev/null --device /dev/null -o "$dir/fn"
ok no_room_is_told no_room_is_told
ok a_user_is_told_who_may a_user_is_told_who_may
ok without_a_file_it_is_the_recorder_s without_a_file_it_is_the_recorder_s
finish
