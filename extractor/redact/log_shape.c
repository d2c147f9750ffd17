// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shapes of the kernel's own lines, and a line taken apart by them.
 *
 * Pieces of a shape, in braces; a blank of a shape stands for one or more:
 *
 *	n  a decimal number, which stays        e  up to eight hex digits, which stay
 *	X  up to 16 hex digits, which stay      x  hex digits of an address or a value
 *	g  those of a register
 *	f  flags as the kernel has them, stay   F  a source file of the kernel's, which stays
 *	s  function+0x1/0x2 [module]            p  a pid       u  a user id
 *	t  the name of a task                   d  a device    m  a module
 *	w  a word                               *  anything, also nothing
 *	R  a reason: one of the shapes, too, or anything
 *	C  a channel of the recorder
 *	B  what is built, D the machine, M modules: like *, and vendor keeps them
 */
#include <ctype.h>
#include <string.h>

#include "redact_impl.h"

#define MAX_TASK	24	/* "kworker/u8:2+events" */

/* The titles come from arch/x86, kernel/panic.c, kernel/watchdog.c, kernel/rcu, mm, lib. */
static const char *const shapes[] = {
	"Kernel panic - not syncing: {R}",
	"---[ end Kernel panic - not syncing: {R} ]---",
	"---[ end trace {e}{*} ]---",
	"------------[ cut here ]------------",
	"BUG: kernel NULL pointer dereference, address: {x}",
	"BUG: unable to handle page fault for address: {x}",
	"BUG: unable to handle kernel NULL pointer dereference at {x}",
	"BUG: unable to handle kernel paging request at {x}",
	"BUG: stack guard page was hit at {x} (stack is {x}..{x})",
	"BUG: TASK stack guard page was hit at {x} (stack is {x}..{x})",
	"BUG: IRQ stack guard page was hit at {x} (stack is {x}..{x})",
	"BUG: scheduling while atomic: {t}/{p}/0x{e}",
	"BUG: sleeping function called from invalid context at {F}:{n}",
	"BUG: spinlock {w} on CPU#{n}, {t}/{p}",
	"BUG: soft lockup - CPU#{n} stuck for {n}s! [{t}:{p}]",
	"BUG: workqueue lockup - pool cpus={n} {*}",
	"BUG: Bad page state in process {t} pfn:{x}",
	"BUG: Bad page map in process {t} pte:{x} pmd:{x}",
	"BUG: Bad rss-counter state mm:{x} type:{w} val:{n}",
	"BUG: using smp_processor_id() in preemptible [{e}] code: {t}/{p}",
	"BUG: KASAN: use-after-free in {s}",
	"BUG: KASAN: slab-use-after-free in {s}",
	"BUG: KASAN: slab-out-of-bounds in {s}",
	"BUG: KASAN: out-of-bounds in {s}",
	"BUG: KASAN: stack-out-of-bounds in {s}",
	"BUG: KASAN: global-out-of-bounds in {s}",
	"BUG: KASAN: null-ptr-deref in {s}",
	"BUG: KASAN: double-free in {s}",
	"BUG: KFENCE: use-after-free read in {s}",
	"BUG: KFENCE: use-after-free write in {s}",
	"BUG: KFENCE: out-of-bounds read in {s}",
	"BUG: KFENCE: out-of-bounds write in {s}",
	"BUG: KFENCE: memory corruption in {s}",
	"BUG: {*}",
	"kernel BUG at {F}:{n}!",
	"Oops: {e} [#{n}] {f}",
	"Oops: {e} [#{n}]{f}",
	"Oops: Oops: {e} [#{n}] {f}",
	"Oops: general protection fault, {*}: {e} [#{n}] {f}",
	"Oops: invalid opcode: {e} [#{n}] {f}",
	"Oops: divide error: {e} [#{n}] {f}",
	"general protection fault, {*}: {e} [#{n}] {f}",
	"general protection fault: {e} [#{n}] {f}",
	"invalid opcode: {e} [#{n}] {f}",
	"stack guard page: {e} [#{n}] {f}",
	"divide error: {e} [#{n}] {f}",
	"int3: {e} [#{n}] {f}",
	"stack segment: {e} [#{n}] {f}",
	"segment not present: {e} [#{n}] {f}",
	"bounds: {e} [#{n}] {f}",
	"alignment check: {e} [#{n}] {f}",
	"control protection fault: {e} [#{n}] {f}",
	"PANIC: double fault, error_code: 0x{e}",
	"Internal error: Oops: {X} [#{n}] {f}",
	"Internal error: Oops - BUG: {X} [#{n}] {f}",
	"Unable to handle kernel NULL pointer dereference at virtual address {x}",
	"Unable to handle kernel paging request at virtual address {x}",
	"Insufficient stack space to handle exception!",
	"kernel tried to execute NX-protected page - exploit attempt? (uid: {u})",
	"kernel stack overflow ({w}): {e} [#{n}] {f}",
	"#PF: supervisor read access in kernel mode",
	"#PF: supervisor write access in kernel mode",
	"#PF: supervisor instruction fetch in kernel mode",
	"#PF: error_code(0x{e}) - not-present page",
	"#PF: error_code(0x{e}) - permissions violation",
	"#PF: error_code(0x{e}) - reserved bit violation",
	"WARNING: CPU: {n} PID: {p} at {F}:{n} {s}",
	"WARNING: {F}:{n} at {s}, CPU#{n}: {t}/{p}",
	"WARNING: possible circular locking dependency detected",
	"WARNING: possible recursive locking detected",
	"WARNING: suspicious RCU usage",
	"UBSAN: array-index-out-of-bounds in {F}:{n}:{n}",
	"UBSAN: shift-out-of-bounds in {F}:{n}:{n}",
	"UBSAN: signed-integer-overflow in {F}:{n}:{n}",
	"list_add corruption. {*}",
	"list_add corruption, {*}",
	"list_add double add: {*}",
	"list_del corruption. {*}",
	"list_del corruption, {*}",
	"usercopy: Kernel memory exposure attempt detected from {*}",
	"usercopy: Kernel memory overwrite attempt detected to {*}",
	"refcount_t: {*}",
	"detected buffer overflow in {w}",
	"CPU: {n} PID: {p} Comm: {t} Kdump: loaded Tainted: {f}{B}",
	"CPU: {n} PID: {p} Comm: {t} Kdump: loaded Not tainted{B}",
	"CPU: {n} UID: {u} PID: {p} Comm: {t} Kdump: loaded Tainted: {f}{B}",
	"CPU: {n} UID: {u} PID: {p} Comm: {t} Kdump: loaded Not tainted{B}",
	"CPU: {n} PID: {p} Comm: {t} Tainted: {f}{B}",
	"CPU: {n} PID: {p} Comm: {t} Not tainted{B}",
	"CPU: {n} UID: {u} PID: {p} Comm: {t} Tainted: {f}{B}",
	"CPU: {n} UID: {u} PID: {p} Comm: {t} Not tainted{B}",
	"Hardware name: {D}",
	"Workqueue: {*}",
	"RIP: {e}:{s}",
	"RIP: {e}:0x{x}",
	"RIP: {e}:{x}",
	"pc : {s}",
	"lr : {s}",
	"Code: {*}",
	"RSP: {e}:{x} EFLAGS: {e}",
	"RSP: {e}:{x} EFLAGS: {e} ORIG_RAX: {x}",
	"RAX: {g} RBX: {g} RCX: {g}",
	"RDX: {g} RSI: {g} RDI: {g}",
	"RBP: {g} R08: {g} R09: {g}",
	"R10: {g} R11: {g} R12: {g}",
	"R13: {g} R14: {g} R15: {g}",
	"FS: {x}({e}) GS:{x}({e}) knlGS:{x}",
	"CS: {e} DS: {e} ES: {e} CR0: {X}",
	"CR2: {x} CR3: {x} CR4: {X}",
	"CR2: {x}",
	"Call Trace:",
	"Call trace:",
	"<TASK>", "</TASK>", "<IRQ>", "</IRQ>", "<NMI>", "</NMI>", "<#DF>", "</#DF>", "<#MC>",
	"</#MC>", "<SOFTIRQ>", "</SOFTIRQ>",
	"{s}",
	"? {s}",
	"? 0x{x}",
	"({n} frames left out)",
	"(the stack is not known further)",
	"(the stack goes on)",
	"(the stack could not be unwound)",
	"0x{x}",
	"Modules linked in: {M}",
	"Kernel Offset: disabled",
	"Kernel Offset: {*}",
	"Rebooting in {n} seconds..",
	"sysrq: Trigger a crash",
	"sysrq: Show Blocked State",
	"sysrq: Show State",
	"sysrq: Show backtrace of all active CPUs",
	"sysrq: Emergency Sync",
	"sysrq: HELP : {*}",
	"sysrq: SysRq : Trigger a crash",
	"watchdog: BUG: soft lockup - CPU#{n} stuck for {n}s! [{t}:{p}]",
	"NMI watchdog: Watchdog detected hard LOCKUP on cpu {n}",
	"watchdog: Watchdog detected hard LOCKUP on cpu {n}",
	"Watchdog detected hard LOCKUP on cpu {n}",
	"NMI backtrace for cpu {n}",
	"Sending NMI from CPU {n} to CPUs {n}:",
	"INFO: task {t}:{p} blocked for more than {n} seconds.",
	"INFO: task {t}:{p} blocked in I/O wait for more than {n} seconds.",
	"INFO: task {t}:{p} is blocked on a mutex likely owned by task {t}:{p}.",
	"INFO: task {t}:{p} is blocked on a mutex, but the owner is not found.",
	"Not tainted{B}",
	"Tainted: {f}{B}",
	"\"echo 0 > /proc/sys/kernel/hung_task_timeout_secs\" disables this message.",
	"task:{t} state:{f} stack:{n} pid:{p} ppid:{p} flags:0x{e}",
	"task:{t} state:{f} stack:{n} pid:{p} tgid:{p} ppid:{p} flags:0x{e}",
	"task:{t} state:{f} stack:{n} pid:{p} tgid:{p} ppid:{p} task_flags:0x{e} flags:0x{e}",
	"rcu: INFO: rcu_preempt self-detected stall on CPU",
	"rcu: INFO: rcu_sched self-detected stall on CPU",
	"rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
	"rcu: INFO: rcu_sched detected stalls on CPUs/tasks:",
	"rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: {*}",
	"rcu: {n}-{w}: ({n} ticks this GP) {*}",
	"rcu: (detected by {n}, t={n} jiffies, g={n}, q={n} ncpus={n})",
	"rcu: (t={n} jiffies g={n} q={n} ncpus={n})",
	"rcu: Tasks blocked on level-{n} rcu_node (CPUs {n}-{n}): {*}",
	"{t} invoked oom-killer: gfp_mask={*}, order={n}, oom_score_adj={n}",
	"Out of memory: Killed process {p} ({t}) total-vm:{n}kB, anon-rss:{n}kB, file-rss:{n}kB, shmem-rss:{n}kB, UID:{u} pgtables:{n}kB oom_score_adj:{n}",
	"Out of memory: Killed process {p} ({t}) {*}",
	"Memory cgroup out of memory: Killed process {p} ({t}) {*}",
	"EXT4-fs error (device {d}): {*}",
	"XFS ({d}): {*}",
	"BTRFS error (device {d}): {*}",
	"BTRFS: error (device {d}) {*}",
	"I/O error, dev {d}, sector {*}",
	"blk_update_request: I/O error, dev {d}, sector {*}",
	"NETDEV WATCHDOG: {d} ({m}): transmit queue {n} timed out{*}",
	"mce: [Hardware Error]: CPU {n}: Machine Check Exception: {e} Bank {n}: {X}",
	"mce: [Hardware Error]: CPU {n}: Machine Check: {n} Bank {n}: {X}",
	"mce: [Hardware Error]: TSC {X}{*}",
	"mce: [Hardware Error]: PROCESSOR {n}:{e} TIME {n} SOCKET {n} APIC {e} microcode {e}",
	"mce: [Hardware Error]: Machine check: {*}",
	"mce: [Hardware Error]: Machine check events logged",
	"Panic#{n} Part{n}",
	"Oops#{n} Part{n}",
	"Linux version {B}",
	"Command line: {*}",
	/* Reasons of a panic. */
	"sysrq triggered crash",
	"Fatal exception",
	"Fatal exception in interrupt",
	"Fatal exception; {R}",
	"Fatal exception in interrupt; {R}",
	"Attempted to kill init! exitcode=0x{e}",
	"Attempted to kill the idle task!",
	"Aiee, killing interrupt handler!",
	"VFS: Unable to mount root fs on {*}",
	"No working init found. {*}",
	"Requested init {w} failed (error {n}).",
	"hung_task: blocked tasks",
	"softlockup: hung tasks",
	"Hard LOCKUP",
	"RCU Stall",
	"workqueue: panic on {n} stalls{*}",
	"Out of memory: system-wide panic_on_oom is enabled",
	"Out of memory: compulsory panic_on_oom is enabled",
	"Out of memory and no killable processes...",
	"System is deadlocked on memory",
	"panic_on_warn set ...",
	"kernel: panic_on_warn set ...",
	"kernel: system warned too often (limit is {n})",
	"kernel stack overflow",
	"corrupted stack end detected inside scheduler",
	"scheduling while atomic",
	"scheduling while atomic: panic_on_warn set ...",
	"Fatal machine check",
	"Fatal machine check on current CPU",
	"Fatal local machine check",
	"Fatal hardware error!",
	"GHES: Fatal hardware error",
	"Machine check from unknown source",
	"Timeout: Not all CPUs entered broadcast exception handler",
	"Uncorrected hardware memory error in user-access at {x}",
	"NMI: Not continuing",
	"NMI IOCK error: Not continuing",
	"stack-protector: Kernel stack is corrupted in: {s}",
	"EXT4-fs (device {d}): panic forced after error",
	"Kernel mode fault at addr 0x{x}",
	/* What the recorder writes itself: kernel/crash/crash.c, kernel/control, kernel/handout. */
	"crash_kexec at {s}",
	"Oops: error 0x{e} at {s}, address 0x{x}",
	"Oops: error 0x{e} at {s}",
	"invalid opcode: error 0x{e} at {s}",
	"general protection fault: error 0x{e} at {s}",
	"general protection fault, {*}: error 0x{e} at {s}",
	"divide error: error 0x{e} at {s}",
	"stack segment: error 0x{e} at {s}",
	"{s}: Oops, task {t}-{p}",
	"{s}: invalid opcode, task {t}-{p}",
	"{s}: general protection fault, task {t}-{p}",
	"{s}: divide error, task {t}-{p}",
	"{s}: stack segment, task {t}-{p}",
	"{s}: {*}, task {t}-{p}",
	"sysrq-z, during {t}-{p}",
	"channel {C} records by {t}, pid {p}",
	"channel {C} was stopped by {t}, pid {p}",
	"channel {C} was removed by {t}, pid {p}",
	"recording goes on by {t}, pid {p}",
	"recording was stopped by {t}, pid {p}",
	"recording goes on",
	"recording was stopped",
	"the recorder was unloaded",
	"a kernel that hibernated is resumed",
	"still stopped after hibernation",
	"restart", "halt", "power off",
	"restart: {*}", "halt: {*}", "power off: {*}",
};

