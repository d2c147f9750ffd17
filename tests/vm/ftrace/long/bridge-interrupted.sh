#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What interrupts leave on the stack between the begin and the end of an event is not
# taken for who wrote it: of 60 000 hits of a uprobe, some of them interrupted there, each
# comes over the bridge.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

# On a slow host the hits take longer, and the victim, which goes by the clock, fills the ring meanwhile.
region_is 64M
guest_modules="ahci virtio_pci virtio_blk ext4"
guest <<'END'
t=/sys/kernel/tracing
i=$t/instances/epitaph
load_recorder bridge=1
arm_kdump
load_modules /lib/modules
mount -t tracefs none $t || true
mount -t ext4 /dev/vda /disk
mkdir -p /disk/truth
echo 16384 >$i/buffer_size_kb
echo "p:marked /test/hits:$(cat /test/hit)" >$t/uprobe_events
echo 1 >$i/events/uprobes/enable
load_victim
/test/hits 30000 &
/test/hits 30000
wait
echo 0 >$i/tracing_on
cat $i/trace >/disk/truth/trace
sync
umount /disk
bug panic
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -o "$out/hits" "$here/hits.c"
objdump -dF "$out/hits" | sed -n 's/.*<hit> (File Offset: \(0x[0-9a-f]*\)):/\1/p' >"$out/hit"
pack_guest "$out/hits" "$out/hit"
crash_whole --allow 'panic - not syncing: victim: panic'

# whose FILE: how many hits of which task on which CPU
# shellcheck disable=SC2317 # each_is_there calls it
whose() {
	sed -nE 's/^.*-([0-9]+) +(\([ 0-9-]*\) )?(\[[0-9]+\]) .*: marked: .*/\1 \3/p' "$1" | sort | uniq -c
}

# shellcheck disable=SC2317 # check calls it
each_is_there() {
	[ "$(grep -c ' marked: ' "$saved/truth/trace")" = 60000 ] || return 1
	whose "$saved/truth/trace" >"$out/theirs"
	whose "$out/report" >"$out/ours"
	[ -s "$out/theirs" ] && diff "$out/theirs" "$out/ours"
}

recovers "$epitaph" report --all --monotonic "$saved/region" >"$out/report"
check "each hit came over the bridge" each_is_there
finish
