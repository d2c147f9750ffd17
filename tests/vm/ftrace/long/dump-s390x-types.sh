#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A dump of s390x, of a kernel with types and all symbols: what the guest's own trace files say,
# out of big-endian buffers.

VM_DIR=../..
KERNEL=6.1-s390x
# shellcheck source=tests/vm/lib-machine.sh
. "$(dirname "$0")/$VM_DIR/lib-machine.sh"
build_images
guest_modules=
if ! command -v s390x-linux-gnu-gcc >"$out/said"; then
	echo "ok 1 - $test_name # SKIP its kernel needs gcc-s390x-linux-gnu to be built"
	echo "1..1"
	exit
fi
built=$("$top/scripts/kernel-from-source" s390x)/arch/s390/boot/bzImage

# For boot().
image() {
	echo "$built"
}

dumped_live_as elf zlib
for format in elf zlib; do
	all_as_traced "$out/core.$format"
	check "$format: as many events as in all trace files" counts "$out/core.$format"
done
as_it_said "$out/core.elf" "$out/core.zlib"
rm -f "$out"/core.*
finish
