// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of the kernel's log: of those that say why and where it died, the kernel's own words stay.
 * A line that has none of the shapes below becomes one pseudonym, whole.
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
#include <stdlib.h>
#include <string.h>

#include "redact_impl.h"

#define MAX_PIECES	16
#define MAX_DEPTH	3	/* of a reason in a reason */
#define MAX_TASK	24	/* "kworker/u8:2+events" */
#define NAME_ROOM	24

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
	"list_del corruption. {*}",
	"list_del corruption, {*}",
	"usercopy: Kernel memory exposure attempt detected from {*}",
	"usercopy: Kernel memory overwrite attempt detected to {*}",
	"refcount_t: {*}",
	"detected buffer overflow in {w}",
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
	"({n} frames left out)",
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
	"Fatal machine check",
	"Fatal machine check on current CPU",
	"Fatal local machine check",
	"Fatal hardware error!",
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

struct shape_piece {
	char kind;
	const char *at;
	size_t len;
};

/* The line as it is taken apart. */
struct shaped_line {
	struct shape_piece pieces[MAX_PIECES];
	u32 nr;
};

/* --- taking a line apart ---------------------------------------------------- */

static size_t span_of(const char *s, size_t n, const char *chars)
{
	size_t i = 0;

	while (i < n && s[i] && strchr(chars, s[i]))
		i++;
	return i;
}

