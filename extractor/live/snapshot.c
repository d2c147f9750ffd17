// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of it: the counters of losses, the rings, and then what their events need,
 * which joined before them.
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

#include "base/checksum.h"
#include "live.h"
#include "ring_reader.h"

/* What is older than this is committed, unless its writer was interrupted for so long. */
#define MARGIN		2000000ULL

/**
 * struct work - one under way
 * @channel: that alone; NULL: all
 * @rings: that are wanted, nr_rings of them
 * @tries_until: a ring that is lost until then is no reason to give up
 * @is_last_try: it is over
 * @added: the entries of added channels, as they were first
 */
struct work {
	struct snapshot s;
	const char *channel;
	const struct recording_ring **rings;
	u32 nr_rings;
	u64 tries_until;
	bool is_last_try;
	struct epitaph_added *added;
	u32 nr_added;
};

static bool is_wanted(const struct work *w, const struct recording_channel *channel)
{
	return !w->channel || !strcmp(channel->name, w->channel);
}

static int no_channel(const struct work *w)
{
	const struct recording *recording = w->s.recording;
	char names[256] = "";
	size_t used = 0;
	u32 i;

	for (i = 0; i < recording->nr_channels && used < sizeof(names); i++)
		used += snprintf(names + used, sizeof(names) - used, " %s", recording->channels[i].name);
	return err_set(w->s.err, ERR_USAGE, ERR_NO_OFF, "there is no channel '%s'; there are:%s",
		       w->channel, names);
}

static int check_channel(const struct work *w)
{
	u32 i;

	for (i = 0; i < w->s.recording->nr_channels; i++)
		if (is_wanted(w, &w->s.recording->channels[i]))
			return 0;
	return no_channel(w);
}

u64 snapshot_raw_at(const struct recording *recording, u64 mono_ns)
{
	return clock_of_mono(&recording->clock, mono_ns) >> recording->clock.shift;
}

/* A moment that has passed: what the clocks may differ by is waited for. */
static int choose_moment(struct work *w)
{
	struct snapshot *s = &w->s;
	const struct clock *clock = &s->recording->clock;
	u64 back = MARGIN + clock->bound_ns + clock_units_ns(clock, clock_doubt(clock));

	if (s->recording->crash.known)
		return err_set(s->err, ERR_NOT_OURS, ERR_NO_OFF,
			       "nobody records into it: its machine crashed; epitaph save copies it");
	s->begun = live_now();
	s->moment = snapshot_raw_at(s->recording, s->begun > back ? s->begun - back : 0);
	s->counts->moment_ns = recording_mono(s->recording, s->moment);
	return 0;
}

/* --- channels that are added and removed ---------------------------------------- */

static int read_added(const struct work *w, struct epitaph_added *to)
{
	const struct section *sec = generation_section(w->s.recording->generation, EPITAPH_SEC_ADDED);
	u32 i;

	for (i = 0; i < w->nr_added; i++)
		if (generation_read(w->s.recording->generation, sec->off + (u64)i * sec->unit, &to[i],
				    sizeof(to[i]), w->s.err) != sizeof(to[i]))
			return -ERR_IO;
	return 0;
}

static int begin_added(struct work *w)
{
	const struct section *sec = generation_section(w->s.recording->generation, EPITAPH_SEC_ADDED);
	u64 n = section_entries(sec, sizeof(*w->added));

	w->nr_added = n < RECORDING_MAX_CHANNELS ? n : RECORDING_MAX_CHANNELS;
	w->added = calloc(2 * w->nr_added + 1, sizeof(*w->added));
	if (!w->added)
		return err_sys(w->s.err, "memory for channels");
	return read_added(w, w->added);
}

static const struct recording_channel *channel_of(const struct recording *recording, u32 id)
{
	u32 i;

	for (i = 0; i < recording->nr_channels; i++)
		if (recording->channels[i].is_added && recording->channels[i].id == id)
			return &recording->channels[i];
	return NULL;
}

static int copy_added_counters(const struct work *w)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < w->s.recording->nr_channels && !ret; i++) {
		const struct recording_channel *channel = &w->s.recording->channels[i];

		if (is_wanted(w, channel) && channel->is_added && channel->counters)
			ret = snapshot_steady(&w->s, channel->counters,
					      channel->nr_rings * sizeof(struct epitaph_counters),
					      sizeof(struct epitaph_counters));
	}
	return ret;
}

