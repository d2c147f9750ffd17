# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Guests of the kernel that looks at what it does (scripts/kernel-from-source debug): memory that is
# freed or not there, locks, sleep, leaks; what it finds ends the test as any alarm does.  Source it
# before lib.sh.

KERNEL=${KERNEL_TO_LOOK:-6.1-debug}
few=--few
# It is five times slower than others.
: "${VM_TIMEOUT:=3600}"
export VM_TIMEOUT
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/${VM_DIR:-..}/lib-kernel.sh"
