// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies the counters of losses first, then the rings, then the tables that their events need:
 * the recorder extends a table before it stores an event that needs it.
 */
#include "snapshot_impl.h"

#include <endian.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "base/checksum.h"
#include "live.h"
#include "ring_reader.h"

/* Older events are committed, unless their writer was interrupted for this long. */
#define MARGIN		2000000ULL

/*
 * The state of snapshot_take().
 * @moment: the end of the copy, in units of the rings, on the reference CPU
 * @channel: the only wanted channel; NULL: all
 * @no_rings: no ring is wanted
 * @rings: the nr_rings wanted rings
 * @tries_until: until then a lost ring leads to another try
 * @is_last_try: that time is over
 * @added: the entries of added channels before the copy, and behind them those after it
 */
struct snapshot_work {
	struct snapshot s;
	u64 moment;
	const char *channel;
	bool no_rings;
	const struct recording_ring **rings;
	u32 nr_rings;
	u64 tries_until;
	bool is_last_try;
	struct epitaph_added *added;
	u32 nr_added;
};

static bool channel_is_wanted(const struct snapshot_work *w, const struct recording_channel *channel)
{
	/* Programs' rings are not copied. */
	if (channel->is_added && channel->mode == EPITAPH_RINGS)
		return false;
	return !w->channel || !strcmp(channel->name, w->channel);
}

static int check_wanted_channel(const struct snapshot_work *w)
{
	const struct recording *recording = w->s.recording;
	char names[256] = "";
	size_t used = 0;
	u32 i;

	for (i = 0; i < recording->nr_channels; i++)
		if (channel_is_wanted(w, &recording->channels[i]))
			return 0;
	for (i = 0; i < recording->nr_channels && used < sizeof(names); i++)
		used += snprintf(names + used, sizeof(names) - used, " %s",
				 recording->channels[i].name);
	return err_set(w->s.err, ERR_USAGE, ERR_NO_OFF, "there is no channel '%s'; there are:%s",
		       w->channel, names);
}

u64 snapshot_raw_at(const struct recording *recording, u64 mono_ns)
{
	return clock_of_mono(&recording->clock, mono_ns) >> recording->clock.shift;
}

/* Chooses a moment in the past: after it no earlier event can come, whatever the clocks differ. */
static int choose_moment(struct snapshot_work *w)
{
	struct snapshot *s = &w->s;
	const struct clock *clock = &s->recording->clock;
	u64 back = MARGIN + clock->bound_ns + clock_units_ns(clock, clock_doubt(clock)) +
		   clock_skew_now(clock);

	if (s->recording->crash.known)
		return err_set(s->err, ERR_NOT_OURS, ERR_NO_OFF,
			       "no recorder writes to it: its machine crashed; epitaph save copies it");
	s->begun = live_now();
	w->moment = snapshot_raw_at(s->recording, s->begun > back ? s->begun - back : 0);
	s->counts->moment_ns = recording_mono(s->recording, w->moment);
	return 0;
}

static void set_moment_of(struct snapshot_work *w, const struct recording_ring *ring)
{
	w->s.moment = clock_time_on_cpu(&w->s.recording->clock, ring->cpu, w->moment);
}

/* --- channels that are added and removed ---------------------------------------- */

static int read_added_entries(const struct snapshot_work *w, struct epitaph_added *to)
{
	const struct section *sec = generation_section(w->s.recording->generation, EPITAPH_SEC_ADDED);
	u32 i;

	for (i = 0; i < w->nr_added; i++)
		if (generation_read(w->s.recording->generation, sec->off + (u64)i * sec->unit, &to[i],
				    sizeof(to[i]), w->s.err) != sizeof(to[i]))
			return -ERR_IO;
	return 0;
}

static int copy_added_counters(const struct snapshot_work *w)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < w->s.recording->nr_channels && !ret; i++) {
		const struct recording_channel *channel = &w->s.recording->channels[i];

		if (channel_is_wanted(w, channel) && channel->is_added && channel->counters)
			ret = snapshot_steady(&w->s, channel->counters,
					      channel->nr_rings * sizeof(struct epitaph_counters),
					      sizeof(struct epitaph_counters));
		if (!ret && channel_is_wanted(w, channel) && channel->is_added && channel->consumed)
			ret = snapshot_steady(&w->s, channel->consumed,
					      channel->nr_rings * sizeof(struct epitaph_consumed), 8);
	}
	return ret;
}

