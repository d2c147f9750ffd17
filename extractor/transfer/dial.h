/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A connection to a collector: by ourselves, or through ssh or epitaph-tls. */
#ifndef EPITAPH_TRANSFER_DIAL_H
#define EPITAPH_TRANSFER_DIAL_H

#include "send_settings.h"
#include "target.h"
#include "wire.h"

/**
 * struct dial - one
 * @pid: of the program that it goes through; 0: none
 */
struct dial {
	struct wire wire;
	pid_t pid;
};

/**
 * dial_open() - connect
 * @target: not a directory
 * @deadline: as in struct wire
 *
 * Return: 0; -ERR_IO.  Of a program that cannot connect it is told when nothing comes of it.
 */
int dial_open(struct dial *dial, const struct target *target, const struct send_settings *settings,
	      u64 deadline, struct err *err);

/* Ends the program as well. */
void dial_close(struct dial *dial);

/* Starts a program with @fd as its standard input and output; its pid, or -ERR_IO. */
pid_t dial_start(char *const argv[], int fd, struct err *err);

/* Where epitaph-tls is: beside this program, or in ../lib/epitaph of its directory. */
void dial_tls_program(char *path, size_t size);

#endif
