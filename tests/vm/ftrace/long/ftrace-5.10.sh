#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ftrace's own buffers of 5.10, whose VMCOREINFO has no place of its symbols: their table is found by its
# shape. With debuginfo it is the same. Fetches 800 MB of debuginfo once.
# shellcheck disable=SC2034,SC2317

KERNEL=5.10
VM_DIR=../..
# shellcheck source=tests/vm/lib-ftrace.sh
. "$(dirname "$0")/../../lib-ftrace.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
vmlinux=$("$top/scripts/kernels" --vmlinux 5.10)
build_images

dumped_live
all_as_traced "$core"
check "as many events as in all trace files" counts "$core"

debuginfo="--debug-dir $vmlinux"
all_as_traced "$core"
check "with debuginfo too" counts "$core"

rm -f "$core"
finish
