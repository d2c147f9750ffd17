// SPDX-License-Identifier: GPL-2.0-or-later
#include "death.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "os/terminal.h"

#define MAX_BLOCKED	6	/* tasks that have a line in the head; the others are counted */
#define MAX_STACKS	3	/* more blocked tasks than these, and the first alone has frames */
#define MAX_EARLIER	2	/* reports that have lines */
#define MAX_CALLERS	2	/* frames of a blocked task */

/* --- small pieces -------------------------------------------------------- */

static void put_text(FILE *f, struct report_text text)
{
	for (u32 i = 0; i < text.len; i++) {
		u32 n = i;

		while (n < text.len && text.text[n] != '\t')
			n++;
		text_put_all(f, text.text + i, n - i);
		if (n < text.len)
			putc(' ', f);
		i = n;
	}
}

static void put_place(FILE *f, const struct postmortem *pm, struct report_text place)
{
	debuginfo_put_text(pm->debuginfo, f, place.text, place.len, true);
}

static void put_when(FILE *f, const struct postmortem *pm, u64 time)
{
	u64 end = pm->end.time;
	char buf[40];

	text_seconds(buf, sizeof(buf), time <= end ? end - time : time - end, false);
	fprintf(f, "T%c%s", time <= end ? '-' : '+', buf);
}

static const struct kernel_report *report_of(const struct death *death, s64 i)
{
	return i < 0 ? NULL : &death->reports.list[i];
}

static const char *plural(u32 n)
{
	return n == 1 ? "" : "s";
}

/* --- the death itself ---------------------------------------------------- */

