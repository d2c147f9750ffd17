/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How and where to send: of the command line, and of /etc/epitaph/send.conf. */
#ifndef EPITAPH_TRANSFER_SEND_SETTINGS_H
#define EPITAPH_TRANSFER_SEND_SETTINGS_H

#include "base/err.h"

#define SEND_CONF	"/etc/epitaph/send.conf"

enum send_setting {
	SEND_TO, SEND_FROM, SEND_HOST, SEND_KEY, SEND_CA, SEND_PIN, SEND_CERT, SEND_CERT_KEY,
	SEND_IDENTITY, SEND_KNOWN_HOSTS, SEND_WITHIN,
	NR_SEND_SETTINGS
};

/**
 * struct send_settings - values by enum send_setting
 * @value: NULL: not set
 * @text: what @value points into where it comes from a file
 */
struct send_settings {
	const char *value[NR_SEND_SETTINGS];
	char text[8192];
};

/* "cert-key", as an option has it. */
const char *send_setting_option(enum send_setting setting);

/**
 * send_settings_read() - what a file says, where nothing is set yet
 *
 * Return: 0, also if there is no such file and @must_be is false; -ERR_IO; -ERR_USAGE.
 */
int send_settings_read(struct send_settings *s, const char *path, bool must_be, struct err *err);

#endif
