#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph send and epitaph collect: over TCP, TLS and ssh, and into a directory.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/lib/lib-sshd.sh
. "$top/tests/lib/lib-sshd.sh"
golden=$top/tests/golden
name=00010203-0405-0607-0809-0a0b0c0d0e0f-20231114T221320Z
pids=
trap 'for pid in $pids; do kill "$pid"; done 2>/dev/null; rm -rf "$dir"' EXIT

# await_log TEXT: the process $pid says so, within 3 s
await_log() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
		! grep -qs "$1" "$dir/log" || return 0
		kill -0 "$pid" 2>/dev/null || return 1
		sleep 0.1
	done
	return 1
}

# listen ARGUMENT...: a collector that stores in $dir/there, where $port says
listen() {
	stop
	for port in 47110 47111 47112 47113; do
		rm -f "$dir/log"
		"$epitaph" collect --listen "127.0.0.1:$port" --keep-free 0 "$@" "$dir/there" >"$dir/log" 2>&1 &
		pid=$!
		pids="$pids $pid"
		! await_log '^listening' || return 0
		kill "$pid" 2>/dev/null
	done
	cat "$dir/log"
	return 1
}

# collector ARGUMENT...: the same, with nothing there
collector() {
	stop
	rm -rf "$dir/there"
	mkdir "$dir/there" && listen "$@"
}

stop() {
	[ -z "${pid-}" ] || kill "$pid" 2>/dev/null
	pid=
	rm -f "$dir/from/epitaph-$name/sent"
}

# sends STATUS ARGUMENT...
sends() {
	want=$1
	shift
	# What is to succeed has its time, on a machine with much to do.
	[ "$want" = 0 ] && within=30 || within=1
	"$epitaph" send --conf /dev/null --host web1 --within "$within" "$@" "$dir/from" >"$dir/told" 2>&1
	status=$?
	cat "$dir/told"
	[ "$status" -eq "$want" ] || { echo "send $*: $status, not $want"; cat "$dir/log"; return 1; }
}

there() {
	(cd "$dir/${1:-there}/web1/$name" && sha256sum -c --quiet SHA256SUMS) &&
		cmp "$dir/${1:-there}/web1/$name/region" "$dir/whole" &&
		grep -qF "$(sha256sum "$dir/${1:-there}/web1/$name/SHA256SUMS" | cut -d ' ' -f 1)" "$dir/told"
}
nothing_there() { [ -z "$(find "$dir/there" -name region)" ]; }

over_tcp_with_a_key() {
	collector --key "$dir/key" && sends 0 --to "tcp://127.0.0.1:$port" --key "$dir/key" && there &&
		[ "$(find "$dir/there" -type f -perm 400 | wc -l)" = 6 ] &&
		[ "$(stat -c %a "$dir/there/web1/$name")" = 700 ]
}

what_is_sent_is_marked_and_not_sent_again() {
	collector --key "$dir/key" && sends 0 --to "tcp://127.0.0.1:$port" --key "$dir/key" &&
		grep -q "^tcp://127.0.0.1:$port " "$dir/from/epitaph-$name/sent" && kill "$pid" &&
		sends 0 --to "tcp://127.0.0.1:$port" --key "$dir/key" && grep -qx 'nothing to send' "$dir/told"
}

a_lost_mark_sends_it_into_the_same_place() {
	collector --key "$dir/key" && sends 0 --to "tcp://127.0.0.1:$port" --key "$dir/key" &&
		rm "$dir/from/epitaph-$name/sent" && sends 0 --to "tcp://127.0.0.1:$port" --key "$dir/key" &&
		grep -q '^was there' "$dir/told" && there && [ "$(find "$dir/there" -name region | wc -l)" = 1 ]
}

another_key_is_refused() {
	collector --key "$dir/key" && sends 3 --to "tcp://127.0.0.1:$port" --key "$dir/other.key" &&
		grep -q "key is not the collector's" "$dir/told" && nothing_there
}

