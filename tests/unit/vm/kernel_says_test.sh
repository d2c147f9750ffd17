#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tests/vm/kernel-says on small consoles and reports written by hand, and on the same with a
# fault put into them.
exec /usr/bin/python3 "$(dirname "$0")/kernel_says/cases" "$(dirname "$0")/kernel_says"/*.txt
