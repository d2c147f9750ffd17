// SPDX-License-Identifier: GPL-2.0-or-later
#include "lockdep_text.h"

#include <string.h>

#include "fault_text.h"

static struct report_text part_before(struct report_text text, const char *word)
{
	const char *at = text.text ? memmem(text.text, text.len, word, strlen(word)) : NULL;

	if (!at)
		return (struct report_text){ NULL, 0 };
	while (at > text.text && at[-1] == ' ')
		at--;
	return (struct report_text){ text.text, at - text.text };
}

/* "ffff8881012 (&port->lock){+.+.}-{2:2}, at: [<ffffffff81234567>] port_read+0x1e/0x40"; a class may have brackets. */
static struct lockdep_lock lock_in(struct report_text line)
{
	struct report_text at = report_text_behind(line, ", at: ");
	struct lockdep_lock lock = { .class = part_before(report_text_behind(line, "("), "){") };

	if (at.len > 2 && !memcmp(at.text, "[<", 2))
		at = report_text_behind(at, ">] ");
	lock.at = at;
	return lock;
}

/* The first lock in the lines from @word on: in its own, or in one of the two behind it. */
static struct lockdep_lock lock_behind(const struct death *death, const struct kernel_report *report, const char *word)
{
	struct lockdep_lock lock = { 0 };
	u32 from = 0, last;

	if (!fault_text_line(death, report, word, &from).text)
		return lock;
	last = from + 2;
	for (from--; from < last && !lock.class.text; ) {
		struct report_text line = fault_text_line(death, report, "", &from);

		if (!line.text)
			break;
		lock = lock_in(line);
	}
	return lock;
}

static enum lockdep_kind lockdep_kind_of(struct report_text title)
{
	static const struct {
		const char *word;
		enum lockdep_kind kind;
	} kinds[] = {
		{ "circular locking", LOCKDEP_ORDER }, { "recursive locking", LOCKDEP_RECURSION },
		{ "lock inversion", LOCKDEP_INTERRUPT }, { "inconsistent lock state", LOCKDEP_INTERRUPT },
		{ "unsafe lock order", LOCKDEP_INTERRUPT }, { "suspicious RCU usage", LOCKDEP_RCU },
		{ "returning to user space", LOCKDEP_KEPT }, { "still has locks held", LOCKDEP_KEPT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (report_text_has(title, kinds[i].word))
			return kinds[i].kind;
	return LOCKDEP_OTHER;
}

/* "WARNING: ... detected", before 4.13 "[ INFO: ... detected ]" */
static struct report_text what_of(struct report_text title)
{
	const char *at = title.len ? memchr(title.text, ':', title.len) : NULL;

	if (at) {
		title.len -= at + 1 - title.text;
		title.text = at + 1;
	}
	while (title.len && *title.text == ' ') {
		title.text++;
		title.len--;
	}
	while (title.len && strchr("!.] ", title.text[title.len - 1]))
		title.len--;
	return title;
}

static struct report_text task_before(const struct death *death, const struct kernel_report *report)
{
	static const char *const words[] = {
		" is trying to acquire lock:", " is trying to acquire:", " is trying to lock:", " just changed the state of lock:",
		" is leaving the kernel with locks still held!", " still has locks held", " is freeing memory ",
	};
	struct report_text task = { NULL, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(words) && !task.text; i++) {
		u32 from = 0;

		task = part_before(fault_text_line(death, report, words[i], &from), words[i]);
	}
	if (!task.text) {
		u32 from = 0;

		task = part_before(fault_text_line(death, report, " takes:", &from), " takes:");
	}
	if (part_before(task, " [HC").text)
		task = part_before(task, " [HC");
	if (task.len > 6 && !memcmp(task.text, "[ BUG: ", 7))
		task = report_text_behind(task, "[ BUG: ");
	if (task.len > 9 && !memcmp(task.text, "WARNING: ", 9))
		task = report_text_behind(task, "WARNING: ");
	return task;
}

bool lockdep_text_read(struct lockdep_text *text, const struct death *death, const struct kernel_report *report)
{
	static const char *const wants[] = { " is trying to acquire lock:", " is trying to acquire:", " takes:", " just changed the state of lock:" };
	static const char *const holds[] = { "already holding lock:", "already holding:", " lock held by ", " locks held by " };
	static const char *const uses[] = { "inconsistent {", " suspicious rcu", "RCU-list traversed" };

	*text = (struct lockdep_text){ 0 };
	if (!report || !kernel_report_is_of_lockdep(report))
		return false;
	text->kind = lockdep_kind_of(report->title);
	text->what = what_of(report->title);
	text->task = task_before(death, report);
	for (size_t i = 0; i < ARRAY_SIZE(wants) && !text->wanted.class.text; i++)
		text->wanted = lock_behind(death, report, wants[i]);
	for (size_t i = 0; i < ARRAY_SIZE(holds) && !text->held.class.text; i++)
		text->held = lock_behind(death, report, holds[i]);
	for (size_t i = 0; i < ARRAY_SIZE(uses) && !text->usage.text; i++) {
		u32 from = 0;

		text->usage = fault_text_line(death, report, uses[i], &from);
	}
	return true;
}
