# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# measure.sh WHO [LOOPS]: the bench's loops while that one records.  The second reading counts:
# the first finds caches of the kernel cold.

loops=/sys/kernel/debug/${2:-epitaph_bench}
cat "$loops" >/dev/null
sed "s/^/bench: $1 /" "$loops"
