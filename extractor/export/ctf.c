// SPDX-License-Identifier: GPL-2.0-or-later
#include "export.h"

#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/checksum.h"
#include "ctf_event.h"
#include "ctf_lane.h"
#include "ctf_metadata.h"

/* Readers refuse what is beyond 63 bits, UTC included. */
#define TIME_MAX	(1ULL << 62)

#define METADATA_BUFFER	(256U << 10)	/* one kind has less */

/*
 * One CTF export.
 * @outs: @nr_outs lanes, by number of the lane
 * @used: whether the trace holds events of a class, by number of the class
 * @last: time of the newest event
 * @offset: UTC minus the recorder's clock, ns; 0: unknown
 * @nr_moved: events whose time CTF cannot represent
 * @grows: readers may open the trace at any time: its metadata has a class before the first event
 */
struct ctf_export {
	struct exporter ex;
	struct ctf_files files;
	struct ctf_plans *plans;
	struct ctf_lane *outs;
	u32 nr_outs;
	bool *used;
	u64 last;
	u64 offset;
	u64 nr_moved;
	u8 uuid[16];
	bool grows;
	struct err *err;
};

/* The exporter adds lanes while it runs. */
static struct ctf_lane *lane_of_number(struct ctf_export *w, u32 lane)
{
	struct ctf_lane *outs = w->outs;
	u32 i, nr = w->ex.nr_lanes;

	if (lane < w->nr_outs)
		return &outs[lane];
	outs = reallocarray(outs, nr, sizeof(*outs));
	if (!outs)
		return NULL;
	w->outs = outs;
	memset(outs + w->nr_outs, 0, (nr - w->nr_outs) * sizeof(*outs));
	for (i = w->nr_outs; i < nr; i++)
		ctf_lane_init(outs, i, &w->ex.lanes[i]);
	w->nr_outs = nr;
	return &outs[lane];
}

static u8 marks_of(const struct exported *event)
{
	u8 marks = event->item->marks & (CTF_UNCERTAIN | CTF_IN_DAMAGED | CTF_UNPROVEN | CTF_REPAIRED);

	return event->is_lost ? marks | CTF_LOST_BEFORE : marks;
}

_Static_assert(CTF_UNCERTAIN == (int)ITEM_UNCERTAIN && CTF_IN_DAMAGED == (int)ITEM_IN_DAMAGED &&
	       CTF_UNPROVEN == (int)ITEM_UNPROVEN && CTF_REPAIRED == (int)ITEM_REPAIRED, "marks are copied");

/* The last event gives the best UTC: the wall clock may be set while the recorder runs. */
static void note_time(struct ctf_export *w, const struct item *item)
{
	u64 real;

	if (item->time < w->last || (w->offset && item->time - w->last < 1000000000))
		return;
	real = pm_real(w->ex.pm, item);
	w->last = item->time;
	if (real > item->time && real < TIME_MAX)
		w->offset = real - item->time;
}

/* One system call appends the class: a concurrent reader sees all of the class, or nothing. */
static int append_class(struct ctf_export *w, const struct event_class *class)
{
	int fd = openat(w->files.dir, "metadata", O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "a");
	bool bad;

	if (!f)
		return err_sys(w->err, "metadata");
	setvbuf(f, NULL, _IOFBF, METADATA_BUFFER);
	ctf_metadata_event(f, class);
	bad = fflush(f) || ferror(f);
	bad |= fclose(f) != 0;
	return bad ? err_sys(w->err, "metadata: cannot write") : 0;
}

static int use_class(struct ctf_export *w, const struct event_class *class)
{
	int ret = w->grows && !w->used[class->id] ? append_class(w, class) : 0;

	w->used[class->id] = true;
	return ret;
}

static int take_ctf_event(void *priv, const struct exported *event)
{
	struct ctf_export *w = priv;
	struct ctf_lane *out = lane_of_number(w, event->lane);
	u64 time = event->item->time;
	u8 marks = marks_of(event);
	u64 lost = event->is_lost && !event->lost ? 1 : event->lost;
	u64 most = ctf_event_most(w->plans, event);
	int ret;

	if (!out)
		return err_sys(w->err, "memory for %u lanes", w->ex.nr_lanes);
	if (time < out->last || time > TIME_MAX) {
		time = time < out->last ? out->last : TIME_MAX;
		marks |= CTF_TIME_MOVED;
		w->nr_moved++;
	}
	ret = use_class(w, event->class);
	if (ret)
		return ret;
	ret = ctf_lane_ready(out, &w->files, &w->ex.lanes[event->lane], time, lost, most, w->err);
	if (ret)
		return ret;
	if (!most || !ctf_event_pack(&out->packet, w->plans, event, time, marks))
		return err_sys(w->err, "memory for an event");
	note_time(w, event->item);
	return 0;
}

