// SPDX-License-Identifier: GPL-2.0-or-later
#include "death.h"

#include <string.h>

#include "os/terminal.h"
#include "phrase.h"

#define MAX_BLOCKED	6	/* blocked tasks with a line; further ones are counted */
#define MAX_STACKS	3	/* with more blocked tasks, only the first has frames */
#define MAX_EARLIER	2	/* earlier reports with lines */
#define MAX_LATER	2
#define MAX_CALLERS	2	/* frames of a blocked task */

/* Tabs become spaces. */
static void put_report_text(FILE *f, struct report_text text)
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

static void put_report_line(FILE *f, const char *head, struct report_text text)
{
	fputs(head, f);
	put_report_text(f, text);
	putc('\n', f);
}

static void put_report_place(FILE *f, const struct postmortem *pm, struct report_text place)
{
	debuginfo_put_text(pm->debuginfo, f, place.text, place.len, true);
}

/* --- the death itself ---------------------------------------------------- */

/* Functions in which every sleeping task waits: they do not say why it sleeps. */
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

/* What a blocked task waits in, and what called that: so many of @callers. */
static u32 waiting_callers(struct report_text callers[MAX_CALLERS], const struct kernel_report *report)
{
	u32 n = 0;

	for (u32 i = 0; i < report->nr_frames && n < MAX_CALLERS; i++)
		if (!is_scheduler(report->frames[i]))
			callers[n++] = report->frames[i];
	return n;
}

static bool wait_in_one_place(const struct kernel_report *one, const struct kernel_report *other)
{
	struct report_text of_one[MAX_CALLERS], of_other[MAX_CALLERS];
	u32 n = waiting_callers(of_one, one);

	if (!n || waiting_callers(of_other, other) != n)
		return false;
	for (u32 i = 0; i < n; i++)
		if (of_one[i].len != of_other[i].len || memcmp(of_one[i].text, of_other[i].text, of_one[i].len))
			return false;
	return true;
}

static void put_callers(FILE *f, const struct kernel_report *report)
{
	struct report_text callers[MAX_CALLERS];
	u32 n = waiting_callers(callers, report);

	for (u32 i = 0; i < n; i++) {
		fputs(i ? ", called by " : "#     in ", f);
		put_report_text(f, callers[i]);
	}
	if (n)
		putc('\n', f);
}

static void put_blocked_tasks(FILE *f, const struct death *death)
{
	u32 nr = death->cause - death->first_blocked + 1, more;

	for (u32 i = 0; i < nr && i < MAX_BLOCKED; i++) {
		const struct kernel_report *report = &death->reports.list[death->first_blocked + i];

		put_report_line(f, "#   ", report->title);
		for (u32 k = 0; k < report->nr_lines; k++)
			put_report_line(f, "#   ", report->lines[k]);
		if (i && nr <= MAX_STACKS && wait_in_one_place(report, report - 1))
			fputs("#     in the same place\n", f);
		else if (!i || nr <= MAX_STACKS)
			put_callers(f, report);
	}
	if (nr > MAX_BLOCKED) {
		more = nr - MAX_BLOCKED;
		fprintf(f, "#   and %u more task%s blocked\n", more, plural(more));
	}
}

/* A line of a stall, "rcu:  1-....: (741 ticks this GP) idle=...": a number in front is a CPU. */
static void put_stall_line(FILE *f, struct report_text text)
{
	struct report_text rest = text;
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
	if (digits && digits < rest.len && rest.text[digits] == '-') {
		fprintf(f, "#   stalled CPU %.*s: ", (int)digits, rest.text);
		put_report_text(f, rest);
		putc('\n', f);
	} else {
		put_report_line(f, "#   ", text);
	}
}

static void put_report_lines(FILE *f, const struct postmortem *pm,
			     const struct kernel_report *report)
{
	for (u32 i = 0; i < report->nr_lines; i++)
		if (report->kind == KERNEL_REPORT_RCU_STALL)
			put_stall_line(f, report->lines[i]);
		else
			put_report_line(f, "#   ", report->lines[i]);
	if (report->place.text) {
		fputs("#   at ", f);
		put_report_place(f, pm, report->place);
		putc('\n', f);
	}
	if (report->before.text)
		put_report_line(f, "#   just before: ", report->before);
}

