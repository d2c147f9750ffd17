#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The checks are called by name.
# shellcheck disable=SC2317
#
# Guests that die by the modules of tests/crashes, one each, and what explain says of that; $WAYS
# chooses.  What they leave is kept in $CORPUS if that is set, for a look at it.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
# shellcheck source=tests/vm/lib-corpus.sh
. "$here/lib-corpus.sh"

# what_can_be_told: the kind of a crash follows from code, which 5.10 prints none of where it is the first of
# its page; only the vmcore has it then.
what_can_be_told() {
	if sed -n '/ Code: /{p;q}' "$out/console.log" | grep -q 'Unable to access opcode bytes'; then
		cut -d : -f 2-
	else
		cat
	fi
}

same_signature() {
	for file in region vmcore; do
		recovers "$epitaph" explain --json "$saved/$file" | jq -er .signature | what_can_be_told >"$out/signature-$file" || return
		[ -s "$out/signature-$file" ] || return
	done
	diff "$out/signature-region" "$out/signature-vmcore"
}

# keep NAME: what it left.  That of another machine has all of the memory.
keep() {
	[ -z "${CORPUS:-}" ] || {
		mkdir -p "$CORPUS/$1"
		cp "$out/console.log" "$out/guest.log" "$CORPUS/$1/"
		[ ! -d "$out/saved" ] || cp --sparse=always "$out/saved"/* "$CORPUS/$1/"
	}
	[ -z "${ON_MACHINE:-}" ] || rm -f "$out/saved/vmcore"
}

all_out=$out all_name=$test_name
# shellcheck disable=SC2086 # words
build_crashes ${WAYS:-}
for way in ${WAYS:-$(all_crashes)}; do
	out=$all_out/$way test_name=$all_name-$way
	mkdir -p "$out"
	if crash_by "$way"; then
		check "explain says why, and accuses nothing else" says_why "$way"
		check "region and vmcore have the same signature" same_signature
	else
		not_ok "is captured"
	fi
	keep "$way"
done
finish
