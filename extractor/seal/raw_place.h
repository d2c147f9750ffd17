/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device of its own for sealed traces, without a file system: two slots, of which one has the
 * newest whole trace at any time; docs/seal.md, "A partition of their own".
 */
#ifndef EPITAPH_SEAL_RAW_PLACE_H
#define EPITAPH_SEAL_RAW_PLACE_H

#include "base/sha256.h"
#include "sealed_files.h"

#define RAW_SLOTS	2
#define RAW_HEAD	4096		/* bytes in front of a slot's trace, and of the place */
#define RAW_WORDS	200		/* what a device has, for people */

/**
 * struct raw_place - an open one
 * @slot_size: bytes of a slot, with its head
 */
struct raw_place {
	int fd;
	u64 slot_size;
};

/**
 * struct raw_slot - what is in a slot
 * @is_whole: head and trace are as they were written; else nothing else is set
 * @sequence: the larger is the newer
 */
struct raw_slot {
	bool is_whole;
	u64 sequence;
	struct sealed_file file;
	char content[DIGEST_TEXT];
};

/* raw_place_is_one() - a device, also one that is missing, or a file that begins as a place does? */
bool raw_place_is_one(const char *path);

/**
 * raw_place_prepare() - make a place of a device that is in no use
 * @erase: whatever it has
 *
 * Return: 0; 1: it was one already, and is left alone; -ERR_CORRUPT: it has something, and the message says
 * what; -ERR_IO: it is in use, or too small.
 */
int raw_place_prepare(const char *path, bool erase, struct err *err);

/**
 * raw_place_open() - @write: to put and to remove, one at a time
 *
 * Return: 0; -ERR_NOT_OURS: it was not prepared, and the message says what it has; -ERR_IO.
 */
int raw_place_open(struct raw_place *place, const char *path, bool write, struct err *err);

/* raw_place_attach() - by a descriptor that is open, and stays the caller's */
int raw_place_attach(struct raw_place *place, int fd, struct err *err);

void raw_place_close(struct raw_place *place);

/* raw_place_room() - bytes of the largest trace that fits */
u64 raw_place_room(const struct raw_place *place);

/* raw_place_read() - the slot @nr; 0 or -ERR_IO. A slot that is not whole is no error. */
int raw_place_read(const struct raw_place *place, unsigned int nr, struct raw_slot *slot, struct err *err);

/* raw_place_take() - its trace, to the file @to, checked once more */
int raw_place_take(const struct raw_place *place, unsigned int nr, int to, struct err *err);

/* raw_place_put() - @size bytes of @from as @file->name; on disk afterwards. Return: 0 or -ERR_IO */
int raw_place_put(const struct raw_place *place, const struct sealed_file *file, int from, u64 size, struct err *err);

/* raw_place_remove() - nothing is in that slot any more; 0 or -ERR_IO */
int raw_place_remove(const struct raw_place *place, unsigned int nr, struct err *err);

#endif
