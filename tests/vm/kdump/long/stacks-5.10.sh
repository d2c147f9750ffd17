#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# stacks.sh on a kernel before 6.0, without a recorder: its symbols are found by their shape.

export KERNEL=5.10 VM_DIR=../..
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
export RECORDER=none allow='capture: ERROR no trace saved'
mkdir -p "$VM_OUT"
make -s -C "$VM_OUT/../../initramfs" KERNEL="$KERNEL" && make -s -C "$VM_OUT/../../tests/vm" KERNEL="$KERNEL" || exit
# shellcheck source=tests/vm/kdump/long/stacks.sh
. "$(dirname "$0")/stacks.sh"
