# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# What runs in each guest of a nest: the script that has the name of its QEMU.

# shellcheck disable=SC1090 # one of several
. "/test/$(param nest.name).sh"
