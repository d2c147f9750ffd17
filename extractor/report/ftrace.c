// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace.h"

#include "ftrace/ftrace.h"
#include "phrase.h"

static void put_ring_count(FILE *f, u64 n, const char *what)
{
	if (n)
		fprintf(f, ", %llu %s", n, what);
}

static void put_ftrace_ring(FILE *f, const struct postmortem *pm, const struct ftrace_buffer *buf,
			    const struct ftrace_ring *ring)
{
	u64 ns;

	if (ring->cpu == NO_CPU)
		fputs("# CPU unknown, channel ", f);
	else
		fprintf(f, "# CPU %u channel ", ring->cpu);
	text_put(f, buf->name, sizeof(buf->name));
	fprintf(f, ": %llu event%s", ring->nr_events, plural(ring->nr_events));
	/* The ring is complete from its oldest sub-buffer on. */
	if (ring->nr_subs && !ring->subs[0].lacks && !ftrace_clock_is_own(&buf->clock) &&
	    ftrace_clock_mono(&buf->clock, ring->sched_offset, ring->subs[0].start, &ns)) {
		fputs(" from ", f);
		put_ago(f, pm, ns);
		fputs(" on", f);
	}
	fputs(", clock ", f);
	text_put(f, buf->clock.name, sizeof(buf->clock.name));
	if (ftrace_clock_is_unstable(&buf->clock))
		fputs(ring->is_offset_unknown ?
		      " (unstable, and what it is off on this CPU is not in the dump)" :
		      " (unstable: corrected by the CPU's last tick)", f);
	put_ring_count(f, ring->overrun, "older overwritten");
	put_ring_count(f, ring->nr_lost, "in sub-buffers that are not in the dump");
	put_ring_count(f, ring->dropped, "dropped when it was full");
	put_ring_count(f, ring->commit_overrun, "dropped in interrupts");
	put_ring_count(f, ring->unfinished, "bytes unfinished");
	putc('\n', f);
}

void print_ftrace(FILE *f, const struct postmortem *pm)
{
	const struct ftrace *ftrace = pm->ftrace;
	u32 i, k;

	for (i = 0; i < ftrace->nr_buffers; i++)
		for (k = 0; k < ftrace->buffers[i].nr_rings; k++)
			put_ftrace_ring(f, pm, &ftrace->buffers[i], &ftrace->buffers[i].rings[k]);
}

static void json_ftrace_ring(struct json *j, const struct ftrace_buffer *buf,
			     const struct ftrace_ring *ring)
{
	json_open(j, NULL, '{');
	json_str(j, "channel", buf->name);
	if (ring->cpu == NO_CPU)
		json_null(j, "cpu");
	else
		json_u64(j, "cpu", ring->cpu);
	json_str(j, "clock", buf->clock.name);
	json_u64(j, "sub_buffer_size", ring->unit);
	json_u64(j, "events", ring->nr_events);
	json_u64(j, "overwritten", ring->overrun);
	json_u64(j, "sub_buffers_lacking", ring->nr_lacking);
	json_u64(j, "events_lacking", ring->nr_lost);
	json_u64(j, "dropped", ring->dropped + ring->commit_overrun);
	json_u64(j, "unfinished_bytes", ring->unfinished);
	json_close(j, '}');
}

void print_ftrace_json(struct json *j, const struct postmortem *pm)
{
	const struct ftrace *ftrace = pm->ftrace;
	u32 i, k;

	json_open(j, "ftrace", '[');
	for (i = 0; i < ftrace->nr_buffers; i++)
		for (k = 0; k < ftrace->buffers[i].nr_rings; k++)
			json_ftrace_ring(j, &ftrace->buffers[i], &ftrace->buffers[i].rings[k]);
	json_close(j, ']');
}
