# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of the tests of the pstore backend.

backend=${BACKEND:-$top/pstore-backend/epitaph_pstore.ko}

# guest_words: what goes in front of the guest's script.
guest_words() {
	cat <<'END'
pstore=/sys/fs/pstore

mount_pstore() {
	mount -t pstore pstore "$pstore"
}

unmount_pstore() {
	umount "$pstore"
}

load_backend() {
	insmod /test/epitaph_pstore.ko "$@"
}

# shows NAME...: these files and no others, by name.
shows() {
	ls "$pstore" >/tmp/shown
	printf '%s\n' "$@" | sort | sed '/^$/d' >/tmp/wanted
	cmp /tmp/shown /tmp/wanted && return
	sed 's/^/shown: /' /tmp/shown
	return 1
}

shows_nothing() {
	shows ''
}

# named GLOB: how many files are called that.
named() {
	find "$pstore" -name "$1" | wc -l
}

# file_says NAME TEXT
file_says() {
	grep -q -- "$2" "$pstore/$1" && return
	head -n 20 "$pstore/$1"
	return 1
}

# keep DIR: a copy of all files on the disk.
keep() {
	mkdir -p "/disk/$1"
	cp "$pstore"/* "/disk/$1/"
}
END
}

# kernel_module NAME: a plain file with that module of the guest's kernel.
kernel_module() {
	found=$(find "$("$top/scripts/kernels" --modules "$kernel")" -name "$1.ko*" | head -n 1)
	case $found in
	*.xz) xz -dc "$found" >"$out/$1.ko" ;;
	*.zst) zstd -qdc "$found" >"$out/$1.ko" ;;
	*) cp "$found" "$out/$1.ko" ;;
	esac
	echo "$out/$1.ko"
}

# same_events FILE REGION: of generation 1; what is said of other ones differs.
same_events() {
	recovers "$epitaph" report --all "$1" | grep -v '^#' >"$out/events-of-parts"
	recovers "$epitaph" report --all --generation 1 "$2" | grep -v '^#' >"$out/events-of-region"
	[ "$(wc -l <"$out/events-of-parts")" -gt 1000 ] &&
		cmp "$out/events-of-parts" "$out/events-of-region"
}

# add_programs FILE...: programs with their libraries, at their own places, for a
# guest that is packed already.
add_programs() {
	root=$out/programs
	for program; do
		for file in "$program" $(ldd "$program" | grep -o '/[^ ]*'); do
			mkdir -p "$root/$(dirname "$file")"
			cp -L "$file" "$root/$file"
		done
	done
	(cd "$root" && find . | cpio -o -H newc -R 0:0 --quiet) >>"$out/initrd.img"
	rm -rf "$root"
}
