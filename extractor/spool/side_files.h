/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that are made of a saved region and lie beside it. */
#ifndef EPITAPH_SPOOL_SIDE_FILES_H
#define EPITAPH_SPOOL_SIDE_FILES_H

#include "base/err.h"

#define SAVED_REGION	"region"
#define SAVED_WHY	"why.txt"
#define SAVED_QMP	"qmp.txt"	/* of a guest: which one it is, and why it was saved */

/**
 * struct side_file - one of them
 * @name: of its file
 * @make: writes it to standard output; runs in a process of its own, in the
 *	directory of the region, and returns an exit status
 */
struct side_file {
	const char *name;
	int (*make)(void);
};

/**
 * side_file_make() - make one; it is on disk afterwards, under its name and whole
 * @dir: descriptor of the region's directory
 *
 * One that would be empty is not made.
 *
 * Return: ERR_OK; ERR_DAMAGED: the text reports damage or loss; else it is not there,
 *	and nothing of it.
 */
int side_file_make(const struct side_file *text, int dir);

/* `epitaph report --events 40 region`, for @make. */
int side_file_summary(void);

/* The sentence of `epitaph explain region` that says why; nothing where that is not known. */
int side_file_why(void);

/**
 * side_file_read_why() - that sentence, of what lies beside a region
 * @region: path of it
 * @why: gets the sentence, not escaped; "": there is none
 */
void side_file_read_why(const char *region, char *why, size_t size);

/* `epitaph mce region`; nothing where there is no machine check. */
int side_file_mce(void);

/* What pstore stored in the boot that recorded. */
int side_file_dmesg(void);

#endif
