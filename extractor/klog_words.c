// SPDX-License-Identifier: GPL-2.0-or-later
/* What a kernel said last, of a log out of its dump. */
#include "klog_dump.h"

#include <string.h>

static const char *find_words(const struct klog_line *line, const char *words)
{
	return memmem(line->text, line->len, words, strlen(words));
}

static void take_words(const struct klog_line *line, const char *at, char *buf, size_t size)
{
	size_t len = line->text + line->len - at;
	const char *end = memchr(at, '\n', len);

	if (end)
		len = end - at;
	if (len >= size)
		len = size - 1;
	memcpy(buf, at, len);
	buf[len] = '\0';
}

/* What an oops says before it becomes a panic; of several the first, others follow from it. */
static bool find_cause(const struct klog_dump *log, char *buf, size_t size)
{
	static const char * const causes[] = {
		"BUG: ", "kernel BUG at ", "Unable to handle kernel ", "Oops: ",
		"general protection fault", "Internal error: ",
	};

	for (u32 i = 0; i < log->nr; i++) {
		for (size_t c = 0; c < ARRAY_SIZE(causes); c++) {
			const char *at = find_words(&log->records[i].line, causes[c]);

			if (at) {
				take_words(&log->records[i].line, at, buf, size);
				return true;
			}
		}
	}
	return false;
}

bool klog_dump_panic(const struct klog_dump *log, char *buf, size_t size)
{
	static const char panic[] = "Kernel panic - not syncing: ";

	for (u32 i = log->nr; i--; ) {
		const struct klog_line *line = &log->records[i].line;
		const char *at = find_words(line, panic);

		if (!at)
			continue;
		if (find_words(line, "Fatal exception") && find_cause(log, buf, size))
			return true;
		take_words(line, at + sizeof(panic) - 1, buf, size);
		return true;
	}
	return find_cause(log, buf, size);
}