/* Copies the entries of channels that did not change while their rings were copied. */
static int copy_unchanged_added(struct snapshot_work *w)
{
	const struct recording *recording = w->s.recording;
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_ADDED);
	struct epitaph_added *now = w->added + w->nr_added;
	int ret = read_added_entries(w, now);
	u32 i, k;

	for (i = 0; i < w->nr_added && !ret; i++) {
		u32 id = le32toh(w->added[i].id);

		for (k = 0; k < recording->nr_channels; k++)
			if (recording->channels[k].is_added && recording->channels[k].id == id)
				break;
		if (!w->added[i].check || k == recording->nr_channels ||
		    !channel_is_wanted(w, &recording->channels[k]))
			continue;
		if (memcmp(&now[i], &w->added[i], sizeof(*now)))
			w->s.counts->gone++;
		else
			memcpy(w->s.image + sec->off + (u64)i * sec->unit, &now[i], sizeof(*now));
	}
	return ret;
}

/* --- rings ---------------------------------------------------------------------- */

static int compare_ring_size(const void *a, const void *b)
{
	const struct recording_ring *const *x = a, *const *y = b;

	if ((*x)->sec->size != (*y)->sec->size)
		return (*x)->sec->size < (*y)->sec->size ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* Lists the smallest ring first: its writers come around first. */
static int list_rings(struct snapshot_work *w)
{
	const struct recording *recording = w->s.recording;
	u32 i;

	w->rings = calloc(recording->nr_rings + 1, sizeof(*w->rings));
	if (!w->rings)
		return err_sys(w->s.err, "memory for %u rings", recording->nr_rings);
	for (i = 0; i < recording->nr_rings; i++) {
		const struct recording_ring *ring = &recording->rings[i];

		if (w->no_rings || !channel_is_wanted(w, ring->channel))
			continue;
		w->rings[w->nr_rings++] = ring;
		/* The kernel supplies the pages now, not during the copy. */
		memset(w->s.image + ring->sec->off, 0, ring->sec->size);
	}
	if (w->nr_rings)
		qsort(w->rings, w->nr_rings, sizeof(*w->rings), compare_ring_size);
	return 0;
}

/* A lost ring has no event from this moment; it may have some from a later one. */
static bool wants_another_moment(const struct snapshot_work *w)
{
	return w->s.counts->lost_rings && !w->is_last_try;
}

static int copy_rings(struct snapshot_work *w)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < w->nr_rings && !ret && !wants_another_moment(w); i++) {
		const struct section *sec = w->rings[i]->sec;

		set_moment_of(w, w->rings[i]);
		ret = w->rings[i]->channel->is_copy ?
		      snapshot_steady(&w->s, sec->off, sec->size, sec->unit) :
		      snapshot_ring(&w->s, sec);
	}
	return ret;
}

static int settle_rings(struct snapshot_work *w)
{
	int ret = recording_more(w->s.recording, w->s.err);
	u32 i;

	for (i = 0; i < w->nr_rings && !ret && !wants_another_moment(w); i++) {
		if (w->rings[i]->channel->is_copy)
			continue;
		set_moment_of(w, w->rings[i]);
		ret = snapshot_settle(&w->s, w->rings[i]->sec);
	}
	return ret;
}

/* --- everything else -------------------------------------------------------------- */

/* The parity is of the pages in memory, which go on; a file needs none. */
static int copy_sections(const struct snapshot_work *w, bool counters)
{
	const struct generation *generation = w->s.recording->generation;
	u32 i;
	int ret = 0;

	for (i = 0; i < generation->nr_sections && !ret; i++) {
		const struct section *sec = &generation->sections[i];

		if (sec->type != EPITAPH_SEC_RING && sec->type != EPITAPH_SEC_POOL &&
		    sec->type != EPITAPH_SEC_ADDED && sec->type != EPITAPH_SEC_PARITY &&
		    (sec->type == EPITAPH_SEC_COUNTERS) == counters)
			ret = snapshot_steady(&w->s, sec->off, sec->size, sec->unit);
	}
	return ret;
}

