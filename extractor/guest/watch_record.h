/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * That a guest is watched, in a file beside its captures.  It outlives the service and the host: if it is there
 * when the service starts, the guest may have ended meanwhile.
 */
#ifndef EPITAPH_GUEST_WATCH_RECORD_H
#define EPITAPH_GUEST_WATCH_RECORD_H

#include "watched_guest.h"

#define WATCH_RECORD		".watched"	/* while it is watched, and until its end is saved */
#define WATCH_RECORD_OVER	".unwatched"	/* of one that ended unwatched, until that is saved */

/* Whole or not at all, and on the disk.  What it says is of @guest: name, UUID, files, @owes, @crash. */
void watch_record_write(struct watched_guest *guest);

/* What is known of its end is saved. */
void watch_record_remove(struct watched_guest *guest);

/* Does the record that is there say that something older is to be saved? */
bool watch_record_owes(const struct guest_host *host, const char *dir);

/**
 * watch_record_take() - a guest that was watched by an earlier run of the service
 * @dir: of its captures
 *
 * What is to be done is said.  Return: true: it ended unwatched, and @guest is due to be saved; for
 * watched_guest_close() in either case.
 */
bool watch_record_take(struct watched_guest *guest, const struct guest_host *host, const char *dir);

#endif
