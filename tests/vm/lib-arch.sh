# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154,SC2034
#
# Guests of other machines that record: a recorder of few events, built for Debian's kernel of that
# machine and kept below .cache/build/; work that the kernel's own trace records as well.  KERNEL=KEY
# names machine and kernel; source it instead of lib-machine.sh.

top=$(cd "$(dirname "$0")/${VM_DIR:-..}/../.." && pwd)
# shellcheck source=tests/vm/lib-deps.sh
. "$(dirname "$0")/${VM_DIR:-..}/lib-deps.sh"
need_deps machines
# shellcheck source=tests/vm/lib-machine.sh
. "$(dirname "$0")/${VM_DIR:-..}/lib-machine.sh"

# Those of whose events there are many, and whose probes are soon built.
headers=sched,irq,timer,printk

# build_recorder: for this kernel; what is built already is made anew if it is older than its source.
build_recorder() {
	built=$top/.cache/build/$kernel
	mkdir -p "$built"
	(
		flock 9
		# shellcheck disable=SC2046 # words
		"$top/scripts/kernels" --run "$kernel" make -j"$(nproc)" -C "$top/kernel" build-for OUT="$built" KCFLAGS=-g0 EPITAPH_HEADERS=$headers \
			KDIR="$("$top/scripts/kernels" --headers "$kernel")" \
			$("$top/scripts/kernels" --make-args "$kernel") >"$out/build.log" 2>&1
	) 9>"$built/.lock" || {
		tail -n 40 "$out/build.log"
		not_ok "the recorder builds for $kernel"
		finish
	}
	check "the recorder builds for $kernel" [ -f "$built/epitaph.ko" ]
	check "no header is left out of it" no_header_is_left_out
	recorder=$built/epitaph.ko
	[ -f "$recorder" ] || finish
}

# build_victim: behind build_recorder.
build_victim() {
	(
		flock 9
		# shellcheck disable=SC2046 # words
		"$top/scripts/kernels" --run "$kernel" make -j"$(nproc)" -C "$here/victim" build-for OUT="$built/victim" \
			KCFLAGS="-g0 -I$top/kernel/include -I$top/include" RECORDER="$built" \
			KDIR="$("$top/scripts/kernels" --headers "$kernel")" \
			$("$top/scripts/kernels" --make-args "$kernel") >"$out/build.log" 2>&1
	) 9>"$built/.lock" || tail -n 40 "$out/build.log"
	victim=$built/victim/victim.ko
	check "the victim builds for $kernel" [ -f "$victim" ]
}

no_header_is_left_out() {
	cut -d ' ' -f 1 "$built/gen/headers" | sort >"$out/has"
	echo $headers | tr , '\n' | sort | diff - "$out/has"
}

# pack_capture: $out/initrd.img is what the capture kernel has: it is on the guest's disk, beside the
# kernel.  Both would take memory in the initramfs, and the vmcore has all of it.  That machine's kexec
# is in $out/kexec.img.
pack_capture() {
	{
		echo "prog /bin/kexec $(find "$("$top/scripts/kernels" --kexec "$kernel")" -path '*sbin/kexec')"
		# The linker of ppc64le is there.
		echo "link /lib64 lib"
	} >"$out/kexec.manifest"
	"$top/initramfs/pack" "$kernel" "$out/kexec.manifest" "$out/kexec.img"
	make_disk "${disk_of_machine:-512M}"
	for file in "$out/initrd.img" "$(image)"; do
		debugfs -w -R "write $file ${file##*/}" "$out/disk.img" >>"$out/said" 2>&1
	done
}

# guest_that_records: the words before the script that is read: recorder and kernel trace the same.
guest_that_records() {
	{
		cat <<'END_OF_WORDS'
t=/sys/kernel/tracing/instances/beside

# trace_beside: an instance of ftrace has the events that the recorder has, by the same clock.
trace_beside() {
	mkdir $t
	echo mono >$t/trace_clock
	echo 8192 >$t/buffer_size_kb
	for event in $t/events/sched/* $t/events/irq/* $t/events/timer/*; do
		case ${event##*/} in
		sched_stat_* | pelt_* | sched_*numa* | sched_stick_numa | sched_swap_numa) continue ;;
		esac
		[ -d "$event" ] || continue
		echo 1 >"$event/enable"
		echo "${event%/*}:${event##*/}" | sed 's|.*/events/||' >>/disk/events
	done
	echo both record >$t/trace_marker
}

# work ROUNDS: tasks, pipes and sleeps on all CPUs.
work() {
	for cpu in 1 2; do
		for _ in $(seq "$1"); do
			taskset "$cpu" sh -c 'cat /proc/interrupts | wc' >/dev/null
			usleep 1000
		done &
	done
	wait
}

# keep_trace: what the kernel's own trace has by now.
keep_trace() {
	echo 0 >$t/tracing_on
	cat $t/trace >/disk/trace
	cat $t/per_cpu/cpu*/stats >/disk/stats
	sync
}

# arm_kdump: the capture kernel, which is on the disk.
arm_kdump() {
	have_text_symbol
	load_capture_kernel
}

# load_capture_kernel: by what the kernel says of itself.  Without memory that can be plugged, kexec of
# s390x finds none; the kernel loads by itself then.
load_capture_kernel() {
	how=--no-checks
	[ "$(uname -m)" != s390x ] || [ -d /sys/devices/system/memory ] || how=-s
	kexec -p $how --command-line="console=$(param guest.tty) guest.tty=$(param guest.tty) cryptomgr.notests nr_cpus=1 panic=-1" \
		--initrd=/disk/initrd.img /disk/vmlinu[xz]*
	check "a capture kernel is loaded" [ "$(cat /sys/kernel/kexec_crash_loaded)" = 1 ]
}
END_OF_WORDS
		cat
	} | guest
}

# Nothing is missing in the kernel's own trace.
nothing_lost() {
	! grep -E '^(commit overrun|overrun|dropped events): [1-9]' "$saved/stats"
}

# as_kernel FILE [OPTION...]: each event of the trace file is in the report, in its words, on its CPU; and no other.
as_kernel() {
	recovers "$epitaph" report --all --monotonic "$@" >"$out/report" || return
	result=0
	case $kernel in 7.*) of=-${kernel%%-*} ;; *) of=- ;; esac
	"$here/fields-as-kernel.py" "$of" "$saved/events" "$saved/trace" "$out/report" >"$out/compared" || result=$?
	cat "$out/compared"
	return $result
}
