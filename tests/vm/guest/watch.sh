#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A guest is reset by its host, panics, and loses its QEMU to SIGKILL, while the host watches it: what
# it recorded is saved each time, and is what the victim did.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-watch.sh sets them

. "$(dirname "$0")/../lib.sh"
. "$here/lib-watch.sh"

region_arg=epitaph.device=ivshmem
guest_modules="virtio_pci virtio_blk ext4 pvpanic-pci"

guest <<'END'
with_disk
mkdir -p "/disk/boot-$boot"
[ "$boot" = 1 ] || keep_witness "/disk/boot-$boot/witness"
load_recorder
load_surviving_victim
sleep 0.7
# By then the watcher has found the socket, for which it looks every second.
[ "$boot" != 1 ] || sleep 3
case $boot in
1) die reset ;;
2) die panic ;;
3)
	sync
	echo "guest: kill me"
	sleep 60
	;;
esac
END
pack_guest
words=$(qemu_words)
watch_guests RATE=10
# shellcheck disable=SC2086 # words
warm_boots 3 --when "guest: boot 1 awaits its reset=>system_reset" --kill 'guest: kill me' \
	--allow 'panic - not syncing: victim: panic' -- $words -action panic=none
take_what_qemu_left

says_all() {
	dir=$(capture 2)
	grep -q '^guest: ../web1$' "$dir/qmp.txt" && grep -q "^uuid: $uuid$" "$dir/qmp.txt" &&
		grep -q '"event":"GUEST_PANICKED"' "$dir/qmp.txt" &&
		grep -q 'Kernel panic - not syncing: victim: panic' "$dir/console.txt" &&
		grep -q '^# died: .*victim: panic' "$dir/summary.txt"
}

is_for_root_only() {
	[ "$(stat -c %a "$store" "$(dirname "$(capture 1)")" "$(capture 1)" "$(capture 1)/region" | tr '\n' ' ')" = \
		'700 700 700 400 ' ]
}

nothing_is_left_over() {
	! find "$store" -name '.guest-*' | grep .
}

check "a reset by the host is saved" journal_says '^../web1: after RESET: saved .*: 16 MiB, '
check "a panic is saved" journal_says '^../web1: after GUEST_PANICKED.*: saved .*victim: panic'
check "the end of QEMU by SIGKILL is saved" journal_says '^../web1: after QEMU ended: saved '
check "there are three captures" [ "$(captures | wc -l)" = 3 ]
check "nothing is outside of the store" [ ! -e "$out/web1-$uuid" ]
check "the reset: every event came back, none was invented" true_capture 1 "$saved/boot-2/witness"
check "the panic: every event came back, none was invented" true_capture 2 "$saved/boot-3/witness"
check "SIGKILL: every event came back, none was invented" true_capture 3 "$out/witness"
check "events, console and summary are beside it" says_all
check "captures are for root only" is_for_root_only
check "nothing is left under a temporary name" nothing_is_left_over
check "the service ends when it should" end_watch
check "and says no more of the guest" [ -z "$(ls "$out/state")" ]
finish
