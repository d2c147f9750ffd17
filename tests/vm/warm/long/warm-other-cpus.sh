#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The next boot has four CPUs instead of two, and KASLR chose another base: what
# was recorded is found and has its names.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-handover.sh"

packed_kernel=yes
leave_two_generations 5
hand_over four-cpus "$out/before" --cpus 4
handed_over four-cpus
check "what the four record is true" \
	true_events "$out/four-cpus-witness" "$out/four-cpus-after" --least 5000
finish
