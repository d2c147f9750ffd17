/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest left in its memory becomes a capture on the host: docs/virtual-machines.md. */
#ifndef EPITAPH_GUEST_GUEST_CAPTURE_H
#define EPITAPH_GUEST_GUEST_CAPTURE_H

#include "spool/region_copy.h"
#include "spool/retention.h"

#define GUEST_STORE	"/var/lib/epitaph/guests"
#define GUEST_NAME	128	/* characters of the directory of a guest, with the zero */

/**
 * guest_dir_name() - "NAME-UUID", of characters that are safe in a path
 * @uuid: "": none
 */
void guest_dir_name(char dir[GUEST_NAME], const char *name, const char *uuid);

/**
 * guest_open_store() - the directory of one guest's captures
 * @store: of all guests
 * @lock: refuse it if another process watches this guest
 *
 * Return: a descriptor, or -ERR_IO.
 */
int guest_open_store(const char *store, const char *dir, bool lock, struct err *err);

/**
 * guest_open_memory() - a file of a guest's memory: never a device, nor a FIFO, which would block
 * @follow: also by a link; not for a path that QEMU gives
 *
 * Return: a descriptor, or -ERR_IO.
 */
int guest_open_memory(const char *path, bool follow, struct err *err);

/**
 * struct guest_capture - one to be made
 * @label: of the guest, escaped, in front of messages
 * @store: of guest_open_store()
 * @memory: descriptors of the files of its memory, @nr_memory of them
 * @console: its serial log; "": none
 * @words: the text of qmp.txt
 * @limit: of the captures of this guest; a limit of 0 is none
 * @known: name of a boot that is not kept, because its crash is saved
 * @keep_ended: also a boot that ended in order
 */
struct guest_capture {
	const char *label;
	int store;
	const int *memory;
	size_t nr_memory;
	const char *console;
	const char *words;
	struct retention limit;
	const char *known;
	bool keep_ended;
};

/**
 * struct guest_saved - what became of it
 * @name: of the capture; "": nothing is kept
 * @is_known: it is that of @known, and nothing is kept
 * @was_there: the same bytes had been saved before
 */
struct guest_saved {
	struct copied_region region;
	char name[SPOOL_NAME];
	bool is_known;
	bool was_there;
};

/**
 * guest_capture_make() - copy, make the texts, remove what is too old
 * @saved: of guest_saved_new(); its words and names are checked, and printable
 *
 * Waits for what it does, at least a second; a service calls it in a process of its own.
 *
 * Return: the exit status; ERR_NOT_OURS: no memory has a region. Errors are printed.
 */
int guest_capture_make(const struct guest_capture *capture, struct guest_saved *saved);

/* Zeroes, which no process that is started has, but by MADV_DOFORK; then shared.  NULL: no memory. */
struct guest_saved *guest_saved_new(void);

#endif
