/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of the kernel's that says why it dies, into the region.  docs/kept-memory.md */
#ifndef EPITAPH_CRASH_KEPT_MEMORY_H
#define EPITAPH_CRASH_KEPT_MEMORY_H

#include <linux/types.h>

struct pt_regs;

/* How much was asked for?  Before the generation is laid out. */
void epitaph_kept_memory_find(void);

/**
 * epitaph_kept_memory_save() - code, stack, and what registers point to
 * @regs: of what died; NULL: nothing is known of it but this CPU's stack
 * @entered: they are those that a hook got, at the entry of a function
 *
 * What was kept before goes.  Nothing happens while another CPU does this, nor behind
 * epitaph_kept_memory_end().
 *
 * Context: any, NMI included; this CPU stays.
 */
void epitaph_kept_memory_save(struct pt_regs *regs, bool entered);

/* The kernel dies of what was kept last.  Context: any. */
void epitaph_kept_memory_end(void);

#endif /* EPITAPH_CRASH_KEPT_MEMORY_H */
