# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# Guests with full ftrace buffers: the top one, instances of other clocks and
# sizes, a snapshot. They write to their disk what their own trace files say.
# Source it before lib.sh: KERNEL=KEY is another kernel than the others'.

if [ "${KERNEL:-6.1}" != 6.1 ]; then
	VM_OUT=$(cd "$(dirname "$0")" && cd "${VM_DIR:-..}/../.." && pwd)/build/vm-$KERNEL
	RECORDER=none
	VICTIM=none
	export VM_OUT RECORDER VICTIM
fi
export KERNEL="${KERNEL:-6.1}"

# build_images: what the guest's initramfs is packed from.
build_images() {
	[ "$kernel" != 6.1 ] || return 0
	(
		flock 9
		make -s -C "$top/initramfs" KERNEL="$kernel" >"$out/build.log" 2>&1 &&
			make -s -C "$here" KERNEL="$kernel" >>"$out/build.log" 2>&1
	) 9>"$top/build/.lock-$kernel" && return
	cat "$out/build.log"
	not_ok "builds for $kernel"
	finish
}

# traced_guest: its script: standard input, between what fills the buffers and the end.
traced_guest() {
	{
		echo with_disk
		echo "${before:-}"
		cat "$here/guest-ftrace" -
	} >"$out/guest.sh"
}

# hits: a program for uprobes, and where its function lies, for pack_guest.
hits() {
	${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -o "$out/hits" "$here/hits.c"
	objdump -dF "$out/hits" | sed -n 's/.*<hit> (File Offset: \(0x[0-9a-f]*\)):/\1/p' >"$out/hit"
	echo "$out/hits" "$out/hit"
}

# take_truth: what the guest said of itself, in $truth.
take_truth() {
	take_all_of_disk
	truth=$saved/truth
	check "the guest says what it traced" [ -s "$truth/ftrace" ]
	[ -s "$truth/ftrace" ] || finish
}

# $debuginfo: what the report of it needs beside the dump.
debuginfo=""

# report_of DUMP ARG...: of all of ftrace's events; without the lines of source, which trace files have not.
report_of() {
	dump=$1
	shift
	# shellcheck disable=SC2086 # several words, or none
	recovers "$epitaph" report --all --source ftrace $debuginfo "$@" "$dump" |
		sed -E "${debuginfo:+s/ \([^()]*:[0-9]+\)//g}"
}

# as_traced DUMP FILE: of one channel, which is FILE's name, each event and its text.
as_traced() {
	report_of "$1" --monotonic --channel "${2##*/}" >"$out/report" &&
		"$here/ftrace-truth" "$2" "$out/report"
}

# all_as_traced DUMP: of each channel.
all_as_traced() {
	for file in "$truth"/ftrace*; do
		check "${1##*/}, ${file##*/}: every event as the trace file has it" as_traced "$1" "$file"
	done
}

# number_of FILE...: events in trace files.
number_of() {
	cat "$@" | grep -c '^ .*-[0-9]* *\[[0-9]*\] '
}

# counts DUMP: as many events as all trace files together, none more.
counts() {
	wanted=$(number_of "$truth"/ftrace*)
	report_of "$1" --json >"$out/json" || return 1
	got=$(grep -c '"event":"' "$out/json")
	echo "$got events, $wanted in the trace files"
	[ "$got" = "$wanted" ]
}

# dumped_live: the guest of another kernel; QEMU dumps it when its buffers are full, in $core.
dumped_live() {
	core=$out/core
	make_disk 64M
	guest_modules="virtio_pci virtio_blk ext4 qemu_fw_cfg"
	traced_guest <<'END_OF_GUEST'
sleep 60
END_OF_GUEST
	# shellcheck disable=SC2046 # two files
	pack_guest $(hits)
	region_arg="" boot --memory 384M --disk "$out/disk.img" \
		--when "guest: its buffers are full=>dump-guest-memory -z $core; quit" "$@" -- -device vmcoreinfo
	take_truth
}

# crashed_beside_recorder: a guest of 6.1 that has traced while our recorder did; what kdump saved of it, in $core.
crashed_beside_recorder() {
	region_arg="memmap=16M!0x10000000 epitaph.addr=0x10000000 epitaph.size=16M"
	before=load_recorder
	traced_guest <<'END_OF_GUEST'
arm_kdump
crash
END_OF_GUEST
	# shellcheck disable=SC2046 # two files
	pack_guest "${victim%/*}/printer.ko" $(hits)
	make_disk 512M
	boot --memory 512M --disk "$out/disk.img" --expect 'capture: done' --allow 'panic - not syncing: sysrq triggered crash'
	take_truth
	mv "$saved"/epitaph-*/* "$saved/"
	core=$saved/vmcore
}
