#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The region is at the end of memory, where kexec -l puts the next kernel, and overwrites it.  Doctor
# warns of it, and kexec -s, which it names, keeps out of the region.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-stamp.sh"

# Debian's boot code puts the kernel elsewhere.
packed_kernel=yes
region_addr=0x3ee00000
region_is 16M

guest <<'END'
load_recorder
epitaph-static doctor >/tmp/doctor || true
check "doctor warns of kexec -l" grep 'kexec -l puts the next kernel into the last 128 MiB of memory' /tmp/doctor
check "and names kexec -s" grep 'use kexec -s' /tmp/doctor
kexec -s -l --reuse-cmdline --initrd=/boot/capture.img.gz /boot/vmlinuz
sleep 1
kexec -e
END
pack_guest "$top/extractor/epitaph-static"
boot --when "Starting new kernel=>sleep 1; pmemsave $region_addr 0x1000000 region" \
	--when 'Starting new kernel=>sleep 3; quit'
check "the region can be read" stamp_of "$out/region"
check "the mark says kexec" stamp_says '^mark 1: type 2 cpu [01] restart: kexec reboot$'
finish
