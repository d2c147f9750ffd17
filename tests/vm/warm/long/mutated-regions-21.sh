#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Regions damaged between reset and boot, each kind of damage three times.

export MUTANTS="${MUTANTS:-0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20}"
export WARM_SEED="${WARM_SEED:-7}"
exec env VM_OUT="${VM_OUT:-$(dirname "$0")/../../../../build/vm/long}" sh "$(dirname "$0")/../mutated-regions.sh"