/* Adds a mark that describes the copy. The mark of an orderly end stays the last one. */
static void add_snapshot_mark(const struct snapshot_work *w)
{
	const struct recording *recording = w->s.recording;
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_MARKS);
	u64 n = section_entries(sec, sizeof(struct epitaph_mark)), seq, i;
	const struct snapshot_counts *counts = w->s.counts;
	struct epitaph_mark mark, newest = { 0 };
	int here = sched_getcpu(), used;
	u32 cpu = here < 0 ? 0 : here;
	u64 clock = clock_of_time(&recording->clock, clock_time_on_cpu(&recording->clock, cpu, w->moment));

	if (!n)
		return;
	for (i = 0; i < n; i++) {
		memcpy(&mark, w->s.image + sec->off + i * sec->unit, sizeof(mark));
		if (le64toh(mark.seq) > le64toh(newest.seq))
			newest = mark;
	}
	seq = le64toh(newest.seq) + 1;
	if (le32toh(newest.type) == EPITAPH_MARK_END)
		return;
	mark = (struct epitaph_mark){
		.seq = htole64(seq), .clock = htole64(clock),
		.real_ns = htole64(clock_real(&recording->clock, clock_of_time(&recording->clock, w->moment))),
		.type = htole32(EPITAPH_MARK_SNAPSHOT), .cpu = htole32(cpu),
	};
	used = snprintf(mark.text, sizeof(mark.text), "%.24s copied to a file, up to here",
			w->channel ? w->channel : "all channels");
	if (counts->lapped)
		used += snprintf(mark.text + used, sizeof(mark.text) - used,
				 "; %u sub-buffers lapped", counts->lapped);
	if (counts->lost_rings)
		snprintf(mark.text + used, sizeof(mark.text) - used, ", %u rings lost",
			 counts->lost_rings);
	mark.check = htole64(checksum(recording->generation->hdr.salt, &mark,
				      offsetof(struct epitaph_mark, check)));
	memcpy(w->s.image + sec->off + (seq - 1) % n * sec->unit, &mark, sizeof(mark));
}

static int copy_moment(struct snapshot_work *w)
{
	int ret;

	*w->s.counts = (struct snapshot_counts){ .size = w->s.counts->size };
	w->is_last_try = live_now() >= w->tries_until;
	ret = choose_moment(w);
	if (!ret)
		ret = copy_sections(w, true);
	if (!ret)
		ret = copy_added_counters(w);
	if (!ret)
		ret = copy_rings(w);
	return ret || wants_another_moment(w) ? ret : settle_rings(w);
}

static int copy_generation(struct snapshot_work *w)
{
	const struct generation *generation = w->s.recording->generation;
	const struct epitaph_header *hdr = &generation->hdr;
	u64 n = section_entries(generation_section(generation, EPITAPH_SEC_ADDED),
				sizeof(*w->added));
	int ret;

	w->nr_added = n < RECORDING_MAX_CHANNELS ? n : RECORDING_MAX_CHANNELS;
	w->added = calloc(2 * w->nr_added + 1, sizeof(*w->added));
	if (!w->added)
		return err_sys(w->s.err, "memory for channels");
	ret = read_added_entries(w, w->added);
	if (!ret)
		ret = list_rings(w);
	w->tries_until = live_now() + LIVE_PATIENCE;
	do {
		if (!ret)
			ret = copy_moment(w);
	} while (!ret && wants_another_moment(w));
	if (!ret)
		ret = copy_unchanged_added(w);
	if (!ret)
		ret = copy_sections(w, false);
	if (!ret)
		ret = snapshot_steady(&w->s, 0, hdr->table_size, 0);
	if (!ret)
		ret = snapshot_steady(&w->s, hdr->copy_off, hdr->table_size, 0);
	if (!ret && !w->no_rings)
		add_snapshot_mark(w);
	return ret;
}

/* --- the file ---------------------------------------------------------------------- */

#define PIECE	65536

/* Writes the copy; zeroes become holes. */
static int write_image(const struct snapshot *s, int fd)
{
	u64 size = s->counts->size, off, end;

	for (off = 0; off < size; off = end) {
		end = size - off < PIECE ? size : off + PIECE;
		if (all_zero(s->image + off, end - off))
			continue;
		while (off < end) {
			ssize_t n = pwrite(fd, s->image + off, end - off, off);

			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0)
				return err_sys(s->err, "cannot write at byte %llu of %llu", off,
					       size);
			off += n;
		}
	}
	return ftruncate(fd, size) ? err_sys(s->err, "%llu bytes", size) : 0;
}

int snapshot_take(struct recording *recording, const char *channel, bool no_rings, int fd,
		  struct snapshot_counts *counts, struct err *err)
{
	struct snapshot_work w = {
		.s = { .recording = recording, .counts = counts, .err = err },
		.channel = channel, .no_rings = no_rings,
	};
	int ret;

	*counts = (struct snapshot_counts){ .size = recording->generation->hdr.gen_size };
	ret = check_wanted_channel(&w);
	if (ret)
		return ret;
	/*
	 * Memory is faster than a file, and a ring does not wait.  What is only looked at takes no
	 * memory of a private mapping.
	 */
	w.s.image = mmap(NULL, counts->size, PROT_READ | PROT_WRITE,
			 (no_rings ? MAP_PRIVATE : MAP_SHARED) | MAP_ANONYMOUS, -1, 0);
	if (w.s.image == MAP_FAILED)
		return err_sys(err, "memory for %llu bytes", counts->size);
	ret = copy_generation(&w);
	if (!ret)
		ret = write_image(&w.s, fd);
	munmap(w.s.image, counts->size);
	free(w.added);
	free(w.rings);
	return ret;
}
