/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Room for a trace among those of its host, within the limits; depot.c alone uses it. */
#ifndef EPITAPH_TRANSFER_DEPOT_ROOM_H
#define EPITAPH_TRANSFER_DEPOT_ROOM_H

#include "depot.h"

/* The directory of a host, made if there is none, and locked: its descriptor. */
int depot_room_host(const struct depot *depot, const char *host, struct err *err);

/*
 * @fd, the directory of @host, goes if nothing is in it.  That is done under its lock, which
 * the caller may have; nobody has it then.
 */
void depot_room_leave(const struct depot *depot, const char *host, int fd);

/* One process may use another descriptor of it now. */
void depot_room_unlock(int host);

/**
 * depot_room_take() - make a directory with files of their full sizes, allocated
 *
 * The host's directory is locked.  Return: 0: @d has it; -ERR_CORRUPT; -ERR_IO.
 */
int depot_room_take(const struct depot *depot, struct deposit *d, struct err *err);

#endif
