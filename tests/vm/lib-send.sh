# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of guests that send their trace: a collector on the host, and what the guest's
# capture kernel needs to know of it.

# start_collector: it stores in $out/collected; the guest finds it at 10.0.2.2:$port.
start_collector() {
	mkdir -p "$out/collected"
	(umask 077 && openssl rand -hex 32 >"$out/send.key")
	collector=
	for port in 47130 47131 47132 47133 47134; do
		"$epitaph" collect --listen "127.0.0.1:$port" --key "$out/send.key" --keep-free 0 \
			"$out/collected" >"$out/collector.log" 2>&1 &
		collector=$!
		trap 'kill "$collector" 2>/dev/null || :' EXIT
		for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			sleep 0.1
			! grep -qs '^listening' "$out/collector.log" || return 0
		done
	done
	return 1
}

# send_image CONF-LINE...: what is put behind the capture initramfs, in $out/send.img; compressed,
# as the kernel finds another one behind a compressed one wherever that ends.
send_image() {
	mkdir -p "$out/image/etc/epitaph"
	printf '%s\n' "$@" >"$out/image/etc/epitaph/send.conf"
	cp "$out/send.key" "$out/image/etc/epitaph/"
	(cd "$out/image" && find . | cpio -o -H newc -R 0:0 --quiet) | gzip -9n >"$out/send.img"
	rm -r "$out/image"
}

# sending_guest: it records, and dies; its capture kernel has what send_image made.
sending_guest() {
	guest <<'END'
cat /test/send.img >>/boot/capture.img.gz
record
sleep 2
crash
END
	pack_guest "$out/send.img"
}

# collected HOST: its only region.
collected() {
	[ "$(find "$out/collected/$1" -name region | wc -l)" = 1 ] && find "$out/collected/$1" -name region
}

# boot_id_of REGION: its directory is called so, with a time behind it or not.
boot_id_of() {
	recovers "$epitaph" info --json "$1" | grep -F "\"boot_id\":\"$(basename "$(dirname "$1")" | cut -c 1-36)\""
}

sums_of() {
	(cd "$(dirname "$1")" && sha256sum -c --quiet SHA256SUMS)
}
