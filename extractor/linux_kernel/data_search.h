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
struct kfind_image;

/**
 * kfind_image() - take it, if the kernel's symbols lack its data
 * @ret: for kfind_close(); NULL if there is nothing to look for
 *
 * Return: 0, -ERR_IO without memory.
 */
int kfind_image(struct kfind_image **ret, struct vmem *vmem, struct kallsyms *kallsyms,
		struct err *err);

/* kfind_types() - __start_BTF and __stop_BTF */
void kfind_types(struct kfind_image *image);

/* kfind_data() - what clocks, modules and the kernel's own trace begin with; @notes: what is not found */
void kfind_data(struct kfind_image *image, const struct ktypes *ktypes, struct notes *notes);

/* NULL is fine. */
void kfind_close(struct kfind_image *image);

#endif
