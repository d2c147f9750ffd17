# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Guests of another kernel than the others' (KERNEL=KEY): its recorder, and what
# its initramfs is packed from.  Source it before lib.sh.  few=--few: a recorder with few events.

builds=$(cd "$(dirname "$0")" && cd "${VM_DIR:-..}/../.." && pwd)/build
VM_OUT=$builds/vm-$KERNEL
RECORDER=$builds/modules-$KERNEL${few+-few}/kernel/epitaph.ko
VICTIM=none
BACKEND=$builds/modules-$KERNEL${few+-few}/pstore-backend/epitaph_pstore.ko
export KERNEL VM_OUT RECORDER VICTIM BACKEND

# images_of_kernel: what a guest's initramfs is packed from.
images_of_kernel() {
	make -s -C "$top/initramfs" KERNEL="${kernel%-debug*}" &&
		make -s -C "$here" KERNEL="$kernel"
}

# build_for_kernel: recorder and images; a build that is under way is waited for.
build_for_kernel() {
	(
		flock 9
		# shellcheck disable=SC2086 # no word, or one
		KERNEL=6.1 "$top/tests/builds" ${few-} "$kernel" >"$out/build.log" &&
			images_of_kernel >>"$out/build.log" 2>&1
	) 9>"$top/build/.lock-$kernel" && return
	cat "$out/build.log"
	not_ok "builds for $kernel"
	finish
}

# build_victim: the victim of that kernel, behind build_for_kernel; then $victim is it.
build_victim() {
	VICTIM=${RECORDER%/kernel/*}/victim/victim.ko
	export VICTIM
	victim=$VICTIM
	(
		flock 9
		# shellcheck disable=SC2046 # words
		"$top/scripts/kernels" --run "$kernel" make -s -C "$top/tests/vm/victim" build-for \
			KDIR="$("$top/scripts/kernels" --headers "$kernel")" OUT="${VICTIM%/*}" \
			$("$top/scripts/kernels" --make-args "$kernel") >>"$out/build.log" 2>&1
	) 9>"$top/build/.lock-$kernel" && return
	cat "$out/build.log"
	not_ok "builds a victim for $kernel"
	finish
}