# It is there first, at the collector's address, and says what a collector says that has no key.
an_impostor_without_the_key_gets_no_byte() {
	stop
	for send in 'send' 'send -' "send $(printf %064d 0)"; do
		python3 - "$epitaph" "$dir" "$send" <<-'END' || return 1
			import socket, subprocess, sys
			epitaph, dir, send = sys.argv[1:]
			listener = socket.create_server(("127.0.0.1", 0))
			listener.settimeout(10)
			sender = subprocess.Popen([epitaph, "send", "--conf", "/dev/null", "--within", "1", "--key", dir + "/key",
			                           "--to", "tcp://127.0.0.1:%d" % listener.getsockname()[1], dir + "/from"],
			                          stderr=open(dir + "/told", "w"))
			peer = listener.accept()[0]
			peer.settimeout(10)
			peer.sendall(b"epitaph-collect 1 " + b"0" * 64 + b"\n" + send.encode() + b"\n")
			given = b""
			while piece := peer.recv(65536):
			    given += piece
			behind = given.partition(b"\nmac ")[2]
			print(send, "gets", len(behind) - 65, "bytes; status", sender.wait())
			sys.exit(len(behind) != 65 or sender.wait() != 3)
		END
	done
	grep -q 'this is not the collector' "$dir/told"
}

plain_tcp_wants_a_key() {
	sends 2 --to tcp://127.0.0.1:1 && exits 2 collect --listen 127.0.0.1:1 "$dir/from"
}

a_key_that_others_read_is_none() {
	cp "$dir/key" "$dir/open.key" && chmod 644 "$dir/open.key" &&
		sends 2 --to tcp://127.0.0.1:1 --key "$dir/open.key" && grep -q 'chmod 600' "$dir/told"
}

an_unreachable_collector_is_3_in_time() {
	begin=$(date +%s) && sends 3 --to tcp://127.0.0.1:1 --key "$dir/key" &&
		grep -q 'Connection refused' "$dir/told" && [ $(($(date +%s) - begin)) -le 5 ] &&
		[ ! -e "$dir/from/epitaph-$name/sent" ]
}

a_check_stores_nothing() {
	collector --key "$dir/key" && "$epitaph" send --conf /dev/null --check --to "tcp://127.0.0.1:$port" \
		--key "$dir/key" && nothing_there &&
		! "$epitaph" send --conf /dev/null --check --to "tcp://127.0.0.1:$port" --key "$dir/other.key"
}

settings_are_read_from_a_file() {
	collector --key "$dir/key" && cat >"$dir/conf" <<-END
		# where to
		TO="tcp://127.0.0.1:$port"
		KEY=$dir/key
		HOST=web1
		FROM=$dir/from $dir/absent
	END
	"$epitaph" send --conf "$dir/conf" >"$dir/told" 2>&1 && there &&
		echo "TOO=x" >"$dir/wrong" && exits 2 send --conf "$dir/wrong" --to dir:/tmp
}

over_tls_the_ca_is_asked() {
	collector --tls-cert "$dir/server.pem" --tls-key "$dir/server.key" --key "$dir/key" &&
		sends 3 --to "tls://127.0.0.1:$port" --key "$dir/key" && nothing_there &&
		sends 3 --to "tls://127.0.0.1:$port" --key "$dir/key" --ca "$dir/web1.pem" && nothing_there &&
		sends 0 --to "tls://127.0.0.1:$port" --key "$dir/key" --ca "$dir/ca.pem" && there
}

over_tls_another_host_s_certificate_is_none() {
	collector --tls-cert "$dir/web1.pem" --tls-key "$dir/web1.key" --key "$dir/key" &&
		sends 3 --to "tls://127.0.0.1:$port" --key "$dir/key" --ca "$dir/ca.pem" && nothing_there
}

over_tls_a_fingerprint_will_do() {
	pin=$(openssl x509 -in "$dir/server.pem" -noout -fingerprint -sha256 | cut -d = -f 2)
	collector --tls-cert "$dir/server.pem" --tls-key "$dir/server.key" --key "$dir/key" &&
		sends 3 --to "tls://127.0.0.1:$port" --key "$dir/key" --pin "$(printf %064d 0)" && nothing_there &&
		sends 0 --to "tls://127.0.0.1:$port" --key "$dir/key" --pin "$pin" && there
}

