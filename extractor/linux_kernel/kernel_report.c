// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel_report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A line this short a time before a report may belong to it. */
#define BEFORE_NS	1000000000ULL
/* A report without a line for this long is over. */
#define OPEN_NS		10000000000ULL
#define LOCKUPS_NS		5000000000ULL	/* between lockups of one moment and the panic, on a slow console */
#define MAX_REPORTS	4096

#define PANIC		"Kernel panic - not syncing: "
#define CUT_HERE	"------------[ cut here ]"

/**
 * struct report_reader - state after the lines read so far
 * @room: of @reports
 * @before: the line before, if it belongs to no report; else NULL
 * @ahead: the line before CUT_HERE
 * @message: the line between CUT_HERE and the title; NULL: not read yet
 * @in_cut: CUT_HERE was read, the title was not
 * @warned: the line before was the title of a warning; @words: the line behind that
 */
struct report_reader {
	struct kernel_reports *reports;
	u32 room;
	const struct report_line *before;
	const struct report_line *ahead;
	const struct report_line *message;
	bool in_cut;
	bool warned;
	const struct report_line *words;
};

/* --- text ---------------------------------------------------------------- */

static struct report_text text_of_line(const struct report_line *line)
{
	return (struct report_text){ line->text, line->len };
}

/* @text from its @n-th byte on, without blanks in front. */
static struct report_text text_behind(struct report_text text, u32 n)
{
	text.text += n;
	text.len -= n;
	while (text.len && (*text.text == ' ' || *text.text == '\t')) {
		text.text++;
		text.len--;
	}
	return text;
}

static bool text_begins(struct report_text text, const char *word)
{
	size_t len = strlen(word);

	return text.len >= len && !memcmp(text.text, word, len);
}

static bool text_begins_any(struct report_text text, const char *const *words)
{
	for (; *words; words++)
		if (text_begins(text, *words))
			return true;
	return false;
}

static const char *find_in_text(struct report_text text, const char *word)
{
	return text.text ? memmem(text.text, text.len, word, strlen(word)) : NULL;
}

struct report_text report_text_behind(struct report_text text, const char *word)
{
	const char *at = find_in_text(text, word);

	if (!at)
		return (struct report_text){ NULL, 0 };
	at += strlen(word);
	return (struct report_text){ at, text.text + text.len - at };
}

bool report_text_has(struct report_text text, const char *word)
{
	return find_in_text(text, word) != NULL;
}

u64 report_text_number(struct report_text text, const char *at, u32 base)
{
	char digits[24];
	size_t len = 0;

	while (at + len < text.text + text.len && len < sizeof(digits) - 1 && isxdigit((unsigned char)at[len]))
		len++;
	memcpy(digits, at, len);
	digits[len] = '\0';
	return strtoull(digits, NULL, base);
}

bool report_text_same(struct report_text a, struct report_text b)
{
	return a.len == b.len && (!a.len || !memcmp(a.text, b.text, a.len));
}

/* The word after @word, up to a blank; no text if @word is not there. */
static struct report_text word_behind(struct report_text text, const char *word)
{
	const char *at = find_in_text(text, word);
	struct report_text ret = { 0 };
	u32 n = 0;

	if (!at)
		return ret;
	ret = text_behind(text, at + strlen(word) - text.text);
	while (n < ret.len && ret.text[n] != ' ' && ret.text[n] != '\t')
		n++;
	ret.len = n;
	return ret;
}

static u32 skip_hex(struct report_text text, u32 at)
{
	while (at < text.len && ((text.text[at] >= '0' && text.text[at] <= '9') ||
				 (text.text[at] >= 'a' && text.text[at] <= 'f')))
		at++;
	return at;
}

/* Length of "function (kernel/fork.c:12 (discriminator 3))", as decode_stacktrace.sh writes it; 0: none */
static u32 decoded_symbol_len(struct report_text text)
{
	static const char *const sources[] = { ".c:", ".h:", ".S:", ".rs:" };
	const char *blank = text.len ? memchr(text.text, ' ', text.len) : NULL;
	const char *end = blank ? memchr(blank, ')', text.text + text.len - blank) : NULL;
	u32 name = blank ? blank - text.text : 0;

	if (!end || !name || blank[1] != '(' || (!isalpha((unsigned char)*text.text) && *text.text != '_'))
		return 0;
	for (u32 i = 0; i < name; i++)
		if (!isalnum((unsigned char)text.text[i]) && text.text[i] != '_' && text.text[i] != '.')
			return 0;
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		const char *at = memmem(blank, end - blank, sources[i], strlen(sources[i]));

		if (at && isdigit((unsigned char)at[strlen(sources[i])]))
			return end + 1 - text.text;
	}
	return 0;
}

/* Length of "function+0x1/0x20 [module]" at the start of @text, without build id; 0: none */
static u32 symbol_len(struct report_text text)
{
	u32 at = 0, digits, module;

	while (at < text.len && text.text[at] != '+' && text.text[at] != ' ')
		at++;
	if (!at || text.len - at < 3 || memcmp(text.text + at, "+0x", 3))
		return 0;
	digits = skip_hex(text, at + 3);
	if (digits == at + 3 || text.len - digits < 3 || memcmp(text.text + digits, "/0x", 3))
		return 0;
	at = skip_hex(text, digits + 3);
	if (at == digits + 3)
		return 0;
	if (text.len - at < 3 || text.text[at] != ' ' || text.text[at + 1] != '[')
		return at;
	for (module = at + 2; module < text.len; module++)
		if (text.text[module] == ']')
			return module + 1;
	return at;
}

