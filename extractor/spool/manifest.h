/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a saved capture that are sent: docs/send.md. */
#ifndef EPITAPH_SPOOL_MANIFEST_H
#define EPITAPH_SPOOL_MANIFEST_H

#include "base/sha256.h"

#define MANIFEST_FILES	5	/* names that there are */
#define MANIFEST_HOST	163	/* with the zero: 64 of a host, 60 and a UUID of its guest, and points between */
#define MANIFEST_GENERATIONS	16	/* as many as a region may have */

/**
 * struct manifest_file - one file
 * @name: of the closed list; not on the heap
 * @sum: its SHA-256
 */
struct manifest_file {
	const char *name;
	u64 size;
	char sum[DIGEST_TEXT];
};

/* @sum: SHA-256 of its bytes, with zeroes in place of the marks of who has it */
struct manifest_generation {
	char boot_id[37];
	char sum[DIGEST_TEXT];
};

/**
 * struct manifest - all files of one capture
 * @host: what this machine says it is called: letters, digits, ".", "_", "-", not a dot first; of what its
 *	guest recorded, HOST.NAME.UUID
 * @nr_generations: 0: not known
 * @generations: of its region, the oldest first
 */
struct manifest {
	char host[MANIFEST_HOST];
	size_t nr_generations;
	struct manifest_generation generations[MANIFEST_GENERATIONS];
	size_t nr;
	struct manifest_file files[MANIFEST_FILES];
};

/* The host's own name, or @wanted, with "_" for each character that is not allowed. */
void manifest_set_host(struct manifest *m, const char *wanted);

/* Behind the host, name and UUID of the guest that @dir is a capture of, if it is one. */
void manifest_add_guest(struct manifest *m, int dir);

/**
 * manifest_of_dir() - list the files of a directory, with their sums
 * @dir: its descriptor
 * @region_only: leave out the texts, which are made of the region
 *
 * The region is the first.  Return: 0; -ERR_IO; -ERR_NOT_OURS: no region in it.
 */
int manifest_of_dir(struct manifest *m, int dir, bool region_only, struct err *err);

/**
 * struct manifest_weight - what a directory has, without a look into the files
 * @bytes: of all
 * @region: bytes of the region
 */
struct manifest_weight {
	size_t nr;
	u64 bytes;
	u64 region;
};

/* -ERR_NOT_OURS: no region in it. */
int manifest_weigh(struct manifest_weight *weight, int dir);

/* A descriptor of the file @name in @dir; -1: errno says why. */
int manifest_open_file(int dir, const char *name);

/* Bytes of all files. */
u64 manifest_bytes(const struct manifest *m);

#endif
