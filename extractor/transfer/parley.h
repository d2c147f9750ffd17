/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What both sides of a sending say to each other: docs/send.md, The protocol. */
#ifndef EPITAPH_TRANSFER_PARLEY_H
#define EPITAPH_TRANSFER_PARLEY_H

#include "spool/manifest.h"
#include "wire.h"

#define PARLEY_TEXT	3072	/* of all lines of a sender */

/**
 * struct parley - one
 * @key: its size is 0 where there is none
 * @theirs, @ours: nonces
 */
struct parley {
	const struct secret *key;
	char theirs[DIGEST_TEXT];
	char ours[DIGEST_TEXT];
};

/* The sender's first half: reads the collector's line, and says what is to be sent. */
int parley_ask(struct parley *p, struct wire *w, const struct manifest *m, struct err *err);

/**
 * parley_hear() - the collector's first half
 *
 * Return: 0: @m has it, and who sent it has the key; -ERR_CORRUPT: it is refused; -ERR_IO.
 */
int parley_hear(struct parley *p, struct wire *w, struct manifest *m, struct err *err);

/*
 * The collector's answer: "send" or "ready"; "stored" or "have", and the digest; "within", and the
 * name of the trace that has its generations.  @what: "" without.
 */
int parley_answer(const struct parley *p, struct wire *w, const char *word, const char *what,
		  struct err *err);

/**
 * parley_answered() - read the collector's answer
 * @word: one of those above
 * @digest: that it must be of, if it has one
 * @within: the name, if it has one; else ""
 *
 * Return: 0; -ERR_CORRUPT: refused, or it is not the collector who has the key;
 *	-ERR_IO: it may succeed the next time.
 */
int parley_answered(const struct parley *p, struct wire *w, char word[8], const char *digest,
		    char within[MANIFEST_PLACE], struct err *err);

#endif
