// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/fast_digits.h"
#include "base/byte_writer.h"
#include "base/text.h"
#include "event/latency_flags.h"
#include "os/terminal.h"
#include "report.h"

#define LINE_ROOM	256	/* more than comes before the text of any event */

/*
 * @is_count: the clock counts, its times are no seconds
 * @line: what comes before the text of an event
 */
struct printer {
	FILE *f;
	struct postmortem *pm;
	struct render *render;
	bool monotonic;
	bool is_count;
	struct line_watch *watch;
	struct pack line;
};

static void end_line(struct printer *p, enum line_kind kind, const struct item *item)
{
	struct line line = { kind, item };

	color_end(p->f);
	putc('\n', p->f);
	if (p->watch)
		p->watch->on_line(p->watch, &line);
}

static void put_line_time(struct printer *p, u64 ns)
{
	u64 end = p->pm->end.time;
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

/* Write @len characters right-aligned in @width columns, or left-aligned in -@width. */
static void pack_padded(struct pack *line, const char *text, size_t len, int width)
{
	size_t room = width < 0 ? -width : width, pad = len < room ? room - len : 0;
	u8 *to = pack_room(line, len + pad);

	if (!to)
		return;
	memset(to, ' ', len + pad);
	memcpy(to + (width > 0 ? pad : 0), text, len);
	line->size += len + pad;
}

static void pack_task(struct pack *line, const struct item *item)
{
	char comm[TASK_COMM * 4 + 1], pid[DIGITS_MAX] = "?";
	const char *name = item->comm ? item->comm : "<...>";
	size_t len;

	len = strlen(name);
	if (escape_plain(name, len) < len) {
		len = escape_text(comm, sizeof(comm), name, len);
		name = comm;
	}
	pack_padded(line, name, len, 16);
	pack_u8(line, '-');
	pack_padded(line, pid, item->pid < 0 ? 1 : digits_dec(pid, item->pid), -7);
}

static void pack_cpu(struct pack *line, u32 cpu)
{
	char digits[DIGITS_MAX] = "---";
	size_t len = 3;

	if (cpu < 1000)
		digits_fixed(digits, cpu, 3);
	else if (cpu != NO_CPU)
		len = digits_dec(digits, cpu);
	pack_bytes(line, " [", 2);
	pack_bytes(line, digits, len);
	pack_u8(line, ']');
}

/* The same as put_line_time(), faster. */
static void pack_time(struct printer *p, struct pack *line, u64 ns)
{
	u64 end = p->pm->end.time, us;
	char buf[2 + DIGITS_MAX + 7], *to = buf;

	if (p->is_count) {
		pack_padded(line, buf, digits_dec(buf, ns), 12);
		return pack_bytes(line, ": ", 2);
	}
	if (!p->monotonic) {
		*to++ = 'T';
		*to++ = ns <= end ? '-' : '+';
		ns = ns <= end ? end - ns : ns - end;
	}
	us = ns / 1000;
	to += digits_dec(to, us / 1000000);
	*to++ = '.';
	digits_fixed(to, us % 1000000, 6);
	pack_padded(line, buf, to + 6 - buf, 12);
	pack_bytes(line, ": ", 2);
}

/* Five columns: the flags of an event of the recorder say how far to trust it. */
static void pack_marks(struct pack *line, u32 marks)
{
	char flags[] = " ..... ";

	if (marks & ITEM_REPAIRED)
		flags[1] = 'r';
	if (marks & ITEM_LATE)
		flags[2] = 'l';
	if (marks & ITEM_UNPROVEN)
		flags[3] = 'u';
	if (marks & ITEM_IN_DAMAGED)
		flags[4] = '?';
	if (marks & ITEM_UNCERTAIN)
		flags[5] = '~';
	pack_bytes(line, flags, 7);
}

/* Five columns: the kernel's own flags; behind them how far to trust the event. */
static void pack_latency(struct pack *line, u8 flags, u8 preempt, u32 marks)
{
	char text[LATENCY_FLAGS + 1];

	latency_flags(text, flags, preempt);
	pack_fmt(line, " %s%s%s%s%s%s ", text, marks & ITEM_REPAIRED ? "r" : "",
		 marks & ITEM_LATE ? "l" : "",
		 marks & ITEM_UNPROVEN ? "u" : "", marks & ITEM_IN_DAMAGED ? "?" : "",
		 marks & ITEM_UNCERTAIN ? "~" : "");
}

static void put_event_line(struct printer *p, const struct item *item)
{
	u8 flags, preempt;

	put_loss_lines(p, item);
	if (item->stream && item->stream->ops->is_merged &&
	    item->stream->ops->is_merged(item->stream))
		return;
	if (item->extra && item->extra->kind == AUX_EVENT_MCE)
		color_begin(p->f, COLOR_MCE);
	p->line.size = 0;
	pack_task(&p->line, item);
	pack_cpu(&p->line, item->cpu);
	if (latency_of(item, &flags, &preempt))
		pack_latency(&p->line, flags, preempt, item->marks);
	else
		pack_marks(&p->line, item->marks);
	pack_time(p, &p->line, item->time);
	fwrite_unlocked(p->line.data, 1, p->line.size, p->f);
	render_text(p->render, p->f, item);
	end_line(p, LINE_EVENT, item);
}

void printer_item(struct printer *p, const struct item *item)
{
	bool torn = item->kind == ITEM_TORN;

	if (item_happened(item))
		return put_event_line(p, item);
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

static int print_window(struct printer *p, const struct window *window, struct err *err)
{
	struct window_walk walk = window_walk(window);
	const struct item *item;
	struct timeline *tl;
	int ret = timeline_open(&tl, p->pm, window->from, window->damaged, err);

	if (ret)
		return ret;
	while ((item = window_next(&walk, tl)))
		printer_item(p, item);
	timeline_close(tl);
	return 0;
}

/* With room for what comes before an event, no later line can fail for memory. */
static int init_printer(struct printer *p, struct err *err)
{
	if (!pack_room(&p->line, LINE_ROOM))
		return err_sys(err, "memory for a line");
	return render_new(&p->render, p->pm, err);
}

static int print_with(struct printer *p, const struct window *window, struct err *err)
{
	const struct ftrace_buffer *isolated = p->pm->isolated_buffer;
	int ret = init_printer(p, err);

	p->monotonic |= isolated != NULL;
	p->is_count = isolated && isolated->clock.kind == FTRACE_CLOCK_NONE;
	if (!ret)
		ret = print_window(p, window, err);
	pack_free(&p->line);
	render_free(p->render);
	return ret;
}

int print_events(FILE *f, struct postmortem *pm, const struct window *window,
		 bool monotonic, struct err *err)
{
	struct printer p = { .f = f, .pm = pm, .monotonic = monotonic };

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

void printer_free(struct printer *p)
{
	if (!p)
		return;
	pack_free(&p->line);
	render_free(p->render);
	free(p);
}
