#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No capture kernel: what stays in memory says why the kernel died, and what each CPU was doing,
# with interrupts off as well.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-stamp.sh"

guest <<'EOF'
load_recorder
load_victim
sleep 2
# It polls on CPU 0 when this returns, on CPU 1.  No new process from then on: it would wait for CPU 0.
bug interrupts-off
bug timer
await_end
EOF
pack_guest
append=panic=0 boot --allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	--allow 'panic - not syncing: Fatal exception in interrupt' \
	--when "end Kernel panic=>sleep 1; pmemsave $region_addr 0x1000000 region; quit"
check "the region can be read" stamp_of "$out/region"
check "the reason is the panic's and the oops's" \
	stamp_says '^reason: Fatal exception in interrupt; Oops: error 0x[02] at session_expire[+]0x[0-9a-f]*/0x[0-9a-f]* \[victim\], address 0x0$'
check "the stack is the oops's" stamp_says '^cpu [01]: [0-9a-f]* session_expire[+]'
check "and goes on behind the interrupt" stamp_says ' asm_sysvec_apic_timer_interrupt[+]'
check "the other CPU is where the panic stopped it" stamp_says '^cpu 0: [0-9a-f]* poll_device[.a-z0-9]*[+]'
check "from a stack of its own" stamp_says ' poller_uninterruptible[+]'
check "a report shows it" sh -c "'$epitaph' report '$out/region' | grep '^#.* poll_device[.a-z0-9]*[+]'"
check "and does not call it dying" sh -c "! '$epitaph' report '$out/region' | grep 'was dying as well'"
check "cause, place and frames are the kernel's own" says_the_same "$out/console.log" "$out/region"
finish
