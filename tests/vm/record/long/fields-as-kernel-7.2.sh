#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fields-as-kernel on 7.2.

VM_DIR=../..
# shellcheck source=tests/vm/record/fields-as-kernel.sh
KERNEL_OF_FIELDS=7.2 . "$(dirname "$0")/../fields-as-kernel.sh"
