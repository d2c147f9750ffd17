/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /etc/epitaph/guests.conf: which guests are watched, and what is kept of them. */
#ifndef EPITAPH_GUEST_GUEST_CONF_H
#define EPITAPH_GUEST_GUEST_CONF_H

#include "spool/retention.h"

#define GUEST_CONF	"/etc/epitaph/guests.conf"
#define GUEST_CONF_SIZE	8192

enum guest_after { AFTER_NOTHING, AFTER_RESET, AFTER_QUIT };

/**
 * struct guest_conf - the settings
 * @qmp: patterns of sockets, separated by blanks
 * @console: of the serial log; %n: the name, %u: the UUID; "": none
 * @dump: have QEMU dump a guest that stands still
 * @limit: of the captures of one guest
 * @rate: captures of one guest in an hour
 */
struct guest_conf {
	char room[GUEST_CONF_SIZE];
	const char *qmp;
	const char *console;
	bool dump;
	enum guest_after after;
	struct retention limit;
	u64 rate;
};

/* Return: 0; -ERR_IO; -ERR_USAGE: the message has the line. */
int guest_conf_read(struct guest_conf *conf, const char *path, struct err *err);

#endif
