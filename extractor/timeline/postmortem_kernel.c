// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/mce_from_log.h"
#include "postmortem_ftrace.h"
#include "klog_dedup.h"

static void take_build_id(struct account_origin *origin, const char *hex)
{
	unsigned int byte;

	while (origin->build_id_size < sizeof(origin->build_id) && sscanf(hex, "%2x", &byte) == 1) {
		origin->build_id[origin->build_id_size++] = byte;
		hex += 2;
	}
}

static void take_origin(struct account_origin *origin, const struct kernel *kernel)
{
	*origin = (struct account_origin){
		.machine = kernel->machine, .nr_cpus = kernel->nr_online,
	};
	memcpy(origin->release, kernel->release, sizeof(origin->release));
	memcpy(origin->version, kernel->version, sizeof(origin->version));
	take_build_id(origin, kernel->build_id);
}

static bool says(const struct klog_dump *log, const struct klog_record *record, const char *text)
{
	return memmem(log->text + record->off, record->line.len, text, strlen(text)) != NULL;
}

/* When its last words were logged; else when it last logged, or last kept time. */
static u64 time_of_panic(const struct kernel *kernel)
{
	const struct klog_dump *log = &kernel->log;
	u32 i;

	for (i = log->nr; *kernel->panic && i > 0; i--)
		if (says(log, &log->records[i - 1], kernel->panic))
			return log->records[i - 1].line.mono_ns;
	return log->nr ? log->records[log->nr - 1].line.mono_ns : kernel->clock.mono_ns;
}

/* A dump of a machine that lives (/proc/kcore) has no last words. */
static void take_end(struct account_end *end, const struct kernel *kernel)
{
	u64 real;

	*end = (struct account_end){ .how = FATE_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
	if (!*kernel->panic && kernel->cpu == NO_CPU && !kernel->crash_s)
		return;
	end->time = time_of_panic(kernel);
	/* Neither log nor clock: nothing to count from, and so no crash on the timeline. */
	end->how = end->time ? FATE_CRASHED : FATE_UNKNOWN;
	end->real_ns = kclock_real(&kernel->clock, end->time, &real) ?
		       real : kernel->crash_s * 1000000000;
	end->cpu = kernel->cpu;
	end->pid = kernel->pid;
	memcpy(end->comm, kernel->comm, sizeof(end->comm));
	snprintf(end->reason, sizeof(end->reason), "%s",
		 *kernel->panic ? kernel->panic :
		 kernel->log.nr ? "its log does not say why" : "its log is not there");
}

static void date_mces(struct mces *mces, const struct kclock *clock)
{
	u32 i;

	for (i = 0; i < mces->nr; i++)
		if (!kclock_real(clock, mces->list[i].mono_ns, &mces->list[i].real_ns))
			mces->list[i].real_ns = 0;
}

/* What the kernel printed of machine checks. */
static int take_mces(struct account *account, struct err *err)
{
	const struct klog_dump *log = &account->kernel->log;
	struct klog lines = { .lines = calloc(log->nr + 1, sizeof(*lines.lines)), .nr = log->nr };
	int ret;
	u32 i;

	if (!lines.lines)
		return err_sys(err, "memory for %u lines", log->nr);
	for (i = 0; i < log->nr; i++)
		lines.lines[i] = log->records[i].line;
	ret = mce_log_take(&account->mces, &lines, NULL, err);
	date_mces(&account->mces, &account->kernel->clock);
	free(lines.lines);
	return ret;
}

int account_kernel_open(struct account *account, struct err *err)
{
	int ret = kernel_open(&account->kernel, account->in, err);

	if (ret)
		return ret;
	if (!account->trace) {
		take_origin(&account->origin, account->kernel);
		ret = take_mces(account, err);
	}
	if (account->end.how == FATE_UNKNOWN)
		take_end(&account->end, account->kernel);
	return ret;
}

static void take_notes(struct account *account, const struct notes *notes)
{
	u64 i;

	for (i = 0; i < notes->kept; i++)
		notes_add(&account->notes, NOTE_NOWHERE, "the kernel: %s", notes->list[i].text);
}

/* What the recorder told is not told again; everything else is, whatever the consoles left out. */
static int add_untold(struct account *account, const struct extras *all, struct err *err)
{
	struct told *told = NULL;
	int ret = account->trace ? told_read(&told, account, err) : 0;
	u32 i;

	for (i = 0; i < all->nr && !ret; i++) {
		const struct extra *extra = &all->list[i];
		const struct klog_line *line = extra->data;

		if (!told || !told_take(told, extra->time, line->text, line->len))
			ret = extras_add(&account->extras, extra, err);
	}
	told_free(told);
	return ret;
}

static int add_log(struct account *account, struct err *err)
{
	struct extras all = { 0 };
	int ret = kernel_add_log(account->kernel, &all, err);

	if (!ret) {
		extras_sort(&all);
		ret = add_untold(account, &all, err);
	}
	extras_free(&all);
	return ret;
}

int account_kernel_scan(struct account *account, struct err *err)
{
	int ret = 0;

	take_notes(account, &account->kernel->notes);
	if (account->sources & ACCOUNT_LOG)
		ret = add_log(account, err);
	if (!ret && (account->sources & ACCOUNT_FTRACE))
		ret = account_ftrace_scan(account, err);
	return ret;
}
