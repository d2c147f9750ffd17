#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fields-as-kernel on 5.10.

VM_DIR=../..
# shellcheck source=tests/vm/record/fields-as-kernel.sh
KERNEL_OF_FIELDS=5.10 . "$(dirname "$0")/../fields-as-kernel.sh"
