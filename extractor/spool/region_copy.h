/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's region out of a FILE into a file. */
#ifndef EPITAPH_SPOOL_REGION_COPY_H
#define EPITAPH_SPOOL_REGION_COPY_H

#include "reading/reading.h"
#include "spool.h"

/**
 * struct copied_region - what was copied
 * @size: bytes
 * @stored: bytes that the copy has, or needs where there is no room for it
 * @errnum: why it failed, if a system call did
 * @missing: bytes of them that the FILE does not have; zeroes in the copy
 * @name: of spool_name(), of the newest generation
 * @words: how that ended, escaped
 * @ended: that ended in order
 */
struct copied_region {
	u64 size;
	u64 stored;
	int errnum;
	u64 missing;
	bool ended;
	char name[SPOOL_NAME];
	char words[800];
};

/**
 * struct region_copy - a copy
 * @command: its name, for errors
 * @place: directory of the file, for errors
 * @file: name of the file, for errors
 * @fd: of the file, empty
 * @guest: of a virtual machine, whose host the FILE is of; NULL: the FILE's own
 * @compress: by os/compressed_file.h
 * @most: bytes that the compressed file may have; 0: any
 * @done: filled in; shared with the process that asks
 */
struct region_copy {
	const char *command;
	const char *place;
	const char *file;
	int fd;
	const char *guest;
	bool compress;
	u64 most;
	struct copied_region *done;
};

/* For reading.run, with a struct region_copy. */
int region_copy_files(struct file_list *files, void *copy);

#endif
