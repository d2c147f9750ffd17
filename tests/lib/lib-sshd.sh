# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # of lib.sh, and for who sources this
# A real sshd and other servers for tests; wants $top of lib.sh.
#
# A daemon is not for a script to install: where the machine has none, it is taken out of
# Debian's package, and the user that sshd's package would have made is there for it alone.

# sshd_find: $sshd is one, or $no_sshd says why there is none.
sshd_find() {
	no_sshd=
	sshd=/usr/sbin/sshd
	[ "$(id -u)" = 0 ] || { no_sshd="sshd needs root"; return; }
	[ -x "$sshd" ] || sshd=$(unpacked openssh-server usr/sbin/sshd)
	"$sshd" -V 2>&1 | grep -q OpenSSH || no_sshd="no sshd on the machine nor in Debian's packages"
}

# unpacked PACKAGE PROGRAM: prints where PROGRAM of a Debian package lies, unpacked below build/
unpacked() {
	at=$(realpath "$top")/build/tests/$1
	if [ ! -x "$at/$2" ]; then
		fresh=$(mktemp -d) || return
		(cd "$fresh" && apt-get -qq download "$1" && dpkg -x "$1"*.deb root) >/dev/null 2>&1
		mkdir -p "$at" && cp -a "$fresh/root/." "$at/"
		rm -rf "$fresh"
	fi
	echo "$at/$2"
}

# sshd_run OPTION...: in the foreground; its log is on stderr.
sshd_run() {
	mkdir -p /run/sshd
	set -- "$sshd" -D -e -f /dev/null -o ListenAddress=127.0.0.1 -o UsePAM=no -o StrictModes=no -o PidFile=none "$@"
	! getent passwd sshd >/dev/null || exec "$@"
	{ cat /etc/passwd; echo "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin"; } >"$dir/passwd"
	# shellcheck disable=SC2016 # for the inner shell
	exec unshare --mount sh -c 'mount --bind "$1" /etc/passwd && shift && exec "$@"' sh "$dir/passwd" "$@"
}
