// SPDX-License-Identifier: GPL-2.0-or-later
#include "export.h"

#include <stdlib.h>
#include <unistd.h>

#include "trace_dat_event.h"
#include "trace_dat_file.h"
#include "trace_dat_meta.h"
#include "trace_dat_page.h"

/**
 * struct lane_pages - the pages of one lane
 * @off: offset of the first page in the file
 * @nr_pages: full pages
 * @nr: events
 * @lost: events that were lost before an event of this lane
 * @is_lost: events were lost, though their number may be unknown
 */
struct lane_pages {
	struct trace_dat_page page;
	u64 off;
	u64 nr_pages;
	u64 nr;
	u64 lost;
	bool is_lost;
};

/*
 * One trace.dat export. It packs the events twice: the pages of a lane lie together in the file,
 * so the first pass counts all pages and the second one writes them.
 * @outs: lanes by number
 * @page_size: of every page, bytes
 * @largest: bytes of the largest event that does not fit @page_size
 * @nr_too_large: events that are larger than the largest page
 */
struct trace_dat_export {
	struct exporter ex;
	struct trace_dat t;
	struct pack payload;
	struct lane_pages *outs;
	u32 nr_outs;
	u32 page_size;
	u32 largest;
	u64 nr_too_large;
	bool writes;
	int fd;
	u64 end;
	struct err *err;
};

static int write_at(int fd, const void *data, size_t size, u64 off, struct err *err)
{
	const u8 *p = data;
	ssize_t n;

	for (; size; p += n, off += n, size -= n) {
		n = pwrite(fd, p, size, off);
		if (n < 0)
			return err_sys(err, "cannot write");
	}
	return 0;
}

static struct lane_pages *lane_pages(struct trace_dat_export *w, u32 lane)
{
	struct lane_pages *outs = w->outs;
	u32 i, nr = w->ex.nr_lanes;

	if (lane < w->nr_outs)
		return &outs[lane];
	outs = reallocarray(outs, nr, sizeof(*outs));
	if (!outs)
		return NULL;
	w->outs = outs;
	memset(outs + w->nr_outs, 0, (nr - w->nr_outs) * sizeof(*outs));
	for (i = w->nr_outs; i < nr; i++)
		outs[i].page = (struct trace_dat_page){ .size = w->page_size, .order = w->ex.order };
	w->nr_outs = nr;
	return &outs[lane];
}

static int end_page(struct trace_dat_export *w, struct lane_pages *out)
{
	struct trace_dat_page *page = &out->page;
	u64 off = out->off + out->nr_pages * page->size;

	if (!page->used)
		return 0;
	trace_dat_page_close(page);
	page->used = 0;
	page->lost = 0;
	page->is_lost = false;
	out->nr_pages++;
	return w->writes ? write_at(w->fd, page->data, page->size, off, w->err) : 0;
}

/* trace.dat marks a loss at the start of a page only. */
static int note_loss(struct trace_dat_export *w, struct lane_pages *out, const struct exported *event)
{
	int ret;

	if (!event->is_lost)
		return 0;
	ret = end_page(w, out);
	out->page.is_lost = true;
	out->page.lost = event->lost;
	out->lost += event->lost;
	out->is_lost = true;
	return ret;
}

static bool have_page_data(struct trace_dat_export *w, struct lane_pages *out)
{
	if (w->writes && !out->page.data)
		out->page.data = malloc(out->page.size);
	return !w->writes || out->page.data;
}

static int take_trace_dat_event(void *priv, const struct exported *event)
{
	struct trace_dat_export *w = priv;
	struct lane_pages *out = lane_pages(w, event->lane);
	u64 time = event->item->time;
	u32 size;
	u8 *to;
	int ret;

	trace_dat_event_payload(&w->payload, event);
	size = TRACEDAT_EVENT_COMMON + w->payload.size;
	if (!out || !have_page_data(w, out) || w->payload.failed)
		return err_sys(w->err, "memory for pages of %u lanes", w->ex.nr_lanes);
	if (size > w->page_size - TRACEDAT_PAGE_HEAD - TRACEDAT_EVENT_MAX - 4) {
		w->largest = size > w->largest ? size : w->largest;
		w->nr_too_large++;
		return 0;
	}
	ret = note_loss(w, out, event);
	if (!ret && !trace_dat_page_has_room(&out->page, time, size))
		ret = end_page(w, out);
	if (ret)
		return ret;
	to = trace_dat_page_add(&out->page, time, size);
	out->nr++;
	if (to)
		trace_dat_event_put(to, event, &w->payload);
	return 0;
}

