#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every way to die that lib-die.sh has, one guest each: head and stacks of the report are the
# kernel's own words.  WAYS="refcount deadlock" chooses.

VM_OUT=${VM_OUT:-$(cd "$(dirname "$0")/../../../.." && pwd)/build/vm/long}
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-mce.sh"
. "$here/lib-die.sh"

# shellcheck disable=SC2046 # words
all_die $(all_ways)
