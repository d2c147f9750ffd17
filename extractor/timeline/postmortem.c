// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/stream.h"
#include "postmortem_debuginfo.h"
#include "postmortem_ftrace.h"
#include "postmortem_kernel.h"

static void take_text(char *dst, size_t size, const char *src, size_t len)
{
	snprintf(dst, size, "%.*s", (int)len, src);
}

static void take_origin(struct account *account)
{
	const struct epitaph_header *hdr = &account->trace->region->hdr;
	struct account_origin *origin = &account->origin;

	*origin = (struct account_origin){
		.machine = hdr->machine, .nr_cpus = hdr->nr_cpus, .has_boot_id = true,
	};
	take_text(origin->release, sizeof(origin->release), hdr->release, sizeof(hdr->release));
	take_text(origin->version, sizeof(origin->version), hdr->version, sizeof(hdr->version));
	memcpy(origin->boot_id, hdr->boot_id, sizeof(origin->boot_id));
	if (hdr->build_id_size > sizeof(hdr->build_id))
		return;
	origin->build_id_size = hdr->build_id_size;
	memcpy(origin->build_id, hdr->build_id, hdr->build_id_size);
}

/* The crash of the stamp, or the end of the mark. */
static void take_end(struct account *account)
{
	const struct trace *trace = account->trace;
	const struct trace_crash *crash = &trace->crash;
	struct account_end *end = &account->end;

	*end = (struct account_end){ .how = FATE_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
	if (crash->known) {
		end->how = FATE_CRASHED;
		end->time = clock_mono(&trace->clock, crash->clock);
		end->real_ns = crash->real_ns;
		end->cpu = crash->cpu;
		end->pid = crash->pid;
		memcpy(end->comm, crash->comm, sizeof(end->comm));
		memcpy(end->reason, crash->reason, sizeof(end->reason));
	} else if (trace->fate.end == FATE_ENDED) {
		end->how = FATE_ENDED;
		end->time = clock_mono(&trace->clock, trace->fate.clock);
		end->real_ns = trace->fate.real_ns;
		memcpy(end->reason, trace->fate.why, sizeof(end->reason));
	}
}

static int open_trace(struct account *account, struct region *region, struct err *err)
{
	int ret = trace_open(&account->trace, region, err);

	if (ret)
		return ret;
	take_origin(account);
	take_end(account);
	return 0;
}

/* "1, 2 and 5", as far as there is room. */
static void list_numbers(char *buf, size_t size, const struct regions *regions)
{
	size_t n = 0;
	u32 i;

	*buf = 0;
	for (i = 0; i < regions->nr && n + 24 < size; i++)
		n += snprintf(buf + n, size - n, "%s%llu",
			      !i ? "" : i + 1 < regions->nr ? ", " : " and ",
			      (u64)regions->gen[i].hdr.number);
}

static int open_generation(struct account *account, u64 number, struct err *err)
{
	const struct regions *regions = account->regions;
	struct region *region = regions_newest(account->regions);
	char numbers[200];

	if (number != GENERATION_NEWEST)
		region = regions_number(account->regions, number);
	if (region)
		return open_trace(account, region, err);
	list_numbers(numbers, sizeof(numbers), regions);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "there is no generation %llu; there %s %s", number,
		       regions->nr == 1 ? "is" : "are", numbers);
}

static int open_region(struct account *account, u64 generation, struct err *err)
{
	int ret = region_find(&account->regions, account->in, err);

	if (!ret && generation != GENERATION_ALL)
		ret = open_generation(account, generation, err);
	if (!ret)
		account->sources |= ACCOUNT_REGION;
	return ret;
}

/* What it is not, for whoever wonders whether it is the right file. */
static int tell_neither(struct account *account, const struct err *why, struct err *err)
{
	char region[sizeof(err->msg)];

	if (!err)
		return -ERR_NOT_OURS;
	memcpy(region, err->msg, sizeof(region));
	if (input_is_raw(account->in))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "%s, which is no dump of a kind that is known, and no memory with a kernel in it", region);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "%s; nor is its kernel to be had (%s)", region, why->msg);
}

/* No region, or one that cannot be read: a dump has its kernel all the same. */
static int open_instead(struct account *account, int ret, struct err *err)
{
	struct err why = ERR_INIT;

	if (ret == -ERR_IO)
		return ret;
	if (account_kernel_open(account, &why) && account_ftrace_open(account, NULL))
		return ret == -ERR_NOT_OURS ? tell_neither(account, &why, err) : ret;
	if (ret == -ERR_CORRUPT && err)
		notes_add(&account->notes, NOTE_NOWHERE, "%s", err->msg);
	else if (err)
		snprintf(account->instead, sizeof(account->instead), "%s", err->msg);
	account->sources |= account->kernel ? ACCOUNT_KERNEL : ACCOUNT_FTRACE;
	return 0;
}

/* Beside the region, which may have been saved alone. */
static int open_kernel_too(struct account *account, u32 sources, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = account_kernel_open(account, &why);

	if (ret == -ERR_NOT_OURS && (sources & ACCOUNT_FTRACE) && !account_ftrace_open(account, NULL))
		ret = 0;
	if (ret && (sources != ACCOUNT_ALL || ret == -ERR_IO)) {
		if (err)
			*err = why;
		return ret;
	}
	if (!ret)
		account->sources |= sources;
	else if (ret != -ERR_NOT_OURS)
		notes_add(&account->notes, NOTE_NOWHERE, "%s", why.msg);
	return 0;
}

