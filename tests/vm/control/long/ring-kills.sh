#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs that write to rings of their own are killed at any moment, KILLS of them (2000), one after the
# other: after each, its slot of the region has what it had committed and nothing else, and no other
# slot has changed.  KILLS_SEED repeats the waits of a run.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

kills=${KILLS:-2000}
seed=${KILLS_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "# seed $seed, $kills kills"
region_is 8M

guest <<END
load_recorder channels=2M generations=1
epitaph channel add programs 1M rings >/tmp/said || { cat /tmp/said; exit 1; }
if ring_killer $kills $seed; then
	echo "ok - nothing is lost or invented, and no neighbour is touched"
else
	echo "not ok - nothing is lost or invented, and no neighbour is touched"
fi
epitaph-static channel | grep '^channel programs' | sed 's/^/# /'
END
"${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -Werror -static -D_GNU_SOURCE -I "$top/api" -I "$top/include" \
	-I "$top/kernel/include" -I "$top/kernel" -I "$top/tests/lib" -o "$out/ring_killer" "$here/ring_killer.c" \
	"$top/tests/lib/ring_reader.c"
pack_guest "$out/ring_killer" "$top/extractor/epitaph-static"
boot --timeout $((300 + kills / 10))
check "the guest comes to its end" guest_ended_well
finish
