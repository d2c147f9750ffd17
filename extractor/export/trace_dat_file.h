/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of a trace.dat of version 7: its head, sections and options; see trace-cmd.dat.v7(5). */
#ifndef EPITAPH_EXPORT_TRACE_DAT_FILE_H
#define EPITAPH_EXPORT_TRACE_DAT_FILE_H

#include "base/byte_writer.h"

#define TRACEDAT_SECTION_HEAD	16	/* bytes */

enum trace_dat_section {
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
enum trace_dat_option {
	TRACEDAT_DONE = 0,
	TRACEDAT_CPUSTAT = 2,
	TRACEDAT_BUFFER_OPTION = 3,
	TRACEDAT_CLOCK = 4,
	TRACEDAT_UNAME = 5,
	TRACEDAT_CPUCOUNT = 8,
	TRACEDAT_VERSION = 9,
};

/**
 * struct trace_dat - all but the pages of a file
 * @bytes: from the first one on
 * @options: those so far
 * @section: where the head of the one under way is
 */
struct trace_dat {
	struct pack bytes;
	struct pack options;
	size_t section;
};

/* Puts the head and the strings. */
void trace_dat_begin(struct trace_dat *t, enum byte_order order, u32 long_size, u32 page_size);

/* What is packed into @t->bytes from here on is of this section. */
void trace_dat_open(struct trace_dat *t, enum trace_dat_section id);

/* Ends it, and adds the option that says where it is, if @id has one. */
void trace_dat_close(struct trace_dat *t, enum trace_dat_section id);

void trace_dat_option(struct trace_dat *t, enum trace_dat_option id, const void *data, size_t size);

/* A head of a section of @size bytes behind it. */
void trace_dat_pack_head(struct pack *p, enum trace_dat_section id, u64 size);

/* The options, which begin here: at @off of the file. */
void trace_dat_end(struct trace_dat *t, u64 off);

void trace_dat_free(struct trace_dat *t);

#endif
