// SPDX-License-Identifier: GPL-2.0-or-later
#include "klog_line.h"

#include "base/text.h"

void klog_text(FILE *f, const struct klog_line *line)
{
	fputs("log: ", f);
	if (line->priority >= 0)
		fprintf(f, "<%d>", line->priority);
	text_put_all(f, line->text, line->len);
}

void klog_fields(struct json *j, const char *key, const struct klog_line *line)
{
	json_open(j, key, '{');
	if (line->priority >= 0) {
		json_s64(j, "level", line->priority & 7);
		json_s64(j, "facility", line->priority >> 3);
	} else {
		json_null(j, "level");
		json_null(j, "facility");
	}
	json_text(j, "text", line->text, line->len);
	json_close(j, '}');
}
