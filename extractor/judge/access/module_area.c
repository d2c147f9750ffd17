// SPDX-License-Identifier: GPL-2.0-or-later
#include "module_area.h"

#include <stdio.h>
#include <string.h>

#include "judge/words.h"

/* arch/x86/include/asm/pgtable_64_types.h, with CONFIG_RANDOMIZE_BASE. */
#define AREA_START	0xffffffffc0000000ULL
#define AREA_END	0xfffffffffefff000ULL

/* "name(OE)" of "Modules linked in: ... [last unloaded: name(OE)]"; a text of NULL: none was. */
static struct report_text last_unloaded(const struct explain *explain)
{
	static const char word[] = "[last unloaded: ";
	u32 from = 0;
	struct report_text line = fault_text_line(explain->death, explain->cause, "Modules linked in:", &from);
	const char *at = line.text ? memmem(line.text, line.len, word, sizeof(word) - 1) : NULL, *end = line.text + line.len;
	struct report_text name = { NULL, 0 };

	if (!at)
		return name;
	name.text = at + sizeof(word) - 1;
	while (name.text + name.len < end && !strchr("(]: ", name.text[name.len]))
		name.len++;
	return name;
}

/* When it was unloaded, by the trace: ", unloaded 0.026 s before the end". */
static void put_when(char when[64], const struct explain *explain, struct report_text name)
{
	const struct history *history = &explain->history;
	u64 end = explain->pm->end.time;

	snprintf(when, 64, ", which was unloaded");
	for (u32 i = history->nr_modules; i--; ) {
		const struct history_module *module = &history->modules[i];
		u64 ns = end > module->time ? end - module->time : 0;

		if (strlen(module->name) != name.len || memcmp(module->name, name.text, name.len))
			continue;
		if (module->is_gone)
			snprintf(when, 64, ", unloaded %llu.%03llu s before the end", ns / 1000000000, ns / 1000000 % 1000);
		return;
	}
}

void module_area_add(struct explain *explain)
{
	const struct fault_text *fault = &explain->fault;
	const struct kernel *kernel = explain->pm->kernel;
	struct report_text name;
	char when[64], symbol[KERNEL_SYMBOL_MAX];

	if (!fault->has_address || fault->address < AREA_START || fault->address >= AREA_END ||
	    (kernel && kernel_symbol(kernel, fault->address, symbol, sizeof(symbol))))
		return;
	name = last_unloaded(explain);
	if (!name.len)
		return;
	put_when(when, explain, name);
	finding_open(explain->finding,
		     "Modules lie there. Perhaps %.*s did%s; or it is __init of one, or a broken pointer.",
		     WORDS(name), when);
}
