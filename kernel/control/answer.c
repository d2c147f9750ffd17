// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "answer.h"

static bool answer_has_room(struct epitaph_answer *answer, size_t more)
{
	size_t size = max_t(size_t, 2 * answer->size, PAGE_SIZE);
	char *text;

	if (more <= answer->size - answer->used)
		return true;
	size = max(size, answer->used + more);
	text = kvmalloc(size, GFP_KERNEL);
	if (!text)
		return false;
	if (answer->used)
		memcpy(text, answer->text, answer->used);
	kvfree(answer->text);
	answer->text = text;
	answer->size = size;
	return true;
}

static int put_at_end(struct epitaph_answer *answer, const char *fmt, va_list args)
{
	va_list copy;
	int n;

	va_copy(copy, args);
	n = vsnprintf(answer->text + answer->used, answer->size - answer->used, fmt, copy);
	va_end(copy);
	return n;
}

void epitaph_answer(struct epitaph_answer *answer, const char *fmt, ...)
{
	va_list args;
	int n;

	if (answer->is_cut)
		return;
	va_start(args, fmt);
	n = put_at_end(answer, fmt, args);
	if (n >= answer->size - answer->used) {
		/* A byte more for the terminator. */
		answer->is_cut = !answer_has_room(answer, n + 1);
		n = answer->is_cut ? 0 : put_at_end(answer, fmt, args);
	}
	answer->used += n;
	va_end(args);
}

void epitaph_answer_free(struct epitaph_answer *answer)
{
	kvfree(answer->text);
	memset(answer, 0, sizeof(*answer));
}
