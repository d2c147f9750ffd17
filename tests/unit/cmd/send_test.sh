#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph send to real servers: nginx (TLS, tokens, certificates), an object store, sshd with a
# chroot, a directory; and to servers that do one thing wrong.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/lib/lib-sshd.sh
. "$top/tests/lib/lib-sshd.sh"
golden=$top/tests/golden
boot=00010203-0405-0607-0809-0a0b0c0d0e0f
pids=
chroot=
trap 'for pid in $pids; do kill "$pid"; done 2>/dev/null; rm -rf "$dir" ${chroot:+"$chroot"}' EXIT

free_port() {
	/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# await COMMAND...: within a minute or so
await() {
	for _ in $(seq 600); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	return 1
}

connects() { /usr/bin/python3 -c 'import socket, sys; socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1)' "$1"; }

# start COMMAND...: a server, until the end of this test
start() {
	"$@" >"$dir/log" 2>&1 &
	pids="$pids $!"
}

# sends STATUS ARGUMENT...: what is to succeed has its time, on a machine with much to do
sends() {
	want=$1
	shift
	[ "$want" = 0 ] && within=120 || within=${fails_within:-1}
	rm -f "$dir/from/$name/sent"
	"$epitaph" send --conf /dev/null --host web1 --within "$within" "$@" "$dir/from" >"$dir/told" 2>&1
	status=$?
	cat "$dir/told"
	[ "$status" -eq "$want" ] || { echo "send $*: $status, not $want"; return 1; }
	[ "$want" = 0 ] || [ ! -e "$dir/from/$name/sent" ] || { echo "marked as sent"; return 1; }
}

# there DIR [SUFFIX]: the only archive in it, and whole
there() {
	archive=$(find "$1" -type f -name "web1-$boot-????????????????.tar.zst${2-}")
	if [ -z "$archive" ] || [ "$(find "$1" -type f ! -name '*md5' ! -name '*.json' | wc -l)" != 1 ]; then
		find "$1"
		return 1
	fi
	rm -rf "$dir/unpacked" && mkdir "$dir/unpacked" && tar --zstd -C "$dir/unpacked" -xf "$archive" || return 1
	digest=$(sha256sum <"$dir/unpacked/manifest.json" | cut -c 1-16)
	zstd -dcq "$dir/unpacked/region" | cmp - "$dir/whole" && jq -r '.files[] | "\(.sha256)  \(.name)"' "$dir/unpacked/manifest.json" |
		(cd "$dir/unpacked" && sha256sum -c --quiet) && [ "$(jq -r .claimed_host "$dir/unpacked/manifest.json")" = web1 ] &&
		[ "$(find "$dir/unpacked" -type f | wc -l)" = "$(($(jq '.files | length' "$dir/unpacked/manifest.json") + 1))" ] &&
		case $archive in *"-$digest.tar.zst${2-}") ;; *) echo "$archive: not $digest"; return 1 ;; esac
}

nothing_in() { [ -z "$(find "$1" -type f)" ] || { find "$1"; return 1; }; }
empty() { rm -rf "$1" && mkdir -p "$1"; }

# --- a directory ---

into_a_directory() {
	empty "$dir/share" && sends 3 --to "dir:$dir/share" && grep -q 'expected a mounted share' "$dir/told" && nothing_in "$dir/share" &&
		sends 0 --to "dir:$dir/share" --same-filesystem && there "$dir/share"
}

what_is_sent_is_marked_and_not_sent_again() {
	empty "$dir/share" && sends 0 --to "dir:$dir/share" --same-filesystem &&
		grep -q "^dir:$dir/share web1-$boot-.*\.tar\.zst " "$dir/from/$name/sent" && empty "$dir/share" &&
		"$epitaph" send --conf /dev/null --host web1 --to "dir:$dir/share" "$dir/from" | grep -qx 'nothing to send' &&
		nothing_in "$dir/share"
}

# What a stop before the mark leaves: the archive, and no mark.
the_same_capture_is_the_same_archive() {
	empty "$dir/share" && sends 0 --to "dir:$dir/share" --same-filesystem && cp -r "$dir/share" "$dir/share.first" &&
		sends 0 --to "dir:$dir/share" --same-filesystem && there "$dir/share" && diff -r "$dir/share" "$dir/share.first"
}

