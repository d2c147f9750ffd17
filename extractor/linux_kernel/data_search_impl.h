/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the search for data: private to data_search*.c. */
#ifndef EPITAPH_LINUX_KERNEL_DATA_SEARCH_IMPL_H
#define EPITAPH_LINUX_KERNEL_DATA_SEARCH_IMPL_H

#include "base/byte_reader.h"
#include "data_search.h"

#define DATA_SEARCH_NAME_MAX	56

/**
 * struct data_search_image - the kernel's image
 * @start: virtual address of its first byte
 * @bytes: the bytes of @data; unmapped memory is zero
 * @types, @types_end: where in it the types are; the same: nowhere
 */
struct data_search_image {
	struct vmem *vmem;
	struct kallsyms *kallsyms;
	const struct kernel_btf *ktypes;
	u64 start;
	struct bytes bytes;
	u64 types, types_end;
	u8 *data;
};

/* Is @va in the image? */
bool data_search_is_in(const struct data_search_image *image, u64 va);

/* The offset of a member of kind @kind. */
bool data_search_offset(const struct data_search_image *image, const char *type, const char *path,
			enum btf_kind kind, u32 *ret);

/* Read a pointer at @va, which has to be aligned. */
bool data_search_pointer(const struct data_search_image *image, u64 va, u64 *ret);

/* Has the text only characters that names of trace systems, modules and clocks have? */
bool data_search_is_word(const char *text, ssize_t len);

/* Is the symbol in the table, or was it found? */
bool data_search_knows(const struct data_search_image *image, const char *name);

/* Add a symbol that was found. */
void data_search_learn(struct data_search_image *image, const char *name, u64 va);

/* Find ftrace_trace_arrays, ftrace_events, ftrace_common_fields, savedcmd and trace_clocks. */
void data_search_trace(struct data_search_image *image);

/* Find tk_fast_mono, tk_fast_raw, tk_core and cd. */
void data_search_clocks(struct data_search_image *image);

#endif
