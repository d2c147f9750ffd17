# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of guests that send their trace: an sshd on the host, and what the guest's
# capture kernel needs to know of it.

# shellcheck source=tests/lib/lib-sshd.sh
. "$top/tests/lib/lib-sshd.sh"

# start_server: what comes lies in $out/collected; the guest finds it at 10.0.2.2:$port.
start_server() {
	# lib-sshd.sh wants it.
	dir=$out
	sshd_find
	[ -z "$no_sshd" ] || { echo "$no_sshd"; return 1; }
	mkdir -p "$out/collected"
	rm -f "$out/host_key" "$out/id"
	ssh-keygen -q -t ed25519 -N '' -f "$out/host_key" && ssh-keygen -q -t ed25519 -N '' -f "$out/id" || return
	echo "restrict $(cat "$out/id.pub")" >"$out/authorized"
	for port in 47130 47131 47132 47133 47134; do
		(sshd_run -p "$port" -h "$out/host_key" -o AuthorizedKeysFile="$out/authorized" -o "Subsystem=sftp internal-sftp" \
			-o ForceCommand="internal-sftp -d $out/collected") >"$out/server.log" 2>&1 &
		server=$!
		trap 'kill "$server" 2>/dev/null || :' EXIT
		echo "[10.0.2.2]:$port $(cut -d ' ' -f 1,2 "$out/host_key.pub")" >"$out/known_hosts"
		for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			sleep 0.1
			! grep -qs 'Server listening' "$out/server.log" || return 0
		done
	done
	return 1
}

# settings TO [LINE...]: a send.conf; its other files lie in /etc/epitaph.
settings() {
	printf '%s\n' "TO=$1" IDENTITY=/etc/epitaph/id KNOWN_HOSTS=/etc/epitaph/known_hosts
	shift
	[ $# = 0 ] || printf '%s\n' "$@"
}

# send_image TO [LINE...]: what is put behind the capture initramfs, in $out/send.img; compressed,
# as the kernel finds another one behind a compressed one wherever that ends.
send_image() {
	make -s -C "$top/initramfs" KERNEL="$kernel" network || return
	mkdir -p "$out/image/etc/epitaph"
	settings "$@" >"$out/image/etc/epitaph/send.conf"
	cp "$out/id" "$out/known_hosts" "$out/image/etc/epitaph/"
	chmod 600 "$out/image/etc/epitaph/"*
	cp "$top/build/initramfs/network-$kernel.img.gz" "$out/send.img"
	(cd "$out/image" && find . | cpio -o -H newc -R 0:0 --quiet) | gzip -9n >>"$out/send.img"
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

# archive_of HOST: the only one of it.
archive_of() {
	[ "$(find "$out/collected" -name "$1-*.tar.zst" | wc -l)" = 1 ] && find "$out/collected" -name "$1-*.tar.zst"
}

# collected HOST: the region in that, unpacked.
collected() {
	archive=$(archive_of "$1") && mkdir -p "$out/unpacked/$1" &&
		tar --zstd --no-same-owner -C "$out/unpacked/$1" -xf "$archive" && echo "$out/unpacked/$1/region"
}

# boot_id_of REGION HOST: the archive is called so.
boot_id_of() {
	id=$(basename "$(archive_of "$2")") && id=${id#"$2"-} &&
		recovers "$epitaph" info --json "$1" | grep -F "\"boot_id\":\"$(echo "$id" | cut -c 1-36)\""
}

# sums_of REGION: of all that lies beside it.
sums_of() {
	(cd "$(dirname "$1")" && jq -r '.files[] | "\(.sha256)  \(.name)"' manifest.json | sha256sum -c --quiet)
}
