#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A channel grows and shrinks without end under the victim's full load, and the machine is stopped at
# random instructions, STOPS times (200): whichever places its rings are in then, the newest of the
# victim's numbers are there, each once.  STOPS_SEED repeats the waits of a run.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

stops=${STOPS:-200}
seed=${STOPS_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "# seed $seed, $stops stops"
region_is 12M

guest <<'END'
keep_witness /tmp/witness
load_recorder channels=5M generations=1
epitaph channel add v 1M '?victim:*' >/tmp/said
load_surviving_victim full=1
(while :; do usleep 17000; epitaph snapshot v 128K >/tmp/copy 2>&1; epitaph channel remove "$(sed -n 's/^copy //p' /tmp/copy)" >/dev/null 2>&1; done) &
echo "guest: at work"
while :; do
	for to in size=2M size=1M size=1500K size=900K size=1800K size=600K size=1200K; do
		epitaph channel set v $to >/tmp/said 2>&1 || { cat /tmp/said; echo "not ok - $to"; }
	done
	echo "guest: seven moves"
done
END
pack_guest "$top/extractor/epitaph-static"

"$here/stops" --seed "$seed" --stops "$stops" --qmp "$out/qmp" --channel v \
	--region "$region_addr+$((${region_size%M} << 20))" --witness "$witness_addr" --guest-log "$out/guest.log" \
	--epitaph "$epitaph" --out "$out" >"$out/stops.log" 2>&1 &
judge=$!
append="memmap=64K!$witness_addr" boot --timeout $((600 + 20 * stops)) --ends 'Linux version' \
	-- -qmp "unix:$out/qmp,server=on,wait=off"
status=0
wait "$judge" || status=1
grep '^#' "$out/stops.log" | tail -n 30 || cat "$out/stops.log"
echo "# $(grep -c 'seven moves' "$out/guest.log") times seven moves"
check "it moved" grep -q 'seven moves' "$out/guest.log"
check "nothing is lost, invented or doubled" [ "$status" = 0 ]
finish
