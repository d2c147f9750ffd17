#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The corpus on another machine, with its recorder and its capture kernel.

KERNEL=${KERNEL_TO_DIE:-6.12-arm64}
VM_DIR=../..
export ON_MACHINE=yes
few=--few
top=$(cd "$(dirname "$0")/../../../.." && pwd)
# shellcheck source=tests/vm/lib-deps.sh
. "$(dirname "$0")/../../lib-deps.sh"
need_deps machines
need_deps emulators
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
build_for_kernel
# shellcheck source=tests/vm/kdump/long/corpus.sh
. "$(dirname "$0")/../../kdump/long/corpus.sh"
