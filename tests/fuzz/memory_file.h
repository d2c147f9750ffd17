/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are bytes of the fuzzer's: system calls, page cache and all cost more than
 * a parser does.  What the extractor asks of a descriptor is answered here; the
 * linker turns its pread() and the like to this (--wrap), for these descriptors only.
 *
 * A read goes to an input of exactly its size, so that ASan sees one that goes beyond.
 */
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <stddef.h>

#define MEMORY_FILES	16

/*
 * memory_file() - a descriptor of @head_size bytes at @head, then @size at @data
 * @nr: which one, below MEMORY_FILES
 *
 * The bytes stay the caller's.  Closing it does nothing.
 */
int memory_file(int nr, const void *head, size_t head_size, const void *data, size_t size);

/*
 * memory_file_before() - call @before each time that bytes of file @nr are read: somebody writes to it
 *
 * Until the next memory_file().
 */
void memory_file_before(int nr, void (*before)(size_t off, size_t size));

/* Its path, for those who open it themselves; static. */
char *memory_file_path(int nr);

/*
 * A descriptor of a directory of the first @nr files, named by @format with their numbers; @first is
 * the name of file 0, or NULL: as the others.  The texts stay the caller's.
 */
int memory_directory(int nr, const char *first, const char *format);

#endif
