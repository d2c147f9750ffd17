#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ftrace's own buffers of 6.12: sub-buffers of 16 KiB, and a buffer in memory that
# outlives a reboot. QEMU dumps the guest while it runs.

KERNEL=${KERNEL_WITH_ORDER:-6.12}
VM_DIR=../..
# shellcheck source=tests/vm/lib-ftrace.sh
. "$(dirname "$0")/../../lib-ftrace.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
build_images

append="reserve_mem=2M:4096:kept trace_instance=kept@kept" dumped_live
check "a buffer outlives reboots" [ -s "$truth/ftrace:kept" ]
all_as_traced "$core"
check "as many events as in all trace files" counts "$core"

rm -f "$core"
finish
