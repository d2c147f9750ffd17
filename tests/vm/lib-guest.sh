# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of the guest scripts.  Everything printed goes to the host's guest.log.

# Where the victim's witness survives a reset; lib.sh has the same.
witness_addr=$((0x22000000))

# comment: lines as TAP's comments.  Each ends, or the claim behind the last would be part of it.
comment() {
	while IFS= read -r line || [ -n "$line" ]; do
		printf '# %s\n' "$line"
	done
}

# check NAME COMMAND...: a TAP line.
check() {
	claim=$1
	shift
	if "$@" >/tmp/said 2>&1; then
		echo "ok - $claim"
	else
		comment </tmp/said
		echo "not ok - $claim"
	fi
}

# refused COMMAND...: it must fail.
refused() {
	! "$@"
}

# wrong STATUS TEXT ARG...: epitaph refuses it in these words.
wrong() {
	status=$1 text=$2
	shift 2
	result=0
	epitaph "$@" 2>/tmp/wrong || result=$?
	# shellcheck disable=SC2015 # one that fails is enough
	grep -qF -- "$text" /tmp/wrong && [ "$result" = "$status" ] || { echo "exit $result"; cat /tmp/wrong; return 1; }
}

# load_module FILE: if it is not loaded already.
load_module() {
	name=${1##*/}
	grep -q "^$(echo "${name%.ko}" | tr - _) " /proc/modules || insmod "$1"
}

load_recorder() {
	# Debian's kernel of s390x has it as a module.
	[ ! -f /lib/modules/zlib_deflate.ko ] || load_module /lib/modules/zlib_deflate.ko
	insmod /test/epitaph.ko "$@"
}

# mark_of_now TEXT: what CLOCK_MONOTONIC is, by the third line of /proc/timer_list, and TEXT.
mark_of_now() {
	now=$(sed -n 's/^now at \([0-9]*\) nsecs/\1/p' /proc/timer_list)
	echo "$now $1" >/dev/epitaph-mark
}

# A kernel that looks at what it does would be at work for the victim's timers alone.  Where others see
# so many events in a second, it sees them in so many seconds.
pace=1
[ ! -e /sys/kernel/debug/kmemleak ] || pace=8

load_victim() {
	insmod /test/victim.ko pace=$pace "$@"
}

# arm_kdump [-s]: load the capture kernel by kexec_load, or by kexec_file_load.  kexec makes no sums
# of it and compares none, which takes a second or two; a guest that wants that sets kexec_args to
# nothing.  kexec_file_load always does.  The capture kernel is one that is not packed, which saves
# as much again; capture_kernel names another, and kexec_file_load has Debian's own.  A machine without
# kexec is dumped from outside.
arm_kdump() {
	command -v kexec >/tmp/kexec || return 0
	have_text_symbol
	[ "${1:-}" != -s ] || kexec_args='' capture_kernel=/boot/vmlinuz
	khz=$(param tsc_early_khz)
	append="console=$(console_of_guest) no_timer_check cryptomgr.notests nr_cpus=1 irqpoll reset_devices panic=-1 ${khz:+tsc_early_khz=$khz} $(param guest.capture)"
	if [ -z "${capture_kernel:-}" ]; then
		capture_kernel=/boot/capture-kernel
		[ -f "$capture_kernel" ] || capture_kernel=/boot/vmlinuz
	fi
	# shellcheck disable=SC2086 # words
	kexec -p ${kexec_args---no-checks} "$@" --command-line="$append" \
		--initrd=/boot/capture.img.gz "$capture_kernel"
	[ "$(cat /sys/kernel/kexec_crash_loaded)" = 1 ]
}

# console_of_guest: as the command line names it.  Other machines than x86-64 have one for all.
console_of_guest() {
	tty=$(param guest.tty)
	echo "${tty:-ttyS0,115200}"
}

# have_text_symbol: where kallsyms has functions alone, kexec finds no _text there, and /proc/vmcore is
# nonsense: it reads a copy that has one.
have_text_symbol() {
	! grep -q ' _text$' /proc/kallsyms || return 0
	stext=$(sed -n 's/ . _stext$//p' /proc/kallsyms)
	{
		printf '%x T _text\n' $((0x$stext - 0x10000))
		cat /proc/kallsyms
	} >/tmp/kallsyms
	mount --bind /tmp/kallsyms /proc/kallsyms
}

# arm_own_capture MAKE WORD...: a capture kernel whose initramfs is what MAKE puts into /c, with Debian's
# default of kernel.panic.
arm_own_capture() {
	"$1"
	shift
	(cd /c && find . | cpio -o -H newc 2>/dev/null) >/tmp/capture.img
	kexec -p --no-checks --command-line="console=ttyS0,115200 no_timer_check cryptomgr.notests nr_cpus=1 reset_devices panic=0 $*" \
		--initrd=/tmp/capture.img /boot/vmlinuz
}

# saved N: generation N is in a file now, with the line "boot N was here" that the dying boot wrote.
saved() {
	epitaph-static harvest -o "/disk/h$boot" || [ $? = 1 ] || return 1
	grep -qx harvested "/sys/kernel/epitaph/generations/$1/state" &&
		epitaph-static report --all /disk/h"$boot"/*/region | grep -q "boot $1 was here"
}

# record [-s]: recorder, capture kernel and victim, in the order of a real machine.
record() {
	load_recorder
	arm_kdump "$@"
	load_victim
}

# bug NAME: the victim goes wrong in that way.
bug() {
	echo "guest: bug $1"
	echo "$1" >/sys/kernel/debug/victim/bug
}

# param NAME: its value on the command line; commas stand for spaces.
param() {
	# shellcheck disable=SC2013
	for word in $(cat /proc/cmdline); do
		case $word in
		"$1="*) echo "${word#*=}" | tr , ' ' ;;
		esac
	done
}

# kernel_says TEXT: it is in the kernel's log.
kernel_says() {
	dmesg | grep -q -- "$1"
}

# refuses NAME TEXT PARAMETER...: with these the recorder is not loaded, says why, and leaves nothing
# behind.
refuses() {
	name=$1 says=$2
	shift 2
	dmesg -c >/dev/null
	check "$name" refused load_recorder "$@"
	check "$name: says why" kernel_says "$says"
	check "$name: leaves nothing behind" refused grep -q '(epitaph)' /proc/iomem
	! grep -q '^epitaph ' /proc/modules || rmmod epitaph
}

# await COMMAND...: until it is true; the limit is there to end a hang.
await() {
	for _ in $(seq 600); do
		! "$@" >/tmp/awaited 2>&1 || return 0
		usleep 100000
	done
	echo "guest: not in a minute: $*"
	cat /tmp/awaited
	return 1
}

# await_host WORDS: say "guest: WORDS", and wait until the host has done what it does then, and has
# typed a line: $host_answers on the host.
await_host() {
	tty=$(console_of_guest)
	stty -F "/dev/${tty%,*}" -echo
	exec 4<"/dev/${tty%,*}"
	echo "guest: $*"
	read -r _ <&4
	exec 4<&-
}

# with_disk: mount the disk that outlives the boot (warm_boots on the host) at
# /disk, and count: $boot is the number of this one, from 1.
with_disk() {
	load_modules /lib/modules
	await_file /dev/vda
	mount -t ext4 /dev/vda /disk
	boot=$(($(cat /disk/boots 2>/dev/null || echo 0) + 1))
	echo "$boot" >/disk/boots
	sync
	echo "guest: boot $boot"
}

# enter_root: the last word of a script; the system on the disk runs then, as PID 1.
enter_root() {
	for dir in proc sys dev; do
		mount --move "/$dir" "/disk/$dir"
	done
	: >/test/enter
}

# load_modules DIR: all of it, in the order that its file "order" says.
load_modules() {
	while read -r module; do
		load_module "$1/$module"
	done <"$1/order"
}

await_file() {
	await [ -e "$1" ]
}

# The victim's witness outlives the boot in a reserved range of its own.  Kept
# in a file of /disk, it makes room for the next one: the victim loads over none.
keep_witness() {
	dd if=/dev/mem of="$1" bs=4096 skip=$((witness_addr / 4096)) count=16 2>/dev/null
	dd if=/dev/zero of=/dev/mem bs=4096 seek=$((witness_addr / 4096)) count=16 conv=notrunc 2>/dev/null
}

# keep_region FILE: what lies in the region; only before the recorder is loaded.
keep_region() {
	size=$(param epitaph.size)
	dd if=/dev/mem of="$1" bs=4096 skip=$(($(param epitaph.addr) / 4096)) \
		count=$((${size%M} * 256)) 2>/dev/null
}

# death_of BOOT: $how and $seconds as /test/plan has them; empty after the last one.
death_of() {
	sed -n "$1p" /test/plan >/tmp/death
	read -r how seconds </tmp/death || how=
}

# take_earlier: load the recorder (with guest.recorder= of the command line), harvest into /disk/boot-$boot what earlier boots
# left, and hold it against what lay in memory before.
take_earlier() {
	dir=/disk/boot-$boot
	mkdir "$dir"
	[ "$boot" = 1 ] || keep_witness "$dir/witness"
	keep_region /tmp/before
	# shellcheck disable=SC2046 # words
	load_recorder $(param guest.recorder)
	dmesg >"$dir/log"
	# What an earlier boot has harvested may still be there.
	wanted=$(grep -Lx harvested /sys/kernel/epitaph/generations/*/state 2>/dev/null || true)
	check "boot $boot: harvests" harvest
	for gen in $wanted; do
		gen=${gen%/state}
		check "boot $boot: generation ${gen##*/} is harvested as it lay there" lay_there "$gen"
		check "boot $boot: generation ${gen##*/} is marked" grep -qx harvested "$gen/state"
	done
	rm /tmp/before
	sync
}

