#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A panic that does not come to its end: one of those that it calls panics, or oopses.  The next
# boot has all that was recorded, and says what the kernel said.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-warm.sh"

guest <<'END'
with_disk
take_earlier
case $boot in
1) way=notifier-panics ;;
2) way=notifier-oopses ;;
*) return 0 ;;
esac
load_surviving_victim
sleep 1
sync
bug $way
await_end
END
pack_guest "$top/extractor/epitaph-static"
warm_boots 3 --allow 'panic - not syncing: victim: (first panic|panic of a notifier)' \
	--allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' --allow 'panic - not syncing: Fatal exception'
check "the guest's script ends well" guest_ended_well
truth_args=--from-start
for died in 1 2; do
	died_well $died panic
	"$epitaph" report --events 1 "$region" | grep '^# died' | sed "s/^#/# boot $died:/"
done
finish
