/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a kernel's command line. */
#ifndef EPITAPH_HOST_CMDLINE_H
#define EPITAPH_HOST_CMDLINE_H

#include "base/types.h"

#define CMDLINE_SIZE	4096	/* the kernel's own limit on x86 is half of that */

/**
 * cmdline_next() - the next word that begins with @key
 * @line: where to look on from
 * @len: of the word
 *
 * Return: the word, or NULL.
 */
const char *cmdline_next(const char *line, const char *key, size_t *len);

/* Is there a word that begins with @key, and has @what in it? */
bool cmdline_has(const char *line, const char *key, const char *what);

/* "16M", "0x20000000": @end is behind it; @end == @text: no number. */
u64 cmdline_bytes(const char *text, const char **end);

/**
 * struct cmdline_memory - memory for a recorder
 * @word: that says so, in the line
 * @addr: 0 where the kernel chooses, or a device has it
 * @size: 0: as much as the device has
 * @is_own: by epitaph.addr= and epitaph.size=: the recorder takes no other
 */
struct cmdline_memory {
	const char *word;
	size_t len;
	u64 addr;
	u64 size;
	bool is_own;
};

/**
 * cmdline_memory() - what epitaph.addr= and epitaph.size= name, or else the next memmap=SIZE!ADDRESS,
 *	reserve_mem= called epitaph, or epitaph.device=
 *
 * Of several ranges in one word the first is returned. Return: is there one?
 */
bool cmdline_memory(const char *line, struct cmdline_memory *ret);

/* Ranges of memmap=SIZE!ADDRESS: the recorder takes the only one, without epitaph.addr=. */
unsigned int cmdline_count_ranges(const char *line);

#endif