a_client_s_certificate_says_which_host_it_is() {
	collector --tls-cert "$dir/server.pem" --tls-key "$dir/server.key" --tls-clients "$dir/ca.pem" || return 1
	set -- --to "tls://127.0.0.1:$port" --ca "$dir/ca.pem"
	sends 3 "$@" && sends 3 "$@" --cert "$dir/web2.pem" --cert-key "$dir/web2.key" && nothing_there &&
		grep -q 'known as web2' "$dir/told" &&
		sends 0 "$@" --cert "$dir/web1.pem" --cert-key "$dir/web1.key" && there
}

# "web1", a zero and more; and a name that is too long, with a common name that is not.
a_certificate_of_another_name_is_not_this_host_s() {
	collector --tls-cert "$dir/server.pem" --tls-key "$dir/server.key" --tls-clients "$dir/ca.pem" || return 1
	for cert in zero web1.too_long; do
		sends 3 --to "tls://127.0.0.1:$port" --ca "$dir/ca.pem" --cert "$dir/$cert.pem" \
			--cert-key "$dir/$cert.key" && nothing_there && grep -q 'names no host' "$dir/log" || return 1
		: >"$dir/log"
	done
}

# The certificate of a server of ours is no host's, and a host's is no collector's.
a_certificate_is_for_what_it_says() {
	collector --tls-cert "$dir/server.pem" --tls-key "$dir/server.key" --tls-clients "$dir/ca.pem" || return 1
	set -- --to "tls://127.0.0.1:$port" --ca "$dir/ca.pem"
	sends 3 "$@" --cert "$dir/web1.server.pem" --cert-key "$dir/web1.server.key" && nothing_there &&
		grep -q 'purpose' "$dir/log" && sends 0 "$@" --cert "$dir/web1.client.pem" --cert-key "$dir/web1.client.key" &&
		there || return 1
	collector --tls-cert "$dir/collector.client.pem" --tls-key "$dir/collector.client.key" --key "$dir/key" &&
		sends 3 --to "tls://127.0.0.1:$port" --ca "$dir/ca.pem" --key "$dir/key" && nothing_there &&
		grep -q 'purpose' "$dir/told" &&
		collector --tls-cert "$dir/collector.server.pem" --tls-key "$dir/collector.server.key" --key "$dir/key" &&
		sends 0 --to "tls://127.0.0.1:$port" --ca "$dir/ca.pem" --key "$dir/key" && there
}

what_else_speaks_tls_gets_nothing() {
	collector --tls-cert "$dir/server.pem" --tls-key "$dir/server.key" --key "$dir/key" || return 1
	printf 'GET / HTTP/1.0\r\n\r\n' | timeout 5 openssl s_client -quiet -connect "127.0.0.1:$port" \
		-CAfile "$dir/ca.pem" >"$dir/said" 2>/dev/null
	grep -q '^refused no sender of ours: GET / HTTP/1.0' "$dir/said" ||
		grep -q '^refused what comes is no line' "$dir/said" || { cat "$dir/said"; return 1; }
}

eight_of_one_address_are_served() {
	collector --key "$dir/key" && python3 - "$port" <<-'END'
		import socket, sys
		peers = [socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5) for _ in range(12)]
		greeted = 0
		for peer in peers:
		    try:
		        greeted += peer.recv(100).startswith(b"epitaph-collect 1 ")
		    except ConnectionError:
		        pass
		print(greeted, "of 12 were greeted")
		sys.exit(greeted != 8)
	END
}

