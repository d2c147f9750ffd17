#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/in-tree: what it adds to a kernel tree, that it takes all of it away, and what it refuses.
# shellcheck disable=SC2317,SC2015,SC2016
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

in_tree=$top/scripts/in-tree
tree=$dir/linux

# kernel_tree VERSION PATCHLEVEL: as much of one as the script looks at, with links as cp -al makes them
kernel_tree() {
	rm -rf "$tree" "$dir/pristine" "$dir/as-it-was"
	mkdir -p "$dir/pristine/drivers" "$dir/pristine/include/trace/events"
	printf '# SPDX\nVERSION = %s\nPATCHLEVEL = %s\nSUBLEVEL = 7\n' "$1" "$2" >"$dir/pristine/Makefile"
	: >"$dir/pristine/Kconfig"
	printf '# drivers\n\nobj-y\t+= cache/\nobj-$(CONFIG_TTY)\t+= tty/\n' >"$dir/pristine/drivers/Makefile"
	printf 'menu "Device Drivers"\n\nsource "drivers/tty/Kconfig"\n\nendmenu\n' >"$dir/pristine/drivers/Kconfig"
	cp -a "$dir/pristine" "$dir/as-it-was"
	cp -al "$dir/pristine" "$tree"
}

as_it_was() {
	diff -r "$dir/as-it-was" "$tree" && diff -r "$dir/as-it-was" "$dir/pristine"
}

# refuses TEXT ARGUMENT...
refuses() {
	text=$1
	shift
	! "$in_tree" "$@" >"$dir/refused" 2>&1 && grep -qF -- "$text" "$dir/refused" || { cat "$dir/refused"; return 1; }
}

adds_and_takes_away() {
	kernel_tree 6 12
	"$in_tree" "$tree" && [ -f "$tree/drivers/epitaph/core/ring.c" ] && [ -f "$tree/drivers/epitaph/Kconfig" ] &&
		diff -r "$dir/as-it-was" "$dir/pristine" && "$in_tree" --undo "$tree" && as_it_was
}

# Initcalls of one level run in the order of linking.
comes_before_the_consoles() {
	kernel_tree 6 12
	"$in_tree" "$tree" && grep '^obj' "$tree/drivers/Makefile" | head -n 1 | grep -qF 'obj-$(CONFIG_EPITAPH)' &&
		grep -B 9 '^endmenu' "$tree/drivers/Kconfig" | grep -qx 'source "drivers/epitaph/Kconfig"'
}

# Of each source that Kbuild names, and each header that they include.
is_complete() {
	kernel_tree 6 12
	"$in_tree" "$tree" || return
	made=$tree/drivers/epitaph
	sed 's/#.*//' "$made/Kbuild" "$made/arch/Kbuild" | grep -o '[a-z]*/[a-z0-9_]*\.o' | grep -v '^gen/' | sort -u >"$dir/objects"
	[ "$(wc -l <"$dir/objects")" -gt 80 ] || return
	while read -r object; do
		[ -f "$made/${object%.o}.c" ] || { echo "$object: no source"; return 1; }
	done <"$dir/objects"
	grep -rhoE '#include <epitaph/[a-z0-9_]+\.h>' "$made" | sort -u | sed 's/.*<\(.*\)>/\1/' >"$dir/included"
	while read -r header; do
		[ -f "$made/include/$header" ] || { echo "$header: not there"; return 1; }
	done <"$dir/included"
}

has_the_same_sources() {
	kernel_tree 6 12
	"$in_tree" "$tree" || return
	(cd "$tree/drivers/epitaph" && find arch core events sources control handout crash start probes -type f) |
		while read -r file; do
			cmp "$top/kernel/$file" "$tree/drivers/epitaph/$file" || echo "$file" >>"$dir/differ"
		done
	[ ! -e "$dir/differ" ]
}

# Make builds again what is newer.
update_touches_what_differs() {
	kernel_tree 6 12
	"$in_tree" "$tree" || return
	made=$tree/drivers/epitaph
	echo old >"$made/core/ring.c"
	echo core/of_an_earlier_version.c >>"$made/in-tree.files"
	: >"$made/core/of_an_earlier_version.c"
	touch -d 2001-01-01 "$made/core/pool.c"
	"$in_tree" --update "$tree" && cmp "$top/kernel/core/ring.c" "$made/core/ring.c" &&
		[ ! -e "$made/core/of_an_earlier_version.c" ] &&
		[ "$(date -r "$made/core/pool.c" +%Y)" = 2001 ] && [ "$(grep -c epitaph "$tree/drivers/Makefile")" = 1 ]
}

refuses_what_is_no_tree() {
	refuses 'no such directory' "$dir/nowhere" && refuses 'no Makefile, so these are no kernel sources' "$dir" &&
		kernel_tree 6 12 && rm "$tree/drivers/Kconfig" && refuses 'no drivers/Kconfig' "$tree" &&
		[ ! -e "$tree/drivers/epitaph" ]
}

refuses_what_is_too_old() {
	kernel_tree 5 19 && refuses 'Linux 5.19; the recorder can be built into 6.1 and later' "$tree" && as_it_was &&
		kernel_tree 6 0 && refuses 'Linux 6.0' "$tree" && kernel_tree 7 0 && "$in_tree" "$tree"
}

refuses_a_second_time() {
	kernel_tree 6 12
	"$in_tree" "$tree" && refuses 'has the recorder already; --update' "$tree"
}

refuses_what_is_not_its_own() {
	kernel_tree 6 12
	mkdir "$tree/drivers/epitaph"
	: >"$tree/drivers/epitaph/mine.c"
	refuses 'not of scripts/in-tree' "$tree" && refuses 'not of scripts/in-tree' --undo "$tree" &&
		[ -e "$tree/drivers/epitaph/mine.c" ]
}

undo_leaves_files_of_others() {
	kernel_tree 6 12
	"$in_tree" "$tree" || return
	: >"$tree/drivers/epitaph/mine.c"
	refuses 'has files of others, which stay' --undo "$tree" && [ "$(find "$tree/drivers/epitaph" -type f)" = "$tree/drivers/epitaph/mine.c" ] &&
		! grep -q epitaph "$tree/drivers/Makefile" "$tree/drivers/Kconfig"
}

undo_of_nothing() {
	kernel_tree 6 12
	refuses 'nothing to undo' --undo "$tree" && as_it_was
}

for claim in adds_and_takes_away comes_before_the_consoles is_complete has_the_same_sources update_touches_what_differs \
	refuses_what_is_no_tree refuses_what_is_too_old refuses_a_second_time refuses_what_is_not_its_own \
	undo_leaves_files_of_others undo_of_nothing; do
	ok $claim $claim
done
finish
