#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A dump of arm64, made by QEMU while the guest runs: in each of its formats, what the
# guest's own trace files say.

VM_DIR=../..
KERNEL=${KERNEL_OF_MACHINE:-6.1-arm64}
# shellcheck source=tests/vm/lib-machine.sh
. "$(dirname "$0")/$VM_DIR/lib-machine.sh"
build_images

dumped_live_as elf zlib
for format in elf zlib; do
	all_as_traced "$out/core.$format"
	check "$format: as many events as in all trace files" counts "$out/core.$format"
done
as_it_said "$out/core.elf" "$out/core.zlib"
rm -f "$out"/core.*
finish