/* Functions in which every task waits that sleeps: they say nothing of this one. */
static bool is_scheduler(struct report_text frame)
{
	static const char *const names[] = {
		"__schedule+", "schedule+", "schedule_", "io_schedule", "__switch_to", "preempt_schedule",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (frame.len > strlen(names[i]) && !memcmp(frame.text, names[i], strlen(names[i])))
			return true;
	return false;
}

static void put_callers(FILE *f, const struct kernel_report *report)
{
	u32 n = 0;

	for (u32 i = 0; i < report->nr_frames && n < MAX_CALLERS; i++) {
		if (is_scheduler(report->frames[i]))
			continue;
		fputs(n++ ? ", called by " : "#     in ", f);
		put_text(f, report->frames[i]);
	}
	if (n)
		putc('\n', f);
}

static void put_blocked(FILE *f, const struct death *death)
{
	u32 nr = death->cause - death->first_blocked + 1;

	for (u32 i = death->first_blocked; i <= death->cause; i++) {
		const struct kernel_report *report = &death->reports.list[i];

		if (i - death->first_blocked == MAX_BLOCKED) {
			fprintf(f, "#   and %u more task%s blocked\n", nr - MAX_BLOCKED,
				plural(nr - MAX_BLOCKED));
			return;
		}
		fputs("#   ", f);
		put_text(f, report->title);
		putc('\n', f);
		for (u32 k = 0; k < report->nr_lines; k++) {
			fputs("#   ", f);
			put_text(f, report->lines[k]);
			putc('\n', f);
		}
		if (nr <= MAX_STACKS || i == death->first_blocked)
			put_callers(f, report);
	}
}

/* Of a stall "rcu:  1-....: (741 ticks this GP) idle=...": the number in front is the CPU's. */
static bool begins_with_cpu(struct report_text *text)
{
	struct report_text rest = *text;
	u32 digits = 0;

	if (rest.len > 4 && !memcmp(rest.text, "rcu:", 4)) {
		rest.text += 4;
		rest.len -= 4;
	}
	while (rest.len && (*rest.text == ' ' || *rest.text == '\t')) {
		rest.text++;
		rest.len--;
	}
	while (digits < rest.len && rest.text[digits] >= '0' && rest.text[digits] <= '9')
		digits++;
	if (!digits || digits == rest.len || rest.text[digits] != '-')
		return false;
	*text = rest;
	return true;
}

static void put_stall_line(FILE *f, struct report_text text)
{
	u32 cpu_len = 0;

	if (begins_with_cpu(&text)) {
		while (text.text[cpu_len] != '-')
			cpu_len++;
		fprintf(f, "stalled CPU %.*s: ", (int)cpu_len, text.text);
	}
	put_text(f, text);
}

static void put_lines(FILE *f, const struct postmortem *pm, const struct kernel_report *report)
{
	for (u32 i = 0; i < report->nr_lines; i++) {
		fputs("#   ", f);
		if (report->kind == KERNEL_REPORT_RCU_STALL)
			put_stall_line(f, report->lines[i]);
		else
			put_text(f, report->lines[i]);
		putc('\n', f);
	}
	if (report->place.text) {
		fputs("#   at ", f);
		put_place(f, pm, report->place);
		putc('\n', f);
	}
	if (report->before.text) {
		fputs("#   just before: ", f);
		put_text(f, report->before);
		putc('\n', f);
	}
}

static void put_title(FILE *f, const struct postmortem *pm, const struct kernel_report *report)
{
	color_begin(f, COLOR_CRASH);
	fputs("# died: ", f);
	if (report)
		put_text(f, report->title);
	else
		debuginfo_put_text(pm->debuginfo, f, pm->end.reason,
				   sizeof(pm->end.reason), false);
	color_end(f);
	putc('\n', f);
}

/* What the recorder knows where the kernel's lines do not say it. */
static void put_stamp(FILE *f, const struct postmortem *pm)
{
	if (!pm->recording || !pm->recording->crash.known)
		return;
	fputs("#   stamp: ", f);
	debuginfo_put_text(pm->debuginfo, f, pm->end.reason,
			   sizeof(pm->end.reason), false);
	putc('\n', f);
}

/* Panicking for blocked tasks, khungtaskd is the messenger. */
static void put_cause(FILE *f, const struct postmortem *pm, const struct death *death)
{
	const struct kernel_report *panic = report_of(death, death->panic);
	const struct kernel_report *cause = report_of(death, death->cause);

	if (cause && cause->kind == KERNEL_REPORT_HUNG_TASK) {
		put_title(f, pm, panic);
		put_blocked(f, death);
		return;
	}
	put_title(f, pm, cause ? cause : panic);
	if (cause)
		put_lines(f, pm, cause);
	if (cause && (cause->kind == KERNEL_REPORT_OOPS || cause->kind == KERNEL_REPORT_BUG) &&
	    !cause->place.text)
		put_stamp(f, pm);
	if (!panic)
		return;
	if (cause) {
		fputs("#   ", f);
		put_text(f, panic->title);
		putc('\n', f);
	} else {
		put_lines(f, pm, panic);
	}
}

static void put_where(FILE *f, const struct postmortem_end *end)
{
	char date[64];

	fputs("#  ", f);
	if (end->cpu != NO_CPU)
		fprintf(f, " on CPU %u,", end->cpu);
	if (end->pid >= 0) {
		fputs(" task ", f);
		text_put(f, end->comm, sizeof(end->comm));
		fprintf(f, "-%lld,", end->pid);
	}
	text_date(date, sizeof(date), end->real_ns);
	fprintf(f, " %s\n", date);
}

static void put_source(FILE *f, const struct postmortem *pm, const struct death *death)
{
	if (death->panic < 0 && death->cause < 0) {
		if (pm->recording && pm->recording->crash.known)
			fputs("#   source: the crash stamp; no line of the log says more\n", f);
		return;
	}
	fputs(death->lines.source == REPORT_SOURCE_LOG ?
	      "#   source: the kernel's log in this dump\n" :
	      "#   source: lines of the console that the recorder kept\n", f);
}

/* --- what else ----------------------------------------------------------- */

static void put_earlier_report(FILE *f, const struct postmortem *pm,
			       const struct kernel_report *report)
{
	fputs("# earlier: ", f);
	put_when(f, pm, report->time);
	fputs(": ", f);
	put_text(f, report->title);
	putc('\n', f);
	for (u32 i = 0; i < report->nr_lines && report->kind != KERNEL_REPORT_OOPS; i++) {
		fputs("#   ", f);
		put_text(f, report->lines[i]);
		putc('\n', f);
	}
	if (report->place.text) {
		fputs("#   at ", f);
		put_place(f, pm, report->place);
		if (report->comm.text) {
			fputs(", task ", f);
			put_text(f, report->comm);
			putc('-', f);
			put_text(f, report->pid);
		}
		putc('\n', f);
	}
}

static void put_earlier_mark(FILE *f, const struct postmortem *pm, const struct recording_mark *mark)
{
	fputs("# earlier: ", f);
	put_when(f, pm, clock_mono(&pm->recording->clock, mark->clock));
	fprintf(f, ": oops on CPU %u at ", mark->cpu);
	text_put(f, mark->text, sizeof(mark->text));
	fputs("; its lines are gone\n", f);
}

/* A later panic is of another CPU, or of the same one on its way down. */
static bool is_earlier(const struct death *death, u32 i)
{
	return !death_has(death, i) && (death->panic < 0 || i < death->panic);
}

static u32 count_earlier(const struct death *death)
{
	u32 nr = death->reports.nr_dropped;

	for (u32 i = 0; i < death->reports.nr; i++)
		nr += is_earlier(death, i);
	return nr;
}

/* The last ones before the death; of oopses and of what ends nothing, rather the oopses. */
static u32 choose_earlier(const struct death *death, u32 chosen[MAX_EARLIER])
{
	u32 nr = 0;

	for (int oops = 1; oops >= 0; oops--)
		for (u32 i = death->reports.nr; i-- && nr < MAX_EARLIER; )
			if (is_earlier(death, i) &&
			    (death->reports.list[i].kind == KERNEL_REPORT_OOPS) == oops)
				chosen[nr++] = i;
	return nr;
}

static int by_index(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void put_earlier(FILE *f, const struct postmortem *pm, const struct death *death)
{
	u32 chosen[MAX_EARLIER], nr = count_earlier(death);
	u32 shown = choose_earlier(death, chosen);

	qsort(chosen, shown, sizeof(*chosen), by_index);
	for (u32 i = 0; i < shown; i++)
		put_earlier_report(f, pm, &death->reports.list[chosen[i]]);
	for (u32 i = 0; pm->recording && i < pm->recording->nr_marks; i++)
		if (death_mark_is_earlier(death, pm, &pm->recording->marks[i])) {
			nr++;
			if (shown < MAX_EARLIER) {
				put_earlier_mark(f, pm, &pm->recording->marks[i]);
				shown++;
			}
		}
	if (nr > shown)
		fprintf(f, "# and %u more earlier report%s of the kernel: see \"BUG:\", \"WARNING:\" below\n",
			nr - shown, plural(nr - shown));
}

static void put_cpu(FILE *f, const struct postmortem *pm, const struct death_cpu *cpu)
{
	fprintf(f, "# CPU %u was dying as well", cpu->cpu);
	if (*cpu->place) {
		fputs(", at ", f);
		debuginfo_put_text(pm->debuginfo, f, cpu->place, sizeof(cpu->place), true);
	}
	if (cpu->has_task) {
		fputs(", task ", f);
		text_put(f, cpu->comm, sizeof(cpu->comm));
		fprintf(f, "-%u", cpu->pid);
	}
	if (*cpu->said) {
		fputs(": panic: ", f);
		text_put(f, cpu->said, sizeof(cpu->said));
	}
	putc('\n', f);
}

void print_death(FILE *f, const struct postmortem *pm, const struct death *death)
{
	const struct postmortem_end *end = &pm->end;

	if (end->how == OUTCOME_CRASHED || end->real_ns || death->panic >= 0) {
		put_cause(f, pm, death);
		put_where(f, end);
		put_source(f, pm, death);
	} else {
		fputs("# died: the kernel did not say: it was reset, or still ran when this was read\n", f);
	}
	for (u32 i = 0; i < death->nr_cpus; i++)
		put_cpu(f, pm, &death->cpus[i]);
	if (death->nr_more)
		fprintf(f, "# and %u more CPU%s\n", death->nr_more, plural(death->nr_more));
	put_earlier(f, pm, death);
}

/* --- JSON ---------------------------------------------------------------- */

static void json_report_text(struct json *j, const char *key, struct report_text text)
{
	if (text.text)
		json_text(j, key, text.text, text.len);
	else
		json_null(j, key);
}

static void json_report(struct json *j, const char *key, const struct postmortem *pm,
			const struct kernel_report *report)
{
	json_open(j, key, '{');
	json_u64(j, "ts_ns", report->time);
	json_s64(j, "before_crash_ns", (s64)(pm->end.time - report->time));
	json_report_text(j, "title", report->title);
	json_open(j, "lines", '[');
	for (u32 i = 0; i < report->nr_lines; i++)
		json_text(j, NULL, report->lines[i].text, report->lines[i].len);
	json_close(j, ']');
	json_report_text(j, "place", report->place);
	json_report_text(j, "comm", report->comm);
	json_report_text(j, "before", report->before);
	json_open(j, "frames", '[');
	for (u32 i = 0; i < report->nr_frames; i++)
		json_text(j, NULL, report->frames[i].text, report->frames[i].len);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_death(struct json *j, const struct postmortem *pm, const struct death *death)
{
	static const char *const sources[] = {
		[REPORT_SOURCE_NONE] = "stamp", [REPORT_SOURCE_CONSOLE] = "console",
		[REPORT_SOURCE_LOG] = "log",
	};
	bool known = death->panic >= 0 || death->cause >= 0;
	s64 i = death->cause < 0 ? 0 : death->first_blocked;

	json_open(j, "death", '{');
	json_str(j, "source", sources[known ? death->lines.source : REPORT_SOURCE_NONE]);
	json_report_text(j, "panic", death->panic < 0 ? (struct report_text){ 0 } :
			 death->reports.list[death->panic].title);
	json_open(j, "reports", '[');
	for (; i <= death->cause; i++)
		json_report(j, NULL, pm, &death->reports.list[i]);
	json_close(j, ']');
	json_close(j, '}');
}

void print_death_json(struct json *j, const struct postmortem *pm, const struct death *death)
{
	const struct postmortem_end *end = &pm->end;

	if (end->how == OUTCOME_CRASHED || end->real_ns || death->panic >= 0)
		json_death(j, pm, death);
	else
		json_null(j, "death");
	json_open(j, "earlier", '[');
	for (u32 i = 0; i < death->reports.nr; i++)
		if (is_earlier(death, i))
			json_report(j, NULL, pm, &death->reports.list[i]);
	json_close(j, ']');
	json_open(j, "other_cpus", '[');
	for (u32 i = 0; i < death->nr_cpus; i++) {
		const struct death_cpu *cpu = &death->cpus[i];

		json_open(j, NULL, '{');
		json_u64(j, "cpu", cpu->cpu);
		json_str(j, "place", *cpu->place ? cpu->place : NULL);
		json_str(j, "panic", *cpu->said ? cpu->said : NULL);
		json_close(j, '}');
	}
	json_close(j, ']');
}
