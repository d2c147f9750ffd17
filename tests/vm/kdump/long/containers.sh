#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The vmcore of one crash in every container that makedumpfile writes, whole,
# out of room and cut: each page as libkdumpfile and makedumpfile have it, each
# trace the same, in 256 MiB.
# shellcheck disable=SC2317,SC2002,SC2015,SC2016

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record
sleep 1
crash
END
pack_guest
capture_args=capture.elf
crash_and_capture --allow 'panic - not syncing: sysrq triggered crash'

core=$saved/vmcore.elf
make -s -C "$top/extractor" lib
cc -O2 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I"$top/extractor" -I"$top/include" -I"$top/kernel/include" \
	-I"$top/tests/lib" -o "$out/pages" "$top/tests/lib/pages.c" "$top/tests/lib/dump_oracle.c" \
	"$top/build/extractor/libepitaph.a" -lkdumpfile -lzstd -llzo2 -lz -lsnappy
cd "$out"

dump() {
	rm -f "$out/log"
	makedumpfile "$@" >"$out/log" 2>&1 || { tail -n 3 "$out/log"; return 1; }
}

# trace FILE...: its trace without the name, in little memory.
trace() {
	# shellcheck disable=SC3045 # dash has it
	(ulimit -v 262144; recovers "$epitaph" report --all "$@") 2>>"$out/noise"
}

same_trace_as() {
	trace "$1" >one || return 1
	shift
	trace "$@" >two && [ "$(grep -vc '^#' one)" -gt 100 ] && cmp one two
}

as_the_oracle_has_it() {
	./pages --oracle "$@"
}

# By each compression that this makedumpfile has, without one, and as ELF.
has() {
	makedumpfile -v 2>&1 | grep -q "^$1.*enabled"
}
check "makedumpfile -l" dump -l -d 31 "$core" dump-l
check "makedumpfile -c" dump -c -d 31 "$core" dump-c
check "makedumpfile" dump -d 31 "$core" dump-plain
check "makedumpfile -E" dump -E -d 31 "$core" dump-E
! has snappy || check "makedumpfile -p" dump -p -d 31 "$core" dump-p
! has zstd || check "makedumpfile -z" dump -z -d 31 "$core" dump-z
for file in dump-*; do
	check "libkdumpfile reads the same of $file" as_the_oracle_has_it "$file"
done
for file in dump-c dump-plain dump-[pz]; do
	[ ! -f "$file" ] || check "the trace of $file is that of dump-l" same_trace_as dump-l "$file"
done

# One of each kind in flat-l and flat-E.
flattened() {
	rm -f arranged
	makedumpfile -F "$1" -d 31 "$core" >"flat$1" 2>log && dump -R arranged <"flat$1" &&
		./pages "flat$1" -- arranged && ./pages arranged -- "flat$1" && ./pages --oracle arranged
}
same_from_a_pipe() {
	# shellcheck disable=SC3045
	cat "flat$1" | (ulimit -v 262144; recovers "$epitaph" report --all -) >two 2>>noise && trace arranged >one && cmp one two
}
for option in -l -E; do
	check "a dump flattened by -F $option is what -R makes of it" flattened "$option"
	check "the trace of one flattened by -F $option is the same" same_trace_as arranged "flat$option"
	check "and the same from a pipe" same_from_a_pipe "$option"
done

split_in_three() {
	dump --split --splitblock-size 4 -l -d 31 "$core" part1 part2 part3 &&
		dump --reassemble part1 part2 part3 put-together &&
		./pages part2 part3 part1 -- put-together && ./pages --oracle part1 part2 part3
}
check "three parts are what makedumpfile puts together" split_in_three
check "their trace is the same" same_trace_as put-together part3 part1 part2
names_what_lacks() {
	./pages --subset part1 part3 -- put-together >lacks && cat lacks &&
		grep "part of the split dump with memory from" lacks
}
check "of two parts the third is named, and the rest is read" names_what_lacks

# On a file system without room; its status says so.
out_of_room() {
	what=$1 room=$(($(stat -c %s "$1") * 3 / 4))
	shift
	mkdir -p small
	rm -f short
	unshare -rm sh -c 'mount -t tmpfs -o size="$1" tmpfs small && shift && makedumpfile "$@" small/dump
		cp small/dump short' sh "$room" "$@" >log 2>&1 || { tail -n 3 log; return 1; }
	./pages --subset short -- "$what" | tee said-short && grep "the header says that the dump is incomplete" said-short
}
check "a kdump file without room: what was written is read" out_of_room dump-l -l -d 31 "$core"
check "an ELF file without room: what was written is read" out_of_room dump-E -E -d 31 "$core"

# cut FILE LIKE: at twenty places.
cut() {
	size=$(stat -c %s "$1") i=1
	while [ "$i" -le 20 ]; do
		head -c "$((size * i / 21 + i * 977))" "$1" >short
		./pages --subset short -- "$2" >said-short && grep -q "^damage:" said-short || {
			echo "at $((size * i / 21 + i * 977))"; cat said-short; return 1; }
		i=$((i + 1))
	done
}
check "a kdump file cut short: the rest is read, and the report says so" cut dump-l dump-l
check "an ELF file cut short: the same" cut dump-E dump-E
check "a flattened one cut short: the same" cut flat-l dump-l

# At every 100th byte of its head: no half of a line is read as another number.
cut_in_the_head() {
	dump -l -d 31 "$core" dump-head || return 1
	for size in $(seq 4100 100 12000); do
		head -c "$size" dump-head >short
		"$epitaph" report short >said-short 2>&1
		case $? in
		1)	grep -q '^# died: its log is not there$' said-short ||
				grep -q '^# died: the kernel did not say' said-short ;;
		4)	grep -Eq 'nor is its kernel to be had \(has (no|a) VMCOREINFO' said-short ;;
		*)	false ;;
		esac || { echo "at $size"; cat said-short; return 1; }
	done
	tail -n +5 said-short | head -n 2
}
check "a kdump file cut in its head: nothing is made of half a line" cut_in_the_head
rm -f dump-* flat-* arranged part? put-together short one two pages
finish
