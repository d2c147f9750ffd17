/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data of a kernel whose symbols are functions only (CONFIG_KALLSYMS_ALL is not set), or have holes:
 * it is found by its shape or by its type, and added to the symbols. docs/kernel-memory.md has the
 * shapes.
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
 * data_search_image() - read the image of the kernel, if its symbols are not all there
 * @ret: for data_search_close(); NULL: the symbols have the data as well, and are whole
 *
 * Return: 0, -ERR_IO without memory.
 */
int data_search_image(struct data_search_image **ret, struct vmem *vmem, struct kallsyms *kallsyms,
		      struct err *err);

/* Find __start_BTF and __stop_BTF. */
void data_search_types(struct data_search_image *image);

/* Find clocks, modules and the kernel's own trace. @notes: gets a note for a missing trace */
void data_search_data(struct data_search_image *image, const struct kernel_btf *ktypes,
		      struct damage_notes *notes);

/* @image may be NULL. */
void data_search_close(struct data_search_image *image);

#endif
