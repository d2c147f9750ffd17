// SPDX-License-Identifier: GPL-2.0-or-later
#include "dead_irq.h"

#include <stdio.h>
#include <string.h>

#include "words.h"

#define MOST_LINES	64		/* between "handlers:" and "Disabling IRQ #24": kernel/irq/spurious.c */
#define BEFORE_NS	10000000000ULL	/* that */
#define LATER_NS	1000000000ULL	/* behind the start of the wait */

/**
 * struct dead_irq - the interrupt
 * @line: "Disabling IRQ #24"
 * @handler: "spi_irq [spi_level]"
 */
struct dead_irq {
	u64 time;
	struct report_text line;
	u64 nr;
	struct report_text handler;
};

/* "[<00000000bf969036>] spi_irq [spi_level]": the last function of the line, which is the thread's where there is one. */
static struct report_text handler_of(struct report_text line)
{
	const char *end = line.text + line.len, *at = line.text, *next;

	while ((next = memmem(at, end - at, "] ", 2)) && next + 2 < end && memmem(at, next - at, "[<", 2))
		at = next + 2;
	return (struct report_text){ at, at > line.text ? end - at : 0 };
}

static bool is_handler_of(struct report_text handler, const char *function, const char *module)
{
	struct fault_text of = { 0 };
	char name[WORDS_FUNCTION];

	fault_text_take_module(&of, handler);
	words_function(name, handler);
	return *of.module && !strcmp(of.module, module) && (!function || !strcmp(name, function));
}

/* The handler of that module among those that the kernel listed in front of the line @at. */
static bool find_handler(struct report_text *ret, const struct report_lines *lines, u32 at, const char *function, const char *module)
{
	bool found = false;

	for (u32 i = at; i-- && at - i < MOST_LINES; ) {
		struct report_text text = { lines->list[i].text, lines->list[i].len }, handler;

		if (lines->list[i].caller != lines->list[at].caller)
			continue;
		if (report_text_has(text, "handlers:"))
			return found;
		handler = handler_of(text);
		if (!handler.len || !is_handler_of(handler, function, module))
			continue;
		*ret = handler;
		found = true;
	}
	return false;
}

static bool find_dead(struct dead_irq *ret, const struct explain *explain, const char *function, const char *module, u64 slept)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = 0; i < lines->nr; i++) {
		const struct report_line *line = &lines->list[i];
		struct report_text text = { line->text, line->len };
		const char *at = memmem(line->text, line->len, "Disabling IRQ #", 15);

		if (!at || line->time > slept + LATER_NS || !find_handler(&ret->handler, lines, i, function, module))
			continue;
		ret->time = line->time;
		ret->line = text;
		ret->nr = report_text_number(text, at + 15, 10);
		return true;
	}
	return false;
}

bool dead_irq_claim(struct explain *explain, const char *name, const char *function, const char *module, u64 slept)
{
	u64 end = explain->pm->end.time, ns;
	char place[2 * WORDS_FUNCTION];
	struct dead_irq irq;

	/* Another device may have the same handler, and be as dead since long ago. */
	if (!slept || !find_dead(&irq, explain, function, module, slept) || irq.time + BEFORE_NS < slept)
		return false;
	ns = end > irq.time ? end - irq.time : 0;
	words_place(place, irq.handler);
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s waits for a completion by %s, a handler of interrupt %llu, which the kernel disabled %llu.%03llu s before the end: its handlers had said too often that it was not theirs (IRQ_NONE).",
		      name, place, irq.nr, ns / 1000000000, ns / 1000000 % 1000);
	finding_open(explain->finding, "For which interrupts %s() came back with IRQ_NONE: it does not know all of its device's, or another device has that line. The device may answer still.",
		     function);
	return true;
}

void dead_irq_open(struct explain *explain, const char *name, const char *module, u64 slept)
{
	char place[2 * WORDS_FUNCTION];
	struct dead_irq irq;

	if (!slept || !find_dead(&irq, explain, NULL, module, slept))
		return;
	words_place(place, irq.handler);
	finding_open(explain->finding, "Perhaps %s waits for what %s does, a handler of interrupt %llu: the kernel disabled that, as its handlers had said too often that it was not theirs (IRQ_NONE).",
		     name, place, irq.nr);
}
