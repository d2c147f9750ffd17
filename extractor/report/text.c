// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/fast_digits.h"
#include "base/byte_writer.h"
#include "base/text.h"
#include "event/latency_flags.h"
#include "os/terminal.h"
#include "timeline/vcpu_wait.h"
#include "exit_words.h"
#include "item_walk.h"
#include "report.h"

#define WHERE_COLUMNS	18
#define COLUMNS_MOST	16
#define LINES_SIZE	32768	/* written at once */
#define LINE_ROOM	512	/* more than comes before the text of any event */
#define TASK_TEXT	(TASK_COMM * 4 + 1 + DIGITS_MAX)
#define NR_TASK_TEXTS	64

/* What a line has of a task. @comm: @comm_len bytes */
struct task_text {
	s64 pid;
	u32 comm_len;
	u32 len;
	char comm[TASK_COMM];
	char text[TASK_TEXT];
};

/*
 * @is_count: the clock counts, its times are no seconds
 * @end: what times count from
 * @where: of several kernels; NULL: there is one
 * @guest: whose; NULL: the file's own kernel's
 * @lines: of events, which are not written yet; with room for LINE_ROOM more
 * @keeps_lines: as long as lines of events alone follow; else each is written at once
 */
struct printer {
	FILE *f;
	struct postmortem *pm;
	struct render *render;
	bool monotonic;
	u64 end;
	const char *where;
	const struct joint_guest *guest;
	bool is_count;
	struct line_watch *watch;
	struct pack lines;
	bool keeps_lines;
	struct task_text tasks[NR_TASK_TEXTS];
};

static void write_lines(struct printer *p)
{
	if (p->lines.size)
		fwrite_unlocked(p->lines.data, 1, p->lines.size, p->f);
	p->lines.size = 0;
}

static void tell_watch(struct printer *p, enum line_kind kind, const struct item *item)
{
	struct line line = { kind, item, p->guest, NULL };

	if (p->watch)
		p->watch->on_line(p->watch, &line);
}

static void end_line(struct printer *p, enum line_kind kind, const struct item *item)
{
	color_end(p->f);
	putc_unlocked('\n', p->f);
	tell_watch(p, kind, item);
}

static void put_line_time(struct printer *p, u64 ns)
{
	u64 end = p->end;
	char seconds[40], buf[48];

	if (p->is_count) {
		snprintf(buf, sizeof(buf), "%llu", ns);
	} else if (p->monotonic) {
		text_seconds(buf, sizeof(buf), ns, false);
	} else {
		text_seconds(seconds, sizeof(seconds),
			     ns <= end ? end - ns : ns - end, false);
		snprintf(buf, sizeof(buf), "T%c%s", ns <= end ? '-' : '+', seconds);
	}
	fprintf(p->f, "%12s: ", buf);
}

/* Begin a line that is no event. */
static void put_comment(struct printer *p, u64 ns)
{
	if (p->where)
		fprintf(p->f, "# %-*s%35s", WHERE_COLUMNS - 2, p->where, "");
	else
		fprintf(p->f, "# %35s", "");
	put_line_time(p, ns);
}

static void put_mark_line(struct printer *p, const struct item *item)
{
	const struct recording_mark *mark = item->mark;

	put_comment(p, item->time);
	fprintf(p->f, "mark: %s on CPU %u: ", recording_mark_name(mark->type), mark->cpu);
	text_put(p->f, mark->text, sizeof(mark->text));
	end_line(p, mark->type == EPITAPH_MARK_END ? LINE_END : LINE_MARK, item);
}

static void put_crash_line(struct printer *p, const struct item *item)
{
	const struct postmortem_end *end = &p->pm->end;

	color_begin(p->f, COLOR_CRASH);
	put_comment(p, item->time);
	fputs("CRASH", p->f);
	if (item->cpu != NO_CPU)
		fprintf(p->f, " on CPU %u", item->cpu);
	fputs(": ", p->f);
	debuginfo_put_text(p->pm->debuginfo, p->f, end->reason, sizeof(end->reason), false);
	end_line(p, LINE_CRASH, item);
}

