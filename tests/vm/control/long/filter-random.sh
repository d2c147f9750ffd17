#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Random filters of numbers of each size and sign and of a text of a fixed size, and others of
# texts of any length: what is recorded is what ftrace has under the same filter, event by
# event, and most of them were compiled.  FILTERS: how many of each kind; SEED: of which.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

FILTERS=${FILTERS:-250}
SEED=${SEED:-20261126}
EVENTS=310		# of each; 31 numbers times 10 names
KINDS="numbers texts"	# events of the victim

# All of it is looked at: no ring may come round.
region_is 96M
guest_modules="${guest_modules:-virtio_pci virtio_blk ext4}"

# expressions KIND: one a line, of the kernel's language.
expressions() {
	awk -v kind="$1" -v nr="$FILTERS" -v seed="$SEED" '
		function pick(list,   n, words) { n = split(list, words, " "); return words[1 + int(rand() * n)] }
		function signed(   v) { return pick("0 1 -1 2 7 100 127 128 -127 -128 -129 200 255 256 32767 32768 -32768 -32769 65535 2147483647 -2147483648 4294967295 0x80 9223372036854775807 -9223372036854775808") }
		function unsigned() { return pick("0 1 2 7 100 127 128 200 255 256 32767 32768 65535 65536 2147483647 2147483648 4294967295 0xff 0x8000 9223372036854775807 18446744073709551615") }
		function text() { return pick("a ab fw abcdefg abcdefgh abcdefghi abcdefghijk abcdefghijkl abcdefghijkm x" (kind == "texts" ? " abcdefghijklmnopqrstuvwxyz aaaaaaaa" : "")) }
		function one(   field, quote) {
			if (rand() < (kind == "texts" ? 0.8 : 0.2)) {
				field = kind == "texts" ? pick("first letters last") : "name"
				quote = rand() < 0.5 ? "\"" : "\047"
				if (rand() < 0.3) return field " ~ " quote text() "*" quote
				return field " " pick("== !=") " " quote text() quote
			}
			if (kind == "texts") return "number " pick("== != < <= > >= &") " " signed()
			field = pick("s8 s16 s32 s64 u8 u16 u32 u64")
			return field " " pick("== != < <= > >= &") " " (field ~ /^s/ ? signed() : unsigned())
		}
		function expression(depth,   left, op) {
			if (depth == 0 || rand() < 0.25) return (rand() < 0.15 ? "!" : "") one()
			left = expression(depth - 1)
			op = rand() < 0.5 ? " && " : " || "
			if (rand() < 0.4) return (rand() < 0.3 ? "!" : "") "(" left op expression(depth - 1) ")"
			return left op expression(depth - 1)
		}
		BEGIN { srand(seed); for (i = 0; i < nr; i++) print expression(3) }'
}

for kind in $KINDS; do
	expressions "$kind" >"$out/expressions-$kind"
done

# On a big-endian machine the kernel evaluates all.
by=compiled
case $kernel in *-s390x) by=kernel ;; esac
{
	echo "events=$EVENTS by=$by"
	cat <<'END'
t=/sys/kernel/tracing
c=$t/instances/compare
mount -t tracefs none $t 2>/dev/null || true
load_recorder
arm_kdump
load_victim work=0
mkdir $c
echo 16384 >$c/buffer_size_kb
filters=/sys/kernel/debug/epitaph/filters

# random KIND
random() {
	epitaph events "victim:$1" >/tmp/said
	echo 1 >"$c/events/victim/$1/enable"
	nr=0 differs=0 compiled=0
	while read -r expression; do
		nr=$((nr + 1))
		# Both take it, or none.
		ours=0 theirs=0
		epitaph filter "victim:$1" "$expression" >/tmp/said 2>&1 || ours=1
		echo "$expression" >"$c/events/victim/$1/filter" 2>/dev/null || theirs=1
		[ $ours = $theirs ] || { differs=$((differs + 1)); echo "taken: $ours, $theirs: $expression"; }
		grep -qx "victim:$1 compiled" $filters && compiled=$((compiled + 1))
		echo $events >"/sys/kernel/debug/victim_$1"
	done <"/test/expressions-$1"
	echo 0 >"$c/events/victim/$1/enable"
	echo "filters of $1: $nr, compiled: $compiled"
	check "both take the same filters of $1" [ $differs = 0 ]
	if [ $by = compiled ]; then
		check "most of $1 are compiled" [ $compiled -ge $((nr * 9 / 10)) ]
	else
		check "none of $1 is compiled" [ $compiled = 0 ]
	fi
}

random texts
random numbers
many=$(printf '%02000d' 0 | tr 0 '!')
check "2000 times ! are read" epitaph filter victim:numbers "${many}u8 == 7"
check "and compiled, if any is" grep -qx "victim:numbers $by" $filters
check "what the kernel alone evaluates is not" sh -c "epitaph-static filter victim:numbers 'name ~ \"*b*\"' >/dev/null && grep -qx 'victim:numbers kernel' $filters"
epitaph filter victim:numbers 0 >/tmp/said
load_modules /lib/modules
await_file /dev/vda
mount -t ext4 /dev/vda /disk
mkdir -p /disk/truth
cp $c/trace /disk/truth/trace
cat $c/per_cpu/cpu*/stats >/disk/truth/stats
umount /disk
bug panic
END
} | guest
pack_guest "$top/extractor/epitaph-static" "$out"/expressions-*

# events KIND FILE: the number of each, in their order, which is that of the numbers.
# shellcheck disable=SC2317 # check calls it
events() {
	sed -n "s/.* $1: n=\([0-9]*\) .*/\1/p" "$2" | sort -n
}

# same_events KIND
# shellcheck disable=SC2317 # check calls it
same_events() {
	events "$1" "$out/report" >"$out/ours"
	events "$1" "$saved/truth/trace" >"$out/theirs"
	wc -l "$out/ours" "$out/theirs"
	diff "$out/ours" "$out/theirs"
}

# shellcheck disable=SC2317 # check calls it
some_and_not_all() {
	nr=$(wc -l <"$out/theirs")
	[ "$nr" -gt $((FILTERS * EVENTS / 10)) ] && [ "$nr" -lt $((FILTERS * EVENTS * 9 / 10)) ]
}

crash_and_capture --allow 'panic - not syncing: victim: panic'
check "the region is saved" [ -s "$saved/region" ]
check "ftrace lost nothing" sh -c "! grep -E '^(overrun|dropped events): [1-9]' '$saved/truth/stats'"
recovers "$epitaph" report --all "$saved/region" >"$out/report"
for kind in $KINDS; do
	check "each of the $kind that passes is that of ftrace" same_events "$kind"
	check "some of the $kind pass, and not all" some_and_not_all
done
finish
