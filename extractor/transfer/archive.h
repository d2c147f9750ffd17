/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture as one file: a tar archive, compressed by zstd, whose first member is manifest.json.
 * docs/send.md has the format.
 */
#ifndef EPITAPH_TRANSFER_ARCHIVE_H
#define EPITAPH_TRANSFER_ARCHIVE_H

#include "spool/manifest.h"

#define ARCHIVE_NAME	240	/* with the zero */

/**
 * struct archive - one archive
 * @name: HOST-BOOT_ID-DIGEST.tar.zst; the same content has the same name
 * @fd: of a file without a name, which goes with its descriptor
 */
struct archive {
	char name[ARCHIVE_NAME];
	int fd;
	u64 size;
};

/**
 * archive_make() - pack the files of @m
 * @dir: where they are, and where room for the archive is taken; without any, a part of this machine's
 * memory is
 *
 * Return: 0, for archive_close(); -ERR_IO, also if a file is not as @m says any more.
 */
int archive_make(struct archive *archive, const struct manifest *m, int dir, struct err *err);

void archive_close(struct archive *archive);

#endif
