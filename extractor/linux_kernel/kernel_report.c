// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel_report.h"

#include <stdlib.h>
#include <string.h>

/* A line this long before a report may belong to it. */
#define BEFORE_NS	1000000000ULL
/* A report whose next line is that late is over. */
#define OPEN_NS		10000000000ULL
/* One pass of khungtaskd, or one stall, prints its lines within this. */
#define PASS_NS		10000000000ULL
#define MAX_REPORTS	4096

#define PANIC		"Kernel panic - not syncing: "
#define CUT_HERE	"------------[ cut here ]------------"

/**
 * struct reader - what is known behind the lines that were read
 * @room: of @reports
 * @before: the line before, if it belongs to no report; NULL
 * @message: the line between CUT_HERE and "WARNING: "; @in_cut: that is awaited
 * @ahead: what stood before CUT_HERE
 * @in_trace: frames of the last report are being read
 */
struct reader {
	struct kernel_reports *reports;
	u32 room;
	const struct report_line *before;
	const struct report_line *ahead;
	const struct report_line *message;
	bool in_cut;
	bool in_trace;
};

/* --- text ---------------------------------------------------------------- */

static struct report_text text_of(const struct report_line *line)
{
	return (struct report_text){ line->text, line->len };
}

/* The rest of @text from @n on, without blanks in front. */
static struct report_text behind(struct report_text text, u32 n)
{
	text.text += n;
	text.len -= n;
	while (text.len && (*text.text == ' ' || *text.text == '\t')) {
		text.text++;
		text.len--;
	}
	return text;
}

static bool begins(struct report_text text, const char *word)
{
	size_t len = strlen(word);

	return text.len >= len && !memcmp(text.text, word, len);
}

static const char *find(struct report_text text, const char *word)
{
	return text.text ? memmem(text.text, text.len, word, strlen(word)) : NULL;
}

bool report_text_has(struct report_text text, const char *word)
{
	return find(text, word) != NULL;
}

bool report_text_same(struct report_text a, struct report_text b)
{
	return a.len == b.len && (!a.len || !memcmp(a.text, b.text, a.len));
}

/* What follows @word up to a blank; no text if @word is not there. */
static struct report_text word_behind(struct report_text text, const char *word)
{
	const char *at = find(text, word);
	struct report_text ret = { 0 };
	u32 n = 0;

	if (!at)
		return ret;
	ret = behind(text, at + strlen(word) - text.text);
	while (n < ret.len && ret.text[n] != ' ' && ret.text[n] != '\t')
		n++;
	ret.len = n;
	return ret;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static u32 skip_hex(struct report_text text, u32 at)
{
	while (at < text.len && is_hex(text.text[at]))
		at++;
	return at;
}

/*
 * "function+0x1/0x20 [module]" at the start of @text: how long that is, without a build id; 0: it
 * is not there.
 */
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

static struct report_text symbol_at(struct report_text text)
{
	text.len = symbol_len(text);
	if (!text.len)
		text.text = NULL;
	return text;
}

/* " [#1]", which die() counts. */
static bool is_oops(struct report_text text)
{
	const char *at = find(text, " [#");
	const char *end = text.text + text.len;

	if (!at)
		return false;
	for (at += 3; at < end && *at >= '0' && *at <= '9'; at++)
		;
	return at < end && *at == ']';
}

/* --- reports ------------------------------------------------------------- */

static struct kernel_report *last_report(const struct reader *r)
{
	return r->reports->nr ? &r->reports->list[r->reports->nr - 1] : NULL;
}

/* Do lines of @line's caller belong to it?  Two CPUs may print at once. */
static bool is_of(const struct kernel_report *report, const struct report_line *line)
{
	return line->caller == KERNEL_REPORT_NO_CALLER || report->caller == KERNEL_REPORT_NO_CALLER ||
	       line->caller == report->caller;
}

/* The report that @line goes on with. */
static struct kernel_report *open_report(const struct reader *r, const struct report_line *line)
{
	for (u32 i = r->reports->nr; i-- && i + 8 > r->reports->nr; ) {
		struct kernel_report *report = &r->reports->list[i];

		if (is_of(report, line))
			return line->time - report->time <= OPEN_NS || line->time < report->time ?
			       report : NULL;
	}
	return NULL;
}

static bool is_near(const struct report_line *before, const struct report_line *line)
{
	return before && line->time - before->time <= BEFORE_NS &&
	       (before->caller == line->caller || line->caller == KERNEL_REPORT_NO_CALLER);
}

static void add_line(struct kernel_report *report, struct report_text text)
{
	if (report->nr_lines < KERNEL_REPORT_LINES)
		report->lines[report->nr_lines++] = text;
}

/* The oldest ones go: half of them at once. */
static void drop_reports(struct kernel_reports *reports)
{
	u32 half = reports->nr / 2;

	memmove(reports->list, reports->list + half, (reports->nr - half) * sizeof(*reports->list));
	reports->nr -= half;
	reports->nr_dropped += half;
}

static struct kernel_report *new_report(struct reader *r, const struct report_line *line,
					enum kernel_report_kind kind)
{
	struct kernel_reports *reports = r->reports;