static void put_died(FILE *f, const struct postmortem *pm, const struct kernel_report *report)
{
	color_begin(f, COLOR_CRASH);
	fputs("# died: ", f);
	if (report)
		put_report_text(f, report->title);
	else
		debuginfo_put_text(pm->debuginfo, f, pm->end.reason,
				   sizeof(pm->end.reason), false);
	color_end(f);
	putc('\n', f);
}

static void put_cause(FILE *f, const struct postmortem *pm, const struct death *death)
{
	const struct kernel_report *list = death->reports.list;
	const struct kernel_report *panic = death->panic < 0 ? NULL : &list[death->panic];
	const struct kernel_report *cause = death->cause < 0 ? NULL : &list[death->cause];

	/* The task that panics for blocked tasks is khungtaskd, which is not to blame. */
	if (cause && cause->kind == KERNEL_REPORT_HUNG_TASK) {
		put_died(f, pm, panic);
		put_blocked_tasks(f, death);
		return;
	}
	put_died(f, pm, cause ? cause : panic);
	if (cause)
		put_report_lines(f, pm, cause);
	/* The recorder's stamp has the place that the kernel's lines lack. */
	if (cause && (cause->kind == KERNEL_REPORT_OOPS || cause->kind == KERNEL_REPORT_BUG) &&
	    !cause->place.text && pm->recording && pm->recording->crash.known &&
	    !pm->recording->crash.from_dump) {
		fputs("#   stamp: ", f);
		debuginfo_put_text(pm->debuginfo, f, pm->end.reason,
				   sizeof(pm->end.reason), false);
		putc('\n', f);
	}
	if (panic && cause)
		put_report_line(f, "#   ", panic->title);
	else if (panic)
		put_report_lines(f, pm, panic);
}

static void put_death_place(FILE *f, const struct postmortem_end *end)
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

static void put_death_source(FILE *f, const struct postmortem *pm, const struct death *death)
{
	if (death->panic < 0 && death->cause < 0) {
		if (pm->recording && pm->recording->crash.known && !pm->recording->crash.from_dump)
			fputs("#   source: the crash stamp; no line of the log says more\n", f);
		return;
	}
	fputs(pm->console ? "#   source: the text of a console\n" :
	      death->lines.source == REPORT_SOURCE_LOG ?
	      "#   source: the kernel's log in this dump\n" :
	      "#   source: lines of the console that the recorder kept\n", f);
}

/* --- what else ----------------------------------------------------------- */

static void put_other_report(FILE *f, const struct postmortem *pm, const char *when,
			     const struct kernel_report *report)
{
	fprintf(f, "# %s: ", when);
	put_ago(f, pm, report->time);
	put_report_line(f, ": ", report->title);
	for (u32 i = 0; i < report->nr_lines && report->kind != KERNEL_REPORT_OOPS; i++)
		put_report_line(f, "#   ", report->lines[i]);
	if (report->place.text) {
		fputs("#   at ", f);
		put_report_place(f, pm, report->place);
		if (report->comm.text) {
			fputs(", task ", f);
			put_report_text(f, report->comm);
			putc('-', f);
			put_report_text(f, report->pid);
		}
		putc('\n', f);
	}
}

static bool is_earlier_report(const struct death *death, u32 i)
{
	return !death_has(death, i) && (death->panic < 0 || i < death->panic);
}

/* Is it the panic of another CPU, which put_dying_cpu() prints? */
static bool is_of_dying_cpu(const struct death *death, const struct kernel_report *report)
{
	struct report_text text = kernel_report_panic_text(report);

	for (u32 i = 0; i < death->nr_cpus; i++)
		if (*death->cpus[i].said && report_text_has(text, death->cpus[i].said))
			return true;
	return false;
}

