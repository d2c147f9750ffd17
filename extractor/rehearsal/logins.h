/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is logged in on a machine. */
#ifndef EPITAPH_REHEARSAL_LOGINS_H
#define EPITAPH_REHEARSAL_LOGINS_H

#include "host/machine_files.h"

#define LOGINS_MAX	64

/**
 * struct login - a session of a user
 * @where: its terminal, or from where, or ""
 */
struct login {
	char user[33];
	char where[65];
};

struct logins {
	struct login list[LOGINS_MAX];
	size_t nr;
};

/*
 * logins_of_others() - the sessions of all users but the one who is logged in to this process
 *
 * By systemd's sessions where it keeps some, else by utmp.  A service is logged in by no user: then
 * all count.  At most LOGINS_MAX.
 */
void logins_of_others(struct logins *logins, const char *root);

#endif
