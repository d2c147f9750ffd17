/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sandboxed reader, from the library's side: starting it, asking it, how it died. */
#ifndef EPITAPH_LIB_READER_LINK_H
#define EPITAPH_LIB_READER_LINK_H

#include <sys/types.h>

#include "error.h"
#include "wire.h"

/*
 * @socket, @death: -1: closed
 * @pid: the process that started it; a child that was forked has the descriptors, and no part in it
 */
struct reader_link {
	int socket;
	int death;
	pid_t pid;
};

/* How a question ended, where the reader gave no answer that can be used. */
enum link_result {
	LINK_ANSWER = 0,
	LINK_DEAD,		/* it is gone; or its answer cannot be: it is cut off then */
	LINK_CANCELLED,
};

/**
 * reader_start() - start epitaph-reader
 * @fd: it gets this one as WIRE_FD_DUMP; -1: none
 *
 * The caller's signals, children and descriptors stay as they are: docs/library.md.
 * Return: 0; -1 and an error.
 */
int reader_start(struct reader_link *link, int fd, struct epitaph_error **error);

/**
 * reader_ask() - a question, and the answer to it
 * @head: of the answer
 * @answer: its body, for pack_free()
 * @progress: called with each progress message before the answer; NULL: ignore them
 */
enum link_result reader_ask(struct reader_link *link, enum wire_message_type type,
			    const struct pack *question, struct wire_head *head,
			    struct pack *answer, epitaph_progress_fn progress, void *arg);

/* After LINK_DEAD: how it died, in words.  Waits until it has; the link is closed then. */
void reader_death(struct reader_link *link, char *buf, size_t size);

/* Ends it, whatever it does; in another process than its own, only the descriptors are closed. */
void reader_close(struct reader_link *link);

#endif
