#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# epitaph=off: nothing is recorded, and a panic before the first initcall leaves nothing either.  QEMU's own
# copy of the memory says so.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-built-in.sh"

region_is 8M
guest <<'END'
check "there is no recorder" [ ! -e /dev/epitaph ]
check "it says nothing" refused kernel_says 'epitaph: '
await_host wants its memory saved
END
pack_guest
# shellcheck disable=SC2154 # lib.sh's
append="epitaph=off earlyprintk=serial,ttyS0,115200 die=setup panic=1" boot --boots 2 --allow 'Kernel panic' \
	--when "guest: wants its memory=>pmemsave $region_addr 0x800000 memory" \
	--when "guest: wants its memory saved=>$host_answers"
check "the guest ended well" guest_ended_well
check "one boot died before the first initcall" grep -q 'Kernel panic - not syncing: die: in setup' "$out/console.log"
check "nothing was written to the region" cmp -n $((8 << 20)) "$out/memory" /dev/zero
finish
