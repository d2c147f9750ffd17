#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel-6.12 on another machine: these tests as they are, with the recorder, the victim, the tool and the
# console of that machine.

KERNEL_TO_STEER=${KERNEL_TO_STEER:-6.12-arm64}
: "${TESTS:=end restart consume live calls pstore hibernates hibernate memory-pages full-speed oops-in-process doctor-in-guest}"
VM_DIR=../..
export ON_MACHINE=yes
few=--few
top=$(cd "$(dirname "$0")/../../../.." && pwd)
# shellcheck source=tests/vm/lib-deps.sh
. "$(dirname "$0")/../../lib-deps.sh"
need_deps machines
need_deps emulators
# shellcheck source=tests/vm/control/long/kernel-6.12.sh
. "$(dirname "$0")/../../control/long/kernel-6.12.sh"
