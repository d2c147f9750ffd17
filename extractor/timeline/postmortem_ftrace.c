// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_impl.h"

#include <fnmatch.h>

#include "ftrace/stream.h"

static u64 lost_of(const struct ftrace_ring *ring)
{
	return ring->nr_lost + ring->commit_overrun + ring->dropped;
}

/* From the first event's time to the last one's sub-buffer's, which is enough to be placed by. */
static void add_times(struct postmortem *pm, const struct ftrace_buffer *buf,
		      const struct ftrace_ring *ring)
{
	u64 first = 0, last = 0;
	u32 i;

	for (i = 0; i < ring->nr_subs && !first; i++)
		if (!ring->subs[i].lacks)
			ftrace_clock_mono(&buf->clock, ring->subs[i].start, &first);
	ftrace_clock_mono(&buf->clock, ring->last, &last);
	pm_add_total(pm, ring->nr_events, first, last > first ? last : first);
	pm->total.lost += lost_of(ring);
}

static int add_ring(struct postmortem *pm, const struct ftrace_buffer *buf,
		    const struct ftrace_ring *ring, struct err *err)
{
	struct stream *stream = NULL;
	int ret = stream_ftrace_new(&stream, pm->ftrace, buf, ring, err);

	if (ret)
		return ret;
	add_times(pm, buf, ring);
	return pm_add_stream(pm, stream, err);
}

static u64 nr_events(const struct ftrace_buffer *buf)
{
	u64 nr = 0;
	u32 i;

	for (i = 0; i < buf->nr_rings; i++)
		nr += buf->rings[i].nr_events;
	return nr;
}

static int add_buffer(struct postmortem *pm, const struct ftrace_buffer *buf, struct err *err)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < buf->nr_rings && !ret; i++)
		ret = add_ring(pm, buf, &buf->rings[i], err);
	return ret;
}

static void take_notes(struct postmortem *pm)
{
	const struct damage_notes *notes = &pm->ftrace->notes;
	u64 i;

	for (i = 0; i < notes->kept; i++)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "%s", notes->list[i].text);
}

int pm_ftrace_open(struct postmortem *pm, struct err *err)
{
	int ret = ftrace_open_alone(&pm->ftrace, pm->dump, err);

	if (ret || pm->ftrace)
		return ret;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "there is no kernel in it, nor a trace that outlived one");
}

static bool is_own(const struct ftrace_buffer *buf)
{
	return ftrace_clock_is_own(&buf->clock) && nr_events(buf);
}

/* What has no place on the timeline of all else is told, and how it is seen. */
static void tell_own(struct postmortem *pm, const struct ftrace_buffer *buf)
{
	damage_notes_add(&pm->notes, NOTE_NOWHERE,
			 "%s: its %llu events are %s, by clock \"%s\": they have no place among others; --channel shows them alone",
			 buf->name, nr_events(buf), buf->is_earlier ? "of another boot" : "of no known time",
			 buf->clock.name);
}

/* Is there anything that it would have to be placed among? */
static bool is_alone(const struct postmortem *pm)
{
	return !pm->total.any && !pm->aux_events.nr && !pm->recording;
}

int pm_ftrace_scan(struct postmortem *pm, struct err *err)
{
	struct ftrace *ftrace;
	int ret = 0;
	u32 i;

	if (pm->kernel)
		ret = ftrace_open(&pm->ftrace, pm->kernel, err);
	ftrace = pm->ftrace;
	if (ret || !ftrace)
		return ret;
	for (i = 0; i < ftrace->nr_buffers && !ret; i++)
		if (!ftrace_clock_is_own(&ftrace->buffers[i].clock))
			ret = add_buffer(pm, &ftrace->buffers[i], err);
	take_notes(pm);
	if (!ret && is_alone(pm))
		ret = pm_select_isolated(pm, NULL, err);
	for (i = 0; i < ftrace->nr_buffers && !ret; i++)
		if (is_own(&ftrace->buffers[i]) && &ftrace->buffers[i] != pm->isolated_buffer)
			tell_own(pm, &ftrace->buffers[i]);
	return ret;
}

static void leave_all(struct postmortem *pm)
{
	u32 i;

	for (i = 0; i < pm->nr_streams; i++)
		pm->streams[i]->ops->free(pm->streams[i]);
	pm->nr_streams = 0;
	pm->total = (struct postmortem_total){ .lost = pm->total.lost };
	pm->aux_events.nr = 0;
	pm->end = (struct postmortem_end){ .how = OUTCOME_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
}

int pm_select_isolated(struct postmortem *pm, const char *channel, struct err *err)
{
	const struct ftrace *ftrace = pm->ftrace;
	int ret = 0;
	u32 i;

	for (i = 0; ftrace && i < ftrace->nr_buffers; i++) {
		const struct ftrace_buffer *buf = &ftrace->buffers[i];

		if (!is_own(buf) || (channel && fnmatch(channel, buf->name, 0)))
			continue;
		leave_all(pm);
		pm->isolated_buffer = buf;
		ret = add_buffer(pm, buf, err);
		pm->end.time = pm->total.last;
		break;
	}
	return ret;
}
