/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A dump that is read through a callback of the caller: of a debugger, or of a test. */
#ifndef EPITAPH_DUMP_CALLBACK_H
#define EPITAPH_DUMP_CALLBACK_H

#include <epitaph/epitaph.h>

#include "base/byte_reader.h"
#include "dump.h"

/*
 * dump_open_callback() - @memory must live as long as @ret
 *
 * Return: 0; -ERR_NOT_OURS without a segment; -ERR_IO without memory.
 */
int dump_open_callback(struct dump **ret, const struct epitaph_memory_reader *memory,
		       struct err *err);

/* Have dump_open() know @memory by its name; one in a process, NULL: none any more. */
void dump_offer_callback(const struct epitaph_memory_reader *memory);

/* What is offered under @name, or NULL. */
const struct epitaph_memory_reader *dump_offered_callback(const char *name);

/* The same for @in that dump_create() made; see input_impl.h. */
int dump_attach_callback(struct dump *in, const struct epitaph_memory_reader *memory,
			 struct err *err);

#endif
