// SPDX-License-Identifier: GPL-2.0-or-later
#include "death.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

/* khungtaskd looks at all tasks in one pass, and prints as long as the console takes. */
#define PASS_NS		10000000000ULL
/* Between the first line of an oops and the end of the kernel. */
#define CUT_NS		1000000000ULL
/* A mark of an oops is made while its lines are printed. */
#define MARK_APART_NS	10000000000ULL

/* --- which report -------------------------------------------------------- */

static struct report_text string_text(const char *string)
{
	return (struct report_text){ string, strlen(string) };
}

/* What the recorder adds behind the text of panic(): "; Oops: error 0x0 at ..." */
static struct report_text without_oops(struct report_text reason)
{
	const char *at = memmem(reason.text, reason.len, "; ", 2);

	while (at) {
		struct report_text rest = { at, reason.text + reason.len - at };

		if (report_text_has(rest, ": error 0x") && report_text_has(rest, " at ")) {
			reason.len = at - reason.text;
			break;
		}
		at = memmem(at + 1, rest.len - 1, "; ", 2);
	}
	return reason;
}

static bool begins_with(struct report_text text, struct report_text start)
{
	return text.len >= start.len && !memcmp(text.text, start.text, start.len);
}

/* The panic of the stamp, as the kernel printed it; without a stamp the last one printed. */
static s64 find_panic(const struct death *death, const struct postmortem *pm)
{
	struct report_text said = without_oops(string_text(pm->end.reason));

	for (u32 i = death->reports.nr; i--; ) {
		const struct kernel_report *report = &death->reports.list[i];

		if (report->kind != KERNEL_REPORT_PANIC)
			continue;
		if (!pm->recording || !pm->recording->crash.known ||
		    (said.len && begins_with(kernel_report_panic_text(report), said)))
			return i;
	}
	return -1;
}

/* "function+0x1/0x20" of a place: some kernels print the build id of a module behind its name. */
static struct report_text function_of(struct report_text place)
{
	const char *end = place.len ? memchr(place.text, ' ', place.len) : NULL;

	if (end)
		place.len = end - place.text;
	return place;
}

/* Does the stamp name the place of this oops? */
static bool is_of_stamp(const struct kernel_report *report, const struct postmortem *pm)
{
	struct report_text reason = string_text(pm->end.reason);
	struct report_text function = function_of(report->place);

	return function.len && memmem(reason.text, reason.len, function.text, function.len);
}

/* The last report of all, just before the end, whose registers are not there: a log that was cut. */
static bool is_cut(const struct death *death, u32 i, const struct postmortem *pm)
{
	const struct kernel_report *report = &death->reports.list[i];

	return (report->kind == KERNEL_REPORT_OOPS || report->kind == KERNEL_REPORT_BUG) &&
	       !report->place.text && i + 1 == death->reports.nr &&
	       report->time <= pm->end.time && pm->end.time - report->time < CUT_NS;
}

/* An oops that ended in no panic() goes straight to the capture kernel. */
static s64 find_oops(const struct death *death, const struct postmortem *pm)
{
	bool has_stamp = pm->recording && pm->recording->crash.known;

	for (u32 i = death->reports.nr; i--; ) {
		const struct kernel_report *report = &death->reports.list[i];

		if (report->kind == KERNEL_REPORT_OOPS && (!has_stamp || is_of_stamp(report, pm)))
			return i;
		if (has_stamp && is_cut(death, i, pm))
			return i;
	}
	return -1;
}

static s64 find_cause(const struct death *death, const struct postmortem *pm)
{
	bool has_stamp = pm->recording && pm->recording->crash.known;
	u32 end = death->panic >= 0 ? death->panic : death->reports.nr;
	struct report_text text;

	if (pm->end.how != OUTCOME_CRASHED && !pm->end.real_ns && death->panic < 0)
		return -1;
	if (death->panic >= 0)
		text = kernel_report_panic_text(&death->reports.list[death->panic]);
	else
		text = without_oops(string_text(pm->end.reason));
	if (report_text_has(text, "Fatal exception") && has_stamp)
		return find_oops(death, pm);
	if (death->panic < 0 && (!has_stamp || report_text_has(text, ": error 0x")))
		return find_oops(death, pm);
	return kernel_reports_cause(&death->reports, text, end);
}

static u32 find_first_blocked(const struct death *death)
{
	const struct kernel_report *list = death->reports.list;
	u32 i = death->cause;

	if (list[i].kind != KERNEL_REPORT_HUNG_TASK)
		return i;
	while (i && list[i - 1].kind == KERNEL_REPORT_HUNG_TASK &&
	       list[death->cause].time - list[i - 1].time < PASS_NS)
		i--;
	return i;
}

bool death_has(const struct death *death, u32 i)
{
	if (i == death->panic || i == death->cause)
		return true;
	return death->cause >= 0 && i >= death->first_blocked && i < death->cause;
}

/* --- other CPUs ---------------------------------------------------------- */

/* One line of a stack; a @text of NULL: no more. */
static struct report_text next_line(struct report_text *rest)
{
	struct report_text line = *rest;
	const char *end;

	if (!rest->len)
		return (struct report_text){ 0 };
	end = memchr(rest->text, '\n', rest->len);
	if (end)
		line.len = end - rest->text;
	rest->text += line.len + (end != NULL);
	rest->len -= line.len + (end != NULL);
	return line;
}

