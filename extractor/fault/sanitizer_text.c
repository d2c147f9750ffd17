// SPDX-License-Identifier: GPL-2.0-or-later
#include "sanitizer_text.h"

#include <string.h>

#define MOST_LINES	400	/* of one report, with its stacks */

static bool line_has_start(struct report_text text, const char *word)
{
	size_t len = strlen(word);

	return text.len >= len && !memcmp(text.text, word, len);
}

static bool line_has_end(struct report_text text, const char *word)
{
	size_t len = strlen(word);

	return text.len >= len && !memcmp(text.text + text.len - len, word, len);
}

/* "BUG: KASAN: slab-use-after-free in session_get+0x1/0x20 [module]" */
static void split_title(struct sanitizer_text *text, struct report_text title)
{
	static const char in[] = " in ";
	const char *at;
	u32 skip;

	text->sanitizer = report_text_sanitizer(title, &skip);
	title.text += skip;
	title.len -= skip;
	text->fault = title;
	at = memmem(title.text, title.len, in, strlen(in));
	if (!at)
		return;
	text->fault.len = at - title.text;
	text->place.text = at + strlen(in);
	text->place.len = title.text + title.len - text->place.text;
}

/* Which stack a line is the head of; SANITIZER_STACKS: of none. */
static enum sanitizer_stack_kind stack_below(const struct sanitizer_text *text, struct report_text line)
{
	bool has_access = text->stacks[SANITIZER_ACCESS].head.text;

	if (line_has_start(line, "Call Trace:") || line_has_start(line, "Call trace:"))
		return SANITIZER_ACCESS;
	if (line_has_start(line, "Allocated by task ") || line_has_start(line, "allocated by task "))
		return SANITIZER_ALLOCATED;
	if (line_has_start(line, "Freed by task ") || line_has_start(line, "freed by task "))
		return SANITIZER_FREED;
	if (line_has_start(line, "Last potentially related work creation:"))
		return SANITIZER_GIVEN;
	if (line_has_start(line, "Uninit was created at:") || (line_has_start(line, "Local variable ") && line_has_end(line, " created at:")))
		return SANITIZER_CREATED;
	if (text->sanitizer == SANITIZER_KFENCE && !has_access && report_text_has(line, " at 0x") && line_has_end(line, ":"))
		return SANITIZER_ACCESS;
	if (text->sanitizer == SANITIZER_KFENCE && !has_access && line_has_start(line, "Invalid free of "))
		return SANITIZER_ACCESS;
	if (text->sanitizer == SANITIZER_KCSAN && report_text_has(line, " to 0x") && report_text_has(line, " bytes by "))
		return has_access ? SANITIZER_OTHER : SANITIZER_ACCESS;
	/* The stack of KMSAN has nothing above it but the title. */
	return SANITIZER_STACKS;
}

static void take_saying(struct sanitizer_text *text, struct report_text line)
{
	if (line_has_start(line, "Read of size ") || line_has_start(line, "Write of size ") || line_has_start(line, "Free of addr "))
		text->access = line;
	else if (line_has_start(line, "which belongs to the cache ") || line_has_start(line, "kfence-#"))
		text->object = line;
	else if (text->where.text && !text->region.text && report_text_has(line, "-byte region "))
		text->region = line;
	else if (line_has_start(line, "The buggy address is located "))
		text->where = line;
}

static struct report_text unindented(const struct report_line *line)
{
	struct report_text text = { line->text, line->len };

	while (text.len && (*text.text == ' ' || *text.text == '\t')) {
		text.text++;
		text.len--;
	}
	return text;
}

static bool is_line_of_reporter(const struct kernel_report *report, const struct report_line *line)
{
	return line->caller == report->caller || line->caller == KERNEL_REPORT_NO_CALLER ||
	       report->caller == KERNEL_REPORT_NO_CALLER;
}

/* Another report, or the line that ends this one. */
static bool is_over(struct report_text line)
{
	u32 len;

	return line_has_start(line, "=====") || line_has_start(line, "---[ end trace") || line_has_start(line, "Kernel panic - not syncing") ||
	       report_text_is_die(line) || report_text_sanitizer(line, &len) != SANITIZER_NONE;
}

static void read_sections(struct sanitizer_text *text, const struct death *death, const struct kernel_report *report,
		       u32 first)
{
	struct sanitizer_stack *stack = NULL;

	if (text->sanitizer == SANITIZER_KMSAN)
		stack = &text->stacks[SANITIZER_ACCESS];
	for (u32 i = first + 1; i < death->lines.nr && i - first < MOST_LINES; i++) {
		struct report_text line = unindented(&death->lines.list[i]);
		enum sanitizer_stack_kind below;

		if (!is_line_of_reporter(report, &death->lines.list[i]))
			continue;
		if (is_over(line))
			break;
		below = stack_below(text, line);
		if (below < SANITIZER_STACKS) {
			stack = text->stacks[below].head.text ? NULL : &text->stacks[below];
			if (stack)
				stack->head = line;
			if (below == SANITIZER_ACCESS && text->sanitizer != SANITIZER_KASAN && !line_has_start(line, "Call "))
				text->access = line;
			continue;
		}
		if (stack && kernel_report_add_frame(&stack->report, line))
			continue;
		stack = NULL;
		if (text->sanitizer == SANITIZER_UBSAN && i == first + 1 && !line_has_start(line, "CPU: "))
			text->access = line;
		take_saying(text, line);
	}
}

bool sanitizer_text_read(struct sanitizer_text *text, const struct death *death, const struct kernel_report *report)
{
	u32 first = 0;

	memset(text, 0, sizeof(*text));
	if (!report || !kernel_report_is_of_sanitizer(report))
		return false;
	split_title(text, report->title);
	while (first < death->lines.nr && (report->title.text < death->lines.list[first].text ||
					   report->title.text >= death->lines.list[first].text + death->lines.list[first].len))
		first++;
	read_sections(text, death, report, first);
	return true;
}
