/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: excerpt - a generation that also has what the dumped kernel's memory says
 *
 * A vmcore has gigabytes. Its excerpt is one generation, as the recorder leaves it: the recorder's
 * own if there is one, with the lines of the kernel's log that it lacks, and with the registers and
 * stacks of the CPUs that it does not have. It lies in memory, and is read like any generation:
 *
 *	struct excerpt *excerpt;
 *
 *	if (!excerpt_open(&excerpt, &pm, &err))
 *		... excerpt->recording ...
 *	excerpt_close(excerpt);
 *
 * The postmortem remains the caller's and must outlive the excerpt. Nothing is redacted.
 */
#ifndef EPITAPH_EXCERPT_EXCERPT_H
#define EPITAPH_EXCERPT_EXCERPT_H

#include <epitaph/epitaph.h>

#include "timeline/postmortem.h"

#define EXCERPT_MAX_PARTS	6

/* A new section: @size bytes, in memory. @off: in the generation. */
struct excerpt_part {
	u64 off;
	u64 size;
	u8 *bytes;
};

/**
 * struct excerpt - the generation
 * @recording: of it
 * @nr_lines: of the kernel's log; of a very long one, the newest
 * @nr_stacks: of CPUs that the recorder does not have
 * @no_stacks: why the kernel's memory has none; else ""
 * @parts: nr_parts of them; everything else is the recorder's
 */
struct excerpt {
	struct recording *recording;
	u32 nr_lines;
	u32 nr_stacks;
	char no_stacks[512];
	struct postmortem *pm;
	struct generation generation;
	struct dump *dump;
	struct epitaph_segment segment;
	struct epitaph_memory_reader memory;
	struct excerpt_part parts[EXCERPT_MAX_PARTS];
	u32 nr_parts;
};

/**
 * excerpt_open() - make the excerpt of a dump
 * @ret: for excerpt_close(); set only on success
 * @pm: with a kernel; it is scanned here, without the kernel's own trace
 *
 * Return: 0, or an error: no memory, or the dump cannot be read.
 */
int excerpt_open(struct excerpt **ret, struct postmortem *pm, struct err *err);

/* Accepts NULL. */
void excerpt_close(struct excerpt *excerpt);

#endif