static bool is_function(struct report_text line, const char *name)
{
	size_t len = strlen(name);

	return line.len > len && !memcmp(line.text, name, len) && line.text[len] == '+';
}

/* Functions that only a CPU that dies is in. */
static bool is_deadly(struct report_text line)
{
	static const char *const names[] = {
		"oops_begin", "page_fault_oops", "die", "__die", "die_addr", "die_kernel_fault",
		"panic", "vpanic", "nmi_panic",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (is_function(line, names[i]))
			return true;
	return false;
}

/* Behind "asm_exc_page_fault+0x22" stands what it interrupted. */
static bool find_place(const char *text, size_t size, char *place, size_t place_size)
{
	struct report_text rest = { text, strnlen(text, size) }, line, found = { 0 };
	bool deadly = false, behind = false;

	while ((line = next_line(&rest)).text) {
		if (is_deadly(line)) {
			deadly = true;
			found = (struct report_text){ 0 };
		} else if (deadly && (behind || !found.text)) {
			found = line;
			if (behind)
				break;
		}
		behind = deadly && line.len > 8 && !memcmp(line.text, "asm_exc_", 8);
	}
	snprintf(place, place_size, "%.*s", (int)found.len, found.text ? found.text : "");
	return deadly;
}

static struct death_cpu *cpu_of(struct death *death, u32 cpu)
{
	for (u32 i = 0; i < death->nr_cpus; i++)
		if (death->cpus[i].cpu == cpu)
			return &death->cpus[i];
	if (death->nr_cpus == DEATH_MAX_CPUS) {
		death->nr_more++;
		return NULL;
	}
	death->cpus[death->nr_cpus] = (struct death_cpu){ .cpu = cpu };
	return &death->cpus[death->nr_cpus++];
}

static void look_at_cpu(struct death *death, const struct epitaph_cpu *raw)
{
	char place[DEATH_PLACE];
	struct death_cpu *cpu;

	if (!find_place(raw->text, sizeof(raw->text), place, sizeof(place)))
		return;
	cpu = cpu_of(death, le32toh(raw->cpu));
	if (!cpu)
		return;
	cpu->has_task = true;
	cpu->pid = le32toh(raw->pid);
	snprintf(cpu->comm, sizeof(cpu->comm), "%.*s", (int)sizeof(raw->comm), raw->comm);
	memcpy(cpu->place, place, sizeof(place));
}

static void look_at_cpus(struct death *death, const struct recording *recording)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_CPUS);
	u64 n = section_entries(sec, sizeof(struct epitaph_cpu));
	struct epitaph_cpu raw;

	for (u64 i = 0; i < n; i++) {
		int good = section_entry(recording->generation, sec, i, &raw, sizeof(raw));

		if (good == -2)
			return;
		if (good == 1 && le32toh(raw.cpu) != recording->crash.cpu)
			look_at_cpu(death, &raw);
	}
}

/* What panic() was told on a CPU that came second. */
static void look_at_marks(struct death *death, const struct recording *recording)
{
	for (u32 i = 0; i < recording->nr_marks; i++) {
		const struct recording_mark *mark = &recording->marks[i];
		struct death_cpu *cpu;

		if (mark->type != EPITAPH_MARK_PANIC || mark->cpu == recording->crash.cpu)
			continue;
		cpu = cpu_of(death, mark->cpu);
		if (cpu)
			memcpy(cpu->said, mark->text, sizeof(cpu->said));
	}
}

/* "PLACE: WHAT, task COMM-PID" */
static struct report_text place_of_mark(const struct recording_mark *mark)
{
	const char *end = strstr(mark->text, ": ");

	return (struct report_text){ mark->text, end ? end - mark->text : 0 };
}

bool death_mark_is_earlier(const struct death *death, const struct postmortem *pm,
			   const struct recording_mark *mark)
{
	struct report_text place = place_of_mark(mark);
	const struct recording *recording = pm->recording;
	u64 time = clock_mono(&recording->clock, mark->clock);

	if (mark->type != EPITAPH_MARK_OOPS)
		return false;
	if (recording->crash.known && mark->cpu == recording->crash.cpu && place.len &&
	    memmem(recording->crash.reason, strlen(recording->crash.reason), place.text, place.len))
		return false;
	for (u32 i = 0; i < death->reports.nr; i++) {
		const struct kernel_report *report = &death->reports.list[i];

		if (report->kind == KERNEL_REPORT_OOPS &&
		    report_text_same(function_of(report->place), function_of(place)) &&
		    report->time < time + MARK_APART_NS && time < report->time + MARK_APART_NS)
			return false;
	}
	return true;
}

/* --- all of it ----------------------------------------------------------- */

int death_read(struct death *death, struct postmortem *pm, struct err *err)
{
	int ret;

	memset(death, 0, sizeof(*death));
	death->panic = death->cause = -1;
	ret = report_lines_read(&death->lines, pm, err);
	if (!ret)
		ret = kernel_reports_read(&death->reports, death->lines.list, death->lines.nr, err);
	if (ret)
		return ret;
	death->panic = find_panic(death, pm);
	death->cause = find_cause(death, pm);
	if (death->cause >= 0)
		death->first_blocked = find_first_blocked(death);
	if (pm->recording && pm->recording->crash.known) {
		look_at_cpus(death, pm->recording);
		look_at_marks(death, pm->recording);
	}
	return 0;
}

void death_free(struct death *death)
{
	kernel_reports_free(&death->reports);
	report_lines_free(&death->lines);
}
