/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of a dump into a new file. */
#ifndef EPITAPH_DUMP_COPY_H
#define EPITAPH_DUMP_COPY_H

#include "dump.h"

struct compressed_file;

/**
 * struct dump_copy - a copy under way
 * @start: physical address of the first byte
 * @size: bytes
 * @fd: the file, empty at first
 * @to: instead, a compressed file
 * @name: of the file, for messages
 * @missing: bytes that the dump does not have; zeroes in the copy
 */
struct dump_copy {
	struct dump *in;
	u64 start;
	u64 size;
	int fd;
	struct compressed_file *to;
	const char *name;
	u64 missing;
};

/* dump_copy_all() - holes stay holes; the file, or its content, has @size bytes afterwards */
int dump_copy_all(struct dump_copy *copy, struct err *err);

#endif
