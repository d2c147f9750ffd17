#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a guest test and a guest's script print of a claim that fails: TAP, whatever was said before it.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# prints SCRIPT TEXT: after SCRIPT, a claim that says TEXT and fails is a line, and TEXT are comments.
prints() {
	cat >"$dir/claim.sh" <<END
$1
check "it holds" sh -c 'printf "%b" "$2"; false'
END
	VM_DIR=$top/tests/vm VM_OUT=$dir/out sh "$dir/claim.sh" >"$dir/printed" || return
	cat "$dir/printed"
	[ "$(grep -c '^not ok .*it holds$' "$dir/printed")" = 1 ] && ! grep -vE '^(not ok|# )' "$dir/printed"
}

host=". $top/tests/vm/lib.sh"
guest=". $top/tests/vm/lib-guest.sh"

ok a_line_that_does_not_end__is_no_part_of_the_claim prints "$host" 'one\ntwo'
ok a_line_that_ends__is_a_comment prints "$host" 'one\n'
ok in_a_guest__as_well prints "$guest" 'one\ntwo'
ok and_one_that_ends prints "$guest" 'one\n'
finish
