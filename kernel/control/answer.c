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

void epitaph_answer(struct epitaph_answer *answer, const char *fmt, ...)
{
	char *line;
	va_list args;

	va_start(args, fmt);
	line = kvasprintf(GFP_KERNEL, fmt, args);
	va_end(args);
	if (line && answer_has_room(answer, strlen(line))) {
		memcpy(answer->text + answer->used, line, strlen(line));
		answer->used += strlen(line);
	}
	kfree(line);
}

void epitaph_answer_free(struct epitaph_answer *answer)
{
	kvfree(answer->text);
	memset(answer, 0, sizeof(*answer));
}
