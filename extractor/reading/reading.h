/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: reading - the FILEs of a command line
 *
 * A command says which function reads its FILEs.  They are opened first; the function runs in a
 * process that can open nothing else: docs/hostile.md.
 *
 *	struct reading reading = {
 *		.name = "report", .run = report_files, .arg = &request, .make_dir = -1, .paged = true,
 *	};
 *
 *	return reading_run(&reading, (struct file_list){ argv + optind, argc - optind });
 *
 * The rooms that print and save have those functions (files.h); a command knows neither a dump nor
 * a postmortem.
 */
#ifndef EPITAPH_READING_READING_H
#define EPITAPH_READING_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "os/terminal.h"
#include "os/turns.h"

struct epitaph_memory_reader;

/* FILEs that are still to be read; paths are the caller's, and may be reordered. */
struct file_list {
	char **path;
	size_t nr;
};

/**
 * struct reading - what is done with the FILEs of a command
 * @name: of the command
 * @run: gets the FILEs and @arg in the process that reads; returns the exit status
 * @make_dir: a directory in which it makes files; -1: none
 * @paged: what it prints is for people
 * @jobs: so many processes print large FILEs by @turns, which @run finds open; 0 or 1: one does
 */
struct reading {
	const char *name;
	int (*run)(struct file_list *files, void *arg);
	void *arg;
	int make_dir;
	bool paged;
	u32 jobs;
	struct turns *turns;
};

/* Options that all commands have. */
struct reading_settings {
	bool verbose;
	bool no_pager;
	enum color_when color;
};

/* Those of the program, to be set before reading_run(). */
struct reading_settings *reading_settings(void);

/* From now on, the FILE that is called as @memory is that, and no file; NULL: none any more. */
void reading_offer(const struct epitaph_memory_reader *memory);

/* A file that options name is opened with the FILEs; @path is the caller's.  False: without memory. */
bool reading_also(const char *path);

/* Opens @files and runs @reading.  Return: the exit status; errors are printed. */
int reading_run(const struct reading *reading, struct file_list files);

#endif