/* The same trace always gets the same UUID. The UUID is no secret. */
static void make_uuid(struct ctf_export *w)
{
	const struct recording *recording = w->ex.pm->recording;
	u64 half[2] = { 0x4550495441504821ULL, w->ex.pm->end.time };

	if (recording)
		half[0] = checksum(recording->generation->hdr.salt, recording->generation->hdr.boot_id, 16);
	half[1] = pack_order64(ORDER_LITTLE, half[1]);
	half[0] = pack_order64(ORDER_LITTLE, half[0]);
	half[1] = pack_order64(ORDER_LITTLE, checksum(le64toh(half[0]), half, sizeof(half)));
	memcpy(w->uuid, half, sizeof(half));
	w->uuid[6] = (w->uuid[6] & 0x0f) | 0x40;
	w->uuid[8] = (w->uuid[8] & 0x3f) | 0x80;
}

static int open_ctf(struct ctf_export *w, int dir, struct postmortem *pm,
		    const struct window *window, struct err *err)
{
	u32 nr = pm->nr_streams ? pm->nr_streams : 1;
	int ret = exporter_open(&w->ex, pm, window, err);

	if (ret)
		return ret;
	make_uuid(w);
	w->files = (struct ctf_files){ .dir = dir, .uuid = w->uuid, .order = w->ex.order,
				       .packet_size = CTF_PACKET };
	if (CTF_ALL_PACKETS / nr < CTF_PACKET)
		w->files.packet_size = CTF_ALL_PACKETS / nr;
	w->plans = ctf_plans_new();
	w->used = calloc(EVENT_CLASSES_MAX + 1, sizeof(*w->used));
	return w->plans && w->used ? 0 : err_sys(err, "memory");
}

static int flush_all(struct ctf_export *w, struct err *err)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < w->nr_outs && !ret; i++)
		ret = ctf_lane_flush(&w->outs[i], &w->files, err);
	return ret;
}

static int put_metadata(struct ctf_export *w, struct err *err)
{
	int fd = openat(w->files.dir, "metadata", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	bool bad;

	if (!f)
		return err_sys(err, "metadata");
	ctf_metadata_put(f, &w->ex, w->uuid, w->used, w->offset);
	bad = fflush(f) || ferror(f);
	bad |= fclose(f) != 0;
	return bad ? err_sys(err, "metadata: cannot write") : 0;
}

static void close_ctf(struct ctf_export *w)
{
	u32 i;

	for (i = 0; i < w->nr_outs; i++)
		ctf_lane_free(&w->outs[i]);
	free(w->outs);
	free(w->used);
	ctf_plans_free(w->plans);
	exporter_close(&w->ex);
}

int ctf_growing_open(struct ctf_growing **ret, int dir, struct postmortem *pm, u64 offset,
		     struct err *err)
{
	struct ctf_export *w = calloc(1, sizeof(*w));
	int res;

	if (!w)
		return err_sys(err, "memory");
	res = open_ctf(w, dir, pm, NULL, err);
	w->offset = offset;
	if (!res)
		res = put_metadata(w, err);
	w->grows = true;
	*ret = (struct ctf_growing *)w;
	return res;
}

int ctf_growing_entry(struct ctf_growing *ctf, const struct item *item, struct err *err)
{
	struct ctf_export *w = (struct ctf_export *)ctf;

	w->err = err;
	return exporter_give(&w->ex, item, take_ctf_event, w, err);
}

int ctf_growing_flush(struct ctf_growing *ctf, struct err *err)
{
	return flush_all((struct ctf_export *)ctf, err);
}

void ctf_growing_close(struct ctf_growing *ctf)
{
	if (!ctf)
		return;
	close_ctf((struct ctf_export *)ctf);
	free(ctf);
}

int export_ctf(int dir, struct postmortem *pm, const struct window *window, struct err *err)
{
	struct ctf_export w = { .err = err };
	int ret = open_ctf(&w, dir, pm, window, err);

	if (!ret)
		ret = exporter_run(&w.ex, take_ctf_event, &w, err);
	if (!ret)
		ret = flush_all(&w, err);
	if (!ret)
		ret = put_metadata(&w, err);
	if (!ret)
		exporter_tell(&w.ex, "ctf");
	if (!ret && w.nr_moved)
		fprintf(stderr, "epitaph export: ctf: %llu events have an impossible time, or one before that of the event before them; they are given at another\n",
			w.nr_moved);
	close_ctf(&w);
	return ret;
}
