/* SPDX-License-Identifier: GPL-2.0-only */
/* What a command is answered: lines of text, of any length. */
#ifndef EPITAPH_CONTROL_ANSWER_H
#define EPITAPH_CONTROL_ANSWER_H

#include <linux/compiler.h>
#include <linux/types.h>

/**
 * struct epitaph_answer - all zero is none yet
 * @text: @size bytes, of which @used are the answer; nothing ends it
 * @is_cut: there was no memory for what comes behind
 */
struct epitaph_answer {
	char *text;
	size_t size, used;
	bool is_cut;
};

/**
 * epitaph_answer() - one more line
 * @fmt: with its newline
 *
 * Where there is no memory for it, it is left out, and all behind it.
 *
 * Context: process, may sleep.
 */
__printf(2, 3) void epitaph_answer(struct epitaph_answer *answer, const char *fmt, ...);

/* Back to none. */
void epitaph_answer_free(struct epitaph_answer *answer);

#endif /* EPITAPH_CONTROL_ANSWER_H */
