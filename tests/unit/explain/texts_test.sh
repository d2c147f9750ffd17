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
	is workqueue-stall workqueue-stall 'No work item of the pool of CPU 0 has begun for 32 s' <<-'END'
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
	panics 'watchdog pretimeout event' watchdog watchdog:port_run 'A hardware watchdog was about to reset' &&
		panics 'Software Watchdog Timer expired' watchdog watchdog:port_run 'softdog' &&
		panics '00: An NMI occurred. Depending on your system the reason ' nmi nmi 'hpwdt' &&
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

finish
