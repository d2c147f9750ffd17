#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Dumps that end early: 300 places; "make check-long" has 10 000 of each container, and all boundaries.
exec "$(dirname "$0")/cuts" --boundaries 14 --random 15
