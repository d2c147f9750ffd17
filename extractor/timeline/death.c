// SPDX-License-Identifier: GPL-2.0-or-later
#include "death.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

/* khungtaskd looks at all tasks in one pass, which takes as long as the console prints. */
#define PASS_NS		10000000000ULL
/* It reports so many tasks and then no more, if kernel.hung_task_warnings is as it was built. */
#define HUNG_TASK_WARNINGS	10
/* From the first line of an oops to the end of the kernel. */
#define CUT_NS		1000000000ULL
/* The mark of an oops is made while its lines are printed. */
#define MARK_APART_NS	10000000000ULL
/* From the line of a rehearsal to its crash: file systems are synced. */
#define REHEARSAL_NS	600000000000ULL

/* --- which report -------------------------------------------------------- */

static struct report_text string_text(const char *string)
{
	return (struct report_text){ string, strlen(string) };
}

/* One that was made of the log says no more than the log does. */
static bool has_crash_stamp(const struct postmortem *pm)
{
	return pm->recording && pm->recording->crash.known && !pm->recording->crash.from_dump;
}

/* Cut what the recorder adds behind the text of panic(): "; Oops: error 0x0 at ..." */
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

/* The printed panic that the crash stamp has; without a stamp the last one printed. */
static s64 find_panic(const struct death *death, const struct postmortem *pm)
{
	struct report_text said = without_oops(string_text(pm->end.reason));

	for (u32 i = death->reports.nr; i--; ) {
		const struct kernel_report *report = &death->reports.list[i];
		struct report_text text;

		if (report->kind != KERNEL_REPORT_PANIC)
			continue;
		text = kernel_report_panic_text(report);
		if (!has_crash_stamp(pm) ||
		    (said.len && text.len >= said.len && !memcmp(text.text, said.text, said.len)))
			return i;
	}
	return -1;
}

/* "function+0x1/0x20" of a place; some kernels print the build id of a module behind its name. */
static struct report_text function_of_place(struct report_text place)
{
	const char *end = place.len ? memchr(place.text, ' ', place.len) : NULL;

	if (end)
		place.len = end - place.text;
	return place;
}

/* Did the CPU jump to where no function is, so that report and stamp have an address at most? */
static bool is_jump_to_nowhere(const struct kernel_report *report, const struct postmortem *pm)
{
	return report->kind == KERNEL_REPORT_OOPS && !report->place.text &&
	       report_text_has(string_text(pm->end.reason), " at 0x") &&
	       report->time <= pm->end.time && pm->end.time - report->time < CUT_NS;
}

/* Is this the last report, just before the end, and are its registers missing? The log was cut. */
static bool is_cut_report(const struct death *death, u32 i, const struct postmortem *pm)
{
	const struct kernel_report *report = &death->reports.list[i];

	return (report->kind == KERNEL_REPORT_OOPS || report->kind == KERNEL_REPORT_BUG) &&
	       !report->place.text && i + 1 == death->reports.nr &&
	       report->time <= pm->end.time && pm->end.time - report->time < CUT_NS;
}

/* The oops that started the capture kernel without a panic(). */
static s64 find_fatal_oops(const struct death *death, const struct postmortem *pm)
{
	struct report_text reason = string_text(pm->end.reason);

	for (u32 i = death->reports.nr; i--; ) {
		const struct kernel_report *report = &death->reports.list[i];
		struct report_text function = function_of_place(report->place);

		if (report->kind == KERNEL_REPORT_OOPS &&
		    (!has_crash_stamp(pm) ||
		     (function.len && memmem(reason.text, reason.len, function.text, function.len))))
			return i;
		if ((has_crash_stamp(pm) || pm->console) && (is_cut_report(death, i, pm) || is_jump_to_nowhere(report, pm)))
			return i;
	}
	return -1;
}

static s64 find_cause(const struct death *death, const struct postmortem *pm)
{
	u32 end = death->panic >= 0 ? death->panic : death->reports.nr;
	struct report_text text;

	if (pm->end.how != OUTCOME_CRASHED && !pm->end.real_ns && death->panic < 0)
		return -1;
	if (death->panic >= 0)
		text = kernel_report_panic_text(&death->reports.list[death->panic]);
	else
		text = without_oops(string_text(pm->end.reason));
	if (report_text_has(text, "Fatal exception") && has_crash_stamp(pm))
		return find_fatal_oops(death, pm);
	if (death->panic < 0 && (!has_crash_stamp(pm) || report_text_has(text, ": error 0x")))
		return find_fatal_oops(death, pm);
	return kernel_reports_cause(&death->reports, text, end);
}

s64 death_rehearsal(const struct death *death, const struct postmortem *pm)
{
	struct report_text said = string_text(pm->end.reason);
	const struct report_line *line;

	if (death->panic >= 0)
		said = kernel_report_panic_text(&death->reports.list[death->panic]);
	if (!report_text_has(said, "sysrq triggered crash"))
		return -1;
	for (u32 i = death->lines.nr; i--; ) {
		line = &death->lines.list[i];
		if (pm->end.time > line->time && pm->end.time - line->time > REHEARSAL_NS)
			break;
		if (report_line_is_rehearsal(line->text, line->len))
			return i;
	}
	return -1;
}

