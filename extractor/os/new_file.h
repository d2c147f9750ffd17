/* SPDX-License-Identifier: GPL-2.0-or-later */
/* New files and directories for their owner alone, their content, and their final names. */
#ifndef EPITAPH_OS_NEW_FILE_H
#define EPITAPH_OS_NEW_FILE_H

#include <sys/types.h>

#include "base/err.h"

/* A new file that its owner may read, never through a link. Return: a descriptor, or -ERR_IO. */
int new_file_create(int dir, const char *name, struct err *err);

/* The directory at @path, made for its owner alone if there is none: a descriptor, or -ERR_IO. */
int new_file_open_dir(int at, const char *path, struct err *err);

/**
 * new_file_write() - write at @off, past interrupted system calls
 *
 * Return: bytes written; fewer than @size: errno has the reason.
 */
size_t new_file_write(int fd, const void *data, size_t size, u64 off);

/* Pages of bad memory or of a bad disk: how many, and the offset of the first. */
struct unreadable_pages {
	u64 nr;
	u64 first;
};

/**
 * new_file_read() - read @size bytes at @off of a file or device, or some of them
 * @bad: added up in it are pages that cannot be read, which @buf has as EPITAPH_UNREADABLE;
 *	NULL: such a page is an error
 *
 * Return: bytes, at least one; or an error, also at the end of the file.
 */
ssize_t new_file_read(int from, u64 off, u8 *buf, size_t size, struct unreadable_pages *bad,
		      struct err *err);

/* Copy @size bytes at @off of a file to the new file @to. Zeroes become holes. */
int new_file_copy(int from, u64 off, u64 size, int to, struct err *err);

/* Fill the rest of the page that has @off; return: bytes, at most @size. */
size_t unreadable_page_fill(u8 *buf, u64 off, size_t size);

/* Return: 1: both files have the same bytes; 0: they differ; -ERR_IO. */
int new_file_is_same(int a, int b, struct err *err);

/**
 * new_file_place() - rename a new file or directory to its final name, and sync @dir
 *
 * Never replaces a file: then errnum of @err is EEXIST.
 */
int new_file_place(int dir, const char *from, const char *to, struct err *err);

#endif
