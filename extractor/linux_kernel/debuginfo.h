/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debuginfo of one kernel and its modules, from where somebody said that it is:
 * which line of which source file an address comes from, and what was inlined
 * there.  Nothing needs it; docs/debuginfo.md.
 */
#ifndef EPITAPH_LINUX_KERNEL_DEBUGINFO_H
#define EPITAPH_LINUX_KERNEL_DEBUGINFO_H

#include <stdio.h>

#include "base/err.h"
#include "modules.h"

struct debuginfo;

/* Did somebody name a place? */
bool debuginfo_wanted(void);

/**
 * debuginfo_open() - find that of a kernel
 * @ret: for debuginfo_close(); set only on success
 * @build_id: of the dumped kernel, in hex; "" is an error
 * @release: of it, not escaped
 *
 * Return: 0; -ERR_USAGE if none of that build is there, and what was found instead.
 */
int debuginfo_open(struct debuginfo **ret, const char *build_id, const char *release,
		   struct err *err);

/* NULL is fine. */
void debuginfo_close(struct debuginfo *di);

/* Where the modules' build ids are; they must outlive it.  Without them modules have no debuginfo. */
void debuginfo_modules(struct debuginfo *di, const struct kernel_modules *modules);

/* File of the kernel's, escaped. */
const char *debuginfo_path(const struct debuginfo *di);

/* Where the kernel was linked to have a symbol; NULL has none. */
bool debuginfo_symbol(const struct debuginfo *di, const char *name, u64 *ret);

/**
 * debuginfo_put() - print a text, and behind each "name+0x1/0x2 [module]" where that is
 * @text: escaped
 *
 * "vfs_read+0x12/0x34 (fs/read_write.c:450)"; what was inlined comes first:
 * "(fdget [inlined] include/linux/file.h:61, fs/read_write.c:450)".  A NULL @di adds nothing.
 */
void debuginfo_put(struct debuginfo *di, FILE *f, const char *text, size_t len);

/* The same of a text of the dump, which is escaped now; @is_ip: it begins with where a CPU stood. */
void debuginfo_put_text(struct debuginfo *di, FILE *f, const char *text, size_t size, bool is_ip);

/* Behind a name on a stack: the place of @symbol, "name+0x1/0x2 [module]", as " (fs/open.c:12)". */
void debuginfo_put_place(struct debuginfo *di, FILE *f, const char *symbol);

/* What was found out of modules on the way, in words; NULL behind the last. */
const char *debuginfo_note(const struct debuginfo *di, size_t i);

#endif
