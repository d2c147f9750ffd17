// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_state/block_devices.h"
#include "kvm/guest_dump.h"
#include "recording/stream.h"
#include "report_lines.h"

/* Text fields of the header need no NUL at their end. */
static void copy_header_text(char *dst, size_t size, const char *src, size_t len)
{
	snprintf(dst, size, "%.*s", (int)len, src);
}

static void take_recording_origin(struct postmortem *pm)
{
	const struct epitaph_header *hdr = &pm->recording->generation->hdr;
	struct postmortem_origin *origin = &pm->origin;

	*origin = (struct postmortem_origin){
		.machine = hdr->machine, .nr_cpus = hdr->nr_cpus,
		.has_boot_id = !all_zero(hdr->boot_id, sizeof(hdr->boot_id)),
	};
	copy_header_text(origin->release, sizeof(origin->release), hdr->release,
			 sizeof(hdr->release));
	copy_header_text(origin->version, sizeof(origin->version), hdr->version,
			 sizeof(hdr->version));
	memcpy(origin->boot_id, hdr->boot_id, sizeof(origin->boot_id));
	if (hdr->build_id_size > sizeof(hdr->build_id))
		return;
	origin->build_id_size = hdr->build_id_size;
	memcpy(origin->build_id, hdr->build_id, hdr->build_id_size);
}

/* The crash stamp, or the mark of an orderly end. */
static void take_recording_end(struct postmortem *pm)
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
		end->pid = crash->pid == RECORDING_NO_PID ? -1 : (s64)crash->pid;
		memcpy(end->comm, crash->comm, sizeof(end->comm));
		memcpy(end->reason, crash->reason, sizeof(end->reason));
	} else if (recording->fate.end == OUTCOME_ENDED) {
		end->how = OUTCOME_ENDED;
		end->time = clock_mono(&recording->clock, recording->fate.clock);
		end->real_ns = recording->fate.real_ns;
		memcpy(end->reason, recording->fate.why, sizeof(end->reason));
	}
}

static int open_recording(struct postmortem *pm, struct generation *gen, struct err *err)
{
	int ret = recording_open(&pm->recording, gen, err);

	if (ret)
		return ret;
	take_recording_origin(pm);
	take_recording_end(pm);
	pm_names_begin(pm);
	return 0;
}

static int report_no_generation(const struct generation_set *set, u64 number, struct err *err)
{
	char numbers[200] = "";		/* "1, 2 and 5"; cut off where it is full */
	u64 back = GENERATION_ALL - number;
	bool has_more = false;
	size_t n = 0;
	u32 i;

	for (i = 0; i < set->nr && n + 24 < sizeof(numbers); i++)
		n += snprintf(numbers + n, sizeof(numbers) - n, "%s%llu",
			      !i ? "" : i + 1 < set->nr ? ", " : " and ",
			      (u64)set->gen[i].hdr.number);
	for (i = 0; i + 1 < set->nr; i++)
		has_more |= !set->gen[i].hdr.number || set->gen[i].hdr.number == set->gen[i + 1].hdr.number;
	if (back <= GENERATIONS_BACK)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "there is no generation %llu before the newest; there %s %s", back,
			       set->nr == 1 ? "is" : "are", numbers);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "there is no generation %llu; there %s %s%s", number,
		       set->nr == 1 ? "is" : "are", numbers,
		       has_more ? "; --generation -1 reads the one before the newest" : "");
}

/* NULL: there is none. */
static struct generation *find_generation(struct generation_set *set, u64 number)
{
	u64 back = GENERATION_ALL - number;

	if (number == GENERATION_NEWEST)
		return generation_set_newest(set);
	if (back <= GENERATIONS_BACK)
		return back < set->nr ? &set->gen[set->nr - 1 - back] : NULL;
	return generation_set_number(set, number);
}

static int open_recorded_region(struct postmortem *pm, u64 number, struct err *err)
{
	struct generation *gen;
	int ret = generation_set_find(&pm->generations, pm->dump, err);

	if (!ret)
		pm_take_types(pm, pm->generations);
	if (!ret && number != GENERATION_ALL) {
		gen = find_generation(pm->generations, number);
		ret = gen ? open_recording(pm, gen, err) :
			    report_no_generation(pm->generations, number, err);
	}
	if (!ret)
		pm->sources |= POSTMORTEM_REGION;
	return ret;
}

/* The error says what the file is not, for a user who wonders whether it is the right file. */
static int report_no_source(struct postmortem *pm, const struct err *no_kernel, const struct err *no_console,
			    struct err *err)
{
	char no_region[sizeof(err->msg)];

	if (!err)
		return -ERR_NOT_OURS;
	memcpy(no_region, err->msg, sizeof(no_region));
	if (dump_is_raw(pm->dump))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "%s; it is no dump of a known kind, it has no memory of a kernel, and %s",
			       no_region, no_console->msg);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "%s; nor is its kernel to be had (%s)",
		       no_region, no_kernel->msg);
}

