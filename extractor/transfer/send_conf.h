/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How and where to send: options of the command line, and lines of /etc/epitaph/send.conf. */
#ifndef EPITAPH_TRANSFER_SEND_CONF_H
#define EPITAPH_TRANSFER_SEND_CONF_H

#include "base/err.h"

#define SEND_CONF	"/etc/epitaph/send.conf"

enum send_setting {
	SEND_TO, SEND_FROM, SEND_HOST, SEND_WITHIN,
	SEND_CA, SEND_CERT, SEND_CERT_KEY, SEND_TOKEN, SEND_METHOD,
	SEND_S3_KEYS, SEND_S3_ENDPOINT, SEND_S3_REGION,
	SEND_IDENTITY, SEND_KNOWN_HOSTS,
	/* Of an earlier release: read, so that an error can say what replaces them. */
	SEND_KEY, SEND_PIN,
	NR_SEND_SETTINGS
};

#define SEND_OPTION	0x100	/* added to a setting, its option in the table of commands */

/**
 * struct send_conf - values by enum send_setting
 * @value: NULL: not set
 * @text: what @value points into where it comes from a file
 */
struct send_conf {
	const char *value[NR_SEND_SETTINGS];
	char text[8192];
};

/**
 * send_conf_read() - take from a file what is not set yet
 *
 * Return: 0, also if there is no such file and @must_be is false; -ERR_IO; -ERR_USAGE.
 */
int send_conf_read(struct send_conf *conf, const char *path, bool must_be, struct err *err);

/* -ERR_USAGE: a setting is of an earlier release, or has a value that cannot be. */
int send_conf_check(const struct send_conf *conf, struct err *err);

#endif
