// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu_stack.h"

#include <string.h>

#define MOST_LINES	100	/* of one stack */

static struct report_text first_word(struct report_text text)
{
	u32 len = 0;

	while (len < text.len && text.text[len] != ' ')
		len++;
	text.len = len;
	return text;
}

/* Is it "CPU: 0 PID: 115 Comm: sh ..." of this CPU? */
static bool begins_stack(struct kernel_report *report, struct report_text line, u32 cpu)
{
	struct report_text nr = report_text_behind(line, "CPU: "), pid = report_text_behind(line, " PID: ");
	struct report_text comm = report_text_behind(line, " Comm: ");

	if (!nr.text || !pid.text || !comm.text || report_text_number(nr, nr.text, 10) != cpu)
		return false;
	report->pid = first_word(pid);
	report->comm = first_word(comm);
	return true;
}

bool cpu_stack_find(struct kernel_report *report, const struct death *death, u32 cpu)
{
	const struct report_line *list = death->lines.list;
	struct kernel_report found = *report;
	u32 i = 0, end;

	found.place = (struct report_text){ NULL, 0 };
	found.nr_frames = 0;
	found.has_tick = found.is_behind_tick = false;
	while (i < death->lines.nr &&
	       (list[i].time < report->time ||
		!begins_stack(&found, (struct report_text){ list[i].text, list[i].len }, cpu)))
		i++;
	if (i == death->lines.nr)
		return false;
	end = i + MOST_LINES < death->lines.nr ? i + MOST_LINES : death->lines.nr;
	for (u32 k = i + 1; k < end; k++) {
		struct report_text line = { list[k].text, list[k].len };

		if (list[k].caller != list[i].caller)
			continue;
		if (report_text_has(line, "</TASK>") || report_text_has(line, "CPU: ") ||
		    report_text_has(line, "Kernel panic"))
			break;
		while (line.len && *line.text == ' ') {
			line.text++;
			line.len--;
		}
		if (!kernel_report_add_place(&found, line))
			kernel_report_add_frame(&found, line);
	}
	if (!found.place.text && !found.nr_frames)
		return false;
	*report = found;
	return true;
}