/* --- hung tasks ---------------------------------------------------------- */

static bool is_same_task(const struct kernel_report *a, const struct kernel_report *b)
{
	struct report_text task = kernel_report_hung_task(a);

	return task.text && report_text_same(task, kernel_report_hung_task(b));
}

/* The next report of the task of report @i, up to @last; 0: there is none. */
static u32 find_again(const struct death *death, u32 i, u32 last)
{
	for (u32 k = i + 1; k <= last; k++)
		if (is_same_task(&death->reports.list[i], &death->reports.list[k]))
			return k;
	return 0;
}

/* The report behind the longest pause from report @from to @to. */
static u32 behind_longest_pause(const struct death *death, u32 from, u32 to)
{
	const struct kernel_report *list = death->reports.list;
	u64 longest = 0;
	u32 behind = to;

	for (u32 i = from + 1; i <= to; i++)
		if (list[i].time - list[i - 1].time > longest) {
			longest = list[i].time - list[i - 1].time;
			behind = i;
		}
	return behind;
}

/*
 * Each pass of khungtaskd reports each task once, and there is a pause between two. @last: what the pass
 * reported last; return: what it reported first.
 */
static u32 find_pass(const struct death *death, u32 last)
{
	const struct kernel_report *list = death->reports.list;
	u32 i = last, again;

	if (list[i].kind != KERNEL_REPORT_HUNG_TASK)
		return i;
	while (i && list[i - 1].kind == KERNEL_REPORT_HUNG_TASK && list[last].time - list[i - 1].time < PASS_NS) {
		again = find_again(death, i - 1, last);
		if (again)
			return behind_longest_pause(death, i - 1, again);
		i--;
	}
	return i;
}

static bool has_spent_warnings(const struct death *death)
{
	u32 nr = death->reports.nr_dropped;

	for (u32 i = 0; i < death->reports.nr; i++)
		nr += death->reports.list[i].kind == KERNEL_REPORT_HUNG_TASK;
	if (nr >= HUNG_TASK_WARNINGS)
		return true;
	/* Since 6.4 the kernel says it, whatever the number is. */
	for (u32 i = death->lines.nr; i--; )
		if (report_text_has((struct report_text){ death->lines.list[i].text, death->lines.list[i].len },
				    "Future hung task reports are suppressed"))
			return true;
	return false;
}

/*
 * Did the kernel stop in the middle of the last pass, as it reports no more? Then that pass has the first of
 * the tasks that the one before it had. Return: the last report of that one, else @last.
 */
static u32 skip_cut_pass(const struct death *death, u32 last)
{
	u32 cut = find_pass(death, last), whole;

	if (!cut || death->reports.list[cut - 1].kind != KERNEL_REPORT_HUNG_TASK)
		return last;
	whole = find_pass(death, cut - 1);
	if (cut - whole <= last - cut + 1)
		return last;
	for (u32 i = cut; i <= last; i++)
		if (!is_same_task(&death->reports.list[i], &death->reports.list[whole + i - cut]))
			return last;
	return cut - 1;
}

static void take_pass(struct death *death, u32 last)
{
	death->cause = last;
	death->first_blocked = find_pass(death, last);
}

bool death_take_hang(struct death *death)
{
	s64 last = (s64)death->reports.nr - 1;

	if (death->panic >= 0 || death->cause >= 0 || last < 0 || death->reports.list[last].kind != KERNEL_REPORT_HUNG_TASK)
		return false;
	death->is_hang_silent = has_spent_warnings(death);
	take_pass(death, death->is_hang_silent ? skip_cut_pass(death, last) : last);
	return true;
}

bool death_take_last_hang(struct death *death)
{
	u32 last = death->reports.nr - 1;

	if (death->cause == last)
		return false;
	take_pass(death, last);
	return true;
}

bool death_has(const struct death *death, u32 i)
{
	if (i == death->panic || i == death->cause)
		return true;
	return death->cause >= 0 && i >= death->first_blocked && i < death->cause;
}

/* The kernel reports a CPU that is locked up, or stalls RCU, again after less than that. */
static u64 repeats_after(enum kernel_report_kind kind)
{
	return kind == KERNEL_REPORT_LOCKUP ? 60000000000ULL : 200000000000ULL;
}

#define IS_END_NS	1000000000ULL	/* a warning is the end of a text if less than that is behind it */