# One that a stop in the middle has left there, or that the disk has damaged.
a_half_archive_is_replaced() {
	empty "$dir/share" && sends 0 --to "dir:$dir/share" --same-filesystem && archive=$(echo "$dir"/share/*) &&
		truncate -s 1000 "$archive" && echo half >"$dir/share/.$(basename "$archive").part" &&
		sends 0 --to "dir:$dir/share" --same-filesystem && there "$dir/share"
}

on_a_share_that_is_full_nothing_is_left() {
	mkdir -p "$dir/small" && mount -t tmpfs -o size=20k tmpfs "$dir/small" || return 1
	head -c 64k /dev/urandom >"$dir/from/$name/mce.txt"
	sends 3 --to "dir:$dir/small" && left=$(find "$dir/small" -type f)
	status=$?
	umount "$dir/small"
	rm "$dir/from/$name/mce.txt"
	[ "$status" = 0 ] && [ -z "$left" ]
}

# /var/crash is everybody's to write to on some systems.
what_another_user_has_made_is_not_sent() {
	mkdir "$dir/public" && cp -r "$dir/from/$name" "$dir/public/x" && chown -R 12345 "$dir/public/x" && empty "$dir/share" &&
		"$epitaph" send --conf /dev/null --to "dir:$dir/share" --same-filesystem "$dir/public" | grep -qx 'nothing to send' &&
		nothing_in "$dir/share"
}

# In a capture kernel texts have to wait; they are made of the region.
the_region_alone_is_enough() {
	empty "$dir/share" && sends 0 --to "dir:$dir/share" --same-filesystem --region-only && grep -q ': 1 file,' "$dir/told" &&
		there "$dir/share" && [ ! -e "$dir/unpacked/summary.txt" ] &&
		"$epitaph" send --conf /dev/null --to "dir:$dir/share" "$dir/from" | grep -qx 'nothing to send'
}

a_region_that_cannot_be_read_is_sent_as_it_is() {
	rm -rf "$dir/odd" && mkdir -p "$dir/odd/epitaph-x" && echo nonsense >"$dir/odd/epitaph-x/region" && empty "$dir/share" &&
		"$epitaph" send --conf /dev/null --host 'we b/1' --to "dir:$dir/share" --same-filesystem "$dir/odd" &&
		tar --zstd -xOf "$dir"/share/we_b_1-unknown-*.tar.zst region | grep -qx nonsense
}

# --- what is no target any more, or never was one ---

refused() { # WORDS ARGUMENT...
	words=$1
	shift
	sends 2 "$@" && grep -q -- "$words" "$dir/told"
}

what_is_gone_says_what_replaces_it() {
	refused 'expected dir:/PATH, https' --to tcp://10.0.0.1:7788 && refused 'docs/send.md' --to tls://a:1 || return 1
	for setting in PIN=00:CA KEY=/etc/key:TOKEN; do
		printf 'TO=https://a\n%s\n' "${setting%:*}" >"$dir/conf"
		exits 2 send --conf "$dir/conf" 2>"$dir/told" && grep -q "gone; expected ${setting#*:}" "$dir/told" || return 1
	done
	exits 2 collect --listen 7788 "$dir/from" 2>"$dir/told" && grep -q 'docs/send.md' "$dir/told"
}

only_targets_are_taken() {
	# shellcheck disable=SC2016
	for target in '' dir: dir:mnt sftp:// sftp://-oProxyCommand=x sftp://-l@h sftp://u@ https://h:0 https://h:65536 \
		https://u:p@h https://h/a?b https://h/../x 's3://b:1/x' 'https://a b' 'sftp://h/$(x)' 'sftp://h/a;b' ftp://h 'https://[::1' \
		"dir:/a
b"; do
		sends 2 --to "$target" || return 1
	done
}

without_tls_only_this_machine() {
	refused 'the network could read' --to http://10.0.0.1/ && refused 'the network could read' --to http://127.evil.example/ &&
		refused 'S3_ENDPOINT.*the network could read' --to s3://b --s3-endpoint http://10.0.0.1 --s3-keys "$dir/keys"
}

settings_are_read_from_a_file() {
	empty "$dir/share" && rm -f "$dir/from/$name/sent" && cat >"$dir/conf" <<-END
		# where to
		TO="dir:$dir/share"
		HOST=web1
		FROM=$dir/from $dir/absent
	END
	"$epitaph" send --conf "$dir/conf" --same-filesystem && there "$dir/share" && echo TOO=x >"$dir/wrong" &&
		exits 2 send --conf "$dir/wrong" --to dir:/tmp
}

# hook KIB SECONDS: what a capture boot of kdump-tools sends, with so much memory left, within that
hook() {
	mkdir -p "$dir/hook" && echo "MemAvailable: $1 kB" >"$dir/meminfo" || return 1
	sed "s,/proc/meminfo,$dir/meminfo," "$top/kdump-hooks/send" >"$dir/hook/send"
	cat >"$dir/hook/epitaph" <<-END
		#!/bin/sh
		shift
		exec "$(realpath "$epitaph")" send --same-filesystem --conf "$dir/conf" "\$@" --within $2
	END
	chmod 755 "$dir/hook/epitaph" && EPITAPH_RUN=$dir/hook PATH=$dir/hook:$PATH sh "$dir/hook/send" >"$dir/told" 2>&1
	status=$?
	cat "$dir/told"
	return "$status"
}

a_capture_boot_sends_what_it_has_saved_or_says_why_not() {
	mkdir -p "$dir/hook" && echo "$dir/from/$name" >"$dir/hook/epitaph-saved" &&
		rm -f "$dir/from/$name/sent" && cp -r "$dir/from/$name" "$dir/from/epitaph-older" &&
		touch -d 2020-01-01 "$dir/from/epitaph-older/region" && empty "$dir/share" && printf '%s\n' "TO=dir:$dir/share" HOST=web1 >"$dir/conf" &&
		hook 65535 30 && grep -q 'has 65535 KiB of memory left' "$dir/told" && nothing_in "$dir/share" &&
		hook 65536 30 && grep -q 'is on another machine' "$dir/told" && there "$dir/share" &&
		[ ! -e "$dir/from/epitaph-older/sent" ] && rm "$dir/from/$name/sent" &&
		echo TO=http://127.0.0.1:9 >"$dir/conf" && hook 65536 1 && grep -q 'not sent yet; the next boot sends it' "$dir/told"
	status=$?
	rm -r "$dir/from/epitaph-older"
	return "$status"
}

# The trace of this crash was not saved; an older one that is there says nothing of it.
a_capture_boot_that_has_saved_nothing_claims_nothing() {
	empty "$dir/share" && echo "TO=dir:$dir/share" >"$dir/conf" && rm -f "$dir/hook/epitaph-saved" &&
		hook 65536 30 && [ ! -s "$dir/told" ] && nothing_in "$dir/share" &&
		echo "$dir/from/epitaph-none" >"$dir/hook/epitaph-saved" && hook 65536 30 && [ ! -s "$dir/told" ]
}

# --- nginx ---

nginx_start() {
	port=$(free_port) other=$(free_port)
	mkdir -p "$dir/www/in" "$dir/www/cert" "$dir/www/once" "$dir/www/plain" "$dir/www/tmp"
	cat >"$dir/nginx.conf" <<-END
		daemon off;
		pid $dir/nginx.pid;
		error_log $dir/nginx.log;
		$([ "$(id -u)" != 0 ] || echo 'user root;')
		events { }
		http {
			access_log off;
			client_body_temp_path $dir/www/tmp;
			proxy_temp_path $dir/www/tmp/p; fastcgi_temp_path $dir/www/tmp/f; uwsgi_temp_path $dir/www/tmp/u; scgi_temp_path $dir/www/tmp/s;
			ssl_certificate $dir/server.pem;
			ssl_certificate_key $dir/server.key;
			ssl_client_certificate $dir/ca.pem;
			ssl_verify_client optional;
			client_max_body_size 20m;
			map_hash_bucket_size 128;
			map \$http_authorization \$known { default 0; "Bearer $(cat "$dir/token")" 1; }
			server {
				listen 127.0.0.1:$port ssl;
				root $dir/www;
				location /in/ { dav_methods PUT; if (\$known = 0) { return 401; } }
				location /cert/ { dav_methods PUT; if (\$ssl_client_verify != SUCCESS) { return 403; } }
				location /once/ { dav_methods PUT; set \$is \$request_method; if (-f \$request_filename) { set \$is "\$is-again"; } if (\$is = PUT-again) { return 409; } }
				location /small/ { dav_methods PUT; client_max_body_size 1k; }
				location /busy/ { return 503; }
				location /away/ { return 302 file:///etc/passwd; }
			}
			server {
				listen 127.0.0.1:$other ssl;
				ssl_certificate $dir/web1.pem;
				ssl_certificate_key $dir/web1.key;
				root $dir/www;
				location / { dav_methods PUT; }
			}
		}
	END
	start "$nginx" -e "$dir/nginx.log" -c "$dir/nginx.conf"
	await connects "$port" || { cat "$dir/log" "$dir/nginx.log"; return 1; }
}

https() { sends "$@" --ca "$dir/ca.pem"; }

nginx_takes_it_with_a_token() {
	empty "$dir/www/in" && https 0 --to "https://127.0.0.1:$port/in/" --token "$dir/token" && there "$dir/www/in" &&
		https 0 --to "https://127.0.0.1:$port/in" --token "$dir/token" && there "$dir/www/in"
}

nginx_refuses_another_token() {
	empty "$dir/www/in" && https 3 --to "https://127.0.0.1:$port/in" --token "$dir/other" && grep -q 'answered 401.*credentials' "$dir/told" &&
		https 3 --to "https://127.0.0.1:$port/in" && nothing_in "$dir/www/in"
}

a_token_may_be_a_credential_of_systemd() {
	mkdir -p "$dir/credentials" && cp "$dir/token" "$dir/credentials/fleet" && chmod 440 "$dir/credentials/fleet" && empty "$dir/www/in" &&
		CREDENTIALS_DIRECTORY=$dir/credentials https 0 --to "https://127.0.0.1:$port/in" --token fleet && there "$dir/www/in"
}

a_secret_that_others_read_is_none() {
	cp "$dir/token" "$dir/open" && chmod 644 "$dir/open" && empty "$dir/www/in" &&
		https 3 --to "https://127.0.0.1:$port/in" --token "$dir/open" && grep -q 'found mode 0644.*expected 0600' "$dir/told" &&
		chmod 600 "$dir/open" && https 0 --to "https://127.0.0.1:$port/in" --token "$dir/open" &&
		https 3 --to "https://127.0.0.1:$port/in" --token "$dir/absent" && grep -q 'absent: No such file' "$dir/told"
}

nginx_knows_a_certificate() {
	empty "$dir/www/cert" && https 3 --to "https://127.0.0.1:$port/cert" && grep -q 'answered 403' "$dir/told" && nothing_in "$dir/www/cert" &&
		https 0 --to "https://127.0.0.1:$port/cert" --cert "$dir/web1.pem" --cert-key "$dir/web1.key" && there "$dir/www/cert"
}

the_server_s_certificate_is_checked() {
	empty "$dir/www/cert" && sends 3 --to "https://127.0.0.1:$port/cert" && grep -qi certificate "$dir/told" &&
		https 3 --to "https://127.0.0.1:$other/cert" && grep -qi certificate "$dir/told" && nothing_in "$dir/www/cert"
}

# The answer to the first PUT is lost: no mark.
a_store_that_overwrites_nothing_has_it() {
	empty "$dir/www/once" && https 0 --to "https://127.0.0.1:$port/once" && https 0 --to "https://127.0.0.1:$port/once" && there "$dir/www/once" &&
		truncate -s 1000 "$dir"/www/once/* && https 3 --to "https://127.0.0.1:$port/once" && grep -q 'answered 409' "$dir/told"
}

no_redirect_is_followed() {
	https 3 --to "https://127.0.0.1:$port/away" && grep -q 'answered 302, a redirect to file:///etc/passwd, which is not followed' "$dir/told"
}

a_server_that_is_busy_is_tried_again_later() {
	https 3 --to "https://127.0.0.1:$port/busy" && grep -q 'answered 503.*tried again later' "$dir/told" &&
		https 3 --to "https://127.0.0.1:$port/small" && grep -q 'answered 413.*larger files' "$dir/told"
}

a_check_stores_nothing() {
	empty "$dir/www/in" && set -- --conf /dev/null --check --to "https://127.0.0.1:$port/in" --ca "$dir/ca.pem" &&
		"$epitaph" send "$@" --token "$dir/token" && nothing_in "$dir/www/in" && exits 3 send "$@" --token "$dir/other"
}

# A power cut in the middle, at the sender: the server has no part of it, and the next send all.
a_sender_that_is_killed_leaves_nothing() {
	empty "$dir/www/in" && rm -f "$dir/from/$name/sent" && for delay in 0.005 0.01 0.02 0.04; do
		timeout -s KILL "$delay" "$epitaph" send --conf /dev/null --host web1 --ca "$dir/ca.pem" --token "$dir/token" \
			--to "https://127.0.0.1:$port/in" "$dir/from"
		[ -z "$(find "$dir/from" -name '.archive*')" ] || return 1
	done >/dev/null 2>&1
	https 0 --to "https://127.0.0.1:$port/in" --token "$dir/token" && there "$dir/www/in"
}

# --- servers that do one thing wrong ---

bad_start() {
	mkdir -p "$dir/bad"
	start /usr/bin/python3 "$top/tests/lib/bad_server" "$dir/bad"
	await [ -s "$dir/log" ] && bad=http://127.0.0.1:$(cat "$dir/log")
}

a_server_that_never_answers() {
	begin=$(date +%s) && sends 3 --to "$bad/never" && grep -qi 'time' "$dir/told" && sends 3 --to "$bad/deaf" && grep -qi 'time' "$dir/told" &&
		[ $(($(date +%s) - begin)) -le 20 ]
}

a_server_that_closes_in_the_middle() {
	sends 3 --to "$bad/cut"
}

a_server_that_recovers_is_tried_until_it_has_it() {
	empty "$dir/bad" && sends 0 --to "$bad/late" && there "$dir/bad"
}

# What goes without TLS goes to this machine, whatever the environment says of proxies.
no_proxy_sees_what_goes_without_tls() {
	empty "$dir/bad" && for variable in http_proxy all_proxy; do
		(export "$variable=http://127.0.0.1:9" && sends 0 --to "$bad/late") || return
	done
	there "$dir/bad"
}

# A large one that is the newest, and another one.
two_captures() {
	rm -rf "$dir/two" && mkdir "$dir/two" && cp -a "$dir/from/$name" "$dir/two/epitaph-large" && cp -a "$dir/from/$name" "$dir/two/epitaph-small" &&
		rm -f "$dir"/two/*/sent "$dir"/two/*/.late && head -c 200000 /dev/urandom >"$dir/two/epitaph-large/mce.txt" &&
		touch -d 2026-01-02 "$dir/two/epitaph-large/region" && touch -d 2026-01-01 "$dir/two/epitaph-small/region"
}
# sends_two WITHIN TO: the large one is named first
sends_two() {
	"$epitaph" send --conf /dev/null --host web1 --within "$1" --to "$2" --same-filesystem "$dir/two/epitaph-large" "$dir/two/epitaph-small" >"$dir/told" 2>&1
	status=$?
	cat "$dir/told"
	return "$status"
}

# The next run begins with the other one, and comes to the large one again.
what_takes_too_long_lets_others_pass() {
	two_captures || return 1
	sends_two 4 "$bad/large"
	grep -q 'epitaph-large is not sent' "$dir/told" || return 1
	sends_two 8 "$bad/large"
	[ -s "$dir/two/epitaph-small/sent" ] && [ ! -e "$dir/two/epitaph-large/sent" ] && grep -q 'epitaph-large is not sent' "$dir/told" &&
		empty "$dir/share" && sends_two 60 "dir:$dir/share" && [ "$(find "$dir/share" -type f | wc -l)" = 2 ] && [ ! -e "$dir/two/epitaph-large/.late" ]
}

the_newest_is_sent_first() {
	two_captures && touch -d 2026-01-03 "$dir/two/epitaph-small/region" && empty "$dir/share" && sends_two 60 "dir:$dir/share" &&
		[ "$(sed -n 's,^sent .*/two/epitaph-\([a-z]*\) .*,\1,p' "$dir/told" | tr '\n' ' ')" = 'small large ' ]
}

a_redirect_to_a_file_is_not_followed() {
	sends 3 --to "$bad/file" && grep -q 'answered 307.*file:///etc/passwd' "$dir/told"
}

what_is_posted_is_the_same() {
	empty "$dir/bad" && sends 0 --to "$bad/post" --method POST && there "$dir/bad" && sends 3 --to "$bad/post" && refused 'METHOD' --to "$bad/post" --method GET
}

an_unreachable_server_is_3_in_time() {
	begin=$(date +%s) && sends 3 --to http://127.0.0.1:9 && grep -qi 'connect' "$dir/told" && [ $(($(date +%s) - begin)) -le 10 ]
}

# Over the same way as the object store's, but the signature is computed by other code.
what_is_signed_for_s3_is_what_aws_documents() {
	(umask 077 && echo KEY:SECRET >"$dir/aws" && echo KEY:ANOTHER >"$dir/aws.other") && empty "$dir/bad" &&
		sends 3 --to s3://signed/a --s3-endpoint "$bad" --s3-region eu-central-1 --s3-keys "$dir/aws.other" && nothing_in "$dir/bad" &&
		sends 0 --to s3://signed/a --s3-endpoint "$bad" --s3-region eu-central-1 --s3-keys "$dir/aws" && there "$dir/bad"
}

# --- an object store ---

s3_start() {
	s3rver=$(realpath "$top")/build/tests/s3rver/node_modules/.bin/s3rver
	[ -x "$s3rver" ] || "$top/scripts/deps" s3rver >&2 || { no_s3="npm cannot fetch s3rver"; return 0; }
	mkdir -p "$dir/store"
	s3_port=$(free_port)
	start "$s3rver" -d "$dir/store" -a 127.0.0.1 -p "$s3_port" --configure-bucket traces
	await connects "$s3_port"
}

s3() {
	wanted=$1
	shift
	sends "$wanted" --s3-endpoint "http://127.0.0.1:$s3_port" --s3-keys "$dir/keys" "$@"
}

an_object_store_takes_it() {
	s3 0 --to s3://traces/fleet && there "$dir/store/traces/fleet" ._S3rver_object && s3 0 --to s3://traces/fleet &&
		there "$dir/store/traces/fleet" ._S3rver_object && s3 3 --to s3://absent && grep -q 'answered 404 (NoSuchBucket)' "$dir/told" &&
		exits 0 send --conf /dev/null --check --to s3://traces --s3-endpoint "http://127.0.0.1:$s3_port" --s3-keys "$dir/keys"
}

an_object_store_wants_its_keys() {
	(umask 077 && echo NOBODY:X >"$dir/none") && s3 3 --to s3://traces --s3-keys "$dir/none" && grep -q 'answered 403 (InvalidAccessKeyId)' "$dir/told" &&
		sends 3 --to s3://traces --s3-endpoint "http://127.0.0.1:$s3_port" && grep -q 'expected S3_KEYS' "$dir/told"
}

an_object_store_without_space_is_told() {
	head -c 4M /dev/urandom >"$dir/from/$name/mce.txt"
	mount -t tmpfs -o size=2m tmpfs "$dir/store" && mkdir -p "$dir/store/traces" || return 1
	s3 3 --to s3://traces/full
	status=$?
	rm "$dir/from/$name/mce.txt"
	umount "$dir/store" && [ "$status" = 0 ]
}

# s3rver dies of a full disk.
an_object_store_that_comes_back_gets_it() {
	rm -rf "$dir/store/traces" && s3_start && s3 0 --to s3://traces/fleet && there "$dir/store/traces/fleet" ._S3rver_object
}

# sends_from_disk STATUS: what is on the small disk, to the share
sends_from_disk() {
	"$epitaph" send --conf /dev/null --host web1 --within 60 --to "dir:$dir/share" --same-filesystem "$dir/small" >"$dir/told" 2>&1
	status=$?
	cat "$dir/told"
	[ "$status" = "$1" ] || { echo "$status, not $1"; return 1; }
}

# on_small_disk COMMAND...: with the capture on a disk of its own
on_small_disk() {
	mkdir -p "$dir/small" && mount -t tmpfs -o size=64k tmpfs "$dir/small" && empty "$dir/share" &&
		cp -a "$dir/from/$name" "$dir/small" && rm -f "$dir/small/$name/sent" && "$@"
	went=$?
	umount "$dir/small"
	return "$went"
}

# Only what is marked as sent may make room there, so a text gives way for the mark.
from_full() {
	head -c 1m /dev/zero >"$dir/small/of-others" 2>/dev/null
	sends_from_disk 0 && there "$dir/share" && [ -s "$dir/small/$name/sent" ] && [ -s "$dir/small/$name/region" ] &&
		sends_from_disk 0 && grep -qx 'nothing to send' "$dir/told"
}
from_a_disk_that_is_full() { on_small_disk from_full; }

from_read_only() {
	mount -o remount,ro "$dir/small" && sends_from_disk 0 && there "$dir/share" &&
		grep "warning: .* is sent, and cannot be marked: .*Read-only file system; it will be sent again" "$dir/told" &&
		sends_from_disk 0 && there "$dir/share"
}
from_a_disk_that_is_read_only() { on_small_disk from_read_only; }

# is_no_share DIR CAPTURE WHERE: a copy there would be on this machine's disk
is_no_share() {
	exits 3 send --conf /dev/null --host web1 --to "dir:$1" "$2" >"$dir/told" 2>&1
	went=$?
	cat "$dir/told"
	[ "$went" = 0 ] && grep -q "it is on the file system of the $3; expected a mounted share" "$dir/told" && nothing_in "$1" && [ ! -e "$2/sent" ]
}

# Prints a new directory on the file system of /, wherever temporary files are.
make_on_root() {
	for place in "$dir" /var/tmp /root /; do
		[ "$(stat -c %d "$place")" != "$(stat -c %d /)" ] || { mktemp -d "$place/epitaph.XXXXXX" && return; }
	done
}

# As /mnt/share is, where /var has a disk of its own.
from_disk_to_root() {
	on_root=$(make_on_root) && is_no_share "$on_root" "$dir/small/$name" root &&
		exits 3 send --conf /dev/null --host web1 --check --to "dir:$on_root" && rmdir "$on_root" && mkdir "$dir/mounted" && mount -t tmpfs tmpfs "$dir/mounted" || return
	"$epitaph" send --conf /dev/null --host web1 --to "dir:$dir/mounted" "$dir/small" && there "$dir/mounted"
	went=$?
	umount "$dir/mounted"
	return "$went"
}
a_share_that_is_not_mounted_is_none() { on_small_disk from_disk_to_root; }

# Each has a device number of its own.
btrfs_to_its_subvolume() {
	btrfs -q subvolume create "$dir/small/var" && btrfs -q subvolume create "$dir/small/srv" && mkdir "$dir/small/srv/share" &&
		cp -a "$dir/from/$name" "$dir/small/var" && rm -f "$dir/small/var/$name/sent" &&
		is_no_share "$dir/small/srv/share" "$dir/small/var/$name" capture
}
a_subvolume_is_no_share() {
	mkdir -p "$dir/small" && truncate -s 120M "$dir/btrfs" && mkfs.btrfs -q "$dir/btrfs" && mount -o loop "$dir/btrfs" "$dir/small" || return
	btrfs_to_its_subvolume
	went=$?
	umount "$dir/small"
	rm "$dir/btrfs"
	return "$went"
}

# --- sshd ---

sshd_start() {
	chroot=$(mktemp -d /run/epitaph-send-test.XXXXXX) && chmod 755 "$chroot" && mkdir "$chroot/in" || return
	ssh-keygen -q -t ed25519 -N '' -f "$dir/host_key" && ssh-keygen -q -t ed25519 -N '' -f "$dir/id" || return
	echo "restrict $(cat "$dir/id.pub")" >"$dir/authorized"
	ssh_port=$(free_port)
	start sshd_run -p "$ssh_port" -h "$dir/host_key" -o AuthorizedKeysFile="$dir/authorized" -o "Subsystem=sftp internal-sftp" \
		-o ForceCommand=internal-sftp -o ChrootDirectory="$chroot"
	echo "[127.0.0.1]:$ssh_port $(cat "$dir/host_key.pub")" >"$dir/known"
	await grep -q 'Server listening' "$dir/log"
}

# at_once COMMAND...: no further try is made, though there is time for some
at_once() {
	begin=$(date +%s)
	fails_within=120 "$@" && [ $(($(date +%s) - begin)) -le 60 ]
}

over_sftp_into_a_chroot() {
	for to in "sftp://127.0.0.1:$ssh_port/in" "ssh://root@127.0.0.1:$ssh_port/in/"; do
		empty "$chroot/in" && at_once sends 3 --to "$to" --identity "$dir/id" --known-hosts "$dir/whole" &&
			grep -q 'Host key .*: ssh-keyscan prints it; .* KNOWN_HOSTS= names' "$dir/told" && nothing_in "$chroot/in" &&
			sends 0 --to "$to" --identity "$dir/id" --known-hosts "$dir/known" && there "$chroot/in" &&
			sends 0 --to "$to" --identity "$dir/id" --known-hosts "$dir/known" && there "$chroot/in" || return 1
	done
	"$epitaph" send --conf /dev/null --check --to "$to" --identity "$dir/id" --known-hosts "$dir/known" &&
		at_once sends 3 --to "sftp://127.0.0.1:$ssh_port/absent" --identity "$dir/id" --known-hosts "$dir/known" &&
		grep -q 'no /absent there; a path begins at the root of what the server shows' "$dir/told" || return
	[ -f "$dir/stranger" ] || ssh-keygen -q -t ed25519 -N '' -f "$dir/stranger"
	at_once sends 3 --to "$to" --identity "$dir/stranger" --known-hosts "$dir/known" && grep -q 'Permission denied.* IDENTITY= names' "$dir/told"
}

# certificate NAME SUBJECT-ALTERNATIVE
certificate() {
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$dir/$1.key" \
		-out "$dir/$1.csr" -subj "/CN=$1" 2>/dev/null && echo "subjectAltName=$2" >"$dir/extension" &&
		openssl x509 -req -in "$dir/$1.csr" -CA "$dir/ca.pem" -CAkey "$dir/ca.key" -CAcreateserial -days 2 \
			-extfile "$dir/extension" -out "$dir/$1.pem" 2>/dev/null
}

"$golden/mkregion" "$golden/whole.region" "$dir/whole" &&
	"$epitaph" capture -o "$dir/from" "$dir/whole" >/dev/null 2>&1 || exit 1
name=$(ls "$dir/from")
(
	umask 077
	openssl rand -hex 32 >"$dir/token"
	openssl rand -hex 32 >"$dir/other"
	echo S3RVER:S3RVER >"$dir/keys"
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$dir/ca.key" \
		-out "$dir/ca.pem" -days 2 -subj /CN=ca 2>/dev/null
	certificate server IP:127.0.0.1 && certificate web1 DNS:web1
) || exit 1

# claims WHY-NOT CLAIM...: skipped with the reason, if there is one
claims() {
	why=$1
	shift
	for claim; do
		if [ -n "$why" ]; then
			skip "$claim" "$why"
		else
			ok "$claim" "$claim"
		fi
	done
}

claims "" into_a_directory what_is_sent_is_marked_and_not_sent_again the_same_capture_is_the_same_archive \
	a_half_archive_is_replaced the_region_alone_is_enough a_region_that_cannot_be_read_is_sent_as_it_is \
	what_is_gone_says_what_replaces_it only_targets_are_taken without_tls_only_this_machine settings_are_read_from_a_file \
	a_capture_boot_sends_what_it_has_saved_or_says_why_not a_capture_boot_that_has_saved_nothing_claims_nothing
root_only=
[ "$(id -u)" = 0 ] || root_only="mounting and other users' files need root"
claims "$root_only" from_a_disk_that_is_full from_a_disk_that_is_read_only on_a_share_that_is_full_nothing_is_left what_another_user_has_made_is_not_sent \
	a_share_that_is_not_mounted_is_none
command -v mkfs.btrfs >/dev/null && no_btrfs=$root_only || no_btrfs="no btrfs-progs"
claims "$no_btrfs" a_subvolume_is_no_share

no_nginx=
nginx=$(command -v nginx) || nginx=$(unpacked nginx usr/sbin/nginx)
"$nginx" -v 2>&1 | grep -q nginx || no_nginx="no nginx on the machine nor in Debian's packages"
[ -n "$no_nginx" ] || nginx_start || exit 1
claims "$no_nginx" nginx_takes_it_with_a_token nginx_refuses_another_token a_token_may_be_a_credential_of_systemd \
	a_secret_that_others_read_is_none nginx_knows_a_certificate the_server_s_certificate_is_checked \
	a_store_that_overwrites_nothing_has_it no_redirect_is_followed a_server_that_is_busy_is_tried_again_later \
	a_check_stores_nothing a_sender_that_is_killed_leaves_nothing
bad_start || exit 1
claims "" the_newest_is_sent_first what_takes_too_long_lets_others_pass a_server_that_never_answers a_server_that_closes_in_the_middle a_server_that_recovers_is_tried_until_it_has_it no_proxy_sees_what_goes_without_tls \
	a_redirect_to_a_file_is_not_followed what_is_posted_is_the_same an_unreachable_server_is_3_in_time \
	what_is_signed_for_s3_is_what_aws_documents
no_s3=
s3_start || exit 1
claims "$no_s3" an_object_store_takes_it an_object_store_wants_its_keys
claims "${no_s3:-$root_only}" an_object_store_without_space_is_told \
	an_object_store_that_comes_back_gets_it
sshd_find
[ -n "$no_sshd" ] || sshd_start || exit 1
claims "$no_sshd" over_sftp_into_a_chroot
[ -z "$pids" ] || for pid in $pids; do kill "$pid"; done 2>/dev/null
pids=
wait
finish
