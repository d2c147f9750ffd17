/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that somebody else reads for us: a debugger that has the dump open, or a test. */
#ifndef EPITAPH_DUMP_CALLBACK_H
#define EPITAPH_DUMP_CALLBACK_H

#include "base/byte_reader.h"
#include "dump.h"

/**
 * struct input_memory - memory, and who reads it; all of it the caller's
 * @name: input_open() of this path opens it, once it is offered
 * @kind: as input_kind() tells it
 * @order: of the machine
 * @segments: nr_segments of them, by address, not overlapping; nothing else is read
 * @vmcoreinfo: NULL: not known
 * @read: @size bytes that lie within one INPUT_PAGE; false: they are not there
 */
struct input_memory {
	const char *name;
	const char *kind;
	enum byte_order order;
	const struct input_segment *segments;
	size_t nr_segments;
	const char *vmcoreinfo;
	bool (*read)(void *priv, u64 paddr, void *buf, size_t size);
	void *priv;
};

/*
 * input_open_memory() - @memory must live as long as @ret
 *
 * Return: 0; -ERR_NOT_OURS without a segment; -ERR_IO without memory.
 */
int input_open_memory(struct input **ret, const struct input_memory *memory, struct err *err);

/* Have input_open() know @memory by its name; one in a process, NULL: none any more. */
void input_offer_memory(const struct input_memory *memory);

/* What is offered under @name, or NULL. */
const struct input_memory *input_offered_memory(const char *name);

/* The same for @in that input_create() made; see input_impl.h. */
int input_attach_memory(struct input *in, const struct input_memory *memory, struct err *err);

#endif
