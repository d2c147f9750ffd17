// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_impl.h"

#include <fnmatch.h>

#include "ftrace/stream.h"

/* Totals of a ring. Its last time is that of its last sub-buffer: exact enough for a window. */
static void add_ftrace_ring_total(struct postmortem *pm, const struct ftrace_buffer *buf,
				  const struct ftrace_ring *ring)
{
	u64 first = 0, last = 0;
	u32 i;

	for (i = 0; i < ring->nr_subs && !first; i++)
		if (!ring->subs[i].lacks)
			ftrace_clock_mono(&buf->clock, ring->sched_offset, ring->subs[i].start,
					  &first);
	ftrace_clock_mono(&buf->clock, ring->sched_offset, ring->last, &last);
	pm_add_total(pm, ring->nr_events, first, last > first ? last : first);
	pm->total.lost += ring->nr_lost + ring->commit_overrun + ring->dropped;
}

static int add_ftrace_buffer(struct postmortem *pm, const struct ftrace_buffer *buf,
			     struct err *err)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < buf->nr_rings && !ret; i++) {
		struct stream *stream = NULL;

		ret = stream_ftrace_new(&stream, pm->ftrace, buf, &buf->rings[i], err);
		if (ret)
			break;
		add_ftrace_ring_total(pm, buf, &buf->rings[i]);
		ret = pm_add_stream(pm, stream, err);
	}
	return ret;
}

int pm_ftrace_open(struct postmortem *pm, struct err *err)
{
	int ret = ftrace_open_alone(&pm->ftrace, pm->dump, err);

	if (ret || pm->ftrace)
		return ret;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "there is no kernel in it, nor a trace that outlived one");
}

static u64 ftrace_buffer_events(const struct ftrace_buffer *buf)
{
	u64 nr = 0;
	u32 i;

	for (i = 0; i < buf->nr_rings; i++)
		nr += buf->rings[i].nr_events;
	return nr;
}

static bool is_isolated(const struct ftrace_buffer *buf)
{
	return ftrace_clock_is_own(&buf->clock) && ftrace_buffer_events(buf);
}

int pm_ftrace_scan(struct postmortem *pm, struct err *err)
{
	const struct ftrace *ftrace;
	int ret = 0;
	u32 i;

	if (pm->kernel)
		ret = ftrace_open(&pm->ftrace, pm->kernel, err);
	ftrace = pm->ftrace;
	if (ret || !ftrace)
		return ret;
	for (i = 0; i < ftrace->nr_buffers && !ret; i++)
		if (!ftrace_clock_is_own(&ftrace->buffers[i].clock))
			ret = add_ftrace_buffer(pm, &ftrace->buffers[i], err);
	for (i = 0; i < ftrace->notes.kept; i++)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "%s", ftrace->notes.list[i].text);
	if (!ret && !pm->total.any && !pm->aux_events.nr && !pm->recording)
		ret = pm_select_isolated(pm, NULL, err);
	for (i = 0; i < ftrace->nr_buffers && !ret; i++) {
		const struct ftrace_buffer *buf = &ftrace->buffers[i];

		if (is_isolated(buf) && buf != pm->isolated_buffer)
			damage_notes_add(&pm->notes, NOTE_NOWHERE,
					 "%s: its %llu events are %s, by clock \"%s\": they have no place among others; --channel shows them alone",
					 buf->name, ftrace_buffer_events(buf),
					 buf->is_earlier ? "of another boot" : "of no known time",
					 buf->clock.name);
	}
	return ret;
}

const struct ftrace_buffer *pm_isolated_buffer(const struct postmortem *pm, const char *channel)
{
	const struct ftrace *ftrace = pm->ftrace;
	u32 i;

	for (i = 0; ftrace && i < ftrace->nr_buffers; i++)
		if (is_isolated(&ftrace->buffers[i]) &&
		    (!channel || !fnmatch(channel, ftrace->buffers[i].name, 0)))
			return &ftrace->buffers[i];
	return NULL;
}

int pm_select_isolated(struct postmortem *pm, const char *channel, struct err *err)
{
	const struct ftrace_buffer *buf = pm_isolated_buffer(pm, channel);
	int ret;
	u32 i;

	if (!buf)
		return 0;
	for (i = 0; i < pm->nr_streams; i++)
		pm->streams[i]->ops->free(pm->streams[i]);
	pm->nr_streams = 0;
	pm->total = (struct postmortem_total){ .lost = pm->total.lost };
	pm->aux_events.nr = 0;
	pm->isolated_buffer = buf;
	ret = add_ftrace_buffer(pm, buf, err);
	pm->end = (struct postmortem_end){ .how = OUTCOME_UNKNOWN, .time = pm->total.last,
					   .cpu = NO_CPU, .pid = -1 };
	return ret;
}
