#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What epitaph.service asks before it starts: has this boot memory for the recorder?
# shellcheck disable=SC2317 # ok calls the claims
. "$(dirname "$0")/../../lib/lib.sh"

# reserves STATUS CMDLINE
reserves() {
	echo "$2" >"$dir/cmdline"
	EPITAPH_SYSFS=$dir/sysfs EPITAPH_DEVICE_TREE=$dir/tree EPITAPH_CMDLINE=$dir/cmdline sh "$top/systemd/memory-is-reserved" >"$dir/said" 2>&1
	got=$?
	cat "$dir/said"
	[ "$got" = "$1" ] || { echo "$2: $got, not $1"; return 1; }
}

a_word_of_the_command_line_does() {
	for word in 'memmap=16M!0x20000000' 'reserve_mem=16M:4096:epitaph' 'epitaph.device=0000:00:04.0'; do
		reserves 0 "root=/dev/vda1 $word quiet" || return
	done
	reserves 1 'root=/dev/vda1 memmap=16M reserve_mem=16M:4096:other' && grep -q 'run epitaph setup --write' "$dir/said"
}

a_node_of_the_device_tree_does() {
	mkdir -p "$dir/tree/epitaphs@1000" "$dir/tree/ramoops" && reserves 1 'root=/dev/vda1' && mkdir "$dir/tree/epitaph@50000000" &&
		reserves 0 'root=/dev/vda1' && [ ! -s "$dir/said" ] && rm -r "$dir/tree"
}

a_recorder_that_is_loaded_does() {
	mkdir "$dir/sysfs" && reserves 0 'root=/dev/vda1' && rmdir "$dir/sysfs"
}

for claim in a_word_of_the_command_line_does a_node_of_the_device_tree_does a_recorder_that_is_loaded_does; do
	ok $claim $claim
done
finish
