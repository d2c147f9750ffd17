/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of a service to its manager: the datagrams of sd_notify(3). */
#ifndef EPITAPH_OS_SD_NOTIFY_H
#define EPITAPH_OS_SD_NOTIFY_H

#include "base/err.h"

/**
 * struct notify - to whom
 * @fd: of a socket that is connected
 * @watchdog_ns: the manager wants to hear WATCHDOG=1 that often; 0: never
 */
struct notify {
	int fd;
	u64 watchdog_ns;
};

/* By NOTIFY_SOCKET and WATCHDOG_USEC of the environment; -ERR_USAGE: there is no manager. */
int notify_open(struct notify *notify, struct err *err);

/* Lines as "READY=1\nSTATUS=text". */
int notify_send(const struct notify *notify, const char *text, struct err *err);

#endif