static void put_ring_cpu(const struct printer *p, u32 cpu)
{
	if (cpu == NO_CPU)
		fputs("CPU:all ", p->f);
	else
		fprintf(p->f, "CPU:%u ", cpu);
}

/* What is missing before an item: sub-buffers that a live reader was too slow for, lost events. */
static void put_loss_lines(struct printer *p, const struct item *item)
{
	if (item->marks & ITEM_LAPPED) {
		color_begin(p->f, COLOR_LOST);
		put_comment(p, item->time);
		put_ring_cpu(p, item->stream->cpu);
		fprintf(p->f, "[LAPPED: %llu SUB-BUFFERS NOT READ]", item->nr_lapped);
		end_line(p, LINE_LOST, item);
	}
	if (!(item->marks & ITEM_LOST_BEFORE))
		return;
	color_begin(p->f, COLOR_LOST);
	put_comment(p, item->time);
	if (!item->extra)
		put_ring_cpu(p, item->cpu);
	if (item->extra)
		fprintf(p->f, "[LOST %llu MACHINE CHECKS]", item->nr_lost);
	else if (item->marks & ITEM_LOST_COUNTED)
		fprintf(p->f, "[LOST %llu EVENTS]", item->nr_lost);
	else
		fputs("[LOST EVENTS]", p->f);
	end_line(p, LINE_LOST, item);
}

/* Write @len characters right-aligned in @width columns of COLUMNS_MOST, or left-aligned in -@width. */
static char *put_in_columns(char *to, const char *text, size_t len, int width)
{
	size_t room = width < 0 ? -width : width, pad = len < room ? room - len : 0;

	memset(to, ' ', COLUMNS_MOST);
	copy_few(to + (width < 0 ? 0 : pad), text, len);
	return to + len + pad;
}

static size_t task_columns(char *to, const char *name, size_t len, s64 pid)
{
	char comm[TASK_COMM * 4 + 1], digits[DIGITS_MAX] = "?", *begin = to;

	if (escape_plain(name, len) < len) {
		len = escape_text(comm, sizeof(comm), name, len);
		name = comm;
	}
	to = put_in_columns(to, name, len, 16);
	*to++ = '-';
	to = put_in_columns(to, digits, pid < 0 ? 1 : digits_dec(digits, pid), -7);
	return to - begin;
}

/* Most events are of a task that another one was of a moment before. */
static char *put_task(struct printer *p, char *to, const struct item *item)
{
	const char *name = item->comm ? item->comm : "<...>";
	struct task_text *task = &p->tasks[(u64)item->pid % NR_TASK_TEXTS];
	size_t len = strnlen(name, TASK_TEXT);

	if (!task->len || item->pid != task->pid || len != task->comm_len || memcmp(name, task->comm, len)) {
		if (item->pid < 0 || len > TASK_COMM)
			return to + task_columns(to, name, len, item->pid);
		task->pid = item->pid;
		task->comm_len = len;
		memcpy(task->comm, name, len);
		task->len = task_columns(task->text, name, len, item->pid);
	}
	memcpy(to, task->text, sizeof(task->text));
	return to + task->len;
}

static char *put_cpu(char *to, u32 cpu)
{
	*to++ = ' ';
	*to++ = '[';
	if (cpu < 1000) {
		digits_fixed(to, cpu, 3);
		to += 3;
	} else if (cpu != NO_CPU) {
		to += digits_dec(to, cpu);
	} else {
		memcpy(to, "---", 3);
		to += 3;
	}
	*to++ = ']';
	return to;
}

