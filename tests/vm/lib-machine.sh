# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# Guests of other machines than x86-64: a kernel of Debian's for that machine, ftrace's
# buffers filled as in lib-ftrace.sh, dumped by QEMU in each of its formats.
# KERNEL=KEY names both; source it instead of lib-ftrace.sh and lib.sh.

# shellcheck source=tests/vm/lib-ftrace.sh
. "$(dirname "$0")/${VM_DIR:-..}/lib-ftrace.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/${VM_DIR:-..}/lib.sh"

# shellcheck source=tests/vm/lib-qemu.sh
. "$here/lib-qemu.sh"
if ! command -v "qemu-system-$system" >"$out/said"; then
	echo "ok 1 - $test_name # SKIP needs qemu-system-$system, of Debian's qemu-system-arm, -misc or -ppc"
	echo "1..1"
	exit
fi

# The initramfs of all guests of this machine.
build_images() {
	"$top/initramfs/pack" "$kernel" "$here/manifest.machine" "$build/base-$kernel.img" \
		busybox="$("$top/scripts/kernels" --busybox "$kernel")" && return
	not_ok "builds for $kernel"
	finish
}

# dumped_live_as FORMAT...: QEMU dumps the guest when its buffers are full, the same moment
# in each FORMAT: elf or zlib (Debian's QEMU has no other). They are in $out/core.FORMAT.
dumped_live_as() {
	commands=stop
	for format; do
		case $format in
		elf) option= ;;
		*) option=-z ;;
		esac
		commands="$commands; dump-guest-memory $option $out/core.$format"
	done
	make_disk 64M
	# shellcheck disable=SC2034 # of traced_guest
	before="cat /proc/kallsyms >/disk/kallsyms; timeout 5 cat /dev/kmsg >/disk/kmsg || true"
	traced_guest <<'END_OF_GUEST'
sleep 60
END_OF_GUEST
	pack_guest
	# shellcheck disable=SC2086 # words
	boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "$memory" --disk "$out/disk.img" --timeout 400 \
		--when "guest: its buffers are full=>$commands; quit" -- $vmcoreinfo_device
	take_truth
}

# kernel_says: what is read out of the kernel's own structures, by tests/vm/kernel_says.c.
build_kernel_says() {
	make -s -C "$top/extractor" lib
	cc -O2 -D_GNU_SOURCE -I "$top/extractor" -I "$top/include" -I "$top/kernel/include" -o "$out/kernel_says" \
		"$here/kernel_says.c" "$top/build/extractor/libepitaph.a" \
		-lbpf -ldw -lelf -lzstd -llzo2 -lz -lsnappy
}

# same_symbols DUMP: as /proc/kallsyms of the guest has them.
same_symbols() {
	grep -v '\[' "$saved/kallsyms" >"$out/kallsyms-live"
	"$out/kernel_says" kallsyms "$1" | cmp - "$out/kallsyms-live" && [ -s "$out/kallsyms-live" ]
}

# same_log DUMP: each line, as /dev/kmsg gave it while the guest lived.
same_log() {
	grep -v '^ ' "$saved/kmsg" | sed 's/^\([0-9]*,[0-9]*,[0-9]*\)[^;]*;/\1;/' >"$out/kmsg-live"
	"$out/kernel_says" kmsg "$1" | head -n "$(wc -l <"$out/kmsg-live")" | cmp - "$out/kmsg-live" &&
		[ "$(wc -l <"$out/kmsg-live")" -gt 50 ]
}

# as_it_said DUMP...: symbols and log of each.
as_it_said() {
	build_kernel_says
	for dump; do
		check "${dump##*/}: every symbol is where /proc/kallsyms had it" same_symbols "$dump"
		check "${dump##*/}: every line of the log is what /dev/kmsg gave" same_log "$dump"
	done
}