# Killed with half of the bytes: what it leaves is nobody's trace, and goes with the next one.
a_collector_that_is_killed_leaves_nothing_to_the_next() {
	collector --anybody && python3 - "$port" "$pid" "$dir" <<-'END' || return 1
		import glob, hashlib, os, signal, socket, subprocess, sys, time
		peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
		data = b"x" * 100000
		peer.sendall(b"epitaph-send 1\nnonce " + b"0" * 64 + b"\nhost web1\nname killed\nfile region 100000 " +
		             hashlib.sha256(data).hexdigest().encode() + b"\nmac -\n" + data[:50000])
		while b"send -\n" not in peer.recv(1000):
		    pass
		children = subprocess.run(["pgrep", "-P", sys.argv[2]], capture_output=True, text=True).stdout.split()
		for pid in [sys.argv[2], *children]:
		    os.kill(int(pid), signal.SIGKILL)
		time.sleep(0.1)
		left = glob.glob(sys.argv[3] + "/there/web1/.receiving-*/region")
		print(left)
		sys.exit(len(left) != 1 or os.path.exists(sys.argv[3] + "/there/web1/killed"))
	END
	listen --key "$dir/key" &&
		sends 0 --to "tcp://127.0.0.1:$port" --key "$dir/key" && there &&
		[ "$(ls -A "$dir/there/web1")" = "$name" ]
}

# /var/crash is everybody's to write to on some systems.
what_another_user_has_made_is_not_sent() {
	mkdir "$dir/public" && cp -r "$dir/from/epitaph-$name" "$dir/public/x" && chown -R 12345 "$dir/public/x" &&
		rm -rf "$dir/share" && mkdir "$dir/share" &&
		"$epitaph" send --conf /dev/null --to "dir:$dir/share" --same-filesystem "$dir/public" >"$dir/told" &&
		cat "$dir/told" && grep -qx 'nothing to send' "$dir/told" && [ -z "$(ls -A "$dir/share")" ]
}

# The bytes that epitaph-tls holds cannot be handed on, and its connection is reset.
a_reset_behind_a_busy_collector_costs_no_cpu() {
	collector --tls-cert "$dir/server.pem" --tls-key "$dir/server.key" --anybody && python3 - "$port" "$pid" <<-'END'
		import os, signal, socket, ssl, struct, subprocess, sys, time
		def child_of(pid):
		    return int(subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()[0])
		def ticks(pid):
		    return sum(map(int, open(f"/proc/{pid}/stat").read().split()[13:15]))
		peer = ssl._create_unverified_context().wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5))
		peer.sendall(b"epitaph-send 1\nnonce " + b"0" * 64 + b"\nhost web1\nname reset\nfile region 8388608 " +
		             b"0" * 64 + b"\nmac -\n")
		while b"send -\n" not in peer.recv(1000):
		    pass
		busy = child_of(sys.argv[2])
		tls = child_of(busy)
		os.kill(busy, signal.SIGSTOP)
		peer.settimeout(0.3)
		try:
		    while True:
		        peer.sendall(b"x" * 65536)
		except OSError:
		    pass
		plain = socket.socket(fileno=peer.detach())
		plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
		plain.close()
		before = ticks(tls)
		time.sleep(0.5)
		used = ticks(tls) - before
		os.kill(busy, signal.SIGKILL)
		print(used, "ticks in half a second")
		sys.exit(used > 5)
	END
}

# Also where the rule of the machine is that IPv6 is IPv6 only.
without_an_address_it_listens_on_ipv4_too() {
	rm -rf "$dir/there" && mkdir "$dir/there" || return 1
	# shellcheck disable=SC2016
	unshare -n sh -c '
		ip link set lo up && echo 1 >/proc/sys/net/ipv6/bindv6only || exit 1
		"$1" collect --listen 47110 --keep-free 0 --key "$2/key" "$2/there" >"$2/log" 2>&1 &
		pid=$!
		"$1" send --conf /dev/null --host web1 --within 10 --key "$2/key" --to tcp://127.0.0.1:47110 "$2/from"
		status=$?
		kill "$pid"
		exit "$status"' - "$epitaph" "$dir" >"$dir/told" 2>&1
	status=$?
	cat "$dir/told"
	[ "$status" = 0 ] && there
}

