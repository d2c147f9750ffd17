#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A region damaged between reset and boot: the recorder loads without a warning,
# what is whole is handed out, and nothing is invented.  MUTANTS are seeds; each kind of damage comes three times.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-handover.sh"

# mutant SEED: one boot that finds a region damaged that way.
mutant() {
	"$here/mutate" "$1" "$out/before" "$out/damaged" >"$out/damage"
	sed "s/^/# mutant $1: /" "$out/damage"
	hand_over "mutant-$1" "$out/damaged"
	while read -r _ number _ _ _ _ fate; do
		check_generation "$1" "$number" "$fate"
	done <<-END
		$(grep '^generation' "$out/damage" | tr -d :)
	END
	check "mutant $1: it records, and what it recorded is true" \
		true_events "$out/mutant-$1-witness" "$out/mutant-$1-after" --least 20000
	[ "$failures" -gt 0 ] || rm -rf "$out/mutant-$1" "$out/mutant-$1-after"
}

# check_generation SEED NUMBER whole|findable|decayed|lost
check_generation() {
	found=$(harvested_number "mutant-$1" "$2")
	[ "$3" = lost ] ||
		check "mutant $1: generation $2 is harvested" [ -n "$found" ]
	[ -n "$found" ] || return 0
	strictness="--damaged --least 0"
	[ "$3" != whole ] || strictness="--least 20000"
	# The second one was reset while its victim overwrote the rings many times a second.
	[ "$3-$2" != decayed-1 ] || strictness="--damaged --least 18000"
	# shellcheck disable=SC2086 # words
	check "mutant $1: generation $2, $3, has no false event" \
		true_events "$out/witness-$2" "$found" $strictness
	grep '^truth' "$out/said" | sed "s/^/# mutant $1, generation $2: /"
}

echo "# $test_name: not compared with the kernel's own words: what it left is damaged on purpose"
leave_two_generations "${WARM_SEED:-7}"
for seed in ${MUTANTS:-$(seq 0 20)}; do
	mutant "$seed"
done
finish
