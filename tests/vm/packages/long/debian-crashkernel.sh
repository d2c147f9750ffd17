#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The least crashkernel= with which kdump-tools saves its vmcore, in steps of 4 MiB, without our
# hooks and with them: they may cost one step.

# shellcheck disable=SC2317 # called by name
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

from=${CRASHKERNEL_FROM:-100}
to=140
step=4

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh
kdump_is_loaded && panic
BOOTS

# without_us: the hook in the initramfs finds nothing to run, and the unit is not there.
without_us() {
	for file in /usr/lib/epitaph/capture /usr/lib/systemd/system/kdump-tools-dump.service.wants/epitaph-capture.service; do
		debugfs -w -R "rm $file" "$out/disk.img" >>"$out/debugfs" 2>&1
	done
}

with_us() {
	:
}

# saves HOW SIZE PATTERN...: a crash with so many MiB; the console has all patterns.
saves() {
	how=$1 size=$2
	shift 2
	cp --sparse=always "$out/new.img" "$out/disk.img"
	"$how"
	crashkernel_debian=${size}M debian_boots 2 --timeout 400 \
		--when 'reboot: Restarting system=>quit' >"$out/run-$how-$size" 2>&1
	mv "$out/console.log" "$out/console-$how-$size.log"
	for pattern; do
		grep -q "$pattern" "$out/console-$how-$size.log" || return
	done
}

# least HOW FROM PATTERN...: in MiB.
least() {
	how_least=$1 mib=$2
	shift 2
	while [ "$mib" -le "$to" ]; do
		if saves "$how_least" "$mib" "$@"; then
			echo "$mib"
			return
		fi
		mib=$((mib + step))
	done
	echo none
	return 1
}

need_debian
mv "$out/disk.img" "$out/new.img"
theirs=$(least without_us "$from" 'saved vmcore in') || true
ours=$(least with_us "$theirs" 'captured /var/crash' 'saved vmcore in') || true
echo "# kdump-tools alone: $theirs MiB; with the trace: $ours MiB"
check "kdump-tools saves by itself" [ "$theirs" != none ]
check "with ours it needs one step more at most" [ "$ours" -le $((theirs + step)) ]
clean_up
finish
