# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# Words for guests that a host watches: their memory, the service, and what it has saved.

# The paths of the host are in $out; QEMU runs there.
uuid=6b0c2ea1-1111-4222-8333-123456789abc

# memory_file ID SIZE: an option of QEMU.
memory_file() {
	truncate -s "$2" "$out/$1"
	echo "-object memory-backend-file,id=$1,mem-path=$out/$1,size=$2,share=on"
}

# qemu_words: RAM and region in files, QMP, a name with what a path must not have, and pvpanic.
qemu_words() {
	memory_file ram 1G
	memory_file region 16M
	echo "-machine memory-backend=ram -device ivshmem-plain,memdev=region -device pvpanic-pci"
	echo "-name ../web1 -uuid $uuid -qmp unix:qmp.sock,server=on,wait=off"
}

# watch_guests [LINE...]: start the service, with more lines for its settings; $sockets are those of its guests.
watch_guests() {
	store=$out/store
	rm -rf "$store" "$out/state"
	printf '%s\n' "QMP=${sockets:-$out/qmp*.sock}" "CONSOLE=$out/console.log" "$@" >"$out/guests.conf"
	"$epitaph" guest watch --conf "$out/guests.conf" --output "$store" --state "$out/state" \
		>"$out/journal" 2>&1 &
	watcher=$!
	trap 'kill "$watcher" 2>/dev/null' EXIT
}

# end_watch: the service ends; true if it did so well.
end_watch() {
	kill "$watcher" && wait "$watcher" && trap - EXIT
}

# journal_says REGEX
journal_says() {
	grep -E -- "$1" "$out/journal" && return
	tail -n 20 "$out/journal"
	return 1
}

# captures: of the guest, one a line, the oldest first.
captures() {
	ls -dtr "$store/_._web1-$uuid"/epitaph-*
}

# capture NUMBER: its directory.
capture() {
	captures | sed -n "$1p"
}

# true_capture NUMBER WITNESS: what it has, against what the victim did.
true_capture() {
	dir=$(capture "$1")
	[ -f "$dir/region" ] || { echo "no capture $1"; captures; return 1; }
	recovers "$epitaph" export --to json -o "$out/$1.json" "$dir/region" || return
	# shellcheck disable=SC2086 # words
	"$here/truth" ${truth_args:---from-start} "$2" "$out/$1.json"
}

# take_what_qemu_left: waits till the watcher has saved; the victim's witness comes out of the guest's RAM.
take_what_qemu_left() {
	until grep -q 'after QEMU ended: saved' "$out/journal" || ! kill -0 "$watcher" || [ "${tries:=0}" = 3000 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	dd if="$out/ram" of="$out/witness" bs=4096 skip=$((witness_addr / 4096)) count=16 2>"$out/said"
	rm -f "$out/ram"
}
