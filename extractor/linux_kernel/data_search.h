/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data of a kernel whose symbols are functions only (CONFIG_KALLSYMS_ALL is not
 * set): found by what they look like, and added to its symbols.
 * docs/kernel-memory.md says how each is told from everything else.
 */
#ifndef EPITAPH_LINUX_KERNEL_DATA_SEARCH_H
#define EPITAPH_LINUX_KERNEL_DATA_SEARCH_H

#include "base/damage_notes.h"
#include "kallsyms.h"
#include "btf.h"
#include "vmem.h"

/* Bytes of a kernel's memory, from _stext on. */
struct data_search_image;

/**
 * data_search_image() - take it, if the kernel's symbols lack its data
 * @ret: for data_search_close(); NULL if there is nothing to look for
 *
 * Return: 0, -ERR_IO without memory.
 */
int data_search_image(struct data_search_image **ret, struct vmem *vmem, struct kallsyms *kallsyms,
		      struct err *err);

/* data_search_types() - __start_BTF and __stop_BTF */
void data_search_types(struct data_search_image *image);

/* data_search_data() - what clocks, modules and the kernel's own trace begin with; @notes: what is not found */
void data_search_data(struct data_search_image *image, const struct kernel_btf *ktypes, struct damage_notes *notes);

/* NULL is fine. */
void data_search_close(struct data_search_image *image);

#endif
