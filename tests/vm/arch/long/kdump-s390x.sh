#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kdump-arm64 on s390x, which is big-endian: of Debian's kernels there, 6.1 has no CRASH_DUMP and 6.12 no
# KEXEC, so it is one of our own building, out of Debian's source of 6.1, with plain pages.

KERNEL_OF_MACHINE=${KERNEL_OF_MACHINE:-6.1-s390x-own}
VM_DIR=../..
memory_of_machine=512M
disk_of_machine=768M
region_of_machine=${region_of_machine:-guest.recorder=pages=4M}
# shellcheck source=tests/vm/arch/kdump-arm64.sh
. "$(dirname "$0")/../kdump-arm64.sh"