/* The last oops; without any, what a sanitizer reported last, or with what the text ends. */
static s64 find_last_fault(const struct death *death, u64 end)
{
	s64 sanitizer = -1, last = (s64)death->reports.nr - 1;
	const struct kernel_report *report = &death->reports.list[last];
	bool ends_with_it = end <= report->end + IS_END_NS;

	for (s64 i = (s64)death->reports.nr - 1; i >= 0; i--) {
		report = &death->reports.list[i];
		if (report->kind == KERNEL_REPORT_OOPS)
			return kernel_reports_complete_before(&death->reports, i);
		/* Of a hang and a warning, neither is the answer. */
		ends_with_it &= report->kind <= KERNEL_REPORT_WARNING;
		if (sanitizer < 0 && (kernel_report_is_of_sanitizer(report) || kernel_report_is_of_zfs(report)))
			sanitizer = i;
	}
	return sanitizer < 0 && ends_with_it ? last : sanitizer;
}

bool death_take_last(struct death *death, const struct postmortem *pm)
{
	const struct kernel_report *list = death->reports.list;
	s64 last = (s64)death->reports.nr - 1;

	if (death->panic >= 0 || death->cause >= 0 || last < 0)
		return false;
	if (list[last].kind != KERNEL_REPORT_LOCKUP && list[last].kind != KERNEL_REPORT_RCU_STALL) {
		/* What warns behind an oops is often its consequence, and seldom its cause. */
		last = find_last_fault(death, pm->end.time);
	} else if (pm->end.time > list[last].time + repeats_after(list[last].kind)) {
		return false;
	}
	if (last < 0)
		return false;
	death->cause = last;
	death->first_blocked = last;
	return true;
}

/* --- other CPUs ---------------------------------------------------------- */

/* Take the next line of a stack from @rest; its text is NULL at the end. */
static struct report_text next_stack_line(struct report_text *rest)
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

/* Is it a function that only a dying CPU runs? */
static bool is_deadly_function(struct report_text line)
{
	static const char *const names[] = {
		"oops_begin", "page_fault_oops", "die", "__die", "die_addr", "die_kernel_fault",
		"panic", "vpanic", "nmi_panic",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t len = strlen(names[i]);

		if (line.len > len && !memcmp(line.text, names[i], len) && line.text[len] == '+')
			return true;
	}
	return false;
}

/*
 * Find the place where a dying CPU faulted or called panic() in its stack. After
 * "asm_exc_page_fault+0x22" comes the interrupted function. Return: is the CPU dying?
 */
static bool find_deadly_place(const char *text, size_t size, char *place, size_t place_size)
{
	struct report_text rest = { text, strnlen(text, size) }, line, found = { 0 };
	bool deadly = false, behind = false;

	while ((line = next_stack_line(&rest)).text) {
		if (is_deadly_function(line)) {
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

static struct death_cpu *get_death_cpu(struct death *death, u32 cpu)
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

/* CPUs that were stopped while they were dying. */
static void take_stopped_cpus(struct death *death, const struct recording *recording)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_CPUS);
	u64 n = section_entries(sec, sizeof(struct epitaph_cpu));
	struct epitaph_cpu raw;

	for (u64 i = 0; i < n; i++) {
		int good = section_entry(recording->generation, sec, i, &raw, sizeof(raw));
		char place[DEATH_PLACE];
		struct death_cpu *cpu;

		if (good == -2)
			return;
		if (good != 1 || le32toh(raw.cpu) == recording->crash.cpu ||
		    !find_deadly_place(raw.text, sizeof(raw.text), place, sizeof(place)))
			continue;
		cpu = get_death_cpu(death, le32toh(raw.cpu));
		if (!cpu)
			continue;
		cpu->has_task = true;
		cpu->pid = le32toh(raw.pid);
		snprintf(cpu->comm, sizeof(cpu->comm), "%.*s", (int)sizeof(raw.comm), raw.comm);
		memcpy(cpu->place, place, sizeof(place));
	}
}

/* CPUs that called panic() after the first one did. */
static void take_panic_marks(struct death *death, const struct recording *recording)
{
	for (u32 i = 0; i < recording->nr_marks; i++) {
		const struct recording_mark *mark = &recording->marks[i];
		struct death_cpu *cpu;

		if (mark->type != EPITAPH_MARK_PANIC || mark->cpu == recording->crash.cpu)
			continue;
		cpu = get_death_cpu(death, mark->cpu);
		if (cpu)
			memcpy(cpu->said, mark->text, sizeof(cpu->said));
	}
}

bool death_mark_is_earlier(const struct death *death, const struct postmortem *pm,
			   const struct recording_mark *mark)
{
	/* "PLACE: WHAT, task COMM-PID" */
	const char *end = strstr(mark->text, ": ");
	struct report_text place = { mark->text, end ? end - mark->text : 0 };
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
		    report_text_same(function_of_place(report->place), function_of_place(place)) &&
		    report->time < time + MARK_APART_NS && time < report->time + MARK_APART_NS)
			return false;
	}
	return true;
}

/* --- all together -------------------------------------------------------- */

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
		death->first_blocked = find_pass(death, death->cause);
	if (has_crash_stamp(pm)) {
		take_stopped_cpus(death, pm->recording);
		take_panic_marks(death, pm->recording);
	}
	return 0;
}

void death_free(struct death *death)
{
	kernel_reports_free(&death->reports);
	report_lines_free(&death->lines);
}
