/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of kfind have in common.  Only for kfind*.c. */
#ifndef EPITAPH_LINUX_KERNEL_DATA_SEARCH_IMPL_H
#define EPITAPH_LINUX_KERNEL_DATA_SEARCH_IMPL_H

#include "base/byte_reader.h"
#include "data_search.h"

#define KFIND_NAME_MAX	56

/**
 * struct data_search_image - the kernel's image
 * @start: virtual address of its first byte
 * @bytes: of @data; what is not mapped is zero
 */
struct data_search_image {
	struct vmem *vmem;
	struct kallsyms *kallsyms;
	const struct kernel_btf *ktypes;
	u64 start;
	struct bytes bytes;
	u8 *data;
};

/* Is @va in it? */
bool data_search_is_in(const struct data_search_image *image, u64 va);

/* Where a struct has a member of @kind. */
bool data_search_offset(const struct data_search_image *image, const char *type, const char *path,
			enum btf_kind kind, u32 *ret);

/* A pointer at an address that is aligned as one. */
bool data_search_pointer(const struct data_search_image *image, u64 va, u64 *ret);

/* Letters, digits and what names of systems, modules and clocks have besides; not empty. */
bool data_search_is_word(const char *text, ssize_t len);

/* The symbol is found. */
void data_search_learn(struct data_search_image *image, const char *name, u64 va);

/* ftrace_trace_arrays, ftrace_events, ftrace_common_fields, savedcmd */
void data_search_trace(struct data_search_image *image);

/* tk_fast_mono, tk_core, cd */
void data_search_clocks(struct data_search_image *image);

#endif
