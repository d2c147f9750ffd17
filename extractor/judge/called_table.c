// SPDX-License-Identifier: GPL-2.0-or-later
#include "called_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "fault/last_load.h"
#include "fault/tail_jump.h"
#include "linux_kernel/vmem.h"
#include "words.h"

#define MOST_ENTRIES	256	/* of a table */
#define MOST_BEHIND	8	/* entries on each side of what was called */

/**
 * struct called_table - the table
 * @start: its address
 * @base, @offset: it begins so far behind that register
 * @index: of what was called
 * @nr: functions from its start on
 */
struct called_table {
	u64 start;
	s32 base;
	s64 offset;
	s64 index;
	u32 nr;
};

static bool read_called_entry(const struct kernel *kernel, const struct called_table *table, s64 index, u64 *value)
{
	return vmem_number(kernel->vmem, table->start + 8 * (u64)index, 8, value);
}

/* Is the start of a function there? */
static bool is_function(const struct kernel *kernel, const struct called_table *table, s64 index)
{
	char symbol[KERNEL_SYMBOL_MAX];
	u64 value;

	return read_called_entry(kernel, table, index, &value) && kernel_symbol(kernel, value, symbol, sizeof(symbol)) && strstr(symbol, "+0x0/");
}

/* By the register; where the call has overwritten that, by the only place near the table that has what was called. */
static bool find_called_index(struct called_table *table, const struct explain *explain, const struct instruction_access *load, s32 called)
{
	const struct instruction_set *set = explain->access.instruction.set;
	u64 value, here;
	u32 nr = 0;

	if (load->index != called) {
		if (!fault_text_register(&explain->fault, instruction_register(set, load->index), &value))
			return false;
		table->index = (s64)value;
		return table->index >= -MOST_BEHIND && table->index < MOST_ENTRIES;
	}
	for (s64 i = -MOST_BEHIND; i < MOST_ENTRIES; i++) {
		if (!read_called_entry(explain->kernel, table, i, &here) || here != explain->fault.address)
			continue;
		table->index = i;
		nr++;
	}
	return nr == 1;
}

static bool find_called_table(struct called_table *table, const struct explain *explain, struct report_text frame)
{
	s32 called = explain->access.memory.base;
	struct function_code *code = malloc(sizeof(*code));
	struct instruction_access load = { .base = INSTRUCTION_NO_REGISTER, .index = INSTRUCTION_NO_REGISTER };
	struct instruction call;
	u64 base = 0;
	bool is = code && function_code_read_caller(code, explain->kernel, frame) && tail_jump_call_before(&call, code) &&
		  last_load_of_table(&load, code, called) &&
		  (load.base < 0 || fault_text_register(&explain->fault, instruction_register(explain->access.instruction.set, load.base), &base));

	free(code);
	if (!is)
		return false;
	*table = (struct called_table){ .start = base + (u64)load.offset, .base = load.base, .offset = load.offset };
	return find_called_index(table, explain, &load, called);
}

/* Does the table end before what was called, and is it whole? */
static bool is_outside(struct called_table *table, const struct kernel *kernel)
{
	u64 value;

	while (table->nr < MOST_ENTRIES && is_function(kernel, table, table->nr))
		table->nr++;
	for (u32 i = 1; table->index > 0 && i <= MOST_BEHIND; i++)
		if (is_function(kernel, table, table->index + i))
			return false;
	/* Of memory that was kept, a name may lack. */
	if (kernel->kept && table->index >= 0 && read_called_entry(kernel, table, table->nr, &value) && in_kernel_half(value))
		return false;
	return table->nr && (table->index < 0 || table->index >= (s64)table->nr);
}

bool called_table_claim(struct explain *explain, struct report_text frame, const char *caller)
{
	const struct instruction_set *set = explain->access.instruction.set;
	const struct kernel *kernel = explain->kernel;
	struct called_table table;
	char where[64];
	u64 here;

	if (!kernel || !explain->access.is_call || !frame.text || !find_called_table(&table, explain, frame) || !read_called_entry(kernel, &table, table.index, &here) ||
	    here != explain->fault.address || !is_outside(&table, kernel))
		return false;
	if (table.base >= 0)
		snprintf(where, sizeof(where), "at 0x%llx of %016llx (%s)", (u64)table.offset, table.start - (u64)table.offset, instruction_register(set, table.base));
	else
		snprintf(where, sizeof(where), "at %016llx", table.start);
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s called what stands %s a table of functions, at index %lld of those that begin %s: %016llx, which is none.", caller,
		      table.index < 0 ? "in front of" : "behind", table.index, where, explain->fault.address);
	finding_open(explain->finding, "Where that index is from: %s. The table has %u functions, one behind the other, and is whole.",
		     table.index < 0 ? "a search that found nothing, such as ffs() - 1 of 0" : "a number that was not compared with the size, or an end that is one too far",
		     table.nr);
	return true;
}