	if (reports->nr == MAX_REPORTS)
		drop_reports(reports);
	if (reports->nr == r->room) {
		u32 room = r->room ? 2 * r->room : 16;
		void *p = reallocarray(reports->list, room, sizeof(*reports->list));

		if (!p)
			return NULL;
		reports->list = p;
		r->room = room;
	}
	reports->list[reports->nr] = (struct kernel_report){
		.kind = kind, .time = line->time, .caller = line->caller,
		.title = behind(text_of(line), 0),
	};
	return &reports->list[reports->nr++];
}

/* --- what begins one ----------------------------------------------------- */

/* What check_data_corruption() and others print before they call BUG(). */
static bool says_why(struct report_text text)
{
	static const char *const words[] = {
		"list_add ", "list_del ", "slab", "usercopy: ", "detected buffer overflow",
		"detected field-spanning", "skb_over_panic", "skb_under_panic", "kernel tried to execute",
		"stack guard page was hit",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (report_text_has(text, words[i]))
			return true;
	return false;
}

static const struct {
	const char *word;
	const char *too;	/* must be there as well; NULL: nothing */
	enum kernel_report_kind kind;
	bool is_first;		/* @word stands at the beginning */
} titles[] = {
	{ "Kernel panic - not syncing: ", NULL, KERNEL_REPORT_PANIC, true },
	{ "watchdog: BUG: soft lockup", NULL, KERNEL_REPORT_LOCKUP, true },
	{ "Watchdog detected hard LOCKUP on cpu", NULL, KERNEL_REPORT_LOCKUP, false },
	{ "kernel BUG at ", NULL, KERNEL_REPORT_BUG, false },
	{ "BUG: ", NULL, KERNEL_REPORT_BUG, true },
	{ "Unable to handle kernel ", NULL, KERNEL_REPORT_BUG, true },
	{ "PANIC: double fault", NULL, KERNEL_REPORT_BUG, false },
	{ "Insufficient stack space to handle exception", NULL, KERNEL_REPORT_BUG, true },
	{ "WARNING: ", " at ", KERNEL_REPORT_WARNING, true },
	{ "UBSAN: ", NULL, KERNEL_REPORT_WARNING, true },
	{ "INFO: task ", " blocked ", KERNEL_REPORT_HUNG_TASK, true },
	{ "INFO: rcu_", "stall", KERNEL_REPORT_RCU_STALL, false },
	{ " invoked oom-killer: ", NULL, KERNEL_REPORT_OOM, false },
	{ " error (device ", NULL, KERNEL_REPORT_FILESYSTEM, false },
};

static bool title_kind(struct report_text text, enum kernel_report_kind *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
		if (titles[i].is_first ? !begins(text, titles[i].word) :
					 !report_text_has(text, titles[i].word))
			continue;
		if (titles[i].too && !report_text_has(text, titles[i].too))
			continue;
		*ret = titles[i].kind;
		return true;
	}
	return false;
}

/* The line before, and what stands between CUT_HERE and the title. */
static void add_before(struct reader *r, struct kernel_report *report,
		       const struct report_line *line)
{
	const struct report_line *before = r->in_cut ? r->ahead : r->before;

	if (r->in_cut && r->message && is_near(r->message, line))
		add_line(report, behind(text_of(r->message), 0));
	if (!is_near(before, line) || report->kind == KERNEL_REPORT_WARNING)
		return;
	if (report->kind != KERNEL_REPORT_PANIC && says_why(text_of(before)))
		add_line(report, behind(text_of(before), 0));
	else
		report->before = behind(text_of(before), 0);
}

/* "BUG: kernel NULL pointer dereference" goes on with "Oops: 0000 [#1] SMP". */
static bool take_oops_line(struct reader *r, const struct report_line *line,
			   struct report_text text, bool *failed)
{
	struct kernel_report *report = open_report(r, line);

