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
 * struct epitaph_comparison - a range of numbers, or a text of any length
 * @low: and @width: it holds for what is @low to @low + @width, of the bits in @mask
 * @text: what the text is compared with, and zeroes up to whole words
 * @letters: of @text
 * @begins: the text may go on behind them
 * @at: where the field begins in struct trace_event_raw_x; 8 bytes are loaded
 * @yes: the comparison that is next if it holds, or EPITAPH_PASS, or EPITAPH_REJECT
 * @no: the same if it does not
 * @is_text: @text, @letters and @begins count, and the field says where its text is
 *
 * A range is each of == != < <= > >= of signed and unsigned numbers of 1 to 8 bytes, and & of them;
 * of a text of a fixed size it is 8 letters.
 */
struct epitaph_comparison {
	union {
		struct {
			u64 low;
			u64 mask;
			u64 width;
		};
		struct {
			const u8 *text;
			u32 letters;
			bool begins;
		};
	};
	u16 at;
	u8 yes;
	u8 no;
	bool is_text;
};

#define EPITAPH_COMPARISONS	24
#define EPITAPH_UNDECIDED	0xfd	/* the kernel decides */
#define EPITAPH_PASS		0xfe
#define EPITAPH_REJECT		0xff

/**
 * struct epitaph_program - a filter
 * @nr: of @list; each comparison leads to a later one, so each runs once at most
 * @letters: the texts that are compared with, each from a multiple of 8 on
 * @nr_letters: taken of them
 */
struct epitaph_program {
	u32 nr;
	u32 nr_letters;
	struct epitaph_comparison list[EPITAPH_COMPARISONS];
	u8 letters[512];
};

/**
 * epitaph_program_new() - compile a filter
 * @ev: whose fields it is about
 * @text: an expression that the kernel has understood
 *
 * Context: process, may sleep.
 * Return: for kfree(); NULL: it has what only the kernel evaluates (globs but for "text*",
 *	functions, cpumasks, common_*, comm, cpu), or there is no memory.
 */
struct epitaph_program *epitaph_program_new(const struct epitaph_event *ev, const char *text);

static __always_inline bool same_letters(const void *a, const void *b, u32 n)
{
	u32 i;

	for (i = 0; i + 8 <= n; i += 8)
		if (plat_load64(a + i) != plat_load64(b + i))
			return false;
	return !((plat_load64(a + i) ^ plat_load64(b + i)) & ((1ULL << (n - i) * 8) - 1));
}

/*
 * As the kernel: strncmp() by the length that the field has, as the text may have no end, and strcmp()
 * where that is 0.  Nothing is read behind a word that differs, so the zeroes behind the record end it.
 * Is a text without an end the whole of one that it is the beginning of?  Kernels differ.
 */
static __always_inline u32 text_leads_to(const struct epitaph_comparison *c, const void *raw)
{
	u32 place = plat_load32(raw + c->at), length = place >> 16;
	const void *text = raw + (place & 0xffff);

	if (length && length < c->letters)
		return c->begins || !same_letters(text, c->text, length) ? c->no : EPITAPH_UNDECIDED;
	return same_letters(text, c->text, c->letters + (!c->begins && length != c->letters)) ?
	       c->yes : c->no;
}

static __always_inline u32 range_leads_to(const struct epitaph_comparison *c, const void *raw)
{
	return ((plat_load64(raw + c->at) - c->low) & c->mask) <= c->width ? c->yes : c->no;
}

/**
 * epitaph_program_run() - does the record pass?
 * @raw: a struct trace_event_raw_x; 8 bytes behind it are readable, and zero if its size varies
 * @varies: its size; a constant
 *
 * Context: any, NMI included.
 * Return: EPITAPH_PASS, EPITAPH_REJECT, or EPITAPH_UNDECIDED
 */
static __always_inline u32 epitaph_program_run(const struct epitaph_program *program,
					       const void *raw, bool varies)
{
	u32 i = 0;

	do {
		const struct epitaph_comparison *c = &plat_unbounded(program->list)[i];

		i = varies && c->is_text ? text_leads_to(c, raw) : range_leads_to(c, raw);
	} while (i < EPITAPH_COMPARISONS);
	return i;
}

#endif /* EPITAPH_CONTROL_PROGRAM_H */
