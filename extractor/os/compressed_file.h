/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new file that is compressed by zstd, in frames of the same content size, so that a reader
 * finds each byte: docs/containers.md. `unzstd` makes the whole content of it.
 */
#ifndef EPITAPH_OS_COMPRESSED_FILE_H
#define EPITAPH_OS_COMPRESSED_FILE_H

#include "new_file.h"

struct compressed_file;

/*
 * @fd: of the new file, the caller's. @most: bytes that it may have; 0: any. More is an error, before
 * it is written. Return: NULL without memory.
 */
struct compressed_file *compressed_file_new(int fd, u64 most);
void compressed_file_free(struct compressed_file *f);

/* @off: where @data is in the content, at or behind the end of the last one; zeroes are between */
int compressed_file_put(struct compressed_file *f, u64 off, const void *data, size_t size,
			struct err *err);

/*
 * @size: of the content, with zeroes at its end.  Only here a lack of room is an error: until then, what
 * does not fit is compressed all the same, and counted.
 */
int compressed_file_end(struct compressed_file *f, u64 size, struct err *err);

/* Bytes of the file so far; those that it needs, if it lacked room. */
u64 compressed_file_size(const struct compressed_file *f);

/* new_file_copy() into such a file.  @ret_size: bytes that it has, or needs */
int compressed_file_copy(int from, u64 off, u64 size, int to, u64 most, struct unreadable_pages *bad,
			 u64 *ret_size, struct err *err);

#endif
