#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ftrace's own buffers out of a vmcore that has lost a page of the kernel's symbols: each page in
# turn, taken out and filled with zeroes.

VM_DIR=../..
# shellcheck source=tests/vm/lib-ftrace.sh
. "$(dirname "$0")/../../lib-ftrace.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
crashed_beside_recorder
check "the events are the same whatever page of kallsyms is bad" \
	"$here/kallsyms-pages" "$epitaph" "$core"
rm -f "$core"
finish
