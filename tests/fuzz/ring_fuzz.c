// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One ring of hostile sub-buffers, as ring_scan() and a stream go through it, without
 * the region around it: checks hold, so that its chain and its events are reached.
 */
#include "region/ring_scan.h"
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define UNIT	512

static const struct ids *ids(bool crc)
{
	static struct ids ids;

	for (u32 i = EPITAPH_ID_FIRST; !ids.state[EPITAPH_ID_FIRST] && i < 64; i++) {
		ids.state[63 - i + EPITAPH_ID_FIRST] = i % 8 == 7 ? ID_DAMAGED : ID_KNOWN;
		ids.words[63 - i + EPITAPH_ID_FIRST] = i % 5;
	}
	ids.state[600] = ID_KNOWN;
	ids_of_packed(&ids);
	ids.crc = crc;
	return &ids;
}

static void tell(void *priv, u64 off, const char *why)
{
	MUST(off < *(const size_t *)priv && *why);
}

/* What its parity says is there, is what the next sub-buffer is. */
static bool repair(void *priv, u64 off, void *buf, size_t size)
{
	const struct source_memory *mem = priv;

	if (off + 2 * size > mem->size)
		return false;
	memcpy(buf, (const u8 *)mem->data + off + size, size);
	return true;
}

/* As many events as the scan says, each where the one before ended. */
static void walk(const struct ring_scan *scan, u32 i)
{
	struct subbuf_event ev = { .kind = SUBBUF_TAKEN };
	u32 nr = 0, steps = 0;
	struct subbuf_cursor cur;
	u8 data[UNIT];
	struct subbuf sub;

	MUST(ring_scan_load(scan, i, &sub, data, NULL));
	MUST(!i || scan->subs[i - 1].seq <= scan->subs[i].seq);
	for (cur = subbuf_begin(&sub); ev.kind != SUBBUF_END && ev.kind != SUBBUF_BROKEN;) {
		u32 off = cur.off;

		subbuf_next(&sub, data, &cur, scan->ids, &ev);
		MUST(++steps <= UNIT / 4 && cur.off >= off && cur.off <= UNIT);
		if (ev.kind != SUBBUF_COMMITTED)
			continue;
		MUST(ev.off == off && ev.words && ev.before <= ev.words && ev.off + 4 * ev.words == cur.off);
		nr += !ev.is_silent;
	}
	MUST(nr == scan->subs[i].nr_events);
	MUST((ev.kind == SUBBUF_BROKEN) <= (sub.state == SUBBUF_DAMAGED));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct source_memory mem = { data, size };
	struct ring_scan scan = {
		.src = source_of_memory(&mem), .size = size - size % UNIT, .unit = UNIT,
		.ids = ids(size / UNIT % 2), .on_damage = tell, .priv = &size,
	};
	u32 left = SCAN_MAX_SUBS;

	if (!scan.size)
		return 0;
	scan.src.repair = repair;
	MUST(!ring_scan(&scan, &left, NULL));
	for (u32 i = 0; i < scan.nr_subs; i++)
		walk(&scan, i);
	ring_scan_free(&scan);
	return 0;
}
