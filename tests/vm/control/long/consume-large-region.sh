#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A region that has whole sections of memory for itself, for which the kernel has no struct page:
# no process can map it.  What is recorded into it is read out all the same.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
region_is 512M

guest <<'END'
load_recorder channels=3M
check "a channel is added" epitaph channel add v 2M consume 'sched:*'
check "it is read out" epitaph record -o /tmp/rec --for 1 v
check "what was read is a trace" sh -c 'epitaph-static export --to json -o /tmp/json /tmp/rec && grep -c sched:sched_switch /tmp/json'
END
pack_guest "$top/extractor/epitaph-static"
boot --memory 2G
check "the guest ended well" guest_ended_well
finish
