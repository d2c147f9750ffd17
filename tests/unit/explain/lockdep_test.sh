#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What epitaph explain says of reports of lockdep, by lines as kernels print them.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# shellcheck disable=SC2154 # lib.sh has dir
cd "$dir" || exit

# timed: a microsecond a line
timed() {
	awk '{ printf "[%12.6f] %s\n", 400 + NR / 1000000, $0 }'
}

# stack FUNCTION...: the stack at the end of a report of the task reader-512
stack() {
	echo 'stack backtrace:'
	echo 'CPU: 1 PID: 512 Comm: reader Tainted: G           OE      6.1.0-debug #1'
	printf '%s\n' 'Call Trace:' ' <TASK>' ' dump_stack_lvl+0x56/0x6f'
	printf ' %s+0x2e/0x60\n' "$@"
	echo ' </TASK>'
}

# explained: kind, strength, signature, claim of the text "log"
explained() {
	"$epitaph" explain --json log >json || [ $? = 1 ] || return
	jq -r '"kind \(.kind) \(.strength)", "signature \(.signature)", "claim \(.claim)", "also \(.also[])", "missing \(.missing[])"' json >page
	cat page
}

says() {
	grep -qF -- "$1" page || { echo "it does not say \"$1\""; return 1; }
}

order() {
	cat <<-'END'
		======================================================
		WARNING: possible circular locking dependency detected
		6.1.0-debug #1 Tainted: G           OE
		------------------------------------------------------
		reader/512 is trying to acquire lock:
		ffff888101c34a18 (&port->lock){+.+.}-{3:3}, at: port_read+0x2e/0x60 [port]

		but task is already holding lock:
		ffff888101c34a98 (&port->list_lock){+.+.}-{3:3}, at: port_list+0x19/0x60 [port]

		which lock already depends on the new lock.

		-> #1 (&port->list_lock){+.+.}-{3:3}:
		       __mutex_lock+0x95/0xd10
		       port_add+0x3c/0x80 [port]

		1 lock held by reader/512:
		 #0: ffff888101c34a98 (&port->list_lock){+.+.}-{3:3}, at: port_list+0x19/0x60 [port]

	END
	stack check_noncircular __lock_acquire lock_acquire __mutex_lock port_read vfs_read ksys_read
}

two_locks_in_both_orders() {
	order | timed >log
	explained && says 'kind lockdep shown' && says 'signature lockdep:port_read<vfs_read<ksys_read' &&
		says 'reader-512 was to take &port->lock in port_read() of module port, and held &port->list_lock, taken in port_list()' &&
		says 'the machine may have gone on'
}
ok two_locks_in_both_orders two_locks_in_both_orders

# As 4.12 and before print it, and with a class that has brackets.
of_an_older_kernel() {
	{
		printf '%s\n' '[ INFO: possible circular locking dependency detected ]' 'reader/512 is trying to acquire lock:' \
			' (&(&port->lock)->rlock){+.+...}, at: [<ffffffff82df4347>] port_read+0x8e/0x100' '' 'but task is already holding lock:' \
			' (&table[i].lock){+.+...}, at: [<ffffffff82df4000>] table_get+0x8e/0x100'
		stack print_circular_bug check_prev_add port_read
	} | timed >log
	explained && says 'reader-512 was to take &(&port->lock)->rlock in port_read(), and held &table[i].lock, taken in table_get()'
}
ok of_an_older_kernel of_an_older_kernel

one_lock_twice() {
	order | sed 's/circular locking dependency/recursive locking/; s/list_lock/lock/' | timed >log
	explained && says 'claim reader-512 was to take &port->lock in port_read() of module port, and held it or one of its kind'
}
ok one_lock_twice one_lock_twice

in_an_interrupt() {
	{
		printf '%s\n' 'WARNING: inconsistent lock state' 'inconsistent {IN-SOFTIRQ-W} -> {SOFTIRQ-ON-W} usage.' \
			'reader/512 [HC0[0]:SC0[0]:HE1:SE1] takes:' \
			'ffff888101c34a18 (&port->lock){+.?.}-{2:2}, at: port_read+0x2e/0x60 [port]'
		stack print_usage_bug.part.0 mark_lock __lock_acquire lock_acquire _raw_spin_lock port_read
	} | timed >log
	explained && says 'claim reader-512 takes &port->lock in port_read() of module port, and an interrupt that comes then can wait for it' &&
		says '{IN-SOFTIRQ-W} -> {SOFTIRQ-ON-W}' && says 'signature lockdep:port_read'
}
ok in_an_interrupt in_an_interrupt

without_the_lock_of_rcu() {
	{
		printf '%s\n' 'WARNING: suspicious RCU usage' '6.1.0-debug #1 Tainted: G' '-----------------------------' \
			'drivers/misc/port.c:88 suspicious rcu_dereference_check() usage!'
		stack lockdep_rcu_suspicious port_find port_read
	} | timed >log
	explained && says 'claim port_find() read what RCU protects, without what protects it (drivers/misc/port.c:88' &&
		says 'signature lockdep:port_find<port_read'
}
ok without_the_lock_of_rcu without_the_lock_of_rcu

a_lock_that_is_kept() {
	printf '%s\n' 'WARNING: lock held when returning to user space!' \
		'reader/512 is leaving the kernel with locks still held!' '1 lock held by reader/512:' \
		' #0: ffff888101c34a98 (&port->lock){+.+.}-{3:3}, at: port_list+0x19/0x60 [port]' | timed >log
	explained && says 'claim reader-512 came back from the kernel, or ended, and held &port->lock, taken in port_list() of module port'
}
ok a_lock_that_is_kept a_lock_that_is_kept

# A serial line is slow: the report takes longer than a second, and the text ends with it.
a_report_of_some_seconds() {
	order | awk '{ printf "[%12.6f] %s\n", 400 + NR / 10, $0 }' >log
	explained && says 'kind lockdep shown'
}
ok a_report_of_some_seconds a_report_of_some_seconds

a_report_that_the_machine_outlived() {
	{ order | timed; echo '[  460.000000] usb 1-1: USB disconnect, device number 5'; } >log
	explained && says 'kind reset'
}
ok a_report_that_the_machine_outlived a_report_that_the_machine_outlived

# Of what a kernel died later it says nothing.
it_is_not_the_cause_of_a_later_death() {
	{
		order
		printf '%s\n' 'BUG: kernel NULL pointer dereference, address: 0000000000000040' '#PF: supervisor read access in kernel mode' \
			'Oops: 0000 [#1] PREEMPT SMP NOPTI' 'CPU: 0 PID: 99 Comm: sh Tainted: G           OE      6.1.0-debug #1' \
			'RIP: 0010:table_show+0x5/0x20 [table]' 'Call Trace:' ' <TASK>' ' seq_read+0x5/0x10' \
			'Kernel panic - not syncing: Fatal exception'
	} | timed >log
	explained && says 'kind null-pointer shown' && says 'also 1 earlier report of the kernel; the last, 0.000 s before the end: WARNING: possible circular'
}
ok it_is_not_the_cause_of_a_later_death it_is_not_the_cause_of_a_later_death

finish