static int pack_pages(struct trace_dat_export *w)
{
	int ret;
	u32 i;

	w->largest = 0;
	w->nr_too_large = 0;
	ret = exporter_run(&w->ex, take_trace_dat_event, w, w->err);
	for (i = 0; i < w->nr_outs && !ret; i++)
		ret = end_page(w, &w->outs[i]);
	return ret;
}

/* Doubles the page size until every event fits, or the size is TRACEDAT_PAGE_MAX. */
static int count_pages(struct trace_dat_export *w)
{
	int ret;

	for (w->page_size = TRACEDAT_PAGE_MIN;; w->page_size *= 2) {
		ret = pack_pages(w);
		if (ret || !w->largest || w->page_size == TRACEDAT_PAGE_MAX)
			return ret;
		w->nr_outs = 0;
	}
}

/* Whether lanes @first and @i belong to the same buffer. */
static bool is_together(const struct trace_dat_export *w, u32 first, u32 i)
{
	const struct lane *a = &w->ex.lanes[first], *b = &w->ex.lanes[i];

	return a->copy == b->copy && !strcmp(a->channel, b->channel);
}

static bool is_first(const struct trace_dat_export *w, u32 i)
{
	u32 k;

	for (k = 0; k < i; k++)
		if (is_together(w, k, i))
			return false;
	return true;
}

/* Items of an unknown CPU get the number behind the last CPU. */
static u32 unknown_cpu(const struct trace_dat_export *w)
{
	u32 i, cpu = 0;

	for (i = 0; i < w->nr_outs; i++)
		if (w->ex.lanes[i].cpu != NO_CPU && w->ex.lanes[i].cpu >= cpu)
			cpu = w->ex.lanes[i].cpu + 1;
	return cpu;
}

static u32 cpu_of(const struct trace_dat_export *w, u32 i)
{
	return w->ex.lanes[i].cpu == NO_CPU ? unknown_cpu(w) : w->ex.lanes[i].cpu;
}

/* The first channel is the top one, which has no name. */
static void put_buffer_name(struct pack *p, const struct trace_dat_export *w, u32 first)
{
	const struct lane *lane = &w->ex.lanes[first];

	if (first)
		pack_escaped(p, lane->channel, strlen(lane->channel));
	if (first && lane->copy)
		pack_fmt(p, "#%u", lane->copy + 1);
	pack_u8(p, 0);
}

static void put_cpustat(struct trace_dat_export *w, u32 first, u32 i)
{
	const struct lane_pages *out = &w->outs[i];
	struct pack p = { 0 };

	pack_fmt(&p, "CPU: %u\n", cpu_of(w, i));
	if (first) {
		pack_fmt(&p, "buffer: ");
		put_buffer_name(&p, w, first);
		p.size -= p.size > 0;
		pack_fmt(&p, "\n");
	}
	pack_fmt(&p, "entries: %llu\noverrun: %llu%s\n", out->nr, out->lost,
		 out->is_lost && !out->lost ? " or more" : "");
	pack_u8(&p, 0);
	trace_dat_option(&w->t, TRACEDAT_CPUSTAT, p.data, p.size);
	pack_free(&p);
}

/* One channel: its pages get their place at @off, behind the head of a section. */
static u64 place_buffer(struct trace_dat_export *w, u32 first, u64 off, struct pack *option)
{
	u64 size = w->page_size, end = (off + TRACEDAT_SECTION_HEAD + size - 1) / size * size;
	u32 i, nr = 0;

	pack_u64(option, off);
	put_buffer_name(option, w, first);
	pack_str(option, exporter_clock(&w->ex));
	pack_u32(option, size);
	for (i = first; i < w->nr_outs; i++)
		nr += is_together(w, first, i);
	pack_u32(option, nr);
	for (i = first; i < w->nr_outs; i++) {
		if (!is_together(w, first, i))
			continue;
		w->outs[i].off = end;
		pack_u32(option, cpu_of(w, i));
		pack_u64(option, end);
		pack_u64(option, w->outs[i].nr_pages * size);
		end += w->outs[i].nr_pages * size;
		put_cpustat(w, first, i);
	}
	return end;
}

