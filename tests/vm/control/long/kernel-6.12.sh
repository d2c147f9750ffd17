#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What steers the recorder, in guests of another kernel than the others': each of these
# tests as it is, with the recorder and the victim of that kernel.  TESTS="filter live"
# runs these.

KERNEL=${KERNEL_TO_STEER:-6.12}
VM_DIR=../..
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
build_for_kernel
build_victim

# find_test NAME: its path; one of make check, where a long one has the same name.
find_test() {
	find "$here" -mindepth 2 -name "$1.sh" | sort | awk '!/\/long\// || !path { path = $0 } END { print path }'
}

# They say how many claims they have, so this one does not.
worst=0
for test in ${TESTS:-load-time filter trigger context channels channel-reload control live snapshot packed early reload hibernates hibernate filter-random bridge bridge-interrupted bridge-reload bridge-turns}; do
	status=0
	env ${guest_cc:+CC="$guest_cc"} sh "$(find_test "$test")" >"$out/claims" 2>&1 || status=$?
	sed -E "s/^((not )?ok [0-9]+ - )/\1$kernel: /" "$out/claims"
	[ "$status" = 0 ] || worst=1
done
exit "$worst"
