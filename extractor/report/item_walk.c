// SPDX-License-Identifier: GPL-2.0-or-later
#include "item_walk.h"

#include "event/formats.h"

void item_pass(const struct item *item)
{
	const struct stream *stream = item->stream;

	if (item->kind != ITEM_EVENT || item->extra || !stream)
		return;
	/* Of all programs, so many have memory as are wanted first. */
	formats_program(stream->formats, item->id);
	if (stream->ops->pass)
		stream->ops->pass(stream);
}

u64 item_step(const struct item *item)
{
	return item->time ^ (u64)item->cpu << 48 ^ item->kind;
}

static int walk_by_turns(struct timeline *tl, const struct window *window, struct turns *turns,
			 const struct item_printer *printer, struct err *err)
{
	struct window_walk walk = window_walk(window);
	const struct item *item;
	int ret = 0;

	turns_begin(turns);
	while (!ret && (item = window_next(&walk, tl))) {
		u64 step = item_step(item);

		if (turns_is_own(turns))
			printer->print(printer->priv, item);
		else
			item_pass(item);
		if (!turns_step(turns, step))
			continue;
		if (printer->flush)
			printer->flush(printer->priv);
		ret = turns_end(turns, printer->f, err);
	}
	if (printer->flush)
		printer->flush(printer->priv);
	return ret ? ret : turns_finish(turns, printer->f, err);
}

int item_walk(struct postmortem *pm, const struct window *window, const struct item_printer *printer,
	      struct err *err)
{
	struct timeline *tl;
	int ret = timeline_open(&tl, pm, window->from, window->damaged, err);

	if (ret)
		return ret;
	ret = walk_by_turns(tl, window, window_turns(window, pm), printer, err);
	timeline_close(tl);
	return ret;
}
