#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What epitaph explain says of texts that end with a report which no panic follows, or of kernels before 5.10.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# shellcheck disable=SC2154 # lib.sh has dir
cd "$dir" || exit

# is KIND SIGNATURE CLAIM: of the text on standard input
is() {
	cat >log
	"$epitaph" explain --json log >json || [ $? = 1 ] || return
	jq -r '"kind \(.kind)", "signature \(.signature)", "claim \(.claim)"' json >page
	cat page
	grep -qFx "kind $1" page && grep -qFx "signature $2" page && grep -qF -- "$3" page
}

# Before 4.15 an address of 0 is printed as "(null)".
a_call_of_null() {
	is null-pointer 'null-pointer:port_send<sock_sendmsg' 'A function pointer was NULL and was called, by port_send() of module port' <<-'END'
		BUG: unable to handle kernel NULL pointer dereference at           (null)
		IP: [<          (null)>]           (null)
		PGD 73c74067 PUD 73114067 PMD 0
		Oops: 0010 [#1] SMP
		Modules linked in: port(O)
		CPU: 1 PID: 447 Comm: sender Tainted: G           O    4.1.15 #4
		RIP: 0010:[<0000000000000000>]  [<          (null)>]           (null)
		RSP: 0018:ffff880073473cb0  EFLAGS: 00010246
		RAX: ffffffff81e9fe80 RBX: ffff880073b55b00 RCX: 0000000000000006
		Call Trace:
		 [<ffffffffa0007c0f>] port_send+0x4f/0x60 [port]
		 [<ffffffff8151c8a8>] sock_sendmsg+0x38/0x50
		Code:  Bad RIP value.
		Kernel panic - not syncing: Fatal exception
	END
}
ok a_call_of_null a_call_of_null

# sleeps COUNT DEPTH FUNCTION...: the report of a sleep, with the count of preemption and the depth of RCU
sleeps() {
	printf '%s\n' 'BUG: sleeping function called from invalid context at kernel/locking/mutex.c:580' \
		"in_atomic(): $1, irqs_disabled(): 0, non_block: 0, pid: 512, name: reader" "preempt_count: $1, expected: 0" \
		"RCU nest depth: $2, expected: 0" 'CPU: 1 PID: 512 Comm: reader Tainted: G           OE      6.1.0-debug #1' \
		'Call Trace:' ' <TASK>' ' dump_stack_lvl+0x5b/0x77' ' __might_resched.cold+0xd6/0x10f' >text
	shift 2
	printf ' %s+0x19/0x60\n' "$@" >>text
	echo ' </TASK>' >>text
}

a_sleep_where_that_is_forbidden() {
	sleeps 1 0 __mutex_lock port_lock port_read vfs_read
	is bug 'bug:port_lock<port_read<vfs_read' 'port_lock() did what may sleep, with a spinlock held, or preemption off' <text
}
ok a_sleep_where_that_is_forbidden a_sleep_where_that_is_forbidden

# No lock is held: a timer's function may not sleep. Nor may what came with softirqs off.
a_sleep_in_a_timer() {
	sleeps 100 0 __mutex_lock port_expired call_timer_fn __run_timers
	is bug 'bug:port_expired<call_timer_fn<__run_timers' "port_expired() did what may sleep, in a timer's function" <text || return
	sleeps 100 0 __mutex_lock port_poll __napi_poll net_rx_action
	is bug 'bug:port_poll<__napi_poll<net_rx_action' 'port_poll() did what may sleep, in a timer or another softirq' <text || return
	sleeps 200 0 __mutex_lock port_write vfs_write
	is bug 'bug:port_write<vfs_write' 'port_write() did what may sleep, with softirqs off' <text || return
	sleeps 1 0 __mutex_lock port_expired call_timer_fn __run_timers
	grep -v preempt_count <text >older
	is bug 'bug:port_expired<call_timer_fn<__run_timers' "port_expired() did what may sleep, in a timer's function" <older
}
ok a_sleep_in_a_timer a_sleep_in_a_timer

a_sleep_under_rcu() {
	sleeps 0 1 port_read
	is bug 'bug:port_read' 'port_read() did what may sleep, within rcu_read_lock()' <text
}
ok a_sleep_under_rcu a_sleep_under_rcu

a_bad_page() {
	is bug 'bug:free_pcp_prepare<free_unref_page<port_free' 'that is not as a free page is, by free_pcp_prepare(): nonzero mapcount' <<-'END'
		BUG: Bad page state in process reader  pfn:3fec0
		page:000000002e52c562 refcount:0 mapcount:1 mapping:0000000000000000 index:0x0 pfn:0x3fec0
		flags: 0xfffffc0000000(node=0|zone=1|lastcpupid=0x1fffff)
		page dumped because: nonzero mapcount
		CPU: 1 PID: 512 Comm: reader Tainted: G           OE      6.1.0-56-amd64 #1
		Call Trace:
		 <TASK>
		 dump_stack_lvl+0x44/0x5c
		 bad_page.cold+0x63/0x8f
		 free_pcp_prepare+0x1d5/0x210
		 free_unref_page+0x1a/0x170
		 port_free+0x2e/0x40 [port]
		 </TASK>
	END
}
ok a_bad_page a_bad_page

a_workqueue_that_is_stuck() {
	is workqueue-stall workqueue-stall 'No work item of the pool of CPU 0 has begun for 32 s: what runs there does not end or never sleeps, or the kernel could make no worker more.' <<-'END'
		[   72.159680] BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 32s!
	END
}
ok a_workqueue_that_is_stuck a_workqueue_that_is_stuck

# panics TEXT KIND CLAIM
panics() {
	printf '[  123.%06d] %s\n' 14 "Kernel panic - not syncing: $1" 15 'CPU: 1 PID: 447 Comm: foo Not tainted 6.1.0-56-amd64 #1' \
		16 'Call Trace:' 17 ' <TASK>' 18 ' panic+0x118/0x2ed' 19 ' port_run+0x1e/0x40 [port]' 20 ' </TASK>' >text
	is "$2" "$3" "$4" <text
}

# The words of drivers/watchdog/, drivers/edac/, drivers/md/dm-verity-target.c, arch/x86, s390 and riscv.
panics_that_the_tool_knows() {
	panics 'watchdog pretimeout event' watchdog watchdog:port_run 'A watchdog was about to reset' &&
		panics 'Software Watchdog Timer expired' watchdog watchdog:port_run 'softdog' &&
		panics '00: An NMI occurred. Depending on your system the reason ' nmi nmi 'or its watchdog had not been fed in time' &&
		panics 'NMI IOCK error: Not continuing' nmi nmi 'I/O check' &&
		panics 'EDAC MC0: UE page 0x0' machine-check machine-check:port_run 'memory controller' &&
		panics 'Uncorrected hardware memory error' machine-check machine-check:port_run 'could not correct' &&
		panics "Corrupt kernel stack, can't continue." stack-overflow stack-overflow:port_run 'no stack of the kernel' &&
		panics 'Kernel stack overflow' stack-overflow stack-overflow:port_run "stack was full" &&
		panics 'dm-verity device corrupted' panic-call panic-call:port_run 'hash is wrong' &&
		panics 'Watchdog detected hard LOCKUP on cpu 1' hard-lockup hard-lockup:port_run 'CPU 1 took no interrupts for too long, in port_run()'
}
ok panics_that_the_tool_knows panics_that_the_tool_knows

an_oops_in_an_interrupt_that_ends() {
	is exception exception:port_run 'port_run() of module port divided by zero' <<-'END'
		[  123.000001] divide error: 0000 [#1] PREEMPT SMP
		[  123.000002] CPU: 1 PID: 447 Comm: foo Not tainted 6.1.0-56-amd64 #1
		[  123.000003] RIP: 0010:port_run+0x1e/0x40 [port]
		[  123.000004] Kernel panic - not syncing: Aiee, killing interrupt handler!
	END
}
ok an_oops_in_an_interrupt_that_ends an_oops_in_an_interrupt_that_ends

# A person leaves lines away: that of die(), and "0010:".
the_line_of_the_oops_is_lost() {
	is exception 'exception:port_gc<process_one_work' 'An access of memory in port_gc() failed' <<-'END'
		BUG: unable to handle page fault
		Workqueue: events port_gc
		RIP: port_gc+0x142/0x650
		Call Trace:
		 process_one_work+0x1e2/0x3b0
		Kernel panic - not syncing: Fatal exception
	END
}
ok the_line_of_the_oops_is_lost the_line_of_the_oops_is_lost

# zfs_check TIME: what ZFS prints of a check that failed
zfs_check() {
	printf "[%5d.000000] %s\n" "$1" 'VERIFY3(begin < end) failed (52 < 51)' "$1" 'PANIC at range.c:503:range_remove()' \
		"$1" 'Showing stack for process 512' "$1" 'CPU: 1 PID: 512 Comm: z_wr_iss Tainted: P           O       6.1.0-56-amd64 #1' \
		"$1" 'Call Trace:' "$1" ' <TASK>' "$1" ' dump_stack_lvl+0x5d/0x90' "$1" ' spl_dumpstack+0x29/0x40 [spl]' \
		"$1" ' spl_panic+0xf9/0x110 [spl]' "$1" ' range_remove+0x8dd/0xf40 [zfs]' "$1" ' space_load+0x26/0xb0 [zfs]' "$1" ' </TASK>'
}

# hangs TIME TASK FUNCTION...: the report of a task that hangs
hangs() {
	time=$1
	printf "[%5d.000000] %s\n" "$time" "INFO: task $2 blocked for more than 120 seconds." \
		"$time" '      Tainted: P           O       6.1.0-56-amd64 #1' "$time" 'Call Trace:' "$time" ' <TASK>' "$time" ' __schedule+0x34d/0x9e0'
	shift 2
	for function; do
		printf "[%5d.000000]  %s+0x19/0x60 [zfs]\n" "$time" "$function"
	done
}

a_check_of_zfs() {
	zfs_check 40 >text
	is bug 'bug:range_remove<space_load' 'A check of ZFS in range_remove() of module zfs failed: VERIFY3(begin < end) failed (52 < 51). ZFS stops the thread' <text
}
ok a_check_of_zfs a_check_of_zfs

# The task that ZFS stopped and what waits for it hang: neither is the cause.
a_check_of_zfs_and_what_hangs_then() {
	{ zfs_check 40; hangs 200 z_wr_iss:512 schedule spl_panic range_remove; hangs 201 txg_sync:513 schedule taskq_wait; } >text
	is bug 'bug:range_remove<space_load' 'A check of ZFS in range_remove() of module zfs failed' <text
}
ok a_check_of_zfs_and_what_hangs_then a_check_of_zfs_and_what_hangs_then

what_zfs_stopped_alone() {
	hangs 200 z_wr_iss:512 schedule spl_panic range_remove >text
	is hung-task hung-task:range_remove 'was stopped for ever by ZFS: a check in range_remove() of module zfs failed' <text
}
ok what_zfs_stopped_alone what_zfs_stopped_alone

# It stopped no task that hangs.
a_hang_long_behind_a_check_of_zfs() {
	{ zfs_check 40; hangs 5000 sh:600 schedule port_wait; } >text
	is hung-task 'hung-task:port_wait' 'The task sh-600 waited too long' <text
}
ok a_hang_long_behind_a_check_of_zfs a_hang_long_behind_a_check_of_zfs

# of_phone PREFIX: an oops of arm64, with what kernels of phones put behind the time
of_phone() {
	while read -r line; do
		printf '[  123.000001] %s%s\n' "$1" "$line"
	done <<-'END' >text
		Unable to handle kernel NULL pointer dereference at virtual address 0000000000000018
		Internal error: Oops: 96000005 [#1] PREEMPT SMP
		CPU: 2 PID: 97 Comm: kworker/2:3 Tainted: P W  O    4.14.186 #1
		pc : port_write+0x40/0x120
		lr : process_one_work+0x1c0/0x480
		Kernel panic - not syncing: Fatal exception
	END
	is null-pointer null-pointer:port_write 'port_write() accessed memory address 0x18' <text
}

of_phones() {
	of_phone '(2)[97:kworker/2:3]' && of_phone '-(2)[97:kworker/2:3]' && of_phone '[2:    kworker/2:3:   97] ' &&
		of_phone 'I[2:    kworker/2:3:   97] ' && of_phone 'c2 97 (kworker/2:3) '
}
ok of_phones of_phones

# Those are no task and no CPU.
no_prefixes_of_a_phone() {
	printf '[    1.000001] %s\n' 'port[2:1]: ready' '[2: a] b' 'c2 port (a) b' '(2) [97:a] b' 'BUG: Bad page state in process sh  pfn:7deea' \
		'page dumped because: nonzero _refcount' >text
	is bug bug 'nonzero _refcount' <text && "$epitaph" report --source log text >page && grep -F 'port[2:1]: ready' page && grep -F '[2: a] b' page &&
		grep -F 'c2 port (a) b' page && grep -F '(2) [97:a] b' page
}
ok no_prefixes_of_a_phone no_prefixes_of_a_phone

# As a page of the web has it.
entities() {
	is null-pointer 'null-pointer:port_send<port_write' 'port_send() of module port' <<-'END'
		[   12.000001] BUG: unable to handle kernel NULL pointer dereference at 0000000000000010
		[   12.000002] IP: [&lt;ffffffffa0007c0f&gt;] port_send+0x4f/0x60 [port]
		[   12.000003] Oops: 0000 [#1] SMP
		[   12.000004] CPU: 1 PID: 447 Comm: sender Tainted: G           O    4.1.15 #4
		[   12.000005] Call Trace:
		[   12.000006]  &lt;IRQ&gt;  [&lt;ffffffffa0007c8f&gt;] port_write+0x1f/0x30 [port]
		[   12.000007] Kernel panic - not syncing: Fatal exception
	END
}
ok entities entities

# Date and host were cut off.
kernel_alone() {
	zfs_check 40 | sed 's/^[^]]*\] /kernel: /' >text
	is bug 'bug:range_remove<space_load' 'A check of ZFS in range_remove() of module zfs failed' <text
}
ok kernel_alone kernel_alone

# All newlines became blanks.
in_one_line() {
	of_phone '[ T1668] ' && tr '\n' ' ' <text >joined && echo >>joined &&
		is null-pointer null-pointer:port_write 'port_write() accessed memory address 0x18' <joined
}
ok in_one_line in_one_line

# hard_lockup FRAME...: the trace of the panic, alone
hard_lockup() {
	printf '%s\n' 'Kernel panic - not syncing: Hard LOCKUP' 'CPU: 1 PID: 512 Comm: taker Tainted: G           O       6.1.0-56-amd64 #1' 'Call Trace:' >text
	printf ' %s+0x19/0x60\n' dump_stack panic nmi_panic "$@" >>text
}

a_hard_lockup_by_its_panic() {
	hard_lockup watchdog_overflow_callback perf_event_nmi_handler do_nmi end_repeat_nmi port_take port_write
	is hard-lockup hard-lockup:port_take 'CPU 1, task taker-512, took no interrupts for too long, in port_take()' <text
}
ok a_hard_lockup_by_its_panic a_hard_lockup_by_its_panic

# Since 6.5 another CPU may notice it, in its tick: that one is innocent.
a_hard_lockup_that_another_noticed() {
	hard_lockup watchdog_hardlockup_check watchdog_timer_fn hrtimer_interrupt sysvec_apic_timer_interrupt port_take
	is panic-call "panic-call:hrtimer_interrupt<sysvec_apic_timer_interrupt<port_take" "the lines that say for what are not in this file" <text
}
ok a_hard_lockup_that_another_noticed a_hard_lockup_that_another_noticed

finish