/* Did what panic() calls die as well? */
static bool is_later_report(const struct death *death, u32 i)
{
	const struct kernel_report *report = &death->reports.list[i];

	if (death->panic < 0 || i <= death->panic || death_has(death, i))
		return false;
	if (report->kind == KERNEL_REPORT_PANIC)
		return !is_of_dying_cpu(death, report);
	return report->kind == KERNEL_REPORT_OOPS || report->kind == KERNEL_REPORT_BUG;
}

/* The last reports before the death, in the order of the log; oopses before other reports. */
static u32 choose_earlier(const struct death *death, u32 chosen[MAX_EARLIER])
{
	u32 nr = 0;

	for (int oops = 1; oops >= 0; oops--)
		for (u32 i = death->reports.nr; i-- && nr < MAX_EARLIER; )
			if (is_earlier_report(death, i) &&
			    (death->reports.list[i].kind == KERNEL_REPORT_OOPS) == oops)
				chosen[nr++] = i;
	if (nr == 2 && chosen[0] > chosen[1]) {
		u32 later = chosen[0];

		chosen[0] = chosen[1];
		chosen[1] = later;
	}
	return nr;
}
_Static_assert(MAX_EARLIER == 2, "choose_earlier() sorts two");

static void put_earlier_reports(FILE *f, const struct postmortem *pm, const struct death *death)
{
	u32 chosen[MAX_EARLIER], shown = choose_earlier(death, chosen);
	u32 nr = death->reports.nr_dropped;

	for (u32 i = 0; i < death->reports.nr; i++)
		nr += is_earlier_report(death, i);
	for (u32 i = 0; i < shown; i++)
		put_other_report(f, pm, "earlier", &death->reports.list[chosen[i]]);
	for (u32 i = 0; pm->recording && i < pm->recording->nr_marks; i++) {
		const struct recording_mark *mark = &pm->recording->marks[i];

		if (!death_mark_is_earlier(death, pm, mark))
			continue;
		nr++;
		if (shown == MAX_EARLIER)
			continue;
		shown++;
		fputs("# earlier: ", f);
		put_ago(f, pm, clock_mono(&pm->recording->clock, mark->clock));
		fprintf(f, ": oops on CPU %u at ", mark->cpu);
		text_put(f, mark->text, sizeof(mark->text));
		fputs("; its lines are gone\n", f);
	}
	if (nr > shown)
		fprintf(f, "# and %u more earlier report%s of the kernel: see \"BUG:\", \"WARNING:\" below\n",
			nr - shown, plural(nr - shown));
}

static void put_later_reports(FILE *f, const struct postmortem *pm, const struct death *death)
{
	u32 nr = 0;

	for (u32 i = 0; i < death->reports.nr; i++)
		if (is_later_report(death, i) && ++nr <= MAX_LATER)
			put_other_report(f, pm, "later", &death->reports.list[i]);
	if (nr > MAX_LATER)
		fprintf(f, "# and %u more later report%s of the kernel: see \"BUG:\", \"panic\" below\n",
			nr - MAX_LATER, plural(nr - MAX_LATER));
}

static void put_dying_cpu(FILE *f, const struct postmortem *pm, const struct death_cpu *cpu)
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
		put_death_place(f, end);
		put_death_source(f, pm, death);
	} else {
		fputs("# died: the kernel did not say: it was reset, or still ran when this was read\n", f);
	}
	for (u32 i = 0; i < death->nr_cpus; i++)
		put_dying_cpu(f, pm, &death->cpus[i]);
	if (death->nr_more)
		fprintf(f, "# and %u more CPU%s\n", death->nr_more, plural(death->nr_more));
	put_later_reports(f, pm, death);
	put_earlier_reports(f, pm, death);
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
		if (is_earlier_report(death, i))
			json_report(j, NULL, pm, &death->reports.list[i]);
	json_close(j, ']');
	json_open(j, "later", '[');
	for (u32 i = 0; i < death->reports.nr; i++)
		if (is_later_report(death, i))
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
