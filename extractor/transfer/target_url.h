/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where captures are sent: docs/send.md. */
#ifndef EPITAPH_TRANSFER_TARGET_URL_H
#define EPITAPH_TRANSFER_TARGET_URL_H

#include "base/err.h"

enum target_kind { TARGET_DIR, TARGET_SFTP, TARGET_HTTP, TARGET_S3 };

/**
 * struct target_url - a target, taken apart
 * @text: as the user wrote it; the caller's
 * @path: of TARGET_DIR: the directory.  Else what follows the host, without "/" at its end; ""
 * @host: without brackets; of TARGET_S3: the bucket
 * @user: of TARGET_SFTP; ""
 * @port: ""
 */
struct target_url {
	enum target_kind kind;
	const char *text;
	char path[512];
	char host[256];
	char user[64];
	char port[6];
};

/**
 * target_url_parse() - take a target apart
 *
 * http:// is for this machine alone, where a TLS tunnel may begin: without TLS, the network reads
 * the trace and the token.
 *
 * Return: 0; -ERR_USAGE: it is no target, or one of an earlier release.
 */
int target_url_parse(struct target_url *target, const char *text, struct err *err);

#endif
