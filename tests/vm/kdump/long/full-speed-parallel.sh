#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The CPUs of the guest at work at the same instant; docs/testing.md says why elsewhere they are not.

here=$(cd "$(dirname "$0")/.." && pwd)
export VM_ACCEL=tcg VM_OUT="$here/../../../build/vm/long"
exec sh "$here/full-speed.sh"
