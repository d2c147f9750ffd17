// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/mce_from_log.h"
#include "klog_dedup.h"

static void take_build_id(struct postmortem_origin *origin, const char *hex)
{
	unsigned int byte;

	while (origin->build_id_size < sizeof(origin->build_id) && sscanf(hex, "%2x", &byte) == 1) {
		origin->build_id[origin->build_id_size++] = byte;
		hex += 2;
	}
}

static void take_origin(struct postmortem_origin *origin, const struct kernel *kernel)
{
	*origin = (struct postmortem_origin){
		.machine = kernel->machine, .nr_cpus = kernel->nr_online,
	};
	memcpy(origin->release, kernel->release, sizeof(origin->release));
	memcpy(origin->version, kernel->version, sizeof(origin->version));
	take_build_id(origin, kernel->build_id);
}

static bool says(const struct printk_ringbuffer *log, const struct klog_record *record, const char *text)
{
	return memmem(log->text + record->off, record->line.len, text, strlen(text)) != NULL;
}

/* When its last words were logged; else when it last logged, or last kept time. */
static u64 time_of_panic(const struct kernel *kernel)
{
	const struct printk_ringbuffer *log = &kernel->log;
	u32 i;

	for (i = log->nr; *kernel->panic && i > 0; i--)
		if (says(log, &log->records[i - 1], kernel->panic))
			return log->records[i - 1].line.mono_ns;
	return log->nr ? log->records[log->nr - 1].line.mono_ns : kernel->clock.mono_ns;
}

/* A dump of a machine that lives (/proc/kcore) has no last words. */
static void take_end(struct postmortem_end *end, const struct kernel *kernel)
{
	u64 real;

	*end = (struct postmortem_end){ .how = OUTCOME_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
	if (!*kernel->panic && kernel->cpu == NO_CPU && !kernel->crash_s)
		return;
	end->time = time_of_panic(kernel);
	/* Neither log nor clock: nothing to count from, and so no crash on the timeline. */
	end->how = end->time ? OUTCOME_CRASHED : OUTCOME_UNKNOWN;
	end->real_ns = timekeeping_real(&kernel->clock, end->time, &real) ?
		       real : kernel->crash_s * 1000000000;
	end->cpu = kernel->cpu;
	end->pid = kernel->pid;
	memcpy(end->comm, kernel->comm, sizeof(end->comm));
	snprintf(end->reason, sizeof(end->reason), "%s",
		 *kernel->panic ? kernel->panic :
		 kernel->log.nr ? "its log does not say why" : "its log is not there");
}

static void date_mces(struct mces *mces, const struct timekeeping *clock)
{
	u32 i;

	for (i = 0; i < mces->nr; i++)
		if (!timekeeping_real(clock, mces->list[i].mono_ns, &mces->list[i].real_ns))
			mces->list[i].real_ns = 0;
}

/* What the kernel printed of machine checks. */
static int take_mces(struct postmortem *pm, struct err *err)
{
	const struct printk_ringbuffer *log = &pm->kernel->log;
	struct klog lines = { .lines = calloc(log->nr + 1, sizeof(*lines.lines)), .nr = log->nr };
	int ret;
	u32 i;

	if (!lines.lines)
		return err_sys(err, "memory for %u lines", log->nr);
	for (i = 0; i < log->nr; i++)
		lines.lines[i] = log->records[i].line;
	ret = mce_log_take(&pm->mces, &lines, NULL, err);
	date_mces(&pm->mces, &pm->kernel->clock);
	free(lines.lines);
	return ret;
}

int pm_kernel_open(struct postmortem *pm, struct err *err)
{
	int ret = kernel_open(&pm->kernel, pm->dump, err);

	if (ret)
		return ret;
	if (!pm->recording) {
		take_origin(&pm->origin, pm->kernel);
		ret = take_mces(pm, err);
	}
	if (pm->end.how == OUTCOME_UNKNOWN)
		take_end(&pm->end, pm->kernel);
	return ret;
}

static void take_notes(struct postmortem *pm, const struct damage_notes *notes)
{
	u64 i;

	for (i = 0; i < notes->kept; i++)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "the kernel: %s", notes->list[i].text);
}

/* What the recorder told is not told again; everything else is, whatever the consoles left out. */
static int add_untold(struct postmortem *pm, const struct aux_events *all, struct err *err)
{
	struct klog_dedup *told = NULL;
	int ret = pm->recording ? klog_dedup_read(&told, pm, err) : 0;
	u32 i;

	for (i = 0; i < all->nr && !ret; i++) {
		const struct aux_event *extra = &all->list[i];
		const struct klog_line *line = extra->data;

		if (!told || !klog_dedup_take(told, extra->time, line->text, line->len))
			ret = aux_events_add(&pm->aux_events, extra, err);
	}
	klog_dedup_free(told);
	return ret;
}

static int add_log(struct postmortem *pm, struct err *err)
{
	struct aux_events all = { 0 };
	int ret = kernel_add_log(pm->kernel, &all, err);

	if (!ret) {
		aux_events_sort(&all);
		ret = add_untold(pm, &all, err);
	}
	aux_events_free(&all);
	return ret;
}

int pm_kernel_scan(struct postmortem *pm, struct err *err)
{
	int ret = 0;

	take_notes(pm, &pm->kernel->notes);
	if (pm->sources & POSTMORTEM_LOG)
		ret = add_log(pm, err);
	if (!ret && (pm->sources & POSTMORTEM_FTRACE))
		ret = pm_ftrace_scan(pm, err);
	return ret;
}
