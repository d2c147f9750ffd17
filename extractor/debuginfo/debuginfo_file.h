/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file with the debuginfo of a kernel or of one module: its symbols, and the
 * lines of source that code came from.  libdw reads it, which epitaph-static is
 * built without.
 */
#ifndef EPITAPH_DEBUGINFO_DEBUGINFO_FILE_H
#define EPITAPH_DEBUGINFO_DEBUGINFO_FILE_H

#include "base/err.h"

#define DEBUG_FRAMES_MAX	16	/* of one address */
#define DEBUG_ID_MAX		65	/* of a build id in hex, with its NUL */

struct debug_file;

/**
 * struct debug_frame - a function that an address is in
 * @function: not escaped, and so @file; "" if unknown; the file's until the next call
 * @is_inlined: into the next one
 * @line: 0: unknown
 */
struct debug_frame {
	const char *function;
	const char *file;
	u32 line;
	bool is_inlined;
};

/**
 * debug_file_open() - see what a file is, and no more
 * @ret: for debug_file_close(); set only on success
 * @fd: is closed, if not now, then with the file
 *
 * Return: 0; -ERR_CORRUPT if it is no ELF file, or a broken one; -ERR_NOT_OURS
 *	if this program cannot read debuginfo; -ERR_IO without memory.
 */
int debug_file_open(struct debug_file **ret, int fd, struct err *err);

/* The argument may be NULL. */
void debug_file_close(struct debug_file *file);

/* In hex; "" if it has none. */
const char *debug_file_build_id(const struct debug_file *file);

/* A module, which lies nowhere yet; else it is linked. */
bool debug_file_is_module(const struct debug_file *file);

/**
 * debug_file_load() - symbols and lines
 *
 * Return: 0; -ERR_CORRUPT if it is stripped, or libdw cannot read what it has:
 *	the message says which; -ERR_IO without memory.
 */
int debug_file_load(struct debug_file *file, struct err *err);

/**
 * debug_file_symbol() - the address of a symbol in the file
 * @len: characters of @name
 * @size: bytes up to the next symbol, by kallsyms; 0: unknown
 *
 * Return: false also if several symbols have the name and @size does not decide.
 */
bool debug_file_symbol(struct debug_file *file, const char *name, size_t len, u64 size, u64 *ret);

/* The functions that @addr of the file is in, innermost first; how many of @frames. */
u32 debug_file_frames(struct debug_file *file, u64 addr,
		      struct debug_frame frames[DEBUG_FRAMES_MAX]);

#endif
