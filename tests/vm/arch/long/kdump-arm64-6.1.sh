#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kdump-arm64 on 6.1: ftrace has all registers there, but pstate; no reserve_mem=, so plain pages.

KERNEL_OF_MACHINE=6.1-arm64
VM_DIR=../..
region_of_machine=guest.recorder=pages=4M
# shellcheck source=tests/vm/arch/kdump-arm64.sh
. "$(dirname "$0")/../kdump-arm64.sh"
