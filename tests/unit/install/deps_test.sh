#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/deps: two at once, as suites beside each other on a bare machine; and where nothing can be installed.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# An apt-get that fails while another one is at work, as apt does. dpkg-query has what it installed.
stubs() {
	mkdir stubs
	cat >stubs/apt-get <<-'END'
		#!/bin/sh
		mkdir "$STATE/at-work" 2>/dev/null || { echo "E: Could not get lock" >&2; exit 100; }
		sleep 0.5
		echo "$*" >>"$STATE/installed"
		rmdir "$STATE/at-work"
	END
	cat >stubs/dpkg-query <<-'END'
		#!/bin/sh
		for word; do
			! grep -sqw -- "$word" "$STATE/installed" || echo "installed $word"
		done
	END
	cat >stubs/id <<-'END'
		#!/bin/sh
		echo "${ID:-0}"
	END
	chmod +x stubs/*
}

# deps KIND: without packages that are there.
deps() {
	STATE=$dir PATH=$dir/stubs:$PATH "$top/scripts/deps" "$@"
}

two_at_once() {
	deps machines 2>first &
	deps libvirt 2>second || { cat second; return 1; }
	wait $! || { cat first; return 1; }
	grep -w qemu-system-arm installed && grep -w libvirt-clients installed
}

not_twice() {
	deps machines 2>printed && [ ! -s printed ]
}

# Status 2: a test that needs it is skipped, and has not failed.
not_root() {
	rm installed
	status=0
	ID=1000 deps machines 2>refused || status=$?
	[ "$status" = 2 ] && grep 'sudo apt-get install .*qemu-system-arm' refused
}

# shellcheck disable=SC2154 # lib.sh has dir
cd "$dir" || exit
stubs
ok two_at_once two_at_once
ok not_twice not_twice
ok not_root not_root
finish
