#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs write to rings of their own and are killed without end, and the machine is stopped at random
# instructions, STOPS times (200): the newest of what each thread and each handler of a signal has
# committed is in the region, each once, and nothing else.  STOPS_SEED repeats the waits of a run.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

stops=${STOPS:-200}
seed=${STOPS_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "# seed $seed, $stops stops"
region_is 12M

guest <<END
load_recorder channels=5M generations=1
epitaph channel add programs 4M rings >/tmp/said || { cat /tmp/said; exit 1; }
ring_writers $witness_addr &
echo "guest: at work"
while sleep 2; do
	echo "guest: \$(epitaph-static channel | grep '^channel programs')"
done
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -D_GNU_SOURCE -I "$top/api" -I "$top/include" \
	-I "$top/kernel/include" -I "$top/kernel" -o "$out/ring_writers" "$here/ring_writers.c"
pack_guest "$out/ring_writers" "$top/extractor/epitaph-static"

"$here/stops" --seed "$seed" --stops "$stops" --qmp "$out/qmp" --truth "$here/ring-truth" \
	--region "$region_addr+$((${region_size%M} << 20))" --witness "$witness_addr" --guest-log "$out/guest.log" \
	--epitaph "$epitaph" --out "$out" >"$out/stops.log" 2>&1 &
judge=$!
append="memmap=64K!$witness_addr iomem=relaxed" boot --timeout $((600 + 20 * stops)) --ends 'Linux version' \
	-- -qmp "unix:$out/qmp,server=on,wait=off"
status=0
wait "$judge" || status=1
grep '^#' "$out/stops.log" | tail -n 30 || cat "$out/stops.log"
tail -n 1 "$out/guest.log" | sed 's/^/# /'
check "nothing is lost, invented or doubled" [ "$status" = 0 ]
finish
