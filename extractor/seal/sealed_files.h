/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of sealed traces, or a device of them (raw_place.h). In a directory they are epitaph-BOOT-TIME.HOST.DIGEST.age, or ended-... of a boot that
 * ended in order: each is written whole or not at all, within a quota, and room for others stays:
 * docs/seal.md.
 */
#ifndef EPITAPH_SEAL_SEALED_FILES_H
#define EPITAPH_SEAL_SEALED_FILES_H

#include <time.h>

#include "base/err.h"
#include "recipients.h"
#include "seal_conf.h"

#define SEALED_NAME	256	/* with the zero */
#define SEALED_BOOT	96	/* the same, of BOOT-TIME */

/* What a file begins with that is sealed to try a key with: host and date follow. */
#define SEALED_CANARY	"epitaph canary\n"

/**
 * struct sealed_file - one of them
 * @boot: boot id and start of recording, as captures are called
 * @host: the machine
 * @ended: that boot ended in order
 * @size: bytes
 * @recipients: keys that open it; 0: its head is damaged
 */
struct sealed_file {
	char name[SEALED_NAME];
	char boot[SEALED_BOOT];
	char host[SEALED_NAME];
	bool ended;
	struct timespec saved;
	u64 size;
	unsigned int recipients;
};

/* All of a directory, the oldest first, for sealed_files_free(). */
struct sealed_files {
	struct sealed_file *list;
	size_t nr;
	u64 size;
};

/* sealed_place_open() - of a directory or a device; @write: of a device, to remove. Return: a descriptor or -ERR_... */
int sealed_place_open(const char *path, bool write, struct err *err);

/* sealed_files_read() - @dir: descriptor, of sealed_place_open() as well; other files are left out */
int sealed_files_read(struct sealed_files *all, int dir, struct err *err);
void sealed_files_free(struct sealed_files *all);

/**
 * sealed_file_put() - seal what is in @in; it is on disk afterwards
 * @dir: path of the directory, which is made if its parent is there; or of a device
 * @out: @boot and @ended are wanted; the rest is what was made, or was there
 * @conf: quota, reserve and host
 *
 * Return: 0; 1: the same is sealed there already, to the same keys, and on disk; -ERR_IO: nothing is left behind.
 */
int sealed_file_put(struct sealed_file *out, int in, const char *dir, const struct recipients *keys,
		    const struct seal_conf *conf, struct err *err);

/* sealed_file_remove() - and sync; Return: 0 or -ERR_IO */
int sealed_file_remove(int dir, const char *name, struct err *err);

/* The parts of a name; false: it is none. */
bool sealed_file_parse(struct sealed_file *file, const char *name);

#endif