/* A dump without a readable region (@ret, @err) still has its kernel. */
static int open_kernel_instead(struct postmortem *pm, int ret, const struct err *no_console, struct err *err)
{
	struct err no_kernel = ERR_INIT;

	if (ret == -ERR_IO)
		return ret;
	if (pm_kernel_open(pm, &no_kernel) && pm_ftrace_open(pm, NULL))
		return ret == -ERR_NOT_OURS ? report_no_source(pm, &no_kernel, no_console, err) : ret;
	if (ret == -ERR_CORRUPT && err)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "%s", err->msg);
	else if (err)
		snprintf(pm->why_no_region, sizeof(pm->why_no_region), "%s", err->msg);
	pm->sources |= pm->kernel ? POSTMORTEM_KERNEL : POSTMORTEM_FTRACE;
	return 0;
}

/* The file may hold the region alone: then a kernel is missing without harm. */
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
	if (ret && dump_vmcoreinfo(pm->dump, NULL))
		snprintf(pm->why_no_kernel, sizeof(pm->why_no_kernel), "%s", why.msg);
	if (!ret)
		pm->sources |= sources;
	else if (ret != -ERR_NOT_OURS)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "%s", why.msg);
	return 0;
}

/* The recorder was not there in the boot that crashed, or an older generation was asked for. */
static void leave_other_boot(struct postmortem *pm)
{
	kernel_close(pm->kernel);
	pm->kernel = NULL;
	pm->sources = POSTMORTEM_REGION;
	pm->is_other_boot = true;
	snprintf(pm->why_no_kernel, sizeof(pm->why_no_kernel), "of another boot than generation %llu",
		 (u64)pm->recording->generation->hdr.number);
	/* It may have been the kernel's. */
	take_recording_end(pm);
}

/* The text of a console has boots where a region has generations. */
static int open_console_instead(struct postmortem *pm, int ret, u64 generation, struct err *no_console,
				struct err *err)
{
	u64 back = GENERATION_ALL - generation;
	int console;

	if (ret != -ERR_NOT_OURS)
		return ret;
	console = pm_console_open(pm, !back ? 0 : back <= GENERATIONS_BACK ? -(s64)back : (s64)generation,
				  no_console);
	if (console && console != -ERR_NOT_OURS && err)
		*err = *no_console;
	return console == -ERR_NOT_OURS ? ret : console;
}

/* The log was asked for without the region; of no text it is that of the kernel's memory. */
static int open_console_alone(struct postmortem *pm, u64 generation, struct err *err)
{
	struct err no_console = ERR_INIT;
	int ret = open_console_instead(pm, -ERR_NOT_OURS, generation, &no_console, err);

	return ret == -ERR_NOT_OURS ? 0 : ret;
}

int pm_open_dump(struct postmortem *pm, struct dump *dump, u32 sources,
		 u64 generation, struct err *err)
{
	bool any_source = sources == POSTMORTEM_BEST || sources == POSTMORTEM_ALL;
	struct err no_console = ERR_INIT;
	int ret = 0;

	memset(pm, 0, sizeof(*pm));
	pm->dump = dump;
	pm->block_devices = block_devices_new();
	pm->end = (struct postmortem_end){ .how = OUTCOME_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
	if (sources == POSTMORTEM_BEST || (sources & POSTMORTEM_REGION))
		ret = open_recorded_region(pm, generation, err);
	if (ret && any_source)
		ret = open_console_instead(pm, ret, generation, &no_console, err);
	else if (!ret && !pm->recording && (sources & POSTMORTEM_LOG))
		ret = open_console_alone(pm, generation, err);
	if (!ret && pm->console)
		return 0;
	if (ret && ret != -ERR_USAGE && any_source &&
	    (generation == GENERATION_NEWEST || generation == GENERATION_ALL))
		ret = open_kernel_instead(pm, ret, &no_console, err);
	else if (!ret && (sources & POSTMORTEM_KERNEL))
		ret = open_kernel_too(pm, sources, err);
	if (!ret && pm->recording && pm->kernel && report_lines_other_boot(pm))
		leave_other_boot(pm);
	return ret ? ret : pm_debuginfo_open(pm, err);
}

int pm_open(struct postmortem *pm, const struct dump_files *files, u32 sources,
	    u64 generation, struct err *err)
{
	struct dump *dump;
	int ret;

	memset(pm, 0, sizeof(*pm));
	ret = dump_open_files(&dump, files, err);
	if (ret)
		return ret;
	ret = pm_open_dump(pm, dump, sources, generation, err);
	return ret ? err_while(err, "%s", files->path[0]) : 0;
}

int pm_open_guest(struct postmortem *pm, const struct dump_files *files, const char *guest, u32 sources,
		  u64 generation, struct err *err)
{
	struct dump *dump;
	int ret;

	memset(pm, 0, sizeof(*pm));
	ret = dump_open_files(&dump, files, err);
	if (ret)
		return ret;
	ret = guest_dump_open(&dump, dump, guest, err);
	if (!ret)
		ret = pm_open_dump(pm, dump, sources, generation, err);
	return ret ? err_while(err, "%s, guest %s", files->path[0], guest) : 0;
}

static void close_generation(struct postmortem *pm)
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
	close_generation(pm);
	return open_recording(pm, &pm->generations->gen[i], err);
}

