// SPDX-License-Identifier: GPL-2.0-or-later
#include "account_ftrace.h"

#include "stream_ftrace.h"

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
	struct stream *stream;
	int ret = stream_ftrace_new(&stream, account->ftrace, buf, ring, err);

	if (ret)
		return ret;
	add_times(account, buf, ring);
	return account_add_stream(account, stream, err);
}

/* Without a relation to time they have no place in a timeline. */
static bool has_times(struct account *account, const struct ftrace_buffer *buf)
{
	u64 ns, nr = 0;
	u32 i;

	for (i = 0; i < buf->nr_rings; i++)
		nr += buf->rings[i].nr_events;
	if (!nr || ftrace_clock_mono(&buf->clock, 0, &ns))
		return true;
	notes_add(&account->notes, NOTE_NOWHERE,
		  "%s: its clock is \"%s\", and what time that was is not known: its %llu events are not shown",
		  buf->name, buf->clock.name, nr);
	account->total.lost += nr;
	return false;
}

static int add_buffer(struct account *account, const struct ftrace_buffer *buf, struct err *err)
{
	int ret = 0;
	u32 i;

	if (!has_times(account, buf))
		return 0;
	for (i = 0; i < buf->nr_rings && !ret; i++)
		ret = add_ring(account, buf, &buf->rings[i], err);
	return ret;
}

static void take_notes(struct account *account)
{
	const struct notes *notes = &account->ftrace->notes;
	u64 i;

	for (i = 0; i < notes->nr && i < NOTES_MAX; i++)
		notes_add(&account->notes, NOTE_NOWHERE, "%s", notes->list[i].text);
}

int account_ftrace_scan(struct account *account, struct err *err)
{
	int ret = ftrace_open(&account->ftrace, account->kernel, err);
	u32 i;

	if (ret || !account->ftrace)
		return ret;
	for (i = 0; i < account->ftrace->nr_buffers && !ret; i++)
		ret = add_buffer(account, &account->ftrace->buffers[i], err);
	take_notes(account);
	return ret;
}
