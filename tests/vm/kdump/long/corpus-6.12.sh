#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The corpus on another kernel, with its recorder.

KERNEL=${KERNEL_TO_DIE:-6.12}
VM_DIR=../..
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
# shellcheck source=tests/vm/kdump/long/corpus.sh
. "$(dirname "$0")/corpus.sh"
