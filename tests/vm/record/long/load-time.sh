#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What loading the recorder takes, by which an initramfs that does is later.  QEMU counts
# instructions, one a nanosecond, so on every host it is the same.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

most=54 # million instructions
case $kernel in 5.10) most=100 ;; 6.1) most=45 ;; 7.*) most=75 ;; esac

# 5.10 has no page_fault_oops; later, panic() became a vpanic().
grep . >"$out/functions" <<END
__print_mce
console_flush_on_panic
crash_save_cpu
device_add
emergency_restart
machine_crash_shutdown
oops_enter
oops_exit
$([ "$kernel" = 5.10 ] || echo page_fault_oops)
panic
stop_this_cpu
sysrq_ftrace_dump
$(case $kernel in 7.*) echo vpanic ;; esac)
END

guest <<'END'
# The kernel's tests of its ciphers would share the only CPU.
while grep -qx cryptomgr_test /proc/[0-9]*/comm 2>/dev/null; do
	usleep 100000
done
load_recorder
dmesg | sed -n 's/.*initcall recorder_init.* after \([0-9]*\) usecs/took: \1/p'
# The last one comes by a work.
hooked_last() {
	grep -q '^sysrq_ftrace_dump ' /sys/kernel/debug/tracing/enabled_functions
}
for n in 1 2 3 4 5 6 7 8 9 10; do
	hooked_last && break || usleep 100000
done
echo "hooked: $(grep -F '[epitaph]' /sys/kernel/debug/tracing/enabled_functions | cut -d ' ' -f 1 | sort | tr '\n' ' ')"
check "each takes what the recorder reads of it" sh -c 'test -e /sys/kernel/epitaph/not-followed && ! grep . /sys/kernel/epitaph/not-followed'
check "that could be compared" refused kernel_says 'no function.s arguments are compared'
check "it is unloaded" rmmod epitaph
check "no probe of its stays" sh -c '! grep . /sys/kernel/debug/kprobes/list'
check "and loaded again" load_recorder
END

soon_done() {
	us=$(sed -n 's/^took: //p' "$out/guest.log")
	echo "$us us"
	[ "$us" -le $((most * 1000)) ]
}

hooked() {
	sed -n 's/^hooked: //p' "$out/guest.log" | tr ' ' '\n' | grep . | diff "$out/functions" -
}

pack_guest
append="loglevel=3 initcall_debug" boot --cpus 1 -- -icount shift=0,sleep=on -rtc clock=vm
check "it takes at most $most million instructions" soon_done
sed 's/^/# /' "$out/said"
check "each function that it wants to hear of is hooked" hooked
check "the guest ended well" guest_ended_well
finish
