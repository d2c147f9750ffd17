// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/mce_from_log.h"
#include "klog_dedup.h"

static void take_kernel_origin(struct postmortem_origin *origin, const struct kernel *kernel)
{
	const char *hex = kernel->build_id;
	unsigned int byte;

	*origin = (struct postmortem_origin){
		.machine = kernel->machine, .nr_cpus = kernel->nr_online,
	};
	memcpy(origin->release, kernel->release, sizeof(origin->release));
	memcpy(origin->version, kernel->version, sizeof(origin->version));
	for (; origin->build_id_size < sizeof(origin->build_id) && sscanf(hex, "%2x", &byte) == 1;
	     hex += 2)
		origin->build_id[origin->build_id_size++] = byte;
}

u64 pm_time_of_panic(const struct printk_ringbuffer *log, const char *reason)
{
	for (u32 i = log->nr; *reason && i > 0; i--) {
		const struct klog_record *record = &log->records[i - 1];

		if (memmem(record->line.text, record->line.len, reason, strlen(reason)))
			return record->line.mono_ns;
	}
	return log->nr ? log->records[log->nr - 1].line.mono_ns : 0;
}

static void take_kernel_end(struct postmortem_end *end, const struct kernel *kernel)
{
	u64 real;

	*end = (struct postmortem_end){ .how = OUTCOME_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
	/* A running machine (/proc/kcore) has no end. */
	if (!*kernel->panic && kernel->cpu == NO_CPU && !kernel->crash_s)
		return;
	end->time = kernel->log.nr ? pm_time_of_panic(&kernel->log, kernel->panic) : kernel->clock.mono_ns;
	/* Without log and clock there is no time, and so no crash on the timeline. */
	end->how = end->time ? OUTCOME_CRASHED : OUTCOME_UNKNOWN;
	end->real_ns = timekeeping_real(&kernel->clock, end->time, &real) ?
		       real : kernel->crash_s * 1000000000;
	end->cpu = kernel->cpu;
	end->pid = kernel->pid;
	memcpy(end->comm, kernel->comm, sizeof(end->comm));
	end->is_unsaid = !*kernel->panic;
	snprintf(end->reason, sizeof(end->reason), "%s",
		 *kernel->panic ? kernel->panic :
		 kernel->log.nr ? "its log does not say why" : "its log is not there");
}

int pm_take_printed_mces(struct postmortem *pm, const struct printk_ringbuffer *log, struct err *err)
{
	struct klog lines = { .lines = calloc(log->nr + 1, sizeof(*lines.lines)), .nr = log->nr };
	struct mces *mces = &pm->mces;
	int ret;
	u32 i;

	if (!lines.lines)
		return err_sys(err, "memory for %u lines", log->nr);
	for (i = 0; i < log->nr; i++) {
		lines.lines[i] = log->records[i].line;
		/* A console seldom prints it. */
		if (pm->console && lines.lines[i].priority < 0)
			lines.lines[i].priority = 0;
	}
	ret = mce_log_take(mces, &lines, NULL, err);
	for (i = 0; i < mces->nr; i++)
		mces->list[i].real_ns = 0;
	free(lines.lines);
	return ret;
}

static int take_kernel_mces(struct postmortem *pm, struct err *err)
{
	int ret = pm_take_printed_mces(pm, &pm->kernel->log, err);
	u64 real;

	for (u32 i = 0; i < pm->mces.nr; i++)
		if (timekeeping_real(&pm->kernel->clock, pm->mces.list[i].mono_ns, &real))
			pm->mces.list[i].real_ns = real;
	return ret;
}

void pm_take_types(struct postmortem *pm, struct generation_set *generations)
{
	const struct epitaph_header *hdr = &generation_set_newest(generations)->hdr;

	dump_set_types(pm->dump, &(struct dump_types){ hdr->types_addr, hdr->types_size, hdr->types_check });
}

/* A kernel without types has those of its recorder: the region says where, also if it was not asked for. */
static int open_with_types(struct postmortem *pm, struct err *err)
{
	struct generation_set *generations;
	int ret = kernel_open(&pm->kernel, pm->dump, err);
	u64 va;

	if (ret || pm->generations || !kernel_btf_can_be_read() || !pm->kernel->kallsyms ||
	    kallsyms_address(pm->kernel->kallsyms, "__start_BTF", &va) ||
	    generation_set_find(&generations, pm->dump, NULL))
		return ret;
	pm_take_types(pm, generations);
	generation_set_free(generations);
	if (!dump_types(pm->dump)->size)
		return 0;
	kernel_close(pm->kernel);
	pm->kernel = NULL;
	return kernel_open(&pm->kernel, pm->dump, err);
}

int pm_kernel_open(struct postmortem *pm, struct err *err)
{
	int ret = open_with_types(pm, err);

	if (ret)
		return ret;
	if (!pm->recording) {
		take_kernel_origin(&pm->origin, pm->kernel);
		ret = take_kernel_mces(pm, err);
	}
	if (pm->end.how == OUTCOME_UNKNOWN)
		take_kernel_end(&pm->end, pm->kernel);
	return ret;
}

/* Add the lines of the kernel's log, except those that the recorder has as well. */
static int add_kernel_log(struct postmortem *pm, struct err *err)
{
	struct aux_events all = { 0 };
	struct klog_dedup *dedup = NULL;
	int ret = printk_ringbuffer_add(&pm->kernel->log, &all, err);
	u32 i;

	aux_events_sort(&all);
	if (!ret && pm->recording)
		ret = klog_dedup_read(&dedup, pm, err);
	for (i = 0; i < all.nr && !ret; i++) {
		const struct klog_line *line = all.list[i].data;

		if (!dedup || !klog_dedup_take(dedup, all.list[i].time, line->text, line->len))
			ret = aux_events_add(&pm->aux_events, &all.list[i], err);
	}
	klog_dedup_free(dedup);
	aux_events_free(&all);
	return ret;
}

int pm_kernel_scan(struct postmortem *pm, struct err *err)
{
	const struct damage_notes *notes = &pm->kernel->notes;
	int ret = 0;
	u64 i;

	for (i = 0; i < notes->kept; i++)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "the kernel: %s", notes->list[i].text);
	if (pm->sources & POSTMORTEM_LOG)
		ret = add_kernel_log(pm, err);
	if (!ret && (pm->sources & POSTMORTEM_FTRACE))
		ret = pm_ftrace_scan(pm, err);
	return ret;
}
