// SPDX-License-Identifier: GPL-2.0-or-later
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MOST_CALLERS	5
#define NEAR_FRAMES	4	/* in which a module stands that the kernel's code worked for */

static void cut_end(char *name, const char *end)
{
	size_t len = strlen(name), end_len = strlen(end);

	if (len > end_len && !strcmp(name + len - end_len, end))
		name[len - end_len] = '\0';
}

/* "_note_9+0x7a/0xffffffffffffffc4": what is no code has a symbol of another section near it, whose size is below zero. */
static bool is_no_code(struct report_text place)
{
	const char *at = place.text ? memmem(place.text, place.len, "/0x", 3) : NULL;
	u32 nr = 0;

	for (at = at ? at + 3 : NULL; at && at < place.text + place.len && isxdigit((u8)*at); at++)
		nr++;
	return nr > 8;
}

void words_function(char name[WORDS_FUNCTION], struct report_text place)
{
	static const char *const suffixes[] = {
		".cold", ".isra.", ".constprop.", ".part.", ".llvm.", ".lto_priv.", ".__uniq.",
	};
	size_t len = 0;

	while (len < place.len && len < WORDS_FUNCTION - 1 && place.text[len] != '+' &&
	       place.text[len] != ' ' && place.text[len] != '/')
		len++;
	if (is_no_code(place))
		len = 0;
	memcpy(name, place.text ?: "", len);
	name[len] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		char *at = strstr(name, suffixes[i]);

		if (at)
			*at = '\0';
	}
	cut_end(name, "_noprof");
}

void words_place(char text[2 * WORDS_FUNCTION], struct report_text place)
{
	char function[WORDS_FUNCTION];
	struct fault_text fault = { 0 };

	words_function(function, place);
	fault_text_take_module(&fault, place);
	if (!*function)
		snprintf(text, 2 * WORDS_FUNCTION, "an unknown function");
	else if (*fault.module)
		snprintf(text, 2 * WORDS_FUNCTION, "%s() of module %s", function, fault.module);
	else
		snprintf(text, 2 * WORDS_FUNCTION, "%s()", function);
}

#define MOST_LINES	30	/* from "RIP:" of a place to the last of its registers */

void words_registers_below(struct fault_text *regs, const struct explain *explain, struct report_text place)
{
	const struct report_lines *lines = &explain->death->lines;
	u32 at = 0;

	while (at < lines->nr && !(place.text >= lines->list[at].text && place.text < lines->list[at].text + lines->list[at].len))
		at++;
	for (u32 i = at; i < lines->nr && i < at + MOST_LINES; i++)
		fault_text_add_registers(regs, (struct report_text){ lines->list[i].text, lines->list[i].len });
}

bool words_symbol(const struct explain *explain, u64 address, char *name, size_t size)
{
	const struct recording *recording = explain->pm->recording;
	const char *recorded = recording && address ? symbols_name(recording->symbols, address) : NULL;

	if (recorded)
		snprintf(name, size, "%s", recorded);
	return recorded || (address && kernel_symbol(explain->kernel, address, name, size));
}

bool words_symbol_at(const struct explain *explain, u64 address, u64 time, u64 raw, char *name, size_t size)
{
	const struct recording *recording = explain->pm->recording;
	char then[PRINT_NAME_MAX];
	struct fault_text of = { 0 };

	if (recording && address && symbols_name_at(recording->symbols, address, raw, then))
		snprintf(name, size, "%s", then);
	else if (!address || !kernel_symbol(explain->kernel, address, name, size))
		return false;
	fault_text_take_module(&of, (struct report_text){ name, strlen(name) });
	return !*of.module || !history_came_after(&explain->history, of.module, time);
}

bool words_deferred(const struct explain *explain, const struct deferred *of, char *name, size_t size)
{
	const struct deferred_act *act = of->started.time ? &of->started : &of->began;

	return words_symbol_at(explain, of->function, act->time, act->raw, name, size);
}

void words_site(char text[2 * WORDS_FUNCTION + 8], const struct explain *explain, u64 address, u64 time, u64 raw)
{
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];

	*text = '\0';
	if (!words_symbol_at(explain, address, time, raw, name, sizeof(name)) || !strchr(name, '+'))
		return;
	words_place(place, (struct report_text){ name, strlen(name) });
	snprintf(text, 2 * WORDS_FUNCTION + 8, " in %s", place);
}

void words_behind_start(char text[WORDS_FUNCTION], u64 offset)
{
	if (offset)
		snprintf(text, WORDS_FUNCTION, "0x%llx behind the start of an object", offset);
	else
		snprintf(text, WORDS_FUNCTION, "at the start of an object");
}

void words_task(char text[WORDS_TASK], const struct kernel_report *report)
{
	*text = '\0';
	if (report && report->comm.text && report->pid.text)
		snprintf(text, WORDS_TASK, "%.*s-%.*s", WORDS(report->comm), WORDS(report->pid));
}

void words_doer(char text[WORDS_TASK], const char *comm, s64 pid)
{
	if (pid == DEFERRED_BY_TIMER)
		snprintf(text, WORDS_TASK, "a timer's function");
	else
		snprintf(text, WORDS_TASK, "%.16s-%lld", comm, pid);
}

