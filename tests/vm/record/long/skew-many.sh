#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# As skew.sh, with a million passes of the token between four CPUs, of which each differs from the others.

TOKEN_PASSES=1000000 TOKEN_CPUS=4 TOKEN_SKEW=0,2500000,-40000,700 TOKEN_REGION=192M
export TOKEN_PASSES TOKEN_CPUS TOKEN_SKEW TOKEN_REGION
. "$(dirname "$0")/skew.sh"