# harvest: into $dir; of a region that was damaged as well.
harvest() {
	epitaph-static harvest -o "$dir" || [ $? = 1 ]
}

# content FILE: of a region that was saved, in /tmp/content.
content() {
	rm -rf /tmp/content
	epitaph-static save -o /tmp/content "$1"
}

# lay_there GENERATION: its file has, byte for byte, what was in memory.
lay_there() {
	content "$dir/$(cat "$1/boot_id")"*/region || return
	# A header with flipped bits was corrected where it lay: behind a table of two pages it is the same.
	skip=0
	! kernel_says 'were corrected by its parity' || skip=8192
	dd if=/tmp/before bs=4096 skip=$(($(cat "$1/offset") / 4096)) \
		count=$(($(cat "$1/size") / 4096)) 2>/dev/null | cmp - /tmp/content/region $skip $skip
}

# load_surviving_victim [OPTION...]: the victim, its witness where a reset leaves it.
load_surviving_victim() {
	load_victim witness="$witness_addr" "$@"
}

# die HOW: panic, sysrq-b (what the kernel does in an emergency), reboot (in
# order, nothing unmounted), or reset: the host does it, like a watchdog, at its own
# time (--when "guest: boot N awaits its reset=>...", which warm_boots adds).
die() {
	sync
	echo "guest: boot $boot dies by $1"
	# s390x stops at a panic, and others restart, by panic=.
	[ ! -e /sys/firmware/shutdown_actions/on_panic ] || echo reipl >/sys/firmware/shutdown_actions/on_panic
	case $1 in
	panic) bug panic ;;
	sysrq-b) echo b >/proc/sysrq-trigger ;;
	reboot) reboot -f ;;
	reset) echo "guest: boot $boot awaits its reset" ;;
	esac
	sleep 60
	echo "guest: still alive"
	return 1
}

# crash: by sysrq, now.
crash() {
	echo "guest: crashing"
	echo c >/proc/sysrq-trigger
}

# await_end: for a crash that comes by itself; its coming ends the guest.  The limit ends a hang: an
# Intel's CPU waits a second for the others' machine check, by a count of loops that is 33 s at a fifth
# of a CPU.
await_end() {
	echo "guest: waiting for the crash"
	sleep "${1:-600}"
	echo "guest: still alive"
}
