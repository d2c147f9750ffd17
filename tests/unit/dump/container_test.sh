#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The golden regions in dumps of other machines: each gives what it gives by itself.
# shellcheck disable=SC2317
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../../..
epitaph=$top/extractor/epitaph
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nr=0
failed=0

# told_of FILE: the report of it without its path, and the exit status.
told_of() {
	"$epitaph" report --json --all --damaged "$1" 2>/dev/null
	echo "$?"
}

# same NAME WRAP...: every region in that dump.
same() {
	claim=$1
	shift
	nr=$((nr + 1))
	lacks=
	for region in "$dir"/golden/*; do
		"$top/tests/lib/wrap" "$@" "$region" "$dir/dump" || lacks="wrap $*"
		told_of "$region" >"$dir/one"
		told_of "$dir/dump" >"$dir/two"
		cmp "$dir/one" "$dir/two" >"$dir/said" 2>&1 || lacks="$lacks $(basename "$region")"
	done
	if [ -z "$lacks" ]; then
		echo "ok $nr - container__$claim"
	else
		echo "not ok $nr - container__$claim: $lacks"
		failed=$((failed + 1))
	fi
}

mkdir "$dir/golden"
for name in whole big-endian torn-in-the-middle overwritten symbols hostile-texts; do
	"$top/tests/golden/mkregion" "$top/tests/golden/$name.region" "$dir/golden/$name" || exit 99
done
same x86_elf elf
same arm64_elf elf --machine aarch64
same s390x_elf elf --machine s390x --big
same ppc64_elf elf --machine ppc64 --big
same x86_kdump kdump
same arm64_kdump_of_16k_pages kdump --machine aarch64 --page 16384
same arm64_kdump_of_64k_pages kdump --machine aarch64 --page 65536
same s390x_kdump kdump --machine s390x --big
same ppc64_kdump_of_64k_pages kdump --machine ppc64 --big --page 65536
same flattened_elf elf --machine s390x --big --flatten 1000
same flattened_kdump kdump --machine aarch64 --page 65536 --flatten 3000
same lime lime
same core_of_a_process process
same s390_dump s390
same extended_s390_dump s390-extended

# cut FORM: a stretch that ends early is said, and what is there is read.
cut() {
	nr=$((nr + 1))
	"$top/tests/lib/wrap" "$1" "$dir/golden/whole" "$dir/dump"
	truncate -s -4000 "$dir/dump"
	if "$epitaph" info "$dir/dump" 2>&1 | grep -q 'file lacks *the file is truncated at byte [0-9]* of [0-9]*$'; then
		echo "ok $nr - container__cut_$1_is_said"
	else
		echo "not ok $nr - container__cut_$1_is_said"
		failed=$((failed + 1))
	fi
}
cut lime
cut s390
cut s390-extended

# says FORM PLACE BYTES WORDS: with these bytes there, the dump is said to be that.
says() {
	nr=$((nr + 1))
	"$top/tests/lib/wrap" "$1" "$dir/golden/whole" "$dir/dump"
	# shellcheck disable=SC2059 # bytes
	printf "$3" | dd of="$dir/dump" bs=1 seek="$2" conv=notrunc 2>/dev/null
	if "$epitaph" info "$dir/dump" 2>&1 | grep -qE "$4"; then
		echo "ok $nr - container__$1_$2_is_said"
	else
		echo "not ok $nr - container__$1_$2_is_said"
		failed=$((failed + 1))
	fi
}
says s390 92 '\001' 'is one volume of a dump; make one file of all: zgetdump'
says s390 75 '\001' 'architecture 1: expected 2, 64 bits'
says s390-extended $((0x1018)) '\001' 'has compressed memory, which is not read'
says s390-extended $((0x3000)) '\001' 'byte 12288: memory from 0x100000000100000, .* what lies behind is not read'
"$top/tests/lib/wrap" s390 "$dir/golden/whole" "$dir/dump"
says s390 $(($(stat -c %s "$dir/dump") - 16)) 'NO' 'no end mark at byte [0-9]*: the dump was not finished'

# cut_behind: the stretches behind the region are cut off, at any place; check says so.
cut_behind() {
	nr=$((nr + 1))
	"$top/tests/lib/wrap" lime "$dir/golden/whole" "$dir/uncut"
	"$epitaph" check "$dir/uncut" >"$dir/of-uncut" 2>&1
	status=$?
	for bytes in 1 4000 4096 4100 4127; do
		cp "$dir/uncut" "$dir/dump"
		truncate -s -$bytes "$dir/dump"
		"$epitaph" check "$dir/dump" >"$dir/of-cut" 2>&1
		if [ $? != 1 ] || ! grep -qE 'the file is truncated at byte|within a LiME header' "$dir/of-cut"; then
			echo "not ok $nr - container__what_is_cut_behind_the_region_is_said # $bytes bytes, $status uncut"
			failed=$((failed + 1))
			return
		fi
	done
	echo "ok $nr - container__what_is_cut_behind_the_region_is_said"
}
cut_behind

# many_stretches: what lies behind the last stretch that is read is said.
many_stretches() {
	nr=$((nr + 1))
	"$top/tests/lib/wrap" lime "$dir/golden/whole" "$dir/dump"
	python3 -c 'import struct, sys
for at in range(1 << 40, (1 << 40) + (2 << 18), 2):
    sys.stdout.buffer.write(struct.pack("<IIQQQ", 0x4c694d45, 1, at, at, 0) + b"x")' >>"$dir/dump"
	"$epitaph" info "$dir/dump" >"$dir/of-many" 2>&1
	if grep -q 'file lacks *more than 262144 stretches of memory: what lies behind byte [0-9]* is not read$' "$dir/of-many"; then
		echo "ok $nr - container__what_lies_behind_the_last_stretch_is_said"
	else
		echo "not ok $nr - container__what_lies_behind_the_last_stretch_is_said"
		sed 's/^/# /' "$dir/of-many"
		failed=$((failed + 1))
	fi
}
many_stretches
echo "1..$nr"
exit $((failed != 0))
