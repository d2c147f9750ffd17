/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When and where traces are sealed: epitaph-config(5), docs/seal.md. */
#ifndef EPITAPH_SEAL_SEAL_CONF_H
#define EPITAPH_SEAL_SEAL_CONF_H

#include "base/err.h"

#define SEAL_CONF	"/etc/epitaph/seal.conf"

enum seal_when {
	SEAL_WHEN_ENCRYPTED,	/* the capture kernel cannot open the root file system */
	SEAL_WHEN_ALWAYS,	/* whatever is saved */
	SEAL_WHEN_NEVER,
};

/**
 * struct seal_conf - the settings
 * @place: directory; NULL: chosen by what the machine has
 * @quota: bytes that all sealed traces may take
 * @reserve: bytes that stay free in the file system
 * @host: name of the machine, in the copy that an initramfs has; NULL: of the running one
 */
struct seal_conf {
	enum seal_when when;
	const char *place;
	u64 quota;
	u64 reserve;
	const char *host;
	char text[4096];
};

/* The word of the settings file. */
const char *seal_when_word(enum seal_when when);

/* seal_conf_read() - @must_be: a missing file is an error; Return: 0; -ERR_IO; -ERR_USAGE */
int seal_conf_read(struct seal_conf *conf, const char *path, bool must_be, struct err *err);

#endif