void pm_close(struct postmortem *pm)
{
	close_generation(pm);
	ftrace_close(pm->ftrace);
	console_close(pm->console);
	pm_debuginfo_close(pm);
	kernel_close(pm->kernel);
	block_devices_free(pm->block_devices);
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

static int scan_recording(struct postmortem *pm, struct err *err)
{
	struct recording *recording = pm->recording;
	int ret = recording_scan(recording, err);
	u32 i;

	if (ret)
		return ret;
	pm->tasks = recording->tasks;
	pm->total.lost += recording->total.lost;
	if (recording->total.any)
		pm_add_total(pm, recording->total.events,
			     recording_mono(recording, recording->total.first),
			     recording_mono(recording, recording->total.last));
	else
		pm->total.events += recording->total.events;
	for (i = 0; i < recording->nr_rings && !ret; i++) {
		struct stream *stream = NULL;

		ret = stream_ring_new(&stream, &recording->rings[i], err);
		if (!ret)
			ret = pm_add_stream(pm, stream, err);
	}
	return ret ? ret : recording_extras(recording, &pm->aux_events, err);
}

/* The last time that anything was recorded: the best guess of an end that is unknown. */
static u64 last_time(const struct postmortem *pm)
{
	const struct aux_events *aux = &pm->aux_events;
	u64 last = 0;

	if (pm->total.any)
		last = pm->total.last;
	else if (pm->recording)
		last = recording_mono(pm->recording, pm->recording->total.end);
	/* A line of the log is shown as an event is, and may be the last of all. */
	if (!pm->recording && aux->nr && aux->list[aux->nr - 1].time > last)
		last = aux->list[aux->nr - 1].time;
	return last;
}

/*
 * The recorder's anchors are what CLOCK_MONOTONIC was at a value of the TSC.  Between two of them, the
 * kernel's own is off by no more than at both: each is a line there.
 */
static void check_timekeeping(struct postmortem *pm)
{
	const struct clock *clock = &pm->recording->clock;
	struct timekeeping *kernel = &pm->kernel->clock;
	u64 most = 0, off, mono;

	if (clock->id != EPITAPH_CLOCK_TSC || clock->from_header || clock->is_unstable || strncmp(kernel->source, "tsc", 3))
		return;
	for (u32 i = 0; i < clock->nr; i++) {
		if (!timekeeping_mono_of_counter(kernel, clock->anchors[i].clock, &mono))
			return;
		off = mono > clock->anchors[i].mono_ns ? mono - clock->anchors[i].mono_ns : clock->anchors[i].mono_ns - mono;
		most = off > most ? off : most;
	}
	kernel->checked_from = clock->anchors[0].mono_ns;
	kernel->checked_to = clock->anchors[clock->nr - 1].mono_ns;
	kernel->checked_ns = most + clock->bound_ns;
}

int pm_scan(struct postmortem *pm, struct err *err)
{
	int ret = pm->recording ? scan_recording(pm, err) :
				  task_names_new(&pm->tasks, NULL, err);

	if (!ret && pm->kernel && pm->recording)
		check_timekeeping(pm);
	if (!ret && pm->kernel)
		ret = pm_kernel_scan(pm, err);
	else if (!ret && pm->console)
		ret = pm_console_scan(pm, err);
	else if (!ret && pm->ftrace)
		ret = pm_ftrace_scan(pm, err);
	if (ret)
		return ret;
	aux_events_sort(&pm->aux_events);
	if (pm->end.how == OUTCOME_UNKNOWN)
		pm->end.time = last_time(pm);
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

const struct printk_ringbuffer *pm_log(const struct postmortem *pm)
{
	static const struct printk_ringbuffer none;

	return pm->kernel ? &pm->kernel->log : pm->console ? &pm->console->log : &none;
}

int pm_status(const struct postmortem *pm)
{
	return pm_damage(pm) || pm_lost(pm) ? ERR_DAMAGED : ERR_OK;
}

u64 pm_real(const struct postmortem *pm, const struct item *item)
{
	u64 real;

	if (item->kind == ITEM_MARK)
		return item->mark->real_ns;
	if (item->kind == ITEM_CRASH)
		return pm->end.real_ns;
	if (item->stream)
		return item->stream->ops->real(item->stream, item);
	if (pm->recording)
		return clock_real_of_mono(&pm->recording->clock, item->time);
	return pm->kernel && timekeeping_real(&pm->kernel->clock, item->time, &real) ?
	       real : 0;
}
