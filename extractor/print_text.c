// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "text.h"

/*
 * What is under way.
 * @end: monotonic time that T counts from
 * @next_mark: the first mark not printed
 */
struct printer {
	FILE *f;
	struct trace *trace;
	struct render *render;
	bool monotonic;
	u64 end;
	u32 next_mark;
	bool crashed;
};

static void put_time(struct printer *p, u64 ns)
{
	char seconds[40], buf[48];

	if (p->monotonic) {
		text_seconds(buf, sizeof(buf), ns, false);
	} else {
		text_seconds(seconds, sizeof(seconds),
			     ns <= p->end ? p->end - ns : ns - p->end, false);
		snprintf(buf, sizeof(buf), "T%c%s", ns <= p->end ? '-' : '+', seconds);
	}
	fprintf(p->f, "%12s: ", buf);
}

/* A line that is no event, at the time it belongs to. */
static void put_comment(struct printer *p, u64 ns)
{
	fprintf(p->f, "# %35s", "");
	put_time(p, ns);
}

static const char *mark_name(u32 type)
{
	switch (type) {
	case EPITAPH_MARK_SYSRQ:
		return "sysrq";
	case EPITAPH_MARK_END:
		return "end";
	}
	return "other";
}

static void put_mark(struct printer *p, const struct trace_mark *mark)
{
	put_comment(p, clock_mono(&p->trace->clock, mark->clock));
	fprintf(p->f, "mark: %s on CPU %u: ",
		mark_name(mark->type), mark->cpu);
	text_put(p->f, mark->text, sizeof(mark->text));
	putc('\n', p->f);
}

static void put_crash(struct printer *p)
{
	put_comment(p, clock_mono(&p->trace->clock, p->trace->crash.clock));
	fprintf(p->f, "CRASH on CPU %u: ", p->trace->crash.cpu);
	text_put(p->f, p->trace->crash.reason, sizeof(p->trace->crash.reason));
	putc('\n', p->f);
}

/* Marks and the crash that come before @clock. */
static void put_until(struct printer *p, u64 clock)
{
	const struct trace *trace = p->trace;

	for (;;) {
		bool mark = p->next_mark < trace->nr_marks &&
			    trace->marks[p->next_mark].clock <= clock;
		bool crash = !p->crashed && trace->crash.known &&
			     trace->crash.clock <= clock;

		if (mark && (!crash || trace->marks[p->next_mark].clock <= trace->crash.clock)) {
			put_mark(p, &trace->marks[p->next_mark++]);
		} else if (crash) {
			put_crash(p);
			p->crashed = true;
		} else {
			return;
		}
	}
}

static void put_loss(struct printer *p, const struct entry *entry, u64 ns)
{
	if (!(entry->marks & ENTRY_LOST_BEFORE))
		return;
	put_comment(p, ns);
	if (entry->extra)
		fprintf(p->f, "[LOST %llu MACHINE CHECKS]\n", entry->nr_lost);
	else if (entry->marks & ENTRY_LOST_COUNTED)
		fprintf(p->f, "CPU:%u [LOST %llu EVENTS]\n", entry->cpu, entry->nr_lost);
	else
		fprintf(p->f, "CPU:%u [LOST EVENTS]\n", entry->cpu);
}

static void put_task(struct printer *p, const struct entry *entry)
{
	char comm[TASK_COMM * 4 + 1] = "<...>";

	if (entry->comm)
		err_escape(comm, sizeof(comm), entry->comm, strlen(entry->comm));
	if (entry->pid >= 0)
		fprintf(p->f, "%16s-%-7lld", comm, entry->pid);
	else
		fprintf(p->f, "%16s-%-7s", comm, "?");
}

static void put_cpu(struct printer *p, u32 cpu)
{
	if (cpu == NO_CPU)
		fputs(" [---]", p->f);
	else
		fprintf(p->f, " [%03u]", cpu);
}

static void put_event(struct printer *p, const struct entry *entry, u64 ns)
{
	put_loss(p, entry, ns);
	put_task(p, entry);
	put_cpu(p, entry->cpu);
	fprintf(p->f, " ..%c%c%c ",
		entry->marks & ENTRY_UNPROVEN ? 'u' : '.',
		entry->marks & ENTRY_IN_DAMAGED ? '?' : '.',
		entry->marks & ENTRY_UNCERTAIN ? '~' : '.');
	put_time(p, ns);
	render_text(p->render, p->f, entry);
	putc('\n', p->f);
}

static void put_entry(struct printer *p, const struct entry *entry)
{
	u64 ns = entry_mono(p->trace, entry);

	put_until(p, clock_of_time(&p->trace->clock, entry->time));
	if (entry_happened(entry))
		return put_event(p, entry, ns);
	put_comment(p, ns);
	if (entry->kind == ENTRY_TORN)
		fprintf(p->f, "CPU:%u [UNFINISHED: %u BYTES CLAIMED]\n", entry->cpu,
			entry->size);
	else
		fprintf(p->f, "CPU:%u [DAMAGED: %llu EVENTS WITHHELD]\n", entry->cpu,
			entry->nr_lost);
}

static void skip_marks(struct printer *p, u64 from)
{
	u64 clock = clock_of_time(&p->trace->clock, from);

	while (p->next_mark < p->trace->nr_marks &&
	       p->trace->marks[p->next_mark].clock < clock)
		p->next_mark++;
}

static int run(struct printer *p, const struct window *window, struct err *err)
{
	struct window_walk walk = window_walk(window, p->trace);
	enum window_step step = WINDOW_PASS;
	const struct entry *entry;
	struct timeline *tl;
	int ret = timeline_open(&tl, p->trace, window->from, window->damaged, err);

	if (ret)
		return ret;
	skip_marks(p, window->from);
	while (step != WINDOW_STOP && (entry = timeline_next(tl))) {
		step = window_step(&walk, entry);
		if (step == WINDOW_SHOW)
			put_entry(p, entry);
		else if (walk.skip)
			skip_marks(p, entry->time);
	}
	put_until(p, ~0ULL);
	timeline_close(tl);
	return 0;
}

int print_events(FILE *f, struct trace *trace, const struct window *window,
		 bool monotonic, struct err *err)
{
	struct printer p = { .f = f, .trace = trace, .monotonic = monotonic };
	int ret = render_new(&p.render, trace, err);

	if (ret)
		return ret;
	p.end = trace_mono(trace, window_end(trace));
	if (trace->fate.end != FATE_UNKNOWN)
		p.end = clock_mono(&trace->clock, trace->fate.clock);
	ret = run(&p, window, err);
	render_free(p.render);
	return ret;
}