/* The same as put_line_time(), faster. */
static char *put_event_time(const struct printer *p, char *to, u64 ns)
{
	u64 end = p->end, us;
	char buf[2 + DIGITS_MAX + 7], *at = buf;

	if (p->is_count) {
		to = put_in_columns(to, buf, digits_dec(buf, ns), 12);
	} else {
		if (!p->monotonic) {
			*at++ = 'T';
			*at++ = ns <= end ? '-' : '+';
			ns = ns <= end ? end - ns : ns - end;
		}
		us = ns / 1000;
		at += digits_dec(at, us / 1000000);
		*at++ = '.';
		digits_six(at, us % 1000000);
		to = put_in_columns(to, buf, at + 6 - buf, 12);
	}
	*to++ = ':';
	*to++ = ' ';
	return to;
}

/* Five columns: the flags of an event of the recorder say how far to trust it. */
static char *put_marks(char *to, u32 marks)
{
	memcpy(to, " ..... ", 7);
	if (marks & ITEM_REPAIRED)
		to[1] = 'r';
	if (marks & ITEM_LATE)
		to[2] = 'l';
	if (marks & ITEM_UNPROVEN)
		to[3] = 'u';
	if (marks & ITEM_IN_DAMAGED)
		to[4] = '?';
	if (marks & ITEM_UNCERTAIN)
		to[5] = '~';
	return to + 7;
}

/* Five columns: the kernel's own flags; behind them how far to trust the event. */
static char *put_latency(char *to, u8 flags, u8 preempt, u32 marks)
{
	char text[LATENCY_FLAGS + 1];

	latency_flags(text, flags, preempt);
	return to + sprintf(to, " %s%s%s%s%s%s ", text, marks & ITEM_REPAIRED ? "r" : "",
			    marks & ITEM_LATE ? "l" : "",
			    marks & ITEM_UNPROVEN ? "u" : "", marks & ITEM_IN_DAMAGED ? "?" : "",
			    marks & ITEM_UNCERTAIN ? "~" : "");
}

static bool watch_has_head(const struct printer *p, const struct item *item)
{
	u8 flags, preempt;

	return p->watch && p->watch->has_head && !item->marks && !p->monotonic && !p->is_count &&
	       !latency_of(item, &flags, &preempt) && p->watch->has_head(p->watch, item);
}

/* What comes before the text of an event. */
static void put_event_head(struct printer *p, const struct item *item)
{
	char *begin = (char *)p->lines.data + p->lines.size, *to = begin;
	u8 flags, preempt;

	to = put_task(p, to, item);
	to = put_cpu(to, item->cpu);
	if (latency_of(item, &flags, &preempt))
		to = put_latency(to, flags, preempt, item->marks);
	else
		to = put_marks(to, item->marks);
	to = put_event_time(p, to, item->time);
	p->lines.size += to - begin;
}

/* With what is seldom: losses, colors, a place, a text that has to be escaped. */
static void put_rare_event(struct printer *p, const struct item *item)
{
	write_lines(p);
	put_loss_lines(p, item);
	if (item->stream && item->stream->ops->is_merged &&
	    item->stream->ops->is_merged(item->stream))
		return;
	if (item->extra && item->extra->kind == AUX_EVENT_MCE)
		color_begin(p->f, COLOR_MCE);
	if (p->where)
		fprintf(p->f, "%-*s", WHERE_COLUMNS, p->where);
	put_event_head(p, item);
	write_lines(p);
	render_text(p->render, p->f, item);
	if (p->where)
		put_exit_words(p->f, item);
	end_line(p, LINE_EVENT, item);
}

static void put_event_line(struct printer *p, const struct item *item)
{
	size_t start = p->lines.size;

	if (p->where || item->extra || item->stream->ops->is_merged ||
	    (item->marks & (ITEM_LAPPED | ITEM_LOST_BEFORE)))
		return put_rare_event(p, item);
	if (p->watch && p->watch->wants_no_text) {
		item_pass(item);
		return tell_watch(p, LINE_EVENT, item);
	}
	if (watch_has_head(p, item))
		pack_u8(&p->lines, LINE_WITHOUT_HEAD);
	else
		put_event_head(p, item);
	if (!render_pack(p->render, &p->lines, item) || p->lines.failed) {
		p->lines.failed = false;
		p->lines.size = start;
		return put_rare_event(p, item);
	}
	pack_u8(&p->lines, '\n');
	if (p->lines.size > LINES_SIZE || !p->keeps_lines)
		write_lines(p);
	tell_watch(p, LINE_EVENT, item);
}

