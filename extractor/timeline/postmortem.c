// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/stream.h"

static void take_text(char *dst, size_t size, const char *src, size_t len)
{
	snprintf(dst, size, "%.*s", (int)len, src);
}

static void take_origin(struct postmortem *pm)
{
	const struct epitaph_header *hdr = &pm->recording->generation->hdr;
	struct postmortem_origin *origin = &pm->origin;

	*origin = (struct postmortem_origin){
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
static void take_end(struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	const struct recording_crash *crash = &recording->crash;
	struct postmortem_end *end = &pm->end;

	*end = (struct postmortem_end){ .how = OUTCOME_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
	if (crash->known) {
		end->how = OUTCOME_CRASHED;
		end->time = clock_mono(&recording->clock, crash->clock);
		end->real_ns = crash->real_ns;
		end->cpu = crash->cpu;
		end->pid = crash->pid;
		memcpy(end->comm, crash->comm, sizeof(end->comm));
		memcpy(end->reason, crash->reason, sizeof(end->reason));
	} else if (recording->fate.end == OUTCOME_ENDED) {
		end->how = OUTCOME_ENDED;
		end->time = clock_mono(&recording->clock, recording->fate.clock);
		end->real_ns = recording->fate.real_ns;
		memcpy(end->reason, recording->fate.why, sizeof(end->reason));
	}
}

static int open_trace(struct postmortem *pm, struct generation *gen, struct err *err)
{
	int ret = recording_open(&pm->recording, gen, err);

	if (ret)
		return ret;
	take_origin(pm);
	take_end(pm);
	return 0;
}

/* "1, 2 and 5", as far as there is room. */
static void list_numbers(char *buf, size_t size, const struct generation_set *generations)
{
	size_t n = 0;
	u32 i;

	*buf = 0;
	for (i = 0; i < generations->nr && n + 24 < size; i++)
		n += snprintf(buf + n, size - n, "%s%llu",
			      !i ? "" : i + 1 < generations->nr ? ", " : " and ",
			      (u64)generations->gen[i].hdr.number);
}

static int open_generation(struct postmortem *pm, u64 number, struct err *err)
{
	const struct generation_set *generations = pm->generations;
	struct generation *gen = generation_set_newest(pm->generations);
	char numbers[200];

	if (number != GENERATION_NEWEST)
		gen = generation_set_number(pm->generations, number);
	if (gen)
		return open_trace(pm, gen, err);
	list_numbers(numbers, sizeof(numbers), generations);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "there is no generation %llu; there %s %s", number,
		       generations->nr == 1 ? "is" : "are", numbers);
}

static int open_region(struct postmortem *pm, u64 generation, struct err *err)
{
	int ret = generation_set_find(&pm->generations, pm->dump, err);

	if (!ret && generation != GENERATION_ALL)
		ret = open_generation(pm, generation, err);
	if (!ret)
		pm->sources |= POSTMORTEM_REGION;
	return ret;
}

/* What it is not, for whoever wonders whether it is the right file. */
static int tell_neither(struct postmortem *pm, const struct err *why, struct err *err)
{
	char neither[sizeof(err->msg)];

	if (!err)
		return -ERR_NOT_OURS;
	memcpy(neither, err->msg, sizeof(neither));
	if (dump_is_raw(pm->dump))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "%s, which is no dump of a kind that is known, and no memory with a kernel in it", neither);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "%s; nor is its kernel to be had (%s)", neither, why->msg);
}

/* No region, or one that cannot be read: a dump has its kernel all the same. */
static int open_instead(struct postmortem *pm, int ret, struct err *err)
{
	struct err why = ERR_INIT;

	if (ret == -ERR_IO)
		return ret;
	if (pm_kernel_open(pm, &why) && pm_ftrace_open(pm, NULL))
		return ret == -ERR_NOT_OURS ? tell_neither(pm, &why, err) : ret;
	if (ret == -ERR_CORRUPT && err)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "%s", err->msg);
	else if (err)
		snprintf(pm->why_no_region, sizeof(pm->why_no_region), "%s", err->msg);
	pm->sources |= pm->kernel ? POSTMORTEM_KERNEL : POSTMORTEM_FTRACE;
	return 0;
}

/* Beside the region, which may have been saved alone. */
static int open_kernel_too(struct postmortem *pm, u32 sources, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = pm_kernel_open(pm, &why);

	if (ret == -ERR_NOT_OURS && (sources & POSTMORTEM_FTRACE) && !pm_ftrace_open(pm, NULL))
		ret = 0;
	if (ret && (sources != POSTMORTEM_ALL || ret == -ERR_IO)) {
		if (err)
			*err = why;
		return ret;
	}
	if (!ret)
		pm->sources |= sources;
	else if (ret != -ERR_NOT_OURS)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "%s", why.msg);
	return 0;
}