size_t text_span(const char *s, size_t n, const char *chars)
{
	size_t i = 0;

	while (i < n && s[i] && strchr(chars, s[i]))
		i++;
	return i;
}

/* "G      D    OE": letters of what tainted it; or "PREEMPT SMP NOPTI". */
static size_t span_of_flags(const char *s, size_t n)
{
	static const char *const words[] = {
		"PREEMPT", "PREEMPT_RT", "PREEMPT_DYNAMIC", "NOPTI", "KASAN", "DEBUG_PAGEALLOC",
	};
	size_t at = 0, len, i;

	for (;;) {
		at += text_span(s + at, n - at, " ");
		len = text_span(s + at, n - at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
		for (i = 0; i < ARRAY_SIZE(words); i++)
			if (len == strlen(words[i]) && !memcmp(s + at, words[i], len))
				break;
		if (!len || (len > 4 && i == ARRAY_SIZE(words)) ||
		    (at + len < n && s[at + len] != ' '))
			return at;
		at += len;
	}
}

/* How many bytes at @s the piece has; -1: it is not one. */
static long piece_span(char kind, const char *s, size_t n)
{
	static const char hex[] = "0123456789abcdefABCDEF";
	size_t len, sign;

	switch (kind) {
	case 'n':
	case 'p':
	case 'u':
		sign = n && *s == '-';
		len = text_span(s + sign, n - sign, "0123456789");
		return len && len < 20 ? (long)(len + sign) : -1;
	case 'e':
		len = text_span(s, n, hex);
		return len && len <= 8 ? (long)len : -1;
	case 'x':
	case 'g':
	case 'X':
		len = text_span(s, n, hex);
		return len && len <= 16 ? (long)len : -1;
	case 'f':
		return span_of_flags(s, n);
	case 's':
		len = symbol_span(s, n);
		return len ? (long)len : -1;
	case 'F':
		len = text_span(s, n,
			      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./");
		return len ? (long)len : -1;
	default:
		for (len = 0; len < n && !isspace((u8)s[len]) && !strchr(",()[]:", s[len]); len++)
			;
		return len ? (long)len : -1;
	}
}

static bool match_shape(struct shaped_line *line, const char *shape, const char *at,
			const char *end);

static bool match_piece(struct shaped_line *line, char kind, const char *rest, const char *at,
			size_t len, const char *end)
{
	u32 nr = line->nr;

	if (nr == SHAPE_PIECES)
		return false;
	line->pieces[line->nr++] = (struct shape_piece){ kind, at, len };
	if (match_shape(line, rest, at + len, end))
		return true;
	line->nr = nr;
	return false;
}

/* A piece that takes anything: up to the last place where what follows in the shape is. */
static bool match_any(struct shaped_line *line, char kind, const char *rest, const char *at,
		      const char *end)
{
	size_t len = strcspn(rest, "{");
	const char *p;

	if (!*rest)
		return match_piece(line, kind, rest, at, end - at, end);
	if (!len)
		return false;
	for (p = end - len; p >= at; p--)
		if (!memcmp(p, rest, len))
			return match_piece(line, kind, rest, at, p - at, end);
	return false;
}

static bool match_task(struct shaped_line *line, const char *rest, const char *at, const char *end)
{
	size_t max = end - at < MAX_TASK ? end - at : MAX_TASK, len;

	for (len = max; len > 0; len--)
		if (at[len - 1] != ' ' && match_piece(line, 't', rest, at, len, end))
			return true;
	return false;
}

static bool match_shape(struct shaped_line *line, const char *shape, const char *at,
			const char *end)
{
	const char *rest;
	long len;

	for (; *shape && *shape != '{'; shape++) {
		if (at == end || (*shape == ' ' ? *at != ' ' && *at != '\t' : *at != *shape))
			return false;
		at++;
		while (*shape == ' ' && at < end && (*at == ' ' || *at == '\t'))
			at++;
	}
	if (!*shape)
		return at + text_span(at, end - at, " \t\r") == end;
	rest = shape + 3;
	if (strchr("*RBDM", shape[1]))
		return match_any(line, shape[1], rest, at, end);
	if (shape[1] == 't')
		return match_task(line, rest, at, end);
	len = piece_span(shape[1], at, end - at);
	return len >= 0 && match_piece(line, shape[1], rest, at, len, end);
}

bool log_shape_match(struct shaped_line *line, const char *text, const char *end)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		line->nr = 0;
		if (match_shape(line, shapes[i], text, end))
			return true;
	}
	return false;
}
