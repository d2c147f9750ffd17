// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "handle.h"
#include "item.h"

/*
 * @number: the engine's
 * @batch: NULL: none yet
 * @off: of what is next in @batch
 * @item: the one that was given last; the walk has one reference
 */
struct epitaph_walk {
	struct epitaph_generation *generation;
	u32 number;
	struct definitions *definitions;
	struct batch *batch;
	size_t off;
	struct epitaph_item *item;
	bool is_over;
};

static int fail_memory(const struct epitaph_dump *dump, struct epitaph_error **error)
{
	return error_set(error, &(struct error_parts){ .code = EPITAPH_ERROR_IO, .errnum = ENOMEM,
			 .where = dump->where }, "there is no memory");
}

/* Without a question: the engine frees its side with the dump. */
static void free_walk(struct epitaph_walk *walk)
{
	if (walk->item)
		epitaph_item_unref(walk->item);
	batch_unref(walk->batch);
	definitions_unref(walk->definitions);
	epitaph_generation_close(walk->generation);
	free(walk);
}

static int ask_walk(struct epitaph_walk *walk, u32 kinds, u32 flags, u64 last_ns,
		    struct epitaph_error **error)
{
	struct epitaph_dump *dump = walk->generation->dump;
	struct pack question = { .order = ORDER_HOST }, answer;
	struct bytes b;
	int ret;

	pack_u32(&question, walk->generation->index);
	pack_u32(&question, kinds);
	pack_u32(&question, flags);
	pack_u64(&question, last_ns);
	if (!handle_enter(dump, error)) {
		pack_free(&question);
		return -1;
	}
	ret = handle_ask(dump, WIRE_WALK, &question, &answer, error);
	if (!ret) {
		b = bytes_of(answer.data, answer.size, ORDER_HOST);
		walk->number = bytes_u32(&b, 0);
		ret = b.overrun || walk->number >= WIRE_WALKS ? handle_bad_answer(dump, error) : 0;
		pack_free(&answer);
	}
	handle_leave(dump);
	return ret;
}

struct epitaph_walk *epitaph_walk_open(struct epitaph_generation *generation, uint32_t kinds,
				       uint32_t flags, uint64_t last_ns,
				       struct epitaph_error **error)
{
	struct epitaph_walk *walk;

	if (!generation) {
		error_usage(error, "epitaph_walk_open()", "generation is NULL", "a generation");
		return NULL;
	}
	walk = calloc(1, sizeof(*walk));
	if (!walk) {
		fail_memory(generation->dump, error);
		return NULL;
	}
	walk->generation = generation_ref(generation);
	walk->definitions = definitions_new();
	if (!walk->definitions)
		fail_memory(generation->dump, error);
	else if (!ask_walk(walk, kinds, flags, last_ns, error))
		return walk;
	free_walk(walk);
	return NULL;
}

void epitaph_walk_close(struct epitaph_walk *walk)
{
	if (!walk)
		return;
	if (!walk->generation->dump->is_closed)
		handle_end_walk(walk->generation->dump, walk->number);
	free_walk(walk);
}

/* The next batch; false: the end, or an error. */
static bool next_batch(struct epitaph_walk *walk, struct epitaph_error **error)
{
	struct epitaph_dump *dump = walk->generation->dump;
	struct pack question = { .order = ORDER_HOST }, answer;

	if (walk->is_over)
		return false;
	pack_u32(&question, walk->number);
	if (handle_ask(dump, WIRE_NEXT, &question, &answer, error))
		return false;
	if (!answer.size) {
		walk->is_over = true;
		pack_free(&answer);
		return false;
	}
	batch_unref(walk->batch);
	walk->off = 0;
	walk->batch = batch_new(&answer, walk->definitions, walk->generation->end_time);
	if (!walk->batch)
		fail_memory(dump, error);
	return walk->batch;
}

/* An item that the caller did not keep is used again. */
static const struct epitaph_item *make_item(struct epitaph_walk *walk,
					    const struct wire_item *wire)
{
	struct epitaph_item *item = walk->item;

	if (!item || atomic_load(&item->users) > 1) {
		if (item)
			epitaph_item_unref(item);
		walk->item = item = malloc(sizeof(*item));
		if (!item)
			return NULL;
		atomic_init(&item->users, 1);
		item->batch = NULL;
	}
	if (item->batch != walk->batch) {
		batch_unref(item->batch);
		item->batch = walk->batch;
		atomic_fetch_add(&walk->batch->users, 1);
	}
	item->wire = wire;
	item->definition = walk->definitions->list[wire->definition];
	return item;
}

static const struct epitaph_item *take_next(struct epitaph_walk *walk,
					    struct epitaph_error **error)
{
	struct epitaph_dump *dump = walk->generation->dump;
	const struct epitaph_item *item;
	const struct wire_item *wire;
	bool bad;

	if (dump->is_closed) {
		error_set(error, &(struct error_parts){ .code = EPITAPH_ERROR_CLOSED,
			  .where = dump->where }, "the dump of this walk was closed");
		return NULL;
	}
	do {
		wire = walk->batch ? batch_next(walk->batch, &walk->off, &bad) : NULL;
		if (walk->batch && !wire && bad) {
			handle_bad_answer(dump, error);
			return NULL;
		}
	} while (!wire && next_batch(walk, error));
	if (!wire)
		return NULL;
	item = make_item(walk, wire);
	if (!item)
		fail_memory(dump, error);
	return item;
}

const struct epitaph_item *epitaph_walk_next(struct epitaph_walk *walk,
					     struct epitaph_error **error)
{
	const struct epitaph_item *item;

	if (!walk) {
		error_usage(error, "epitaph_walk_next()", "walk is NULL", "a walk");
		return NULL;
	}
	if (!handle_enter(walk->generation->dump, error))
		return NULL;
	item = take_next(walk, error);
	handle_leave(walk->generation->dump);
	return item;
}
