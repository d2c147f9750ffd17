/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of the kernel (BTF), for who reads its dump: a part of this module where the kernel has none. */
#ifndef EPITAPH_CRASH_KERNEL_TYPES_H
#define EPITAPH_CRASH_KERNEL_TYPES_H

struct epitaph_header;

/* Say in @header where they are. */
void epitaph_types_describe(struct epitaph_header *header);

/* Who has them: "kernel", "recorder" or "none". */
const char *epitaph_types_owner(void);

#endif
