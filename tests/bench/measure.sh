# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# measure.sh WHO [LOOPS]: the bench's loops while that one records.  The first reading does not count: it
# finds caches of the kernel cold.  Of the kernel's own events the least of three counts: the thread that
# keeps the parity runs once a second, within one of them or not, and is no part of an event.

loops=/sys/kernel/debug/${2:-epitaph_bench}
cat "$loops" >/dev/null
for _ in ${2:+1 2} 3; do
	sed "s/^/bench: $1 /" "$loops"
done
