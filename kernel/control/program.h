/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A filter as comparisons that need no record of the kernel's: docs/control.md, Filters.
 */
#ifndef EPITAPH_CONTROL_PROGRAM_H
#define EPITAPH_CONTROL_PROGRAM_H

#include <linux/types.h>
#include <epitaph/plat.h>

struct epitaph_event;

/**
 * struct epitaph_comparison - a range of numbers
 * @low: and @width: it holds for what is @low to @low + @width, of the bits in @mask
 * @at: where the field begins in struct trace_event_raw_x; 8 bytes are loaded
 * @yes: the comparison that is next if it holds, or EPITAPH_PASS, or EPITAPH_REJECT
 * @no: the same if it does not
 *
 * That is each of == != < <= > >= of signed and unsigned numbers of 1 to 8 bytes, and & of them;
 * of a text of a fixed size it is 8 letters.
 */
struct epitaph_comparison {
	u64 low;
	u64 mask;
	u64 width;
	u16 at;
	u8 yes;
	u8 no;
};

#define EPITAPH_COMPARISONS	24
#define EPITAPH_PASS		0xfe
#define EPITAPH_REJECT		0xff

/* Each comparison leads to a later one, so each runs once at most. */
struct epitaph_program {
	u32 nr;
	struct epitaph_comparison list[EPITAPH_COMPARISONS];
};

/**
 * epitaph_program_new() - compile a filter
 * @ev: whose fields it is about
 * @text: an expression that the kernel has understood
 *
 * Context: process, may sleep.
 * Return: for kfree(); NULL: it has what only the kernel evaluates (texts of any length, globs
 *	but for "text*", functions, cpumasks, common_*, comm, cpu), or there is no memory.
 */
struct epitaph_program *epitaph_program_new(const struct epitaph_event *ev, const char *text);

/**
 * epitaph_program_passes() - does the record pass?
 * @raw: a struct trace_event_raw_x; 8 bytes behind it are readable
 *
 * Context: any, NMI included.
 */
static __always_inline bool epitaph_program_passes(const struct epitaph_program *program,
						   const void *raw)
{
	u32 i = 0;

	do {
		const struct epitaph_comparison *c = &program->list[i];

		i = ((plat_load64(raw + c->at) - c->low) & c->mask) <= c->width ? c->yes : c->no;
	} while (i < EPITAPH_COMPARISONS);
	return i == EPITAPH_PASS;
}

#endif /* EPITAPH_CONTROL_PROGRAM_H */