/*
 * What stands in front of a symbol: "[<ffffffff811839a0>] " of x86 before 4.10, of a place twice, and of riscv and mips;
 * "[c000000049a87780] [c000000001385b4c] " of powerpc, the stack and the code; "[<8271587c>] (show_stack) from
 * [<827263b0>] (dump_stack+0xa8/0xc8)" of 32-bit arm, which has the caller alone.
 */
static struct report_text behind_addresses(struct report_text text)
{
	static const char from[] = ") from [<";

	for (;;) {
		bool is_angled = text_begins(text, "[<");
		u32 end = text_begins(text, "[") ? skip_hex(text, 1 + is_angled) : 0;

		if (end < 9 || text.len - end < 2 || memcmp(text.text + end, is_angled ? ">]" : "] ", 2))
			break;
		text = text_behind(text, end + 1 + is_angled);
	}
	if (text_begins(text, "(") && find_in_text(text, from)) {
		text = text_behind(text, find_in_text(text, from) - text.text + strlen(from) - 2);
		text = behind_addresses(text);
	}
	if (text_begins(text, "(") && text.len > 2)
		return text_behind(text, 1);
	return text;
}

/* "vchan_complete from tasklet_action_common+0xe0/0xfc" of 32-bit arm since 5.15: the caller, as above. */
static struct report_text behind_from(struct report_text text)
{
	const char *at = find_in_text(text, " from ");
	u32 n = 0;

	if (!at)
		return text;
	while (n < text.len && (isalnum((unsigned char)text.text[n]) || text.text[n] == '_' || text.text[n] == '.'))
		n++;
	if (n && text.text[n] == ' ' && text.text[n + 1] == '[' && text.text + n < at)
		n = at - text.text;
	return n && text.text + n == at ? text_behind(text, n + 6) : text;
}

static struct report_text symbol_at(struct report_text text)
{
	text.len = symbol_len(text) ?: decoded_symbol_len(text);
	if (!text.len)
		text.text = NULL;
	return text;
}

/* Does it have " [#1]", the counter of die()? Of mips and loongarch the line ends with "[#1]:". */
static bool has_die_counter(struct report_text text)
{
	const char *at = find_in_text(text, "[#");
	const char *end = text.text + text.len, *begin = at;

	if (!at || at == text.text)
		return false;
	for (at += 2; at < end && *at >= '0' && *at <= '9'; at++)
		;
	if (at == end || *at != ']' || at == begin + 2)
		return false;
	return begin[-1] == ' ' || (isalpha((unsigned char)begin[-1]) && end - at == 2 && at[1] == ':');
}

/* --- reports ------------------------------------------------------------- */

/* May @line belong to the report? Two CPUs may print at the same time. */
static bool has_caller_of(const struct kernel_report *report, const struct report_line *line)
{
	return line->caller == KERNEL_REPORT_NO_CALLER || report->caller == KERNEL_REPORT_NO_CALLER ||
	       line->caller == report->caller;
}

/* The report that @line continues. */
static struct kernel_report *open_report(const struct report_reader *r,
					 const struct report_line *line)
{
	for (u32 i = r->reports->nr; i-- && i + 8 > r->reports->nr; ) {
		struct kernel_report *report = &r->reports->list[i];

		if (has_caller_of(report, line))
			return line->time - report->time <= OPEN_NS || line->time < report->time ?
			       report : NULL;
	}
	return NULL;
}

static bool is_just_before(const struct report_line *before, const struct report_line *line)
{
	return before && line->time - before->time <= BEFORE_NS &&
	       (before->caller == line->caller || line->caller == KERNEL_REPORT_NO_CALLER);
}

static void add_report_line(struct kernel_report *report, struct report_text text)
{
	if (report->nr_lines < KERNEL_REPORT_LINES)
		report->lines[report->nr_lines++] = text;
}

static struct kernel_report *new_report(struct report_reader *r, const struct report_line *line,
					enum kernel_report_kind kind)
{
	struct kernel_reports *reports = r->reports;

	/* Drop the older half. */
	if (reports->nr == MAX_REPORTS) {
		reports->nr = MAX_REPORTS / 2;
		reports->nr_dropped += MAX_REPORTS / 2;
		memmove(reports->list, reports->list + MAX_REPORTS / 2,
			MAX_REPORTS / 2 * sizeof(*reports->list));
	}
	if (reports->nr == r->room) {
		u32 room = r->room ? 2 * r->room : 16;
		void *p = reallocarray(reports->list, room, sizeof(*reports->list));

		if (!p)
			return NULL;
		reports->list = p;
		r->room = room;
	}
	reports->list[reports->nr] = (struct kernel_report){
		.kind = kind, .time = line->time, .end = line->time, .caller = line->caller,
		.title = text_behind(text_of_line(line), 0),
	};
	return &reports->list[reports->nr++];
}

/* --- lines that begin a report ------------------------------------------- */

