#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# A dump of s390x, made by QEMU while the guest runs, of Debian's kernel: symbols and log. It
# has no types (CONFIG_DEBUG_INFO_BTF), so that its own trace is not read, and that is said.

VM_DIR=../..
KERNEL=6.1-s390x
# shellcheck source=tests/vm/lib-machine.sh
. "$(dirname "$0")/$VM_DIR/lib-machine.sh"
build_images

says_what_lacks() {
	recovers "$epitaph" report --source all --all "$1" >"$out/report"
	grep '^#' "$out/report"
	grep -q '^# kernel: .*, s390' "$out/report" &&
		grep -q 'the kernel has no BTF' "$out/report"
}

dumped_live_as elf zlib
as_it_said "$out/core.elf" "$out/core.zlib"
check "what lacks is said" says_what_lacks "$out/core.elf"
rm -f "$out"/core.*
finish