static int put_buffer(struct trace_dat_export *w, u32 first, u64 *off)
{
	struct pack option = { .order = w->ex.order }, head = { .order = w->ex.order };
	u64 end = place_buffer(w, first, *off, &option);
	int ret = 0;

	trace_dat_pack_head(&head, TRACEDAT_BUFFER, end - *off - TRACEDAT_SECTION_HEAD);
	if (option.failed || head.failed)
		ret = err_sys(w->err, "memory");
	else
		ret = write_at(w->fd, head.data, head.size, *off, w->err);
	trace_dat_option(&w->t, TRACEDAT_BUFFER_OPTION, option.data, option.size);
	*off = end;
	pack_free(&option);
	pack_free(&head);
	return ret;
}

/* Everything but the pages. */
static int put_frame(struct trace_dat_export *w)
{
	const struct recording *recording = w->ex.pm->recording;
	u64 off;
	int ret = 0;
	u32 i;

	trace_dat_begin(&w->t, w->ex.order, recording && recording->generation->hdr.long_size == 4 ? 4 : 8,
			w->page_size);
	trace_dat_put_meta(&w->t, &w->ex);
	trace_dat_put_origin(&w->t, &w->ex, unknown_cpu(w) + 1);
	off = w->t.bytes.size;
	for (i = 0; i < w->nr_outs && !ret; i++)
		if (is_first(w, i))
			ret = put_buffer(w, i, &off);
	if (ret)
		return ret;
	trace_dat_end(&w->t, off);
	if (w->t.bytes.failed || w->t.options.failed)
		return err_sys(w->err, "memory for formats and names");
	ret = write_at(w->fd, w->t.bytes.data, w->t.bytes.size, 0, w->err);
	return ret ? ret : write_at(w->fd, w->t.options.data, w->t.options.size, off, w->err);
}

static int add_formats(struct trace_dat_export *w)
{
	const struct postmortem *pm = w->ex.pm;
	int ret = 0;
	u32 i;

	for (i = 0; i < pm->nr_streams && !ret; i++)
		ret = event_classes_add(w->ex.classes, pm->streams[i]->formats, w->err);
	return ret;
}

/* The second pass: each page goes to the offset that place_buffer() chose. */
static int put_pages(struct trace_dat_export *w)
{
	u32 i;

	w->writes = true;
	for (i = 0; i < w->nr_outs; i++) {
		struct lane_pages *out = &w->outs[i];

		*out = (struct lane_pages){ .off = out->off, .page = out->page };
	}
	return pack_pages(w);
}

static void close_trace_dat(struct trace_dat_export *w)
{
	u32 i;

	for (i = 0; i < w->nr_outs; i++)
		free(w->outs[i].page.data);
	free(w->outs);
	trace_dat_free(&w->t);
	pack_free(&w->payload);
	exporter_close(&w->ex);
}

int export_trace_dat(FILE *f, struct postmortem *pm, const struct window *window,
		     struct err *err)
{
	struct trace_dat_export w = { .fd = fileno(f), .err = err };
	int ret = exporter_open(&w.ex, pm, window, err);

	w.payload.order = w.ex.order;
	w.ex.stacks = true;
	if (!ret)
		ret = count_pages(&w);
	if (!ret)
		ret = add_formats(&w);
	if (!ret)
		ret = put_frame(&w);
	if (!ret)
		ret = put_pages(&w);
	if (!ret)
		exporter_tell(&w.ex, "trace.dat");
	if (!ret && w.nr_too_large)
		fprintf(stderr, "epitaph export: trace.dat: %llu events are larger than a page and are left out\n",
			w.nr_too_large);
	close_trace_dat(&w);
	return ret;
}
