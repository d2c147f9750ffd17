/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the service says of its guests, in files below /run/epitaph/guests. */
#ifndef EPITAPH_GUEST_GUEST_STATE_H
#define EPITAPH_GUEST_GUEST_STATE_H

#include <stdio.h>

#include "base/err.h"

#define GUEST_STATE	"/run/epitaph/guests"
#define GUEST_STATE_SIZE	8192
#define GUEST_STATE_MEMORIES	8

/**
 * struct guest_state - what a file says
 * @memory: paths of its files, @nr_memory of them
 */
struct guest_state {
	char room[GUEST_STATE_SIZE];
	const char *name;
	const char *uuid;
	const char *dir;
	const char *memory[GUEST_STATE_MEMORIES];
	size_t nr_memory;
	const char *last;
	const char *phase;
};

/* "NAME=value", a line of its own: what would end it is replaced. */
void guest_state_put(FILE *f, const char *name, const char *value);

/* Of the guest with this name, UUID or directory.  Return: 1; 0: none; -ERR_IO. */
int guest_state_find(struct guest_state *state, const char *dir, const char *name, struct err *err);

/* A line for each guest.  Return: how many. */
unsigned int guest_state_print(FILE *f, const char *dir);

#endif
