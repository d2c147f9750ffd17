/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debuginfo of one kernel and its modules, from the places that the user configured: the source
 * file and line of an address, and the functions inlined there. It is optional; docs/debuginfo.md.
 */
#ifndef EPITAPH_LINUX_KERNEL_DEBUGINFO_H
#define EPITAPH_LINUX_KERNEL_DEBUGINFO_H

#include <stdio.h>

#include "base/err.h"
#include "modules.h"

struct debuginfo;

/* Did the user configure a place? */
bool debuginfo_wanted(void);

/**
 * debuginfo_open() - find the debuginfo of a kernel
 * @ret: for debuginfo_close(); set only on success
 * @build_id: of the dumped kernel, in hex; "" is an error
 * @release: of the dumped kernel, not escaped
 *
 * Return: 0; -ERR_USAGE if there is none of that build; the message says what was found instead.
 */
int debuginfo_open(struct debuginfo **ret, const char *build_id, const char *release,
		   struct err *err);

/* @di may be NULL. */
void debuginfo_close(struct debuginfo *di);

/* Set the modules, which have build ids and must outlive @di. */
void debuginfo_modules(struct debuginfo *di, const struct kernel_modules *modules);

/* The file with the debuginfo of the kernel, escaped. */
const char *debuginfo_path(const struct debuginfo *di);

/* The address of a symbol as linked, without KASLR; a NULL @di has none. */
bool debuginfo_symbol(const struct debuginfo *di, const char *name, u64 *ret);

/**
 * debuginfo_put() - print a text, and behind each "name+0x1/0x2 [module]" its place
 * @text: escaped
 *
 * "vfs_read+0x12/0x34 (fs/read_write.c:450)"; inlined functions come first:
 * "(fdget [inlined] include/linux/file.h:61, fs/read_write.c:450)".  A NULL @di adds nothing.
 */
void debuginfo_put(struct debuginfo *di, FILE *f, const char *text, size_t len);

/* The same for a text that is not escaped. @is_ip: it begins with an instruction pointer */
void debuginfo_put_text(struct debuginfo *di, FILE *f, const char *text, size_t size, bool is_ip);

/* Print only the place of @symbol, "name+0x1/0x2 [module]", on a stack: " (fs/open.c:12)". */
void debuginfo_put_place(struct debuginfo *di, FILE *f, const char *symbol);

/* The @i-th note on modules without debuginfo, or NULL past the last one. */
const char *debuginfo_note(const struct debuginfo *di, size_t i);

#endif