/* Is it a line that check_data_corruption() and others print before they call BUG()? */
static bool is_reason_of_bug(struct report_text text)
{
	static const char *const words[] = {
		"list_add ", "list_del ", "slab", "usercopy: ", "detected buffer overflow",
		"detected field-spanning", "skb_over_panic", "skb_under_panic", "kernel tried to execute",
		"stack guard page was hit", "VERIFY", "ASSERT", "VFS: Close: file count is ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (report_text_has(text, words[i]))
			return true;
	return false;
}

static const struct {
	const char *word;
	const char *also;	/* has to be there as well; NULL: nothing */
	enum kernel_report_kind kind;
	bool is_first;		/* the line begins with @word */
} titles[] = {
	{ "Kernel panic - not syncing: ", NULL, KERNEL_REPORT_PANIC, true },
	{ "BUG: soft lockup", NULL, KERNEL_REPORT_LOCKUP, false },
	{ "Watchdog detected hard LOCKUP on cpu", NULL, KERNEL_REPORT_LOCKUP, false },
	/* arch/powerpc/kernel/watchdog.c */
	{ "hard LOCKUP @ ", NULL, KERNEL_REPORT_LOCKUP, false },
	{ "detected hard LOCKUP on other CPUs ", NULL, KERNEL_REPORT_LOCKUP, false },
	{ "Watchdog CPU:", "Hard LOCKUP", KERNEL_REPORT_LOCKUP, true },
	{ "watchdog: CPU ", "Hard LOCKUP", KERNEL_REPORT_LOCKUP, true },
	{ "kernel BUG at ", NULL, KERNEL_REPORT_BUG, false },
	{ "BUG: ", NULL, KERNEL_REPORT_BUG, true },
	/* slab_bug() of mm/slub.c */
	{ "BUG ", "ainted", KERNEL_REPORT_BUG, true },
	{ "CFI failure at ", NULL, KERNEL_REPORT_BUG, true },
	{ "Unable to handle kernel ", NULL, KERNEL_REPORT_BUG, true },
	/* mips and loongarch */
	{ "CPU ", " Unable to handle kernel ", KERNEL_REPORT_BUG, true },
	/* spl_panic() of ZFS: the thread stops, and the kernel goes on. */
	{ "PANIC at ", "()", KERNEL_REPORT_BUG, true },
	{ "PANIC: double fault", NULL, KERNEL_REPORT_BUG, false },
	{ "Insufficient stack space to handle exception", NULL, KERNEL_REPORT_BUG, true },
	{ "WARNING: ", " at ", KERNEL_REPORT_WARNING, true },
	{ "UBSAN: ", NULL, KERNEL_REPORT_WARNING, true },
	/* " blocked for more than ", since 6.17 " blocked in I/O wait for more than " as well */
	{ "INFO: task ", " for more than", KERNEL_REPORT_HUNG_TASK, true },
	{ "INFO: rcu_", "stall", KERNEL_REPORT_RCU_STALL, false },
	{ " invoked oom-killer: ", NULL, KERNEL_REPORT_OOM, false },
	{ " error (device ", NULL, KERNEL_REPORT_FILESYSTEM, false },
};

/* "systemd[1]: ", as programs write to /dev/kmsg, or behind "host ", as journalctl prints it. */
static bool is_of_program(struct report_text text)
{
	for (u32 words = 0; words < 2; words++) {
		const char *blank = text.len ? memchr(text.text, ' ', text.len) : NULL;
		const char *at = blank;

		if (!at || at - text.text < 5 || at[-1] != ':' || at[-2] != ']') {
			text = blank ? text_behind(text, blank - text.text) : (struct report_text){ 0 };
			continue;
		}
		for (at -= 2; at > text.text && at[-1] >= '0' && at[-1] <= '9'; at--)
			;
		return at > text.text + 1 && at[-1] == '[' && *at != ']';
	}
	return false;
}

bool report_text_is_die(struct report_text text)
{
	return !is_of_program(text) && has_die_counter(text);
}

/* "WARNING: possible recursive locking detected", before 4.13 "[ INFO: possible recursive locking detected ]". */
static bool is_title_of_lockdep(struct report_text text)
{
	static const char *const begins[] = { "WARNING: ", "BUG: ", "INFO: ", NULL };
	static const char *const words[] = {
		"circular locking dependency detected", "recursive locking detected", "lock inversion dependency detected",
		"unsafe lock order detected", "inconsistent lock state", "suspicious RCU usage", "bad unlock balance detected",
		"held lock freed", "lock held when returning to user space", "still has locks held", "ested lock was not taken",
		"Invalid wait context", "trying to register non-static key", "bad contention detected",
	};

	if (text_begins(text, "[ "))
		text = text_behind(text, 2);
	if (!text_begins_any(text, begins))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (report_text_has(text, words[i]))
			return true;
	return false;
}

bool kernel_report_is_of_lockdep(const struct kernel_report *report)
{
	return report->kind == KERNEL_REPORT_WARNING && is_title_of_lockdep(report->title);
}

static bool title_kind(struct report_text text, enum kernel_report_kind *ret)
{
	if (is_title_of_lockdep(text)) {
		*ret = KERNEL_REPORT_WARNING;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
		if (titles[i].is_first ? !text_begins(text, titles[i].word) :
					 !report_text_has(text, titles[i].word))
			continue;
		if (titles[i].also && !report_text_has(text, titles[i].also))
			continue;
		*ret = titles[i].kind;
		return true;
	}
	return false;
}

/* Add the line before the report, and the line between CUT_HERE and the title. */
static void add_before(struct report_reader *r, struct kernel_report *report,
		       const struct report_line *line)
{
	const struct report_line *before = r->in_cut ? r->ahead : r->before;

	if (r->in_cut && r->message && is_just_before(r->message, line))
		add_report_line(report, text_behind(text_of_line(r->message), 0));
	if (!is_just_before(before, line) || report->kind == KERNEL_REPORT_WARNING)
		return;
	if (report->kind != KERNEL_REPORT_PANIC && is_reason_of_bug(text_of_line(before)))
		add_report_line(report, text_behind(text_of_line(before), 0));
	else
		report->before = text_behind(text_of_line(before), 0);
}

/*
 * Does die() say more of it in @text? Of other things that are called BUG it does not: a workqueue that is
 * stuck. The words "Oops: 0002" come behind a title, perhaps a damaged one.
 */
static bool is_title_of_fault(struct report_text title, struct report_text text)
{
	static const char *const words[] = {
		"ernel BUG at ", "ernel NULL pointer", "nable to handle ", "stack guard page", "double fault",
		"Insufficient stack space", "CFI failure at ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (report_text_has(title, words[i]))
			return true;
	return text_begins(text, "Oops: 0") || text_begins(text, "Oops: Oops: 0");
}

/*
 * A line that begins a report. "Oops: 0000 [#1] SMP" continues the report "BUG: kernel NULL pointer
 * dereference". Return: is it such a line? @failed: there was no memory
 */
static bool take_title(struct report_reader *r, const struct report_line *line,
		       struct report_text text, bool *failed)
{
	enum kernel_report_kind kind = KERNEL_REPORT_OOPS;
	struct kernel_report *report;

	if (is_of_program(text))
		return false;
	if (has_die_counter(text)) {
		report = open_report(r, line);
		if (report && report->kind == KERNEL_REPORT_BUG && !report->cpu.text && is_title_of_fault(report->title, text)) {
			report->kind = KERNEL_REPORT_OOPS;
			add_report_line(report, text);
			return true;
		}
	} else if (!title_kind(text, &kind)) {
		return false;
	}
	report = new_report(r, line, kind);
	*failed = !report;
	if (report)
		add_before(r, report, line);
	return true;
}

/* --- lines that continue a report ---------------------------------------- */

/* The functions of the tick, and of the NMI, that notice a stall or a lockup and print the stack. */
static bool is_of_tick(struct report_text frame)
{
	static const char *const words[] = {
		"rcu_sched_clock_irq", "rcu_check_callbacks", "rcu_pending", "rcu_dump_cpu_stacks", "nmi_cpu_backtrace",
		"watchdog_timer_fn", "watchdog_overflow_callback", "watchdog_hardlockup_check", NULL,
	};

	return text_begins_any(frame, words);
}

/* Where an interrupt or an NMI begins; what it interrupted stands behind. */
static bool is_entry_of_interrupt(struct report_text frame)
{
	static const char *const words[] = {
		"asm_sysvec_", "sysvec_", "apic_timer_interrupt", "smp_apic_timer_interrupt", "asm_exc_nmi",
		"end_repeat_nmi", "el1_irq", "el1h_64_irq", "el1_interrupt", "__irq_svc", "ext_int_handler",
		"decrementer_common", "ret_from_exception", "handle_exception", NULL,
	};

	return text_begins_any(frame, words);
}

/* What the tick interrupted is the report's; the tick is not. */
static void leave_tick(struct kernel_report *report)
{
	if (!report->has_tick || (report->kind != KERNEL_REPORT_RCU_STALL && report->kind != KERNEL_REPORT_LOCKUP))
		return;
	report->nr_frames = 0;
	report->has_tick = false;
	report->is_behind_tick = true;
}

/* "</IRQ>", "<EOI>" end an interrupt; before 4.14 a frame stands behind them in the line. */
static struct report_text behind_marker(struct kernel_report *report, struct report_text text)
{
	static const char *const ends[] = { "</IRQ>", "</NMI>", "<EOI>", "<EOE>", NULL };
	const char *end = text_begins(text, "<") ? memchr(text.text, '>', text.len) : NULL;

	if (!end)
		return text;
	if (text_begins_any(text, ends))
		leave_tick(report);
	return text_behind(text, end + 1 - text.text);
}

/* "f+0x10/0x40 [module]" and "f+0x10/0x40 [module 3f2a1b...]", which frames have with CONFIG_STACKTRACE_BUILD_ID. */
static bool is_same_place(struct report_text a, struct report_text b)
{
	const char *end_a = memchr(a.text, ' ', a.len), *end_b = memchr(b.text, ' ', b.len);

	a.len = end_a ? (size_t)(end_a - a.text) : a.len;
	b.len = end_b ? (size_t)(end_b - b.text) : b.len;
	return report_text_same(a, b);
}

static void put_report_frame(struct kernel_report *report, struct report_text frame)
{
	if (report->nr_frames < KERNEL_REPORT_FRAMES)
		report->frames[report->nr_frames++] = frame;
}

/* Up to 6.13 arm64's call trace has no frame of who called a function that keeps none itself, or a bad pointer. */
static void put_link(struct kernel_report *report, struct report_text frame)
{
	if (!report->link.text || (report->place.text && is_same_place(frame, report->place)))
		return;
	if (!is_same_place(frame, report->link))
		put_report_frame(report, report->link);
	report->link = (struct report_text){ NULL, 0 };
}

bool kernel_report_add_frame(struct kernel_report *report, struct report_text text)
{
	bool is_guess;
	struct report_text frame;

	text = behind_marker(report, text);
	if (!text.len)
		return true;
	text = behind_from(behind_addresses(text));
	is_guess = text_begins(text, "? ");
	frame = symbol_at(is_guess ? text_behind(text, 2) : text);
	/* "<TASK>", "</IRQ>"; where code is that no symbol is of; what decode_stacktrace.sh adds. */
	if (!frame.text)
		return (text.len > 9 && !memcmp(text.text + text.len - 9, " [inline]", 9)) || text_begins(text, "<") || text_begins(is_guess ? text_behind(text, 2) : text, "0x");
	/* Behind the entry of an exception stands what it interrupted: all before was dying. */
	if (is_guess && text_begins(frame, "asm_exc_"))
		report->guess = (struct report_text){ NULL, 0 };
	else if (is_guess && !report->nr_frames && !report->guess.text)
		report->guess = frame;
	if (is_guess)
		return true;
	report->has_tick |= is_of_tick(frame);
	if (is_entry_of_interrupt(frame))
		leave_tick(report);
	if (report->is_behind_tick && !report->nr_frames && is_entry_of_interrupt(frame))
		return true;
	put_link(report, frame);
	/* arm64's begins with the place. */
	if (report->nr_frames || !report->place.text || !is_same_place(frame, report->place))
		put_report_frame(report, frame);
	return true;
}

/* The registers of an interrupted context are printed between the frames. */
static bool is_register_line(struct report_text text)
{
	static const char *const words[] = {
		"RIP: ", "RSP: ", "RAX: ", "RDX: ", "RBP: ", "R10: ", "R13: ", "Code: ", "FS: ", "CS: ",
		"CR2: ", NULL,
	};

	if (text_begins_any(text, words))
		return true;
	/* " r7:0000010f r6:..." of 32-bit arm */
	return text.len > 3 && *text.text == 'r' && isdigit((unsigned char)text.text[1]) && memchr(text.text, ':', 4);
}

/* "epc   : 80126d68 kmalloc+0x1c0/0x224" of mips, "era   : ..." and "   ERA: ..." of loongarch */
static struct report_text place_behind_address(struct report_text text)
{
	u32 digits;

	if (text_begins(text, "ERA: ")) {
		text = text_behind(text, 5);
	} else if (text_begins(text, "epc ") || text_begins(text, "era ")) {
		text = text_behind(text, 4);
		if (!text_begins(text, ": "))
			return (struct report_text){ 0 };
		text = text_behind(text, 2);
	} else {
		return (struct report_text){ 0 };
	}
	digits = skip_hex(text, 0);
	return digits < 8 ? (struct report_text){ 0 } : symbol_at(text_behind(text, digits));
}

/*
 * "RIP: 0010:session_expire+0x5e/0x70 [victim]"; "pc : "; "Krnl PSW : ... ("; "IP: " of x86 before 4.16; "PC is at " of
 * 32-bit arm; "NIP [c00000000022d79c] " of powerpc; "epc : " of riscv
 */
static struct report_text place_in_line(struct report_text text)
{
	const char *at;

	if (text_begins(text, "RIP: ")) {
		/* A person may have left "0010:" away. */
		at = memchr(text.text + 5, ':', text.len - 5);
		if (!at || at > text.text + 9)
			return symbol_at(text_behind(text, 5));
		return at ? symbol_at(behind_addresses(text_behind(text, at + 1 - text.text))) : (struct report_text){ 0 };
	}
	if (text_begins(text, "EIP is at "))
		return symbol_at(text_behind(text, 10));
	/* "EIP: 0060:[<c10212e0>] EFLAGS: 00010246" of older kernels has none. */
	if (text_begins(text, "EIP: "))
		return symbol_at(text_behind(text, 5));
	if (text_begins(text, "IP: "))
		return symbol_at(behind_addresses(text_behind(text, 4)));
	if (text_begins(text, "NIP ["))
		return symbol_at(behind_addresses(text_behind(text, 4)));
	if (text_begins(text, "epc : ") && symbol_len(text_behind(text, 6)))
		return symbol_at(text_behind(text, 6));
	if (text_begins(text, "PC is at "))
		return symbol_at(text_behind(text, 9));
	if (text_begins(text, "pc : "))
		return symbol_at(text_behind(text, 5));
	if (text_begins(text, "Krnl PSW : ")) {
		at = memchr(text.text, '(', text.len);
		return at ? symbol_at(text_behind(text, at + 1 - text.text)) : (struct report_text){ 0 };
	}
	return place_behind_address(text);
}

static bool take_cpu(struct kernel_report *report, struct report_text text)
{
	if (!text_begins(text, "CPU: "))
		return false;
	if (!report->cpu.text) {
		report->cpu = word_behind(text, "CPU: ");
		report->pid = word_behind(text, " PID: ");
		report->comm = word_behind(text, " Comm: ");
	}
	return true;
}

bool kernel_report_add_place(struct kernel_report *report, struct report_text text)
{
	struct report_text place = place_in_line(text);

	if (place.text)
		leave_tick(report);
	if (place.text && !report->place.text && !report->nr_frames)
		report->place = place;
	return place.text || take_cpu(report, text);
}

/* Does the line say more of what is wrong? Only some kinds of reports have such lines. */
static bool has_details(enum kernel_report_kind kind, struct report_text text)
{
	switch (kind) {
	case KERNEL_REPORT_RCU_STALL:
		if (text_begins(text, "rcu: "))
			text = text_behind(text, 5);
		/* Which CPU or task stalls, and which found that. RCU's own kthread is left out. */
		return text_begins(text, "(detected by") || text_begins(text, "Tasks blocked on") ||
		       (text.len && *text.text >= '0' && *text.text <= '9');
	case KERNEL_REPORT_OOM:
		return text_begins(text, "Out of memory") ||
		       text_begins(text, "Memory cgroup out of memory");
	case KERNEL_REPORT_HUNG_TASK:
		/* "... is blocked on a mutex likely owned by task ..." */
		return text_begins(text, "INFO: task ");
	case KERNEL_REPORT_WARNING:
	case KERNEL_REPORT_BUG:
	case KERNEL_REPORT_OOPS:
	case KERNEL_REPORT_LOCKUP:
	case KERNEL_REPORT_PANIC:
	case KERNEL_REPORT_FILESYSTEM:
		break;
	}
	return false;
}

/* "rcu: \t1-...!: (10350 ticks this GP) ...", of each CPU that stalls. */
static bool does_cpu_stall(const struct kernel_report *report, u64 cpu)
{
	bool has_any = false;

	for (u32 i = 0; i < report->nr_lines; i++) {
		struct report_text line = text_behind(report->lines[i], text_begins(report->lines[i], "rcu: ") ? 5 : 0);

		if (!line.len || *line.text < '0' || *line.text > '9')
			continue;
		if (report_text_number(line, line.text, 10) == cpu)
			return true;
		has_any = true;
	}
	return !has_any;
}

/*
 * A stall of RCU prints the stacks of its thread and of the CPU where that last ran, too, if the thread had no CPU, and
 * if a CPU finds its own stall, in front of that CPU's: kernel/rcu/tree_stall.h, rcu_check_gp_kthread_starvation().
 */
static void see_whose_stack(struct kernel_report *report, struct report_text text)
{
	static const char *const cpus[] = { "NMI backtrace for cpu ", "Task dump for CPU ", "CPU: " };

	if (report->kind != KERNEL_REPORT_RCU_STALL)
		return;
	if (find_in_text(text, "RCU grace-period kthread stack dump:") || find_in_text(text, "Stack dump where RCU GP kthread last ran:"))
		report->is_aside = true;
	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++)
		if (text_begins(text, cpus[i]))
			report->is_aside = !does_cpu_stall(report, report_text_number(text, text.text + strlen(cpus[i]), 10));
}

/* Without the caller in each line another CPU may print one between two frames. */
static bool may_be_foreign(const struct kernel_report *report, struct report_text text)
{
	return !report->has_foreign && text.len && text.text[text.len - 1] != ':' && !text_begins(text, "---[");
}

/* The first frame of 32-bit arm, whose traces had no title until 6.5. */
static bool begins_unwinding(struct report_text text)
{
	return report_text_has(text, "unwind_backtrace") && report_text_has(text, " from ");
}

static size_t function_len(struct report_text symbol)
{
	const char *plus = memchr(symbol.text, '+', symbol.len);

	return plus ? (size_t)(plus - symbol.text) : symbol.len;
}

/* "lr : caller+0x18/0x30" */
static void take_link(struct kernel_report *report, struct report_text text)
{
	struct report_text link = text_begins(text, "lr : ") ? symbol_at(text_behind(text, 5)) : (struct report_text){ NULL, 0 };

	if (!link.text || report->nr_frames || report->link.text)
		return;
	if (!report->place.text || function_len(link) != function_len(report->place) || memcmp(link.text, report->place.text, function_len(link)))
		report->link = link;
}

/* Return: does the line belong to @report, which is open? */
static bool continues_report(struct kernel_report *report, struct report_text text)
{
	struct report_text place;

	see_whose_stack(report, text);
	if (report->is_aside && report->kind == KERNEL_REPORT_RCU_STALL)
		return false;
	if (text_begins(text, "Call Trace:") || text_begins(text, "Call trace:") || text_begins(text, "Backtrace:")) {
		report->in_trace = !report->nr_frames;
		report->has_foreign = false;
		return true;
	}
	if (begins_unwinding(text) && !report->nr_frames)
		report->in_trace = true;
	place = place_in_line(text);
	/* A region has the console's pieces: "Krnl PSW : 0704... 0000...", and then "(function+0x1/0x2)". */
	if (report->is_place_next && text_begins(text, "("))
		place = symbol_at(text_behind(text, 1));
	report->is_place_next = text_begins(text, "Krnl PSW : ") && !place.text;
	if (place.text)
		leave_tick(report);
	if (place.text && !report->place.text && !report->nr_frames)
		report->place = place;
	if (place.text && report->nr_frames && !report->interrupted.text) {
		report->interrupted = place;
		report->interrupted_frame = report->nr_frames;
	}
	take_link(report, text);
	if (is_register_line(text))
		return true;
	if (report->in_trace) {
		bool is_frame = kernel_report_add_frame(report, text);

		report->in_trace = is_frame || may_be_foreign(report, text);
		report->has_foreign = !is_frame;
		if (is_frame)
			return true;
	}
	if (has_details(report->kind, text))
		add_report_line(report, text);
	return take_cpu(report, text);
}

/* Return: does the line belong to a report? */
static bool take_continuation(struct report_reader *r, const struct report_line *line, struct report_text text)
{
	struct kernel_report *report = open_report(r, line);

	if (!report || !continues_report(report, text))
		return false;
	if (report->end < line->time)
		report->end = line->time;
	return true;
}

/* Before 4.15 the words of a warning stand behind its title, in front of the list of modules. */
static void take_words_of_warning(struct report_reader *r, const struct report_line *line, struct report_text text)
{
	const struct report_line *words = r->words;
	bool warned = r->warned;

	r->words = NULL;
	r->warned = false;
	if (warned && !text_begins(text, "Modules linked in") && !place_in_line(text).text && !text_begins(text, "CPU: "))
		r->words = line;
	else if (words && text_begins(text, "Modules linked in"))
		r->reports->list[r->reports->nr - 1].words_behind = text_behind(text_of_line(words), 0);
}

static bool read_report_line(struct report_reader *r, const struct report_line *line)
{
	struct report_text text = text_behind(text_of_line(line), 0);
	bool failed = false;

	take_words_of_warning(r, line, text);

	if (text_begins(text, CUT_HERE)) {
		r->in_cut = true;
		r->ahead = r->before;
		r->message = NULL;
		return true;
	}
	if (take_title(r, line, text, &failed)) {
		r->in_cut = false;
		r->before = NULL;
		r->warned = !failed && text_begins(text, "WARNING: ") && !r->reports->list[r->reports->nr - 1].nr_lines;
		return !failed;
	}
	if (r->in_cut && !r->message) {
		r->message = line;
		return true;
	}
	r->before = take_continuation(r, line, text) || !text.len ? NULL : line;
	return true;
}

/*
 * "WARNING: CPU: 0 PID: 7 at lib/a.c:9 function+0x1/0x20 [module]", since 6.18 "WARNING: [condition] lib/a.c:9 at
 * function+0x1/0x20, CPU#0: sh/7". Where WARN() is no exception, no line of registers has it.
 */
static struct report_text place_in_title(struct report_text title)
{
	const char *at = find_in_text(title, " at ");
	struct report_text place, text;

	if (!at)
		return (struct report_text){ NULL, 0 };
	text = text_behind(title, at + 4 - title.text);
	place = symbol_at(text);
	at = text.len ? memchr(text.text, ' ', text.len) : NULL;
	return place.text || !at ? place : symbol_at(text_behind(text, at - text.text));
}

static bool is_same_text(struct report_text a, struct report_text b)
{
	return a.len && a.len == b.len && !memcmp(a.text, b.text, a.len);
}

/* Did the same CPU print both, while it ran the same task? */
static bool is_of_same_task(const struct kernel_report *a, const struct kernel_report *b)
{
	return is_same_text(a->cpu, b->cpu) && is_same_text(a->pid, b->pid);
}

/*
 * The panic for a lockup comes in the same interrupt: what that interrupted is in its trace as well. Where another CPU's report came
 * between, the lockup's own has no frames.
 */
static void complete_lockups(struct kernel_reports *reports)
{
	for (u32 i = 0; i < reports->nr; i++) {
		const struct kernel_report *panic = &reports->list[i];
		struct kernel_report *lockup = NULL;

		for (u32 k = i; panic->kind == KERNEL_REPORT_PANIC && panic->interrupted.text && k--;)
			if (reports->list[k].kind == KERNEL_REPORT_LOCKUP && is_of_same_task(&reports->list[k], panic)) {
				lockup = &reports->list[k];
				break;
			}
		if (!lockup || lockup->nr_frames || !is_same_text(lockup->place, panic->interrupted))
			continue;
		lockup->nr_frames = panic->nr_frames - panic->interrupted_frame;
		memcpy(lockup->frames, panic->frames + panic->interrupted_frame, lockup->nr_frames * sizeof(*lockup->frames));
	}
}

int kernel_reports_read(struct kernel_reports *reports, const struct report_line *lines, u32 nr,
			struct err *err)
{
	struct report_reader r = { .reports = reports };

	memset(reports, 0, sizeof(*reports));
	for (u32 i = 0; i < nr; i++)
		if (!read_report_line(&r, &lines[i])) {
			kernel_reports_free(reports);
			return err_sys(err, "memory for what the kernel reported");
		}
	for (u32 i = 0; i < reports->nr; i++)
		if (reports->list[i].kind == KERNEL_REPORT_WARNING && !reports->list[i].place.text)
			reports->list[i].place = place_in_title(reports->list[i].title);
	complete_lockups(reports);
	return 0;
}

void kernel_reports_free(struct kernel_reports *reports)
{
	free(reports->list);
	memset(reports, 0, sizeof(*reports));
}

enum sanitizer report_text_sanitizer(struct report_text title, u32 *len)
{
	static const char *const begins[] = {
		[SANITIZER_KASAN] = "BUG: KASAN: ", [SANITIZER_KFENCE] = "BUG: KFENCE: ", [SANITIZER_KMSAN] = "BUG: KMSAN: ",
		[SANITIZER_KCSAN] = "BUG: KCSAN: ", [SANITIZER_UBSAN] = "UBSAN: ",
	};

	for (size_t i = SANITIZER_KASAN; title.text && i < ARRAY_SIZE(begins); i++) {
		*len = strlen(begins[i]);
		if (text_begins(title, begins[i]))
			return i;
	}
	return SANITIZER_NONE;
}

/* Where UBSAN traps, its words are those of an oops. */
bool kernel_report_is_of_sanitizer(const struct kernel_report *report)
{
	u32 len;

	return report->kind != KERNEL_REPORT_OOPS && report_text_sanitizer(report->title, &len) != SANITIZER_NONE;
}

bool kernel_report_is_of_zfs(const struct kernel_report *report)
{
	return report->kind == KERNEL_REPORT_BUG && text_begins(report->title, "PANIC at ");
}

struct report_text kernel_report_hung_task(const struct kernel_report *report)
{
	static const char before[] = "INFO: task ", behind[] = " blocked ";
	struct report_text task = { NULL, 0 };
	const char *end;

	if (report->kind != KERNEL_REPORT_HUNG_TASK)
		return task;
	end = memmem(report->title.text, report->title.len, behind, strlen(behind));
	if (end && text_begins(report->title, before) && end >= report->title.text + strlen(before)) {
		task.text = report->title.text + strlen(before);
		task.len = end - task.text;
	}
	return task;
}

/* --- why it panicked ----------------------------------------------------- */

struct report_text kernel_report_panic_text(const struct kernel_report *report)
{
	return text_behind(report->title, strlen(PANIC));
}

/* Did its CPU print no more of it than the title? */
static bool is_title_alone(const struct kernel_report *report)
{
	return !report->place.text && !report->nr_frames && !report->cpu.text;
}

s64 kernel_reports_complete_before(const struct kernel_reports *reports, s64 i)
{
	const struct kernel_report *report = &reports->list[i], *before = report - 1;

	if (i > 0 && report->kind == KERNEL_REPORT_OOPS && before->kind == KERNEL_REPORT_OOPS && is_title_alone(report) &&
	    !is_title_alone(before) && report->time - before->time <= BEFORE_NS)
		return i - 1;
	return i;
}

/*
 * A console has no callers. Of lockups that several CPUs report at the same time the panic is for that of its own CPU: is it @report, or
 * may it be, as nothing says whose it is?
 */
static bool may_be_panic_of(const struct kernel_report *report, const struct kernel_report *panic)
{
	if (report->kind != KERNEL_REPORT_LOCKUP || !report->cpu.len || !panic->cpu.len)
		return true;
	return is_of_same_task(report, panic) && panic->time - report->time <= LOCKUPS_NS;
}

/* The last one in front of @end; if the panic at @end says who called it, rather that caller's. */
static s64 last_of_kinds(const struct kernel_reports *reports, u32 kinds, u32 end)
{
	const struct kernel_report *panic = end < reports->nr ? &reports->list[end] : NULL;
	s64 last = -1;

	while (end--) {
		const struct kernel_report *report = &reports->list[end];

		if (!(kinds & 1U << report->kind))
			continue;
		if (!panic || (panic->caller == KERNEL_REPORT_NO_CALLER ? may_be_panic_of(report, panic) : report->caller == panic->caller))
			return end;
		if (last < 0)
			last = end;
	}
	return last;
}

s64 kernel_reports_cause(const struct kernel_reports *reports, struct report_text panic, u32 end)
{
	static const struct {
		const char *word;
		u32 kinds;
	} reasons[] = {
		{ "scheduling while atomic", 1U << KERNEL_REPORT_BUG },
		{ "BUG!", 1U << KERNEL_REPORT_BUG },
		{ "panic_on_warn", 1U << KERNEL_REPORT_WARNING | 1U << KERNEL_REPORT_BUG },
		{ "kmsan.panic", 1U << KERNEL_REPORT_BUG },
		{ "kasan.fault=panic set", 1U << KERNEL_REPORT_BUG },
		{ "Fatal exception", 1U << KERNEL_REPORT_OOPS },
		{ "Aiee, killing interrupt handler", 1U << KERNEL_REPORT_OOPS },
		{ "Fatal hardware error", 0 },
		{ "hung_task: blocked tasks", 1U << KERNEL_REPORT_HUNG_TASK },
		{ "softlockup: hung tasks", 1U << KERNEL_REPORT_LOCKUP },
		{ "Hard LOCKUP", 1U << KERNEL_REPORT_LOCKUP },
		{ "RCU Stall", 1U << KERNEL_REPORT_RCU_STALL },
		{ "Out of memory", 1U << KERNEL_REPORT_OOM },
		{ "out of memory", 1U << KERNEL_REPORT_OOM },
		{ "deadlocked on memory", 1U << KERNEL_REPORT_OOM },
		{ "panic forced after error", 1U << KERNEL_REPORT_FILESYSTEM },
		{ "stack guard page", 1U << KERNEL_REPORT_OOPS | 1U << KERNEL_REPORT_BUG },
		{ "kernel stack overflow", 1U << KERNEL_REPORT_OOPS | 1U << KERNEL_REPORT_BUG },
	};

	s64 cause;

	if (end > reports->nr)
		end = reports->nr;
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!report_text_has(panic, reasons[i].word))
			continue;
		cause = last_of_kinds(reports, reasons[i].kinds, end);
		/* The line of die() was lost. */
		if (cause < 0 && reasons[i].kinds == 1U << KERNEL_REPORT_OOPS) {
			cause = last_of_kinds(reports, 1U << KERNEL_REPORT_BUG, end);
			if (cause >= 0 && !is_title_of_fault(reports->list[cause].title, reports->list[cause].title))
				cause = -1;
		}
		return cause < 0 ? cause : kernel_reports_complete_before(reports, cause);
	}
	return -1;
}
