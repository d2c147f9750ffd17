/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of a trace.dat of version 7: its head, sections and options; see trace-cmd.dat.v7(5). */
#ifndef EPITAPH_EXPORT_TRACE_DAT_FILE_H
#define EPITAPH_EXPORT_TRACE_DAT_FILE_H

#include "base/byte_writer.h"

#define TRACEDAT_SECTION_HEAD	16	/* bytes */

enum tracedat_section {
	TRACEDAT_OPTIONS = 0,
	TRACEDAT_BUFFER = 3,
	TRACEDAT_STRINGS = 15,
	TRACEDAT_HEADER_INFO = 16,
	TRACEDAT_FTRACE_EVENTS = 17,
	TRACEDAT_EVENTS = 18,
	TRACEDAT_KALLSYMS = 19,
	TRACEDAT_PRINTK = 20,
	TRACEDAT_CMDLINES = 21,
};

/* Where a section is has the section's own number. */
enum tracedat_option {
	TRACEDAT_DONE = 0,
	TRACEDAT_CPUSTAT = 2,
	TRACEDAT_BUFFER_OPTION = 3,
	TRACEDAT_CLOCK = 4,
	TRACEDAT_UNAME = 5,
	TRACEDAT_CPUCOUNT = 8,
	TRACEDAT_VERSION = 9,
};

/**
 * struct tracedat - all but the pages of a file
 * @bytes: from the first one on
 * @options: those so far
 * @section: where the head of the one under way is
 */
struct tracedat {
	struct pack bytes;
	struct pack options;
	size_t section;
};

/* Puts the head and the strings. */
void tracedat_begin(struct tracedat *t, enum byte_order order, u32 long_size, u32 page_size);

/* What is packed into @t->bytes from here on is of this section. */
void tracedat_open(struct tracedat *t, enum tracedat_section id);

/* Ends it, and adds the option that says where it is, if @id has one. */
void tracedat_close(struct tracedat *t, enum tracedat_section id);

void tracedat_option(struct tracedat *t, enum tracedat_option id, const void *data, size_t size);

/* A head of a section of @size bytes behind it. */
void tracedat_pack_head(struct pack *p, enum tracedat_section id, u64 size);

/* The options, which begin here: at @off of the file. */
void tracedat_end(struct tracedat *t, u64 off);

void tracedat_free(struct tracedat *t);

#endif