static int open_sources(struct postmortem *pm, u32 sources, u64 generation, struct err *err)
{
	int ret = 0;

	pm->end = (struct postmortem_end){ .how = OUTCOME_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
	if (sources == POSTMORTEM_BEST || (sources & POSTMORTEM_REGION))
		ret = open_region(pm, generation, err);
	if (ret && (sources == POSTMORTEM_BEST || sources == POSTMORTEM_ALL) &&
	    (generation == GENERATION_NEWEST || generation == GENERATION_ALL))
		return open_instead(pm, ret, err);
	if (ret || !(sources & POSTMORTEM_KERNEL))
		return ret;
	return open_kernel_too(pm, sources, err);
}

int pm_open_dump(struct postmortem *pm, struct dump *in, u32 sources,
		 u64 generation, struct err *err)
{
	int ret;

	memset(pm, 0, sizeof(*pm));
	pm->dump = in;
	ret = open_sources(pm, sources, generation, err);
	return ret ? ret : pm_debuginfo_open(pm, err);
}

int pm_open(struct postmortem *pm, const struct dump_files *files, u32 sources,
	    u64 generation, struct err *err)
{
	struct dump *in;
	int ret;

	memset(pm, 0, sizeof(*pm));
	ret = dump_open_files(&in, files, err);
	if (ret)
		return ret;
	ret = pm_open_dump(pm, in, sources, generation, err);
	return ret ? err_while(err, "%s", files->path[0]) : 0;
}

static void forget(struct postmortem *pm)
{
	u32 i;

	for (i = 0; i < pm->nr_streams; i++)
		pm->streams[i]->ops->free(pm->streams[i]);
	free(pm->streams);
	pm->streams = NULL;
	pm->nr_streams = 0;
	pm->total = (struct postmortem_total){ 0 };
	aux_events_free(&pm->aux_events);
	damage_notes_free(&pm->notes);
	mces_free(&pm->mces);
	if (!pm->recording)
		task_names_free(pm->tasks);
	pm->tasks = NULL;
	pm->isolated_buffer = NULL;
	recording_close(pm->recording);
	pm->recording = NULL;
}

int pm_turn(struct postmortem *pm, u32 i, struct err *err)
{
	forget(pm);
	return open_trace(pm, &pm->generations->gen[i], err);
}

void pm_close(struct postmortem *pm)
{
	forget(pm);
	ftrace_close(pm->ftrace);
	pm_debuginfo_close(pm);
	kernel_close(pm->kernel);
	generation_set_free(pm->generations);
	dump_close(pm->dump);
}

int pm_add_stream(struct postmortem *pm, struct stream *stream, struct err *err)
{
	u32 n = pm->nr_streams;
	void *p = pm->streams;

	/* Room for the next power of two. */
	if (!(n & (n - 1)))
		p = reallocarray(p, n ? 2 * n : 1, sizeof(*pm->streams));
	if (!p) {
		stream->ops->free(stream);
		return err_sys(err, "memory for %u streams of events", n + 1);
	}
	pm->streams = p;
	pm->streams[pm->nr_streams++] = stream;
	return 0;
}

void pm_add_total(struct postmortem *pm, u64 nr, u64 first, u64 last)
{
	struct postmortem_total *total = &pm->total;

	total->events += nr;
	if (!nr)
		return;
	if (!total->any || first < total->first)
		total->first = first;
	if (!total->any || last > total->last)
		total->last = last;
	total->any = true;
}

static int add_rings(struct postmortem *pm, struct err *err)
{
	const struct recording *recording = pm->recording;
	int ret = 0;
	u32 i;

	for (i = 0; i < recording->nr_rings && !ret; i++) {
		struct stream *stream = NULL;

		ret = stream_ring_new(&stream, &recording->rings[i], err);
		if (!ret)
			ret = pm_add_stream(pm, stream, err);
	}
	return ret;
}

/* Nothing better is known than the last that it recorded. */
static void end_at_last(struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	u64 last = pm->aux_events.nr ? pm->aux_events.list[pm->aux_events.nr - 1].time : 0;

	if (pm->end.how != OUTCOME_UNKNOWN)
		return;
	if (pm->total.any)
		pm->end.time = pm->total.last;
	else if (recording)
		pm->end.time = recording_mono(recording, recording->total.end);
	/* A line of the log is shown as an event is, and may be the last of all. */
	if (!recording && last > pm->end.time)
		pm->end.time = last;
}

static int scan_trace(struct postmortem *pm, struct err *err)
{
	struct recording *recording = pm->recording;
	int ret = recording_scan(recording, err);

	if (ret)
		return ret;
	pm->tasks = recording->tasks;
	pm->total.lost += recording->total.lost;
	pm_add_total(pm, recording->total.events, recording_mono(recording, recording->total.first),
		     recording_mono(recording, recording->total.last));
	ret = add_rings(pm, err);
	return ret ? ret : recording_extras(recording, &pm->aux_events, err);
}

int pm_scan(struct postmortem *pm, struct err *err)
{
	int ret = pm->recording ? scan_trace(pm, err) :
				   task_names_new(&pm->tasks, NULL, err);

	if (!ret && pm->kernel)
		ret = pm_kernel_scan(pm, err);
	else if (!ret && pm->ftrace)
		ret = pm_ftrace_scan(pm, err);
	if (ret)
		return ret;
	aux_events_sort(&pm->aux_events);
	end_at_last(pm);
	return 0;
}

u64 pm_damage(const struct postmortem *pm)
{
	return pm->notes.nr + (pm->recording ? pm->recording->generation->notes.nr : 0) +
	       (pm->ftrace ? pm->ftrace->nr_broken : 0);
}

u64 pm_lost(const struct postmortem *pm)
{
	return pm->total.lost + (pm->ftrace ? pm->ftrace->nr_unread : 0);
}

const struct mces *pm_mces(const struct postmortem *pm)
{
	return pm->recording ? &pm->recording->mces : &pm->mces;
}

int pm_status(const struct postmortem *pm)
{
	return pm_damage(pm) || pm_lost(pm) ? ERR_DAMAGED : ERR_OK;
}

u64 pm_real(const struct postmortem *pm, const struct item *item)
{
	u64 real;

	if (item->stream)
		return item->stream->ops->real(item->stream, item);
	if (pm->recording)
		return clock_real_of_mono(&pm->recording->clock, item->time);
	return pm->kernel && timekeeping_real(&pm->kernel->clock, item->time, &real) ?
	       real : 0;
}
