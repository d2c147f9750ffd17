#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# stacks.sh on a kernel whose ORC has the layout of 6.4 and newer, without a recorder.

export KERNEL="${KERNEL_OF_STACKS:-6.12}" VM_DIR=../..
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
export RECORDER=none allow='capture: ERROR no trace saved'
mkdir -p "$VM_OUT"
make -s -C "$VM_OUT/../../initramfs" KERNEL="$KERNEL" && make -s -C "$VM_OUT/../../tests/vm" KERNEL="$KERNEL" || exit
# shellcheck source=tests/vm/kdump/long/stacks.sh
. "$(dirname "$0")/stacks.sh"
