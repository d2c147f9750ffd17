#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317
#
# kernel-memory.sh on another kernel, without a recorder.

export KERNEL="${KERNEL_TO_READ:-6.12}"
export VM_DIR=../..
# shellcheck source=tests/vm/lib-kernel.sh
VM_DIR=../..
. "$(dirname "$0")/../../lib-kernel.sh"
export RECORDER=none allow='capture: ERROR no trace saved'
make -s -C "$VM_OUT/../../initramfs" KERNEL="$KERNEL" && make -s -C "$VM_OUT/../../tests/vm" KERNEL="$KERNEL" || exit
# shellcheck source=tests/vm/ftrace/long/kernel-memory.sh
. "$(dirname "$0")/kernel-memory.sh"
