/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where traces are sent: docs/send.md. */
#ifndef EPITAPH_TRANSFER_TARGET_H
#define EPITAPH_TRANSFER_TARGET_H

#include "base/err.h"

enum target_kind { TARGET_DIR, TARGET_SSH, TARGET_TCP, TARGET_TLS };

/**
 * struct target - as --to has it
 * @text: the caller's
 * @path: of a directory; NULL: another kind
 * @host: of the machine, without brackets
 * @user: of ssh; ""
 * @port: ""
 */
struct target {
	enum target_kind kind;
	const char *text;
	const char *path;
	char host[256];
	char user[64];
	char port[6];
};

/* -ERR_USAGE: it is none. */
int target_parse(struct target *target, const char *text, struct err *err);

#endif
