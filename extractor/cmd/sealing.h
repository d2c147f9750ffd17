/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sealing, for the commands that save: docs/seal.md. */
#ifndef EPITAPH_CMD_SEALING_H
#define EPITAPH_CMD_SEALING_H

#include "host/seal_place.h"
#include "seal/recipients.h"
#include "seal/sealed_files.h"

/**
 * struct sealing - to whom and where
 * @recipients: path of the file
 * @dir: where sealed traces go
 */
struct sealing {
	struct seal_place place;
	struct recipients keys;
	const char *recipients;
	const char *dir;
};

/* sealing_is_policy() - WHEN=always: nothing is saved in the clear; or an error: seal.conf is wrong */
int sealing_is_policy(struct err *err);

/**
 * sealing_prepare() - settings, keys, and the place
 * @conf: path; NULL: SEAL_CONF
 * @dir: NULL: by the settings
 */
int sealing_prepare(struct sealing *s, const char *conf, const char *dir, struct err *err);

/* sealing_region() - seal the region of FILEs, for command @name. Return: the exit status */
int sealing_region(struct sealing *s, const char *name, int argc, char **argv);

/* sealing_put() - seal what @fd has, as sealed_file_put(), and print what became of it */
int sealing_put(struct sealing *s, struct sealed_file *file, int fd, bool json, struct err *err);

#endif