struct report_text words_frame(const struct kernel_report *report,
			       bool (*is_plumbing)(const char *function))
{
	char function[WORDS_FUNCTION];

	for (u32 i = 0; report && i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (*function && !is_plumbing(function))
			return report->frames[i];
	}
	return (struct report_text){ NULL, 0 };
}

/* What an interrupt, or softirqs, run is for none of what they came into. */
static bool begins_anew(const struct kernel_report *report, u32 i)
{
	static const char *const words[] = {
		"handle_softirqs", "__do_softirq", "do_softirq", "run_ksoftirqd", "irq_exit", "__irq_exit", "irqentry_", "sysvec_", "asm_", "exc_", "common_interrupt",
		"el1", "__irq_svc", "do_IRQ", "hrtimer_interrupt", "end_repeat_nmi", NULL,
	};
	char function[WORDS_FUNCTION];

	if (report->interrupted.text && i >= report->interrupted_frame)
		return true;
	words_function(function, report->frames[i]);
	return plumbing_begins(function, words);
}

/* Of the next frames from number @from on. */
static bool module_from(char text[2 * WORDS_FUNCTION], const struct kernel_report *report, u32 from)
{
	struct fault_text of = { 0 };

	for (u32 i = from; i < report->nr_frames && i < from + NEAR_FRAMES && !begins_anew(report, i); i++) {
		fault_text_take_module(&of, report->frames[i]);
		if (!*of.module)
			continue;
		words_place(text, report->frames[i]);
		return true;
	}
	return false;
}

bool words_module_behind(char text[2 * WORDS_FUNCTION], const struct kernel_report *report)
{
	struct fault_text of = { 0 };

	fault_text_take_module(&of, report->place);
	return !*of.module && report->place.text && module_from(text, report, 0);
}

bool words_module_behind_frame(char text[2 * WORDS_FUNCTION], const struct kernel_report *report, struct report_text frame)
{
	struct fault_text of = { 0 };

	fault_text_take_module(&of, frame);
	for (u32 i = 0; !*of.module && i < report->nr_frames; i++)
		if (report->frames[i].text == frame.text)
			return module_from(text, report, i + 1);
	return false;
}

/* The line that @text is a part of; NULL: none, as of words out of the recorder's stamp. */
static const struct report_line *line_of(const struct death *death, struct report_text text)
{
	for (u32 i = 0; i < death->lines.nr; i++) {
		const struct report_line *line = &death->lines.list[i];

		if (text.text >= line->text && text.text < line->text + line->len)
			return line;
	}
	return NULL;
}

void words_line_evidence(struct explain *explain, const char *word, struct report_text text)
{
	const struct report_line *line = line_of(explain->death, text);

	if (line)
		finding_evidence(explain->finding, line->time, finding_line(text.text, text.len), "%s%.*s", word, WORDS(text));
	else
		finding_evidence_timeless(explain->finding, "%s%.*s", word, WORDS(text));
}

/* "f < g < h", of those that say something. */
void words_callers_evidence(struct explain *explain, const struct kernel_report *report)
{
	struct finding *finding = explain->finding;
	char text[FINDING_TEXT] = "", function[WORDS_FUNCTION];
	size_t len = 0;
	u32 nr = 0;

	for (u32 i = 0; i < report->nr_frames && nr < MOST_CALLERS && len < sizeof(text) / 2; i++) {
		words_function(function, report->frames[i]);
		if (*function && !plumbing_has(function))
			len += snprintf(text + len, sizeof(text) - len, "%s%s", nr++ ? " < " : "", function);
	}
	/* Of the cause, not again of the panic that it led to. */
	for (u32 i = 0; i < finding->nr_evidence; i++)
		if (!strncmp(finding->evidence[i].text, "called by: ", 11))
			return;
	if (nr) {
		finding_minor(finding, true);
		finding_evidence_timeless(finding, "called by: %s", text);
		finding_minor(finding, false);
	}
}

void words_report_evidence(struct explain *explain, const struct kernel_report *report)
{
	if (!report)
		return;
	if (report->title.text)
		words_line_evidence(explain, "", report->title);
	for (u32 i = 0; i < report->nr_lines && i < 3; i++)
		words_line_evidence(explain, "", report->lines[i]);
	if (report->place.text)
		words_line_evidence(explain, "at ", report->place);
	words_callers_evidence(explain, report);
}

void words_module_flags(char flags[16], const struct explain *explain,
			const struct kernel_report *report, const char *module)
{
	struct report_text text;
	char word[80];
	const char *at;
	u32 from = 0;
	size_t len = 0;

	snprintf(word, sizeof(word), " %s(", module);
	text = report ? fault_text_line(explain->death, report, word, &from) : (struct report_text){ NULL, 0 };
	at = text.text ? memmem(text.text, text.len, word, strlen(word)) : NULL;
	if (at)
		for (at += strlen(word); at + len < text.text + text.len && len < 15 && at[len] >= 'A' &&
		     at[len] <= 'Z'; len++)
			flags[len] = at[len];
	flags[len] = '\0';
}

const char *words_other_tasks(const struct history_cpu *cpu)
{
	return cpu->was_stopped ? "none but the kernel's migration thread" : "no other task";
}

bool words_has_frame(const struct kernel_report *report, const char *name)
{
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (!strcmp(function, name))
			return true;
	}
	return false;
}
