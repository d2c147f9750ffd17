/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection to QEMU's QMP socket: lines of JSON, none of which is waited for.
 *
 * QEMU runs hostile guests. What it says is checked like a file: lines are bounded, and a member
 * that lacks or has another type is as if it were "".
 */
#ifndef EPITAPH_GUEST_QMP_H
#define EPITAPH_GUEST_QMP_H

#include <json-c/json.h>

#include "base/err.h"

#define QMP_LINE	(256u << 10)	/* bytes of one message */

/**
 * struct qmp - a connection
 * @fd: of the socket; -1: none
 * @has_ended: by QEMU, and not by us
 * @len: bytes in @line, of which @taken have been taken
 */
struct qmp {
	int fd;
	bool has_ended;
	size_t len;
	size_t taken;
	char *line;
};

/* Return: 0 or -ERR_IO; @qmp is for qmp_close() in either case. */
int qmp_connect(struct qmp *qmp, const char *path, struct err *err);
void qmp_close(struct qmp *qmp);

/**
 * qmp_send() - send a command
 * @id: comes back with the answer
 * @arguments: taken; NULL: none
 * @fd: goes along, for "getfd"; -1: none
 */
int qmp_send(struct qmp *qmp, unsigned int id, const char *command, json_object *arguments, int fd,
	     struct err *err);

/**
 * qmp_read() - read what is here, at most QMP_LINE bytes with what is left; after it, qmp_take()
 *
 * Once for each turn of a guest: who writes without an end has no more than that.
 *
 * Return: 0, also if nothing is here; -ERR_IO: the connection is over; -ERR_CORRUPT: a line is too long.
 */
int qmp_read(struct qmp *qmp, struct err *err);

/**
 * qmp_take() - take the next message of what was read
 * @ret: for json_object_put()
 *
 * Return: 1; 0: no whole line is left; -ERR_CORRUPT: no message of QMP, as an empty line.
 */
int qmp_take(struct qmp *qmp, json_object **ret, struct err *err);

/* The text at a path of members, such as "return.UUID"; "" if there is none. */
const char *qmp_text(json_object *message, const char *path);

/* The number there, not negative; 0 if there is none. */
u64 qmp_number(json_object *message, const char *path);

/* The value there, or NULL; the message's. */
json_object *qmp_member(json_object *message, const char *path);

#endif
