// SPDX-License-Identifier: GPL-2.0-or-later
/* What a kernel said last, of a log out of its dump. */
#include "printk_ringbuffer.h"

#include <stdlib.h>
#include <string.h>

#include "kernel_report.h"

static void copy_text(struct report_text text, char *buf, size_t size)
{
	size_t len = text.len < size ? text.len : size - 1;

	memcpy(buf, text.text, len);
	buf[len] = '\0';
}

/* The text of panic(); of an oops its title, which says more than "Fatal exception". */
static void find_last_words(const struct kernel_reports *reports, char *buf, size_t size)
{
	const struct kernel_report *panic = NULL, *oops = NULL;

	for (u32 i = 0; i < reports->nr; i++) {
		if (reports->list[i].kind == KERNEL_REPORT_PANIC)
			panic = &reports->list[i];
		else if (reports->list[i].kind == KERNEL_REPORT_OOPS ||
			 reports->list[i].kind == KERNEL_REPORT_BUG)
			oops = &reports->list[i];
	}
	if (panic && !(oops && report_text_has(panic->title, "Fatal exception")))
		copy_text(kernel_report_panic_text(panic), buf, size);
	else if (oops)
		copy_text(oops->title, buf, size);
}

int printk_ringbuffer_panic(const struct printk_ringbuffer *log, char *buf, size_t size, struct err *err)
{
	struct report_line *lines = calloc(log->nr + 1, sizeof(*lines));
	struct kernel_reports reports;
	int ret;

	*buf = '\0';
	if (!lines)
		return err_sys(err, "memory for %u lines of the log", log->nr);
	for (u32 i = 0; i < log->nr; i++) {
		const struct klog_line *line = &log->records[i].line;
		const char *end = memchr(line->text, '\n', line->len);

		lines[i] = (struct report_line){
			.time = log->records[i].local_ns, .caller = KERNEL_REPORT_NO_CALLER,
			.text = line->text, .len = end ? (u32)(end - line->text) : line->len,
		};
	}
	ret = kernel_reports_read(&reports, lines, log->nr, err);
	if (!ret)
		find_last_words(&reports, buf, size);
	kernel_reports_free(&reports);
	free(lines);
	return ret;
}
