/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Going through the FILEs in the process that reads them. */
#ifndef EPITAPH_READING_FILES_H
#define EPITAPH_READING_FILES_H

#include "dump/dump.h"
#include "reading.h"

/* The next one, with the parts of its dump; they need not be adjacent. */
struct dump_files files_take(struct file_list *files);

/**
 * files_each() - read one after the other
 * @name: of the command
 * @titled: where there are several, a line says which one follows
 * @read: returns an exit status; errors are printed
 *
 * Return: the worst exit status; stdout is flushed.
 */
int files_each(struct file_list *files, const char *name, bool titled,
	       int (*read)(const struct dump_files *files, void *arg), void *arg);

/**
 * files_one() - read the one dump that all FILEs are parts of
 * @name: of the command
 * @read: returns an exit status; errors are printed
 *
 * Return: the exit status.
 */
int files_one(struct file_list *files, const char *name,
	      int (*read)(const struct dump_files *files, void *arg), void *arg);

#endif