into_a_directory() {
	rm -rf "$dir/share"
	mkdir "$dir/share" && sends 3 --to "dir:$dir/share" && grep -q 'mount the share' "$dir/told" &&
		sends 0 --to "dir:$dir/share" --same-filesystem && there share
}

on_a_share_that_is_full_nothing_is_left() {
	mkdir -p "$dir/small" && mount -t tmpfs -o size=20k tmpfs "$dir/small" || return 1
	sends 3 --to "dir:$dir/small" && left=$(find "$dir/small" -name 'region*' -o -name '.rec*')
	status=$?
	umount "$dir/small"
	[ "$status" = 0 ] && [ -z "$left" ]
}

# generations: both of a region, as kdump saves them, and the first, as its harvest saves it, marked
generations() {
	sed -e "s,^include ,&$golden/," "$golden/generations-numbered.region" >"$dir/text" &&
		"$golden/mkregion" "$dir/text" "$dir/taken" &&
		sed -e '/^section taken/,/^end/c section taken\nzero 128' "$dir/text" >"$dir/untaken" &&
		"$golden/mkregion" "$dir/untaken" "$dir/both"
	echo 'only 0' >>"$dir/text" && "$golden/mkregion" "$dir/text" "$dir/first"
}

# A generation that kdump saved and the next boot harvested, and marked.
what_two_have_saved_is_sent_once() {
	generations && ! cmp -s "$dir/both" "$dir/taken" || return 1
	rm -rf "$dir/two" && mkdir "$dir/two" "$dir/two/epitaph-a" "$dir/two/b" "$dir/two/c" || return 1
	cp "$dir/both" "$dir/two/epitaph-a/region" && cp "$dir/first" "$dir/two/b/region" &&
		cp "$dir/whole" "$dir/two/c/region" || return 1
	collector --key "$dir/key" || return 1
	set -- --conf /dev/null --host web1 --within 30 --key "$dir/key" --to "tcp://127.0.0.1:$port"
	"$epitaph" send "$@" "$dir/two/epitaph-a" && "$epitaph" send "$@" "$dir/two" >"$dir/told"
	cat "$dir/told" "$dir/log"
	grep -q 'two/b to .*: its generations are in a$' "$dir/told" && grep -q "^sent $dir/two/c " "$dir/told" &&
		grep -q 'web1/b, its generations are in a,' "$dir/log" &&
		[ "$(ls -A "$dir/there/web1")" = "$(printf 'a\nc')" ] && grep -q ' within a$' "$dir/two/b/sent" &&
		"$epitaph" send "$@" "$dir/two" | grep -qx 'nothing to send' &&
		rm -rf "$dir/share" && mkdir "$dir/share" && set -- --conf /dev/null --same-filesystem --to "dir:$dir/share" &&
		"$epitaph" send "$@" "$dir/two/epitaph-a" && "$epitaph" send "$@" "$dir/two/b" | grep 'its generations are in a$'
}

# In a capture kernel texts have to wait; then they bring nothing new.
the_region_alone_is_enough() {
	collector --key "$dir/key" && sends 0 --to "tcp://127.0.0.1:$port" --key "$dir/key" --region-only &&
		grep -q ': 1 file,' "$dir/told" && there && [ ! -e "$dir/there/web1/$name/vmcore-trace.txt" ] &&
		sends 0 --to "tcp://127.0.0.1:$port" --key "$dir/key" && grep -q 'its generations are in' "$dir/told" &&
		sends 0 --to "tcp://127.0.0.1:$port" --key "$dir/key" && grep -qx 'nothing to send' "$dir/told"
}

# hook KIB SECONDS: what a capture boot of kdump-tools sends, with so much memory left, within that
hook() {
	mkdir -p "$dir/hook" && echo "MemAvailable: $1 kB" >"$dir/meminfo" || return 1
	sed "s,/proc/meminfo,$dir/meminfo," "$top/kdump-hooks/send" >"$dir/hook/send"
	cat >"$dir/hook/epitaph" <<-END
		#!/bin/sh
		shift
		exec "$(realpath "$epitaph")" send --conf "$dir/conf" "\$@" --within $2
	END
	chmod 755 "$dir/hook/epitaph" && PATH=$dir/hook:$PATH sh "$dir/hook/send" "$dir/from" >"$dir/told" 2>&1
	status=$?
	cat "$dir/told"
	return "$status"
}

