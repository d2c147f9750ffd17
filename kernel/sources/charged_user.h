/* SPDX-License-Identifier: GPL-2.0-only */
/* A user can be many: each has subordinate uids, and a user namespace to be them in. */
#ifndef EPITAPH_SOURCES_CHARGED_USER_H
#define EPITAPH_SOURCES_CHARGED_USER_H

#include <linux/uidgid.h>

/**
 * epitaph_charged_user() - for whose quota the caller counts
 *
 * Who made the outermost user namespace that the caller is in.  Containers that root made are
 * not root: each counts for the user who is root in it.
 *
 * Context: process.
 */
kuid_t epitaph_charged_user(void);

#endif /* EPITAPH_SOURCES_CHARGED_USER_H */