void printer_item(struct printer *p, const struct item *item)
{
	bool torn = item->kind == ITEM_TORN;

	if (item_happened(item))
		return put_event_line(p, item);
	write_lines(p);
	if (item->kind == ITEM_LOSS)
		return put_loss_lines(p, item);
	if (item->kind == ITEM_MARK)
		return put_mark_line(p, item);
	if (item->kind == ITEM_CRASH)
		return put_crash_line(p, item);
	color_begin(p->f, torn ? COLOR_LOST : COLOR_DAMAGE);
	put_comment(p, item->time);
	put_ring_cpu(p, item->cpu);
	if (torn)
		fprintf(p->f, "[UNFINISHED: %u BYTES CLAIMED]", item->size);
	else
		fprintf(p->f, "[DAMAGED: %llu EVENTS WITHHELD]", item->nr_lost);
	end_line(p, torn ? LINE_UNFINISHED : LINE_DAMAGED, item);
}

static void flush_lines(void *printer)
{
	write_lines(printer);
}

static void print_item(void *printer, const struct item *item)
{
	printer_item(printer, item);
}

/* With room for what comes before an event, no later line can fail for memory. */
static int init_printer(struct printer *p, struct err *err)
{
	if (!pack_room(&p->lines, LINES_SIZE + LINE_ROOM))
		return err_sys(err, "memory for a line");
	return render_new(&p->render, p->pm, err);
}

static int print_with(struct printer *p, const struct window *window, struct err *err)
{
	const struct ftrace_buffer *isolated = p->pm->isolated_buffer;
	const struct item_printer printer = { p->f, print_item, flush_lines, p };
	int ret = init_printer(p, err);

	p->end = p->pm->end.time;
	p->monotonic |= isolated != NULL;
	p->is_count = isolated && isolated->clock.kind == FTRACE_CLOCK_NONE;
	if (!ret)
		ret = item_walk(p->pm, window, &printer, err);
	pack_free(&p->lines);
	render_free(p->render);
	return ret;
}

int print_events(FILE *f, struct postmortem *pm, const struct window *window,
		 bool monotonic, struct err *err)
{
	struct printer p = { .f = f, .pm = pm, .monotonic = monotonic, .keeps_lines = true };

	return print_with(&p, window, err);
}

int print_lines(FILE *f, struct postmortem *pm, const struct window *window,
		struct line_watch *watch, struct err *err)
{
	struct printer p = { .f = f, .pm = pm, .watch = watch };

	return print_with(&p, window, err);
}

int printer_new(struct printer **ret, FILE *f, struct postmortem *pm, struct err *err)
{
	struct printer *p = calloc(1, sizeof(*p));

	if (!p)
		return err_sys(err, "memory");
	p->f = f;
	p->pm = pm;
	p->monotonic = true;
	if (init_printer(p, err)) {
		printer_free(p);
		return -ERR_IO;
	}
	*ret = p;
	return 0;
}

void printer_set_place(struct printer *p, const struct printer_place *place)
{
	p->where = place->where;
	p->end = place->end;
	p->monotonic = place->monotonic;
	p->guest = place->guest;
	p->watch = place->watch;
}

void printer_gap(struct printer *p, const struct vcpu_wait *wait)
{
	struct line line = { LINE_GAP, NULL, wait->guest, wait };
	char words[VCPU_WAIT_WORDS];

	vcpu_wait_words(words, sizeof(words), wait);
	put_comment(p, wait->to);
	fputs(words, p->f);
	putc('\n', p->f);
	if (p->watch)
		p->watch->on_line(p->watch, &line);
}

void printer_free(struct printer *p)
{
	if (!p)
		return;
	pack_free(&p->lines);
	render_free(p->render);
	free(p);
}
