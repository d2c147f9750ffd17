#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A directory of parts, as pstore shows it and as systemd-pstore moves it.
# shellcheck disable=SC2317
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../../..
epitaph=$top/extractor/epitaph
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nr=0
failed=0

ok() {
	claim=$1
	shift
	nr=$((nr + 1))
	rm -rf "$dir/run" && mkdir "$dir/run"
	if ( cd "$dir/run" && "$top/tests/golden/mkparts" ../image 3000 parts && "$@" ) >"$dir/said" 2>&1; then
		echo "ok $nr - parts__$claim"
	else
		echo "not ok $nr - parts__$claim"
		sed 's/^/# /' "$dir/said"
		failed=$((failed + 1))
	fi
}

# exits STATUS ARGUMENT...
exits() {
	want=$1
	shift
	timeout 600 "$epitaph" "$@"
	[ $? -eq "$want" ] || { echo "epitaph $*: not $want"; return 1; }
}

# The report of the parts is that of the region: but for its name in messages.
same_report() {
	exits 0 report --all "$@" parts >got && "$epitaph" report --all "$@" ../image | diff - got
}

they_are_the_region() {
	same_report && same_report --generation 3 && exits 0 check parts
}

only_the_content_counts() {
	n=0
	for file in parts/*; do
		n=$((n + 1))
		mkdir -p "parts/17000000$n/x" && mv "$file" "parts/17000000$n/x/file $n" || return 1
	done
	echo "Panic#1 Part1" >parts/dmesg-epitaph-300001 && : >parts/empty &&
		ln -s / parts/link && mkfifo parts/fifo && same_report
}

twice_the_same_is_once() {
	cp -r parts copy && mv copy parts/again && same_report
}

another_division_overlaps_and_agrees() {
	"$top/tests/golden/mkparts" ../image 7777 more && mv more parts/ && same_report
}

a_part_that_lacks_is_told() {
	rm parts/pmsg-epitaph-500005 && exits 1 report --all parts >got 2>noise &&
		grep -q "generation 5: 6 of 7 parts are there; 3000 of 20480 bytes are missing" got &&
		exits 0 report --all --generation 3 parts
}

a_damaged_part_is_a_hole() {
	printf X | dd of=parts/pmsg-epitaph-500005 bs=1 seek=600 conv=notrunc status=none &&
		exits 1 report --all parts >got 2>noise &&
		grep -q "500005: a part that cannot be used: its check does not hold" got &&
		! grep -q value=2 got
}

a_cut_part_is_told() {
	truncate -s 1000 parts/pmsg-epitaph-500005 && exits 1 check parts >got &&
		grep -q "it ends before byte 3128" got
}

without_the_first_part_the_copy_serves() {
	rm parts/pmsg-epitaph-500001 && exits 1 report --all parts >got && grep -q "its copy serves" got
}

numbers_that_cannot_be_are_told() {
	for file in parts/*5000*; do
		printf '\377\377\377\377' | dd of="$file" bs=1 seek=60 conv=notrunc status=none
	done
	exits 0 report --all parts >got && grep -q "^# generation: 3" got &&
		exits 0 info parts | grep -q "lie outside the generation"
}

a_newer_format_is_told() {
	for file in parts/*; do
		printf '\2' | dd of="$file" bs=1 seek=8 conv=notrunc status=none
	done
	exits 5 report parts 2>got
	grep -q "the format is version 2.1" got
}

a_directory_without_parts_names_what_is_there() {
	rm parts/* && exits 4 report parts 2>got && grep -q "is a directory without files" got &&
		: >parts/dmesg-efi-1 && exits 4 report parts 2>got && grep -q "dmesg-efi-1" got
}

save_gives_back_the_newest() {
	exits 0 save -o saved parts && tail -c +20481 ../image | cmp - saved/region
}

both_generations_are_listed() {
	exits 0 info --json parts | jq -e '[.generations[].number] == [3, 5]'
}

"$top/tests/golden/mkregion" "$top/tests/golden/generations-numbered.region" "$dir/image" || exit 99
for claim in they_are_the_region only_the_content_counts twice_the_same_is_once \
	another_division_overlaps_and_agrees a_part_that_lacks_is_told a_damaged_part_is_a_hole \
	a_cut_part_is_told without_the_first_part_the_copy_serves numbers_that_cannot_be_are_told \
	a_newer_format_is_told a_directory_without_parts_names_what_is_there \
	save_gives_back_the_newest both_generations_are_listed; do
	ok $claim $claim
done
echo "1..$nr"
exit $((failed != 0))
