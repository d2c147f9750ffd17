/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does this machine seal traces, and where do they go: docs/seal.md. */
#ifndef EPITAPH_HOST_SEAL_PLACE_H
#define EPITAPH_HOST_SEAL_PLACE_H

#include "base/err.h"
#include "seal/seal_conf.h"
#include "storage.h"

/**
 * struct seal_place - what there is
 * @conf: the settings
 * @root_is_encrypted: the capture kernel cannot open the root file system
 * @is_wanted: the settings and the machine ask for sealing
 * @dir: the place; "": there is none
 * @is_raw: @dir is a device, without a file system
 * @is_unprepared: and that it was not prepared is all that it lacks
 * @storage: where @dir lies
 * @why_not: why @dir will not do, a sentence; "": it will
 */
struct seal_place {
	struct seal_conf conf;
	bool root_is_encrypted;
	bool is_wanted;
	char dir[1024];
	bool is_raw;
	bool is_unprepared;
	struct storage storage;
	char why_not[320];
};

/* seal_place_find() - @root: of the machine; Return: 0; -ERR_USAGE, -ERR_IO: seal.conf is wrong */
int seal_place_find(struct seal_place *place, const char *root, struct err *err);

/*
 * seal_place_prepare() - make a device that is_unprepared ready for sealed traces, if it is blank or @erase,
 * and judge it anew: @why_not says what it has
 */
void seal_place_prepare(struct seal_place *place, const char *root, bool erase);

/* seal_place_try() - make the directory, write a file in it, and remove that; 0 or -ERR_IO */
int seal_place_try(const struct seal_place *place, struct err *err);

/* seal_place_plan() - what an initramfs has to know, one NAME=VALUE a line; @keys: digest of the recipients */
void seal_place_plan(const struct seal_place *place, const char *keys, char *buf, size_t size);

/* seal_place_is_writable() - do units that save have the place among what they may write to? */
bool seal_place_is_writable(const struct seal_place *place, const char *root);

/* seal_place_allow() - let them, by drop-ins in /etc/systemd/system; 0 or -ERR_IO */
int seal_place_allow(const struct seal_place *place, const char *root, struct err *err);

#endif
