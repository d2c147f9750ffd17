// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux_kernel/kernel_report.h"
#include "report_lines.h"

static void take_console_origin(struct postmortem_origin *origin, const struct console *console)
{
	*origin = (struct postmortem_origin){ .machine = console->machine, .nr_cpus = console->nr_cpus };
	memcpy(origin->release, console->release, sizeof(origin->release));
	memcpy(origin->version, console->version, sizeof(origin->version));
}

static void copy_reported(struct report_text text, char *to, size_t size)
{
	snprintf(to, size, "%.*s", text.text ? (int)text.len : 0, text.text ?: "");
}

/* The number of the last panic; without one, of the last report. */
static u32 find_end(const struct kernel_reports *reports)
{
	for (u32 i = reports->nr; i--; )
		if (reports->list[i].kind == KERNEL_REPORT_PANIC)
			return i;
	return reports->nr - 1;
}

/* CPU and task of the last report that names them: "CPU: 0 PID: 7 Comm: sh". After a panic others may die. */
static void take_dying_task(struct postmortem_end *end, const struct kernel_reports *reports)
{
	u32 last = find_end(reports);
	u64 caller = reports->nr ? reports->list[last].caller : KERNEL_REPORT_NO_CALLER;
	char number[16];

	for (u32 i = reports->nr ? last + 1 : 0; i--; ) {
		const struct kernel_report *report = &reports->list[i];

		if (report->kind > KERNEL_REPORT_BUG || !report->cpu.text || !report->pid.text)
			continue;
		if (caller != KERNEL_REPORT_NO_CALLER && report->caller != caller)
			continue;
		copy_reported(report->cpu, number, sizeof(number));
		end->cpu = strtoul(number, NULL, 10);
		copy_reported(report->pid, number, sizeof(number));
		end->pid = strtoll(number, NULL, 10);
		copy_reported(report->comm, end->comm, sizeof(end->comm));
		return;
	}
}

static int take_console_end(struct postmortem *pm, struct err *err)
{
	const struct printk_ringbuffer *log = &pm->console->log;
	struct report_line *lines = calloc(log->nr + 1, sizeof(*lines));
	struct postmortem_end *end = &pm->end;
	struct kernel_reports reports;
	int ret;

	if (!lines)
		return err_sys(err, "memory for %u lines of the log", log->nr);
	for (u32 i = 0; i < log->nr; i++)
		lines[i] = (struct report_line){
			.time = log->records[i].line.mono_ns,
			.caller = report_line_caller(log->records[i].pid, log->records[i].cpu),
			.text = log->records[i].line.text, .len = log->records[i].line.len,
		};
	ret = printk_ringbuffer_panic(log, end->reason, sizeof(end->reason), err);
	if (!ret)
		ret = kernel_reports_read(&reports, lines, log->nr, err);
	if (!ret) {
		end->how = OUTCOME_CRASHED;
		end->time = pm_time_of_panic(log, end->reason);
		take_dying_task(end, &reports);
		end->is_unsaid = !*end->reason;
		if (end->is_unsaid)
			strcpy(end->reason, "the text does not say why");
		kernel_reports_free(&reports);
	}
	free(lines);
	return ret;
}

static void take_orderly_end(struct postmortem *pm)
{
	const struct printk_ringbuffer *log = &pm->console->log;
	struct postmortem_end *end = &pm->end;

	for (u32 i = log->nr; i--; ) {
		const struct klog_line *line = &log->records[i].line;
		u32 begin = console_line_end_of_kernel(line->text, line->len);

		if (!begin)
			continue;
		end->how = OUTCOME_ENDED;
		end->time = line->mono_ns;
		snprintf(end->reason, sizeof(end->reason), "%.*s", (int)(line->len - begin), line->text + begin);
		return;
	}
}

int pm_console_open(struct postmortem *pm, s64 boot, struct err *err)
{
	int ret = console_open(&pm->console, pm->dump, boot, err);

	if (ret)
		return ret;
	take_console_origin(&pm->origin, pm->console);
	pm->sources |= POSTMORTEM_LOG;
	ret = pm_take_printed_mces(pm, &pm->console->log, err);
	if (!ret && pm->console->has_died)
		ret = take_console_end(pm, err);
	else if (!ret)
		take_orderly_end(pm);
	return ret;
}

int pm_console_scan(struct postmortem *pm, struct err *err)
{
	const struct console *console = pm->console;
	const struct console_event *list = console->events.list;
	int ret = printk_ringbuffer_add(&console->log, &pm->aux_events, err);

	if (console->nr_cut)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "the text is long: its first %llu bytes were left out", console->nr_cut);
	if (console->log.nr_textless)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "the boot has many lines: the first %u were left out", console->log.nr_textless);
	for (u32 i = 0; i < console->nr_rings && !ret; i++) {
		const struct console_ring *ring = &console->rings[i];
		struct stream *stream = NULL;

		pm_add_total(pm, ring->nr, list[ring->first].time, list[ring->first + ring->nr - 1].time);
		ret = stream_console_new(&stream, console, i, err);
		if (!ret)
			ret = pm_add_stream(pm, stream, err);
	}
	return ret;
}