/* Only with an offset: a word alone is no function. */
static size_t span_of_symbol(const char *s, size_t n)
{
	size_t name = span_of(s, n, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$");
	size_t at = name, digits, close;

	if (!name || n - at < 3 || memcmp(s + at, "+0x", 3))
		return 0;
	digits = span_of(s + at + 3, n - at - 3, "0123456789abcdef");
	at += 3 + digits;
	if (!digits || n - at < 3 || memcmp(s + at, "/0x", 3))
		return 0;
	digits = span_of(s + at + 3, n - at - 3, "0123456789abcdef");
	at += 3 + digits;
	if (!digits)
		return 0;
	if (n - at > 2 && !memcmp(s + at, " [", 2)) {
		close = span_of(s + at + 2, n - at - 2,
				"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- ");
		if (at + 2 + close < n && s[at + 2 + close] == ']')
			at += close + 3;
	}
	return at;
}

/* "G      D    OE": letters of what tainted it; or "PREEMPT SMP NOPTI". */
static size_t span_of_flags(const char *s, size_t n)
{
	static const char *const words[] = {
		"PREEMPT", "PREEMPT_RT", "PREEMPT_DYNAMIC", "NOPTI", "KASAN", "DEBUG_PAGEALLOC",
	};
	size_t at = 0, len, i;

	for (;;) {
		at += span_of(s + at, n - at, " ");
		len = span_of(s + at, n - at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
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
		len = span_of(s + sign, n - sign, "0123456789");
		return len && len < 20 ? (long)(len + sign) : -1;
	case 'e':
		len = span_of(s, n, hex);
		return len && len <= 8 ? (long)len : -1;
	case 'x':
	case 'g':
	case 'X':
		len = span_of(s, n, hex);
		return len && len <= 16 ? (long)len : -1;
	case 'f':
		return span_of_flags(s, n);
	case 's':
		len = span_of_symbol(s, n);
		return len ? (long)len : -1;
	case 'F':
		len = span_of(s, n,
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

	if (nr == MAX_PIECES)
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
		return at + span_of(at, end - at, " \t\r") == end;
	rest = shape + 3;
	if (strchr("*RBDM", shape[1]))
		return match_any(line, shape[1], rest, at, end);
	if (shape[1] == 't')
		return match_task(line, rest, at, end);
	len = piece_span(shape[1], at, end - at);
	return len >= 0 && match_piece(line, shape[1], rest, at, len, end);
}

/* --- putting it together again ---------------------------------------------- */

/* A text of a class, as the profile has it; not longer than @room. */
static bool put_text_piece(struct redaction *r, struct bounded_text *out, enum field_class class,
			   const struct shape_piece *piece, bool is_short)
{
	char name[PSEUDONYM_TEXT + 1];
	size_t room = is_short && piece->len < PSEUDONYM_TEXT ? piece->len + 1 : sizeof(name);
	size_t blanks = span_of(piece->at, piece->len, " \t");

	if (redact_fate(r, class) == FATE_KEEP || blanks == piece->len ||
	    (class == CLASS_TASK && pseudonym_keeps_thread(piece->at, piece->len)) ||
	    (class == CLASS_MODULE && classes_has_module(r->classes, piece->at, piece->len)))
		return redact_append(out, piece->at, piece->len);
	/* A blank in front belongs to the words. */
	if (is_short && blanks)
		room = piece->len - blanks < PSEUDONYM_TEXT ? piece->len - blanks + 1 : sizeof(name);
	pseudonym_text(r->names, name, room, piece->at + blanks, piece->len - blanks);
	return redact_append(out, piece->at, blanks) && redact_append(out, name, strlen(name));
}

static bool put_hex_piece(struct redaction *r, struct bounded_text *out,
			  const struct shape_piece *piece)
{
	char digits[20] = "";
	u64 value, mask;

	memcpy(digits, piece->at, piece->len);
	value = strtoull(digits, NULL, 16);
	mask = piece->len < 16 ? (1ULL << 4 * piece->len) - 1 : ~0ULL;
	if (piece->len >= 12)
		value = redact_number(r, piece->kind == 'g' ? CLASS_REGISTER : CLASS_ADDRESS, "log",
				      8, value);
	else
		value = redact_number(r, CLASS_PRIVATE, "log", 4, value);
	snprintf(digits, sizeof(digits), "%0*llx", (int)piece->len, (unsigned long long)(value & mask));
	return redact_append(out, digits, strlen(digits));
}

static bool put_id_piece(struct redaction *r, struct bounded_text *out, enum field_class class,
			 const struct shape_piece *piece, bool is_short)
{
	char digits[24] = "";
	int value, len;

	memcpy(digits, piece->at, piece->len);
	value = redact_number(r, class, "log", 4, (u32)strtol(digits, NULL, 10));
	len = snprintf(digits, sizeof(digits), "%d", value);
	if (is_short && len > (int)piece->len)
		return redact_append(out, "?", 1);
	return redact_append(out, digits, len);
}

/* A file of the kernel's source, as the compiler calls it. */
static bool is_source_file(const char *s, size_t n)
{
	static const char *const tops[] = {
		"arch/", "block/", "certs/", "crypto/", "drivers/", "fs/", "include/", "init/",
		"io_uring/", "ipc/", "kernel/", "lib/", "mm/", "net/", "rust/", "security/",
		"sound/", "virt/",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tops); i++)
		if (n > strlen(tops[i]) && !memcmp(s, tops[i], strlen(tops[i])))
			return !memmem(s, n, "..", 2);
	return false;
}

static int put_shaped(struct redaction *r, struct bounded_text *out, const char *text, size_t n,
		      bool is_short, u32 depth);

/* A reason that has a shape keeps its words, or is put shorter. */
static bool put_reason(struct redaction *r, struct bounded_text *out, const struct shape_piece *piece,
		       bool is_short, u32 depth)
{
	int ret = put_shaped(r, out, piece->at, piece->len, is_short, depth + 1);

	return ret ? ret > 0 : put_text_piece(r, out, CLASS_PRIVATE, piece, is_short);
}

static bool put_piece(struct redaction *r, struct bounded_text *out, const struct shape_piece *piece,
		      bool is_short, u32 depth)
{
	static const char *const channels[] = { "main", "ras", "trace", "user" };
	size_t i;

	switch (piece->kind) {
	case 'n':
	case 'e':
	case 'X':
	case 'f':
		return redact_append(out, piece->at, piece->len);
	case 'x':
	case 'g':
		return put_hex_piece(r, out, piece);
	case 'p':
		return put_id_piece(r, out, CLASS_PID, piece, is_short);
	case 'u':
		return put_id_piece(r, out, CLASS_USER, piece, is_short);
	case 's':
		return redact_symbol_name(r, out, piece->at, piece->len, is_short);
	case 'F':
		if (is_source_file(piece->at, piece->len))
			return redact_append(out, piece->at, piece->len);
		return put_text_piece(r, out, CLASS_FILE, piece, is_short);
	case 't':
		return put_text_piece(r, out, CLASS_TASK, piece, is_short);
	case 'd':
		return put_text_piece(r, out, CLASS_DEVICE, piece, is_short);
	case 'm':
		return put_text_piece(r, out, CLASS_MODULE, piece, is_short);
	case 'B':
		return put_text_piece(r, out, CLASS_BUILD, piece, is_short);
	case 'D':
		return put_text_piece(r, out, CLASS_DEVICE, piece, is_short);
	case 'M':
		return put_text_piece(r, out, CLASS_MODULE, piece, is_short);
	case 'C':
		for (i = 0; i < ARRAY_SIZE(channels); i++)
			if (piece->len == strlen(channels[i]) &&
			    !memcmp(piece->at, channels[i], piece->len))
				return redact_append(out, piece->at, piece->len);
		return put_text_piece(r, out, CLASS_TEXT, piece, is_short);
	case 'R':
		return put_reason(r, out, piece, is_short, depth);
	default:
		return put_text_piece(r, out, CLASS_PRIVATE, piece, is_short);
	}
}

/* 0: no shape fits; -1: it finds no room. */
static int put_shaped(struct redaction *r, struct bounded_text *out, const char *text, size_t n,
		      bool is_short, u32 depth)
{
	const char *end = text + n, *begin = text + span_of(text, n, " \t"), *at = text;
	struct shaped_line line;
	size_t before = out->len;
	bool fits = true;
	u32 i;

	for (i = 0; depth <= MAX_DEPTH && i < ARRAY_SIZE(shapes); i++) {
		line.nr = 0;
		if (match_shape(&line, shapes[i], begin, end))
			break;
	}
	if (depth > MAX_DEPTH || i == ARRAY_SIZE(shapes) || memchr(text, 0, n))
		return 0;
	for (i = 0; fits && i < line.nr; i++) {
		fits = redact_append(out, at, line.pieces[i].at - at) &&
		       put_piece(r, out, &line.pieces[i], is_short, depth);
		at = line.pieces[i].at + line.pieces[i].len;
	}
	if (fits && redact_append(out, at, end - at))
		return 1;
	out->len = before;
	return -1;
}

/* --- lines ------------------------------------------------------------------ */

/* The length of "<6>[    0.123456] ", with digits only; 0: there is none. */
size_t log_prefix_len(const char *line, size_t n)
{
	size_t at = 0, digits;

	if (n && line[0] == '<') {
		digits = span_of(line + 1, n - 1, "0123456789");
		if (digits && digits < 6 && 1 + digits < n && line[1 + digits] == '>')
			at = digits + 2;
	}
	if (at < n && line[at] == '[') {
		digits = span_of(line + at + 1, n - at - 1, " 0123456789.");
		if (digits && digits < 24 && at + 1 + digits < n && line[at + 1 + digits] == ']')
			at += digits + 2;
	}
	return at < n && at && line[at] == ' ' ? at + 1 : at;
}

/* "[    T1] " or "[    C0]", with a blank behind it: whose line it is; 0: there is none. */
static size_t caller_len(const char *s, size_t n)
{
	size_t blanks, digits;

	if (!n || *s != '[')
		return 0;
	blanks = span_of(s + 1, n - 1, " ");
	if (1 + blanks >= n || !strchr("TC", s[1 + blanks]))
		return 0;
	digits = span_of(s + 2 + blanks, n - 2 - blanks, "0123456789");
	if (!digits || 2 + blanks + digits + 1 >= n || memcmp(s + 2 + blanks + digits, "] ", 2))
		return 0;
	return 4 + blanks + digits;
}

/* The number behind "T" is a pid; its pseudonym may have more digits, and the blanks give way. */
static void put_caller(struct redaction *r, struct bounded_text *t, const char *s, size_t n)
{
	char out[48];
	size_t at = 1 + span_of(s + 1, n - 1, " ");
	u32 number = strtoul(s + at + 1, NULL, 10);

	if (s[at] == 'T')
		number = redact_number(r, CLASS_PID, "log", 4, number);
	snprintf(out, sizeof(out), "[%c%u] ", s[at], number);
	if (strlen(out) > n)
		snprintf(out, sizeof(out), "[%*s", (int)n - 1, "] ");
	redact_append(t, out, strlen(out));
}

static void put_log_line(struct redaction *r, struct bounded_text *t, const char *line, size_t n)
{
	char other[PSEUDONYM_TEXT + 1];
	size_t before = t->len;

	if (put_shaped(r, t, line, n, false, 0) > 0 || put_shaped(r, t, line, n, true, 0) > 0)
		return;
	t->len = before;
	/* Never longer than the original, so that the copy always fits. */
	pseudonym_text(r->names, other, n < PSEUDONYM_TEXT ? n + 1 : sizeof(other), line, n);
	redact_append(t, other, strlen(other));
}

void log_words_lines(struct redaction *r, const char *where, struct bounded_text *t,
		     const char *text, size_t size)
{
	const char *begin = text, *end = text + size, *next, *line;
	size_t first = t->len, room = t->room, caller, before;

	for (; text < end; text = next + 1) {
		next = memchr(text, '\n', end - text);
		if (!next)
			next = end;
		/* What earlier lines did not need is there for later ones. */
		t->room = first + (next - begin);
		t->room = t->room < room ? t->room : room;
		line = text + log_prefix_len(text, next - text);
		redact_append(t, text, line - text);
		caller = line > text ? caller_len(line, next - line) : 0;
		if (caller)
			put_caller(r, t, line, caller);
		before = t->len;
		put_log_line(r, t, line + caller, next - line - caller);
		if (r->preview && next > line + caller)
			preview_text(r->preview, CLASS_LOG, where, line + caller, next - line - caller,
				     t->buf + before, t->len - before);
		t->room = room;
		if (next < end && !redact_append(t, "\n", 1))
			break;
	}
	t->room = room;
}
