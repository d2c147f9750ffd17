/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a saved trace consists of, as it goes off the machine: docs/send.md. */
#ifndef EPITAPH_SPOOL_MANIFEST_H
#define EPITAPH_SPOOL_MANIFEST_H

#include "base/sha256.h"

#define MANIFEST_FILES	7	/* the names that there are */
#define MANIFEST_HOST	65	/* with the zero */
#define MANIFEST_NAME	91
#define MANIFEST_GENERATIONS	16	/* as many as a region may have */
#define MANIFEST_PLACE	96	/* of a name at the other side, with ".1" behind it or not */

/* What the collector writes the sums to. */
#define MANIFEST_SUMS	"SHA256SUMS"

/**
 * struct manifest_file - one
 * @name: of the closed list; not on the heap
 */
struct manifest_file {
	const char *name;
	u64 size;
	char sum[DIGEST_TEXT];
};

/**
 * struct manifest - all of them
 * @name: of the trace; "": none, as in a check
 * @generations: digests of the generations in its region; none: that is not known
 */
struct manifest {
	char host[MANIFEST_HOST];
	char name[MANIFEST_NAME];
	size_t nr_generations;
	char generations[MANIFEST_GENERATIONS][DIGEST_TEXT];
	size_t nr;
	struct manifest_file files[MANIFEST_FILES];
};

/**
 * struct placed - what became of a trace at the other side
 * @was_there: it was there before, and nothing was sent
 * @within: the name of another trace there that has all of its generations; "": none
 */
struct placed {
	bool was_there;
	char within[MANIFEST_PLACE];
};

/* May be a part of a path: letters, digits, ".", "_", "-", not a dot first, less than @size. */
bool manifest_is_plain(const char *text, size_t size);

/* The host's own name, or @wanted, with "_" for what is not allowed. */
void manifest_set_host(struct manifest *m, const char *wanted);

/**
 * manifest_of_dir() - what is in a directory, with the sums of its files
 * @dir: its descriptor
 * @path: the same; the trace is called as it is, without "epitaph-"
 * @region_only: not the texts, which are made of it
 *
 * The region is the first.  Return: 0; -ERR_IO; -ERR_NOT_OURS: no region in it;
 *	-ERR_USAGE: no such name can be sent.
 */
int manifest_of_dir(struct manifest *m, int dir, const char *path, bool region_only,
		    struct err *err);

/* How many files there are, and how many bytes, without reading them. */
int manifest_weigh(int dir, size_t *ret_nr, u64 *ret_bytes);

/**
 * manifest_feed() - read all files as they were announced, one behind the other
 * @dir: where they are
 * @sink: gets the bytes; what it returns but 0 ends it
 *
 * Return: 0; what @sink returned; -ERR_IO: also if a file has become shorter.
 */
int manifest_feed(const struct manifest *m, int dir,
		  int (*sink)(void *arg, const void *data, size_t size, struct err *err),
		  void *arg, struct err *err);

/* One more of its generations; -ERR_CORRUPT: no digest, or too many. */
int manifest_add_generation(struct manifest *m, const char *digest, struct err *err);

/* Bytes of all files. */
u64 manifest_bytes(const struct manifest *m);

/**
 * manifest_add() - one that another machine tells of
 *
 * Return: 0; -ERR_CORRUPT: no such name, or not behind the last one, or no such sum.
 */
int manifest_add(struct manifest *m, const char *name, u64 size, const char *sum,
		 struct err *err);

#define MANIFEST_TEXT	(MANIFEST_FILES * (DIGEST_TEXT + 32))

/* As sha256sum(1) has it. */
void manifest_sums(const struct manifest *m, char text[MANIFEST_TEXT]);

/* The digest of the trace: of that text. */
void manifest_digest(const struct manifest *m, char ret[DIGEST_TEXT]);

#endif
