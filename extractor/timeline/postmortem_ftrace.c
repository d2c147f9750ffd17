// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_ftrace.h"

#include <fnmatch.h>

#include "ftrace/stream.h"

static u64 lost_of(const struct ftrace_ring *ring)
{
	return ring->nr_lost + ring->commit_overrun + ring->dropped;
}

/* From the first event's time to the last one's sub-buffer's, which is enough to be placed by. */
static void add_times(struct account *account, const struct ftrace_buffer *buf,
		      const struct ftrace_ring *ring)
{
	u64 first = 0, last = 0;
	u32 i;

	for (i = 0; i < ring->nr_subs && !first; i++)
		if (!ring->subs[i].lacks)
			ftrace_clock_mono(&buf->clock, ring->subs[i].start, &first);
	ftrace_clock_mono(&buf->clock, ring->last, &last);
	account_add_total(account, ring->nr_events, first, last > first ? last : first);
	account->total.lost += lost_of(ring);
}

static int add_ring(struct account *account, const struct ftrace_buffer *buf,
		    const struct ftrace_ring *ring, struct err *err)
{
	struct stream *stream = NULL;
	int ret = stream_ftrace_new(&stream, account->ftrace, buf, ring, err);

	if (ret)
		return ret;
	add_times(account, buf, ring);
	return account_add_stream(account, stream, err);
}

static u64 nr_events(const struct ftrace_buffer *buf)
{
	u64 nr = 0;
	u32 i;

	for (i = 0; i < buf->nr_rings; i++)
		nr += buf->rings[i].nr_events;
	return nr;
}

static int add_buffer(struct account *account, const struct ftrace_buffer *buf, struct err *err)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < buf->nr_rings && !ret; i++)
		ret = add_ring(account, buf, &buf->rings[i], err);
	return ret;
}

static void take_notes(struct account *account)
{
	const struct notes *notes = &account->ftrace->notes;
	u64 i;

	for (i = 0; i < notes->kept; i++)
		notes_add(&account->notes, NOTE_NOWHERE, "%s", notes->list[i].text);
}

int account_ftrace_open(struct account *account, struct err *err)
{
	int ret = ftrace_open_alone(&account->ftrace, account->in, err);

	if (ret || account->ftrace)
		return ret;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "there is no kernel in it, nor a trace that outlived one");
}

static bool is_own(const struct ftrace_buffer *buf)
{
	return ftrace_clock_is_own(&buf->clock) && nr_events(buf);
}

/* What has no place on the timeline of all else is told, and how it is seen. */
static void tell_own(struct account *account, const struct ftrace_buffer *buf)
{
	notes_add(&account->notes, NOTE_NOWHERE,
		  "%s: its %llu events are %s, by clock \"%s\": they have no place among others; --channel shows them alone",
		  buf->name, nr_events(buf), buf->is_earlier ? "of another boot" : "of no known time",
		  buf->clock.name);
}

/* Is there anything that it would have to be placed among? */
static bool is_alone(const struct account *account)
{
	return !account->total.any && !account->extras.nr && !account->trace;
}

int account_ftrace_scan(struct account *account, struct err *err)
{
	struct ftrace *ftrace;
	int ret = 0;
	u32 i;

	if (account->kernel)
		ret = ftrace_open(&account->ftrace, account->kernel, err);
	ftrace = account->ftrace;
	if (ret || !ftrace)
		return ret;
	for (i = 0; i < ftrace->nr_buffers && !ret; i++)
		if (!ftrace_clock_is_own(&ftrace->buffers[i].clock))
			ret = add_buffer(account, &ftrace->buffers[i], err);
	take_notes(account);
	if (!ret && is_alone(account))
		ret = account_take_own(account, NULL, err);
	for (i = 0; i < ftrace->nr_buffers && !ret; i++)
		if (is_own(&ftrace->buffers[i]) && &ftrace->buffers[i] != account->own)
			tell_own(account, &ftrace->buffers[i]);
	return ret;
}

static void leave_all(struct account *account)
{
	u32 i;

	for (i = 0; i < account->nr_streams; i++)
		account->streams[i]->ops->free(account->streams[i]);
	account->nr_streams = 0;
	account->total = (struct account_total){ .lost = account->total.lost };
	account->extras.nr = 0;
	account->end = (struct account_end){ .how = FATE_UNKNOWN, .cpu = NO_CPU, .pid = -1 };
}

int account_take_own(struct account *account, const char *channel, struct err *err)
{
	const struct ftrace *ftrace = account->ftrace;
	int ret = 0;
	u32 i;

	for (i = 0; ftrace && i < ftrace->nr_buffers; i++) {
		const struct ftrace_buffer *buf = &ftrace->buffers[i];

		if (!is_own(buf) || (channel && fnmatch(channel, buf->name, 0)))
			continue;
		leave_all(account);
		account->own = buf;
		ret = add_buffer(account, buf, err);
		account->end.time = account->total.last;
		break;
	}
	return ret;
}