/* Those that are what they were before their rings were copied. */
static int end_added(struct work *w)
{
	const struct section *sec = generation_section(w->s.recording->generation, EPITAPH_SEC_ADDED);
	struct epitaph_added *now = w->added + w->nr_added;
	int ret = read_added(w, now);
	u32 i;

	for (i = 0; i < w->nr_added && !ret; i++) {
		const struct recording_channel *channel =
			channel_of(w->s.recording, le32toh(w->added[i].id));

		if (!w->added[i].check || !channel || !is_wanted(w, channel))
			continue;
		if (memcmp(&now[i], &w->added[i], sizeof(*now)))
			w->s.counts->gone++;
		else
			memcpy(w->s.image + sec->off + (u64)i * sec->unit, &now[i], sizeof(*now));
	}
	return ret;
}

/* --- rings ---------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	const struct recording_ring *const *x = a, *const *y = b;

	if ((*x)->sec->size != (*y)->sec->size)
		return (*x)->sec->size < (*y)->sec->size ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* The pages are there before the moment. */
static void take_room(struct work *w, const struct recording_ring *ring)
{
	w->rings[w->nr_rings++] = ring;
	memset(w->s.image + ring->sec->off, 0, ring->sec->size);
}

/* The smallest first: its writers come around first. */
static int list_rings(struct work *w)
{
	const struct recording *recording = w->s.recording;
	u32 i;

	w->rings = calloc(recording->nr_rings + 1, sizeof(*w->rings));
	if (!w->rings)
		return err_sys(w->s.err, "memory for %u rings", recording->nr_rings);
	for (i = 0; i < recording->nr_rings; i++)
		if (is_wanted(w, recording->rings[i].channel))
			take_room(w, &recording->rings[i]);
	if (w->nr_rings)
		qsort(w->rings, w->nr_rings, sizeof(*w->rings), by_size);
	return 0;
}

static int copy_ring(const struct work *w, const struct recording_ring *ring)
{
	const struct section *sec = ring->sec;

	return ring->channel->is_copy ? snapshot_steady(&w->s, sec->off, sec->size, sec->unit) :
					snapshot_ring(&w->s, sec);
}

/* A ring that is lost has nothing of this moment; it may have of a later one. */
static bool wants_another_moment(const struct work *w)
{
	return w->s.counts->lost_rings && !w->is_last_try;
}

static int copy_rings(struct work *w)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < w->nr_rings && !ret && !wants_another_moment(w); i++)
		ret = copy_ring(w, w->rings[i]);
	return ret;
}

static int settle_rings(struct work *w)
{
	int ret = recording_more(w->s.recording, w->s.err);
	u32 i;

	for (i = 0; i < w->nr_rings && !ret; i++)
		if (!w->rings[i]->channel->is_copy)
			ret = snapshot_settle(&w->s, w->rings[i]->sec);
	return ret;
}

/* --- everything else -------------------------------------------------------------- */

static int copy_sections(const struct work *w, bool counters)
{
	const struct generation *generation = w->s.recording->generation;
	u32 i;
	int ret = 0;

	for (i = 0; i < generation->nr_sections && !ret; i++) {
		const struct section *sec = &generation->sections[i];

		if (sec->type != EPITAPH_SEC_RING && sec->type != EPITAPH_SEC_POOL &&
		    sec->type != EPITAPH_SEC_ADDED &&
		    (sec->type == EPITAPH_SEC_COUNTERS) == counters)
			ret = snapshot_steady(&w->s, sec->off, sec->size, sec->unit);
	}
	return ret;
}

static int copy_header(const struct work *w)
{
	const struct epitaph_header *hdr = &w->s.recording->generation->hdr;
	int ret = snapshot_steady(&w->s, 0, hdr->table_size, 0);

	return ret ? ret : snapshot_steady(&w->s, hdr->copy_off, hdr->table_size, 0);
}

/* The newest mark of the copy; its number, or 0. */
static u64 newest_mark(const struct work *w, const struct section *sec, struct epitaph_mark *newest)
{
	u64 i, n = section_entries(sec, sizeof(*newest));
	struct epitaph_mark raw;

	memset(newest, 0, sizeof(*newest));
	for (i = 0; i < n; i++) {
		memcpy(&raw, w->s.image + sec->off + i * sec->unit, sizeof(raw));
		if (le64toh(raw.seq) > le64toh(newest->seq))
			*newest = raw;
	}
	return le64toh(newest->seq);
}