	if (!is_oops(text))
		return false;
	if (report && report->kind == KERNEL_REPORT_BUG && !report->cpu.text) {
		report->kind = KERNEL_REPORT_OOPS;
		add_line(report, text);
		return true;
	}
	report = new_report(r, line, KERNEL_REPORT_OOPS);
	*failed = !report;
	if (report)
		add_before(r, report, line);
	return true;
}

static bool take_title(struct reader *r, const struct report_line *line, struct report_text text,
		       bool *failed)
{
	enum kernel_report_kind kind;
	struct kernel_report *report;

	if (take_oops_line(r, line, text, failed))
		return true;
	if (!title_kind(text, &kind))
		return false;
	report = new_report(r, line, kind);
	*failed = !report;
	if (report)
		add_before(r, report, line);
	return true;
}

/* --- what goes on with one ----------------------------------------------- */

static bool take_frame(struct kernel_report *report, struct report_text text)
{
	bool is_guess = begins(text, "? ");
	struct report_text frame = symbol_at(is_guess ? behind(text, 2) : text);

	if (!frame.text)
		return text.len && *text.text == '<';	/* "<TASK>", "</IRQ>" */
	if (!is_guess && report->nr_frames < KERNEL_REPORT_FRAMES)
		report->frames[report->nr_frames++] = frame;
	return true;
}

/* Registers of an interrupted context stand between the frames. */
static bool is_register_line(struct report_text text)
{
	static const char *const words[] = {
		"RIP: ", "RSP: ", "RAX: ", "RDX: ", "RBP: ", "R10: ", "R13: ", "Code: ", "FS: ", "CS: ",
		"CR2: ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (begins(text, words[i]))
			return true;
	return false;
}

/* "RIP: 0010:session_expire+0x5e/0x70 [victim]"; "pc : "; "Krnl PSW : ... (" */
static struct report_text place_of(struct report_text text)
{
	const char *at;

	if (begins(text, "RIP: ")) {
		at = memchr(text.text + 5, ':', text.len - 5);
		return at ? symbol_at(behind(text, at + 1 - text.text)) : (struct report_text){ 0 };
	}
	if (begins(text, "pc : "))
		return symbol_at(behind(text, 5));
	if (begins(text, "Krnl PSW : ")) {
		at = memchr(text.text, '(', text.len);
		return at ? symbol_at(behind(text, at + 1 - text.text)) : (struct report_text){ 0 };
	}
	return (struct report_text){ 0 };
}

static void take_task(struct kernel_report *report, struct report_text text)
{
	if (report->cpu.text || !begins(text, "CPU: "))
		return;
	report->cpu = word_behind(text, "CPU: ");
	report->pid = word_behind(text, " PID: ");
	report->comm = word_behind(text, " Comm: ");
}

/* Who stalls, and who found it.  How RCU's own thread fares because of that is left to the log. */
static bool says_who_stalls(struct report_text text)
{
	if (begins(text, "rcu: "))
		text = behind(text, 5);
	return begins(text, "(detected by") || begins(text, "Tasks blocked on") ||
	       (text.len && *text.text >= '0' && *text.text <= '9');
}

/* Lines that say more of what is wrong, in kinds that have such. */
static bool says_more(enum kernel_report_kind kind, struct report_text text)
{
	switch (kind) {
	case KERNEL_REPORT_RCU_STALL:
		return says_who_stalls(text);
	case KERNEL_REPORT_OOM:
		return begins(text, "Out of memory") || begins(text, "Memory cgroup out of memory");
	case KERNEL_REPORT_HUNG_TASK:
		return begins(text, "INFO: task ");	/* "... is blocked on a mutex likely owned by task ..." */
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

static bool take_more(struct reader *r, const struct report_line *line, struct report_text text)
{
	struct kernel_report *report = open_report(r, line);
	struct report_text place;

	if (!report)
		return false;
	if (begins(text, "Call Trace:") || begins(text, "Call trace:")) {
		r->in_trace = !report->nr_frames;
		return true;
	}
	place = place_of(text);
	if (place.text && !report->place.text && !report->nr_frames)
		report->place = place;
	if (is_register_line(text))
		return true;
	if (r->in_trace && report == last_report(r)) {
		r->in_trace = take_frame(report, text);
		if (r->in_trace)
			return true;
	}
	if (says_more(report->kind, text))
		add_line(report, text);
	take_task(report, text);
	return begins(text, "CPU: ");
}

static bool take_line(struct reader *r, const struct report_line *line)
{
	struct report_text text = behind(text_of(line), 0);
	bool failed = false;

	if (begins(text, "------------[ cut here ]")) {
		r->in_cut = true;
		r->ahead = r->before;
		r->message = NULL;
		return true;
	}
	if (take_title(r, line, text, &failed)) {
		r->in_cut = r->in_trace = false;
		r->before = NULL;
		return !failed;
	}
	if (r->in_cut && !r->message) {
		r->message = line;
		return true;
	}
	r->before = take_more(r, line, text) || !text.len ? NULL : line;
	return true;
}

int kernel_reports_read(struct kernel_reports *reports, const struct report_line *lines, u32 nr,
			struct err *err)
{
	struct reader r = { .reports = reports };

	memset(reports, 0, sizeof(*reports));
	for (u32 i = 0; i < nr; i++)
		if (!take_line(&r, &lines[i])) {
			kernel_reports_free(reports);
			return err_sys(err, "memory for what the kernel reported");
		}
	return 0;
}

void kernel_reports_free(struct kernel_reports *reports)
{
	free(reports->list);
	memset(reports, 0, sizeof(*reports));
}

/* --- why it panicked ----------------------------------------------------- */

struct report_text kernel_report_panic_text(const struct kernel_report *report)
{
	return behind(report->title, strlen(PANIC));
}

static s64 last_of(const struct kernel_reports *reports, u32 kinds, u32 end)
{
	while (end--)
		if (kinds & 1U << reports->list[end].kind)
			return end;
	return -1;
}

s64 kernel_reports_cause(const struct kernel_reports *reports, struct report_text panic, u32 end)
{
	static const struct {
		const char *word;
		u32 kinds;
	} reasons[] = {
		{ "panic_on_warn", 1U << KERNEL_REPORT_WARNING | 1U << KERNEL_REPORT_BUG },
		{ "Fatal exception", 1U << KERNEL_REPORT_OOPS },
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

	if (end > reports->nr)
		end = reports->nr;
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (report_text_has(panic, reasons[i].word))
			return last_of(reports, reasons[i].kinds, end);
	return -1;
}
