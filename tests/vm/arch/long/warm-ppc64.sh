#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# warm-s390x on ppc64le: the firmware restarts the machine.

KERNEL_OF_MACHINE=6.12-ppc64el
VM_DIR=../..
# shellcheck source=tests/vm/arch/warm-s390x.sh
. "$(dirname "$0")/../warm-s390x.sh"