static void mark_text(const struct work *w, char *text, size_t size)
{
	const struct snapshot_counts *counts = w->s.counts;
	int n = snprintf(text, size, "%.24s copied to a file, up to here",
			 w->channel ? w->channel : "all channels");

	if (counts->lapped)
		n += snprintf(text + n, size - n, "; %u sub-buffers lapped", counts->lapped);
	if (counts->lost_rings)
		snprintf(text + n, size - n, ", %u rings lost", counts->lost_rings);
}

/* Who reads the copy sees what it is.  A mark that it ended stays the last one. */
static void add_mark(const struct work *w)
{
	const struct recording *recording = w->s.recording;
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_MARKS);
	u64 n = section_entries(sec, sizeof(struct epitaph_mark)), seq;
	u64 clock = clock_of_time(&recording->clock, w->s.moment);
	int cpu = sched_getcpu();
	struct epitaph_mark mark;

	if (!n)
		return;
	seq = newest_mark(w, sec, &mark) + 1;
	if (le32toh(mark.type) == EPITAPH_MARK_END)
		return;
	mark = (struct epitaph_mark){
		.seq = htole64(seq), .clock = htole64(clock),
		.real_ns = htole64(clock_real(&recording->clock, clock)),
		.type = htole32(EPITAPH_MARK_SNAPSHOT), .cpu = htole32(cpu < 0 ? 0 : cpu),
	};
	mark_text(w, mark.text, sizeof(mark.text));
	mark.check = htole64(checksum(recording->generation->hdr.salt, &mark,
				      offsetof(struct epitaph_mark, check)));
	memcpy(w->s.image + sec->off + (seq - 1) % n * sec->unit, &mark, sizeof(mark));
}

static int copy_moment(struct work *w)
{
	int ret;

	*w->s.counts = (struct snapshot_counts){ .size = w->s.counts->size };
	w->is_last_try = live_now() >= w->tries_until;
	ret = choose_moment(w);
	if (!ret)
		ret = copy_sections(w, true);
	if (!ret)
		ret = copy_added_counters(w);
	return ret ? ret : copy_rings(w);
}

static int copy_all(struct work *w)
{
	int ret = begin_added(w);

	if (!ret)
		ret = list_rings(w);
	w->tries_until = live_now() + LIVE_PATIENCE;
	do {
		if (!ret)
			ret = copy_moment(w);
	} while (!ret && wants_another_moment(w));
	if (!ret)
		ret = settle_rings(w);
	if (!ret)
		ret = end_added(w);
	if (!ret)
		ret = copy_sections(w, false);
	if (!ret)
		ret = copy_header(w);
	if (!ret)
		add_mark(w);
	return ret;
}

/* --- the file ---------------------------------------------------------------------- */

#define PIECE	65536

static bool is_zero(const u8 *data, u64 size)
{
	return !data[0] && !memcmp(data, data + 1, size - 1);
}

static int write_piece(const struct snapshot *s, int fd, u64 off, u64 end)
{
	while (off < end) {
		ssize_t n = pwrite(fd, s->image + off, end - off, off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_sys(s->err, "cannot write at byte %llu of %llu", off,
				       s->counts->size);
		off += n;
	}
	return 0;
}

/* Zeroes are holes. */
static int write_image(const struct snapshot *s, int fd)
{
	u64 size = s->counts->size, off, end;
	int ret = 0;

	for (off = 0; off < size && !ret; off = end) {
		end = size - off < PIECE ? size : off + PIECE;
		if (!is_zero(s->image + off, end - off))
			ret = write_piece(s, fd, off, end);
	}
	if (!ret && ftruncate(fd, size))
		ret = err_sys(s->err, "%llu bytes", size);
	return ret;
}

int snapshot_take(struct recording *recording, const char *channel, int fd,
		  struct snapshot_counts *counts, struct err *err)
{
	struct work w = {
		.s = { .recording = recording, .counts = counts, .err = err },
		.channel = channel,
	};
	int ret;

	*counts = (struct snapshot_counts){ .size = recording->generation->hdr.gen_size };
	ret = check_channel(&w);
	if (ret)
		return ret;
	/* Memory is faster than a file, and a ring does not wait. */
	w.s.image = mmap(NULL, counts->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			 -1, 0);
	if (w.s.image == MAP_FAILED)
		return err_sys(err, "memory for %llu bytes", counts->size);
	ret = copy_all(&w);
	if (!ret)
		ret = write_image(&w.s, fd);
	munmap(w.s.image, counts->size);
	free(w.added);
	free(w.rings);
	return ret;
}
