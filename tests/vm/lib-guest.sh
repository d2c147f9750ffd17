# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of the guest scripts.  Everything printed goes to the host's guest.log.

# check NAME COMMAND...: a TAP line.
check() {
	claim=$1
	shift
	if "$@" >/tmp/said 2>&1; then
		echo "ok - $claim"
	else
		sed 's/^/# /' /tmp/said
		echo "not ok - $claim"
	fi
}

# refused COMMAND...: it must fail.
refused() {
	! "$@"
}

load_recorder() {
	insmod /test/epitaph.ko "$@"
}

load_victim() {
	insmod /test/victim.ko "$@"
}

# arm_kdump [-s]: load the capture kernel by kexec_load, or by kexec_file_load.
arm_kdump() {
	append="console=ttyS0,115200 no_timer_check nr_cpus=1 irqpoll reset_devices panic=-1 $(param guest.capture)"
	kexec -p "$@" --command-line="$append" \
		--initrd=/boot/capture.img.gz /boot/vmlinuz
	[ "$(cat /sys/kernel/kexec_crash_loaded)" = 1 ]
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

# crash: by sysrq, now.
crash() {
	echo "guest: crashing"
	echo c >/proc/sysrq-trigger
}

# await_end: for a crash that comes by itself; its coming ends the guest.
await_end() {
	echo "guest: waiting for the crash"
	sleep "${1:-60}"
	echo "guest: still alive"
}
