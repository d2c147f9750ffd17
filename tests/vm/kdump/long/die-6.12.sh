#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# die on another kernel, with its recorder and its victim.

KERNEL=${KERNEL_TO_DIE:-6.12}
VM_DIR=../..
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-mce.sh"
. "$here/lib-die.sh"
build_for_kernel
build_victim

# shellcheck disable=SC2046 # words
all_die $(all_ways)