a_capture_boot_sends_the_newest_region_or_says_why_not() {
	cp -r "$dir/from/epitaph-$name" "$dir/from/epitaph-older" && touch -d 2020-01-01 "$dir/from/epitaph-older/region" &&
		collector --key "$dir/key" && printf '%s\n' "TO=tcp://127.0.0.1:$port" "KEY=$dir/key" HOST=web1 >"$dir/conf" &&
		hook 65535 30 && grep -q 'has 65535 KiB of memory left' "$dir/told" && nothing_there &&
		hook 65536 30 && grep -q 'is on another machine' "$dir/told" && [ "$(ls -A "$dir/there/web1")" = "$name" ] &&
		stop && hook 65536 1 && grep -q 'not sent yet; the next boot sends it' "$dir/told"
	status=$?
	rm -r "$dir/from/epitaph-older"
	return "$status"
}

# One that cannot be found whole is nobody's copy.
what_is_damaged_is_sent_each_time() {
	rm -rf "$dir/two" && mkdir "$dir/two" "$dir/two/epitaph-a" "$dir/two/b" || return 1
	cp "$dir/both" "$dir/two/epitaph-a/region" && cp "$dir/first" "$dir/two/b/region" &&
		printf x | dd of="$dir/two/b/region" bs=1 seek=200 conv=notrunc 2>/dev/null || return 1
	collector --key "$dir/key" || return 1
	set -- --conf /dev/null --host web1 --within 30 --key "$dir/key" --to "tcp://127.0.0.1:$port"
	"$epitaph" send "$@" "$dir/two/epitaph-a" && "$epitaph" send "$@" "$dir/two" &&
		[ "$(ls -A "$dir/there/web1")" = "$(printf 'a\nb')" ] && [ ! -e "$dir/there/web1/b/generations" ]
}

# The collector's end of ssh, without the network.
standard_input_is_a_connection() {
	rm -rf "$dir/there" && mkdir "$dir/there" "$dir/bin" 2>/dev/null
	cat >"$dir/bin/ssh" <<-END
		#!/bin/sh
		echo "\$*" >"$dir/ssh-said"
		exec "$epitaph" collect --stdin --host web1 --keep-free 0 "$dir/there"
	END
	chmod 755 "$dir/bin/ssh"
	PATH=$dir/bin:$PATH sends 0 --to ssh://u@host:22 --identity "$dir/key" && there &&
		grep -q -- "-i $dir/key -p 22 -l u -- host epitaph collect --stdin\$" "$dir/ssh-said"
}

# A real server, and a key that can do nothing else.
over_ssh_with_a_restricted_key() {
	ssh-keygen -q -t ed25519 -N '' -f "$dir/host_key" && ssh-keygen -q -t ed25519 -N '' -f "$dir/id" || return 1
	rm -rf "$dir/there" "$dir/from/epitaph-$name/sent" && mkdir "$dir/there"
	echo "restrict,command=\"$(realpath "$epitaph") collect --stdin --host web1 --keep-free 0 $dir/there\" $(cat "$dir/id.pub")" >"$dir/authorized"
	rm -f "$dir/log"
	sshd_run -p 47120 -h "$dir/host_key" -o AuthorizedKeysFile="$dir/authorized" >"$dir/log" 2>&1 &
	pid=$!
	pids="$pids $pid"
	await_log 'Server listening' || return 1
	echo "[127.0.0.1]:47120 $(cat "$dir/host_key.pub")" >"$dir/known"
	sends 3 --to "ssh://127.0.0.1:47120" --identity "$dir/id" --known-hosts "$dir/whole" && nothing_there &&
		sends 0 --to "ssh://127.0.0.1:47120" --identity "$dir/id" --known-hosts "$dir/known" && there &&
		grep -q 'from 127.0.0.1, who is known as this host' "$dir/there/web1/$name/received"
}

