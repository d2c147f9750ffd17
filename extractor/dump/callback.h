/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A dump that is read through a callback of the caller: of a debugger, or of a test. */
#ifndef EPITAPH_DUMP_CALLBACK_H
#define EPITAPH_DUMP_CALLBACK_H

#include "base/byte_reader.h"
#include "dump.h"

/**
 * struct dump_callback - memory and its reader; the caller owns all of it
 * @name: dump_open() of this path opens it, once it is offered
 * @kind: the value of dump_kind()
 * @order: of the machine
 * @segments: nr_segments of them, by address, not overlapping; nothing else is read
 * @vmcoreinfo: NULL: not known
 * @read: @size bytes that lie within one INPUT_PAGE; false: they are not there
 */
struct dump_callback {
	const char *name;
	const char *kind;
	enum byte_order order;
	const struct dump_segment *segments;
	size_t nr_segments;
	const char *vmcoreinfo;
	bool (*read)(void *priv, u64 paddr, void *buf, size_t size);
	void *priv;
};

/*
 * dump_open_callback() - @memory must live as long as @ret
 *
 * Return: 0; -ERR_NOT_OURS without a segment; -ERR_IO without memory.
 */
int dump_open_callback(struct dump **ret, const struct dump_callback *memory, struct err *err);

/* Have dump_open() know @memory by its name; one in a process, NULL: none any more. */
void dump_offer_callback(const struct dump_callback *memory);

/* What is offered under @name, or NULL. */
const struct dump_callback *dump_offered_callback(const char *name);

/* The same for @in that dump_create() made; see input_impl.h. */
int dump_attach_callback(struct dump *in, const struct dump_callback *memory, struct err *err);

#endif