static int open_sources(struct account *account, u32 sources, u64 generation, struct err *err)
{
	int ret = 0;

	account->end = (struct account_end){ .how = FATE_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
	if (sources == ACCOUNT_BEST || (sources & ACCOUNT_REGION))
		ret = open_region(account, generation, err);
	if (ret && (sources == ACCOUNT_BEST || sources == ACCOUNT_ALL) &&
	    (generation == GENERATION_NEWEST || generation == GENERATION_ALL))
		return open_instead(account, ret, err);
	if (ret || !(sources & ACCOUNT_KERNEL))
		return ret;
	return open_kernel_too(account, sources, err);
}

int account_open_input(struct account *account, struct input *in, u32 sources,
		       u64 generation, struct err *err)
{
	int ret;

	memset(account, 0, sizeof(*account));
	account->in = in;
	ret = open_sources(account, sources, generation, err);
	return ret ? ret : account_debug_open(account, err);
}

int account_open(struct account *account, const struct input_files *files, u32 sources,
		 u64 generation, struct err *err)
{
	struct input *in;
	int ret;

	memset(account, 0, sizeof(*account));
	ret = input_open_files(&in, files, err);
	if (ret)
		return ret;
	ret = account_open_input(account, in, sources, generation, err);
	return ret ? err_while(err, "%s", files->path[0]) : 0;
}

static void forget(struct account *account)
{
	u32 i;

	for (i = 0; i < account->nr_streams; i++)
		account->streams[i]->ops->free(account->streams[i]);
	free(account->streams);
	account->streams = NULL;
	account->nr_streams = 0;
	account->total = (struct account_total){ 0 };
	extras_free(&account->extras);
	notes_free(&account->notes);
	mces_free(&account->mces);
	if (!account->trace)
		tasks_free(account->tasks);
	account->tasks = NULL;
	account->own = NULL;
	trace_close(account->trace);
	account->trace = NULL;
}

int account_turn(struct account *account, u32 i, struct err *err)
{
	forget(account);
	return open_trace(account, &account->regions->gen[i], err);
}

void account_close(struct account *account)
{
	forget(account);
	ftrace_close(account->ftrace);
	account_debug_close(account);
	kernel_close(account->kernel);
	regions_free(account->regions);
	input_close(account->in);
}

int account_add_stream(struct account *account, struct stream *stream, struct err *err)
{
	u32 n = account->nr_streams;
	void *p = account->streams;

	/* Room for the next power of two. */
	if (!(n & (n - 1)))
		p = reallocarray(p, n ? 2 * n : 1, sizeof(*account->streams));
	if (!p) {
		stream->ops->free(stream);
		return err_sys(err, "memory for %u streams of events", n + 1);
	}
	account->streams = p;
	account->streams[account->nr_streams++] = stream;
	return 0;
}

void account_add_total(struct account *account, u64 nr, u64 first, u64 last)
{
	struct account_total *total = &account->total;

	total->events += nr;
	if (!nr)
		return;
	if (!total->any || first < total->first)
		total->first = first;
	if (!total->any || last > total->last)
		total->last = last;
	total->any = true;
}

static int add_rings(struct account *account, struct err *err)
{
	const struct trace *trace = account->trace;
	int ret = 0;
	u32 i;

	for (i = 0; i < trace->nr_rings && !ret; i++) {
		struct stream *stream = NULL;

		ret = stream_ring_new(&stream, &trace->rings[i], err);
		if (!ret)
			ret = account_add_stream(account, stream, err);
	}
	return ret;
}

/* Nothing better is known than the last that it recorded. */
static void end_at_last(struct account *account)
{
	const struct trace *trace = account->trace;
	u64 last = account->extras.nr ? account->extras.list[account->extras.nr - 1].time : 0;

	if (account->end.how != FATE_UNKNOWN)
		return;
	if (account->total.any)
		account->end.time = account->total.last;
	else if (trace)
		account->end.time = trace_mono(trace, trace->total.end);
	/* A line of the log is shown as an event is, and may be the last of all. */
	if (!trace && last > account->end.time)
		account->end.time = last;
}

static int scan_trace(struct account *account, struct err *err)
{
	struct trace *trace = account->trace;
	int ret = trace_scan(trace, err);

	if (ret)
		return ret;
	account->tasks = trace->tasks;
	account->total.lost += trace->total.lost;
	account_add_total(account, trace->total.events, trace_mono(trace, trace->total.first),
			  trace_mono(trace, trace->total.last));
	ret = add_rings(account, err);
	return ret ? ret : trace_extras(trace, &account->extras, err);
}

int account_scan(struct account *account, struct err *err)
{
	int ret = account->trace ? scan_trace(account, err) :
				   tasks_new(&account->tasks, NULL, err);

	if (!ret && account->kernel)
		ret = account_kernel_scan(account, err);
	else if (!ret && account->ftrace)
		ret = account_ftrace_scan(account, err);
	if (ret)
		return ret;
	extras_sort(&account->extras);
	end_at_last(account);
	return 0;
}

u64 account_damage(const struct account *account)
{
	return account->notes.nr + (account->trace ? account->trace->region->notes.nr : 0) +
	       (account->ftrace ? account->ftrace->nr_broken : 0);
}

u64 account_lost(const struct account *account)
{
	return account->total.lost + (account->ftrace ? account->ftrace->nr_unread : 0);
}

const struct mces *account_mces(const struct account *account)
{
	return account->trace ? &account->trace->mces : &account->mces;
}

int account_status(const struct account *account)
{
	return account_damage(account) || account_lost(account) ? ERR_DAMAGED : ERR_OK;
}

u64 account_real(const struct account *account, const struct entry *entry)
{
	u64 real;

	if (entry->stream)
		return entry->stream->ops->real(entry->stream, entry);
	if (account->trace)
		return clock_real_of_mono(&account->trace->clock, entry->time);
	return account->kernel && kclock_real(&account->kernel->clock, entry->time, &real) ?
	       real : 0;
}
