#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A guest writes to a disk whose file is on a file system of the host that becomes full: QEMU stops it, the journal
# says why it stands still, and what it recorded can be saved then.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-watch.sh sets them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-watch.sh"

region_arg=epitaph.device=ivshmem
guest_modules="virtio_pci virtio_blk"

guest <<'END'
while read -r module; do insmod "/lib/modules/$module"; done </lib/modules/order
load_recorder
sleep 3
echo "guest: writes"
dd if=/dev/zero of=/dev/vda bs=1M count=16 oflag=direct
echo "guest: was not stopped"
sleep 100
END
pack_guest
words=$(qemu_words)
watch_guests DUMP=yes AFTER=quit

mkdir -p "$out/small"
mount -t tmpfs -o size=4M tmpfs "$out/small" || exit 99
trap 'kill "$watcher" 2>/dev/null; umount "$out/small"' EXIT
truncate -s 64M "$out/small/disk"

save_what_stands_still() {
	for _ in $(seq 900); do
		! grep -q 'QEMU could not write' "$out/journal" || break
		sleep 0.1
	done
	"$epitaph" guest save --state "$out/state" -o "$store" ../web1 >"$out/save.log" 2>&1
	echo "host: saved" >>"$out/host.log"
}

: >"$out/host.log"
save_what_stands_still &
# shellcheck disable=SC2086 # words
boot --timeout 120 --log "$out/host.log" --when 'host: saved=>info status' --when 'host: saved=>sleep 1; quit' -- $words \
	-drive file=small/disk,format=raw,if=none,id=full,werror=enospc -device virtio-blk-pci,drive=full
wait $!

is_not_ended() {
	! sed '/QEMU could not/q' "$out/journal" | grep ': after ' && ! grep -q 'was not stopped' "$out/guest.log"
}

check "the journal says why it stands still" journal_says \
	'^../web1: QEMU could not write to its disk full: No space left on device; the guest stands still by that$'
check "that is no end of it" is_not_ended
check "what it recorded is saved" grep -q '^saved .*: 16 MiB, ' "$out/save.log"
check "and can be read" recovers "$epitaph" report --last 0.1 "$(capture 1)/region"
finish