# certificate NAME SUBJECT-ALTERNATIVE [PURPOSE]
certificate() {
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$dir/$1.key" \
		-out "$dir/$1.csr" -subj "/CN=${1%.too_long}" 2>/dev/null &&
		printf 'subjectAltName=%s\n%s\n' "$2" "${3:+extendedKeyUsage=$3}" >"$dir/extension" &&
		openssl x509 -req -in "$dir/$1.csr" -CA "$dir/ca.pem" -CAkey "$dir/ca.key" -CAcreateserial -days 2 \
			-extfile "$dir/extension" -out "$dir/$1.pem" 2>/dev/null
}

"$golden/mkregion" "$golden/whole.region" "$dir/whole" &&
	"$epitaph" capture -o "$dir/from" "$dir/whole" >/dev/null 2>&1 || exit 1
(
	umask 077
	openssl rand -hex 32 >"$dir/key"
	openssl rand -hex 32 >"$dir/other.key"
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$dir/ca.key" \
		-out "$dir/ca.pem" -days 2 -subj /CN=ca 2>/dev/null
	certificate server IP:127.0.0.1 && certificate web1 DNS:web1 && certificate web2 DNS:web2 &&
		certificate web1.server DNS:web1 serverAuth && certificate web1.client DNS:web1 clientAuth &&
		certificate collector.server IP:127.0.0.1 serverAuth &&
		certificate collector.client IP:127.0.0.1 clientAuth &&
		certificate zero DER:3009820777656231002e78 &&
		certificate web1.too_long "DNS:$(printf %064d 0).example.org"
) || exit 1

for claim in over_tcp_with_a_key what_is_sent_is_marked_and_not_sent_again \
	a_lost_mark_sends_it_into_the_same_place another_key_is_refused \
	an_impostor_without_the_key_gets_no_byte plain_tcp_wants_a_key \
	a_key_that_others_read_is_none an_unreachable_collector_is_3_in_time a_check_stores_nothing \
	settings_are_read_from_a_file over_tls_the_ca_is_asked over_tls_another_host_s_certificate_is_none \
	over_tls_a_fingerprint_will_do a_client_s_certificate_says_which_host_it_is \
	a_certificate_of_another_name_is_not_this_host_s a_certificate_is_for_what_it_says \
	what_else_speaks_tls_gets_nothing eight_of_one_address_are_served \
	a_collector_that_is_killed_leaves_nothing_to_the_next a_reset_behind_a_busy_collector_costs_no_cpu into_a_directory \
	what_two_have_saved_is_sent_once the_region_alone_is_enough \
	a_capture_boot_sends_the_newest_region_or_says_why_not what_is_damaged_is_sent_each_time \
	standard_input_is_a_connection; do
	rm -f "$dir/from/epitaph-$name/sent"
	ok $claim $claim
done

stop
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	ok on_a_share_that_is_full_nothing_is_left on_a_share_that_is_full_nothing_is_left
else
	skip on_a_share_that_is_full_nothing_is_left "a small disk needs root and mount"
fi
if [ "$(id -u)" = 0 ]; then
	ok what_another_user_has_made_is_not_sent what_another_user_has_made_is_not_sent
else
	skip what_another_user_has_made_is_not_sent "another user's files need root"
fi
if [ "$(id -u)" = 0 ] && unshare -n test -w /proc/sys/net/ipv6/bindv6only 2>/dev/null; then
	rm -f "$dir/from/epitaph-$name/sent"
	ok without_an_address_it_listens_on_ipv4_too without_an_address_it_listens_on_ipv4_too
else
	skip without_an_address_it_listens_on_ipv4_too "a network of its own needs root and IPv6"
fi
sshd_find
if [ -z "$no_sshd" ]; then
	ok over_ssh_with_a_restricted_key over_ssh_with_a_restricted_key
else
	skip over_ssh_with_a_restricted_key "$no_sshd"
fi
finish
