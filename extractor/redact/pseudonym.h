/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other names for what must not be told: the same for the same, and nothing
 * can be concluded from one without the key.
 */
#ifndef EPITAPH_REDACT_PSEUDONYM_H
#define EPITAPH_REDACT_PSEUDONYM_H

#include "base/err.h"

#define PSEUDONYM_KEY	16	/* bytes */
#define PSEUDONYM_TEXT	9	/* characters of a text's */

struct pseudonyms;

/**
 * pseudonyms_new() - with a key
 * @nr_slots: of the table of tasks, in which a thread lies at pid % nr_slots: no
 *	two that have different places will have the same
 */
int pseudonyms_new(struct pseudonyms **ret, const u8 key[PSEUDONYM_KEY], u32 nr_slots,
		   struct err *err);

/* NULL is fine. */
void pseudonyms_free(struct pseudonyms *names);

/* 0 remains 0, -1 remains -1, and what is below 0 is so afterwards. */
u32 pseudonym_pid(const struct pseudonyms *names, u32 pid);

/* Below 4096 it is no address; one of the kernel's remains one of the kernel's. */
u64 pseudonym_address(const struct pseudonyms *names, u64 addr);

/**
 * pseudonym_text() - "x" and eight letters, as far as there is room, then zeroes
 * @text: up to @size bytes, or a NUL; nothing remains nothing
 * @room: bytes at @buf, of which the last is a NUL
 *
 * What the kernel calls its own threads ("swapper/0", "kworker/1:2") remains.
 */
void pseudonym_text(const struct pseudonyms *names, char *buf, size_t room, const char *text,
		    size_t size);

/* @size bytes that say nothing but whether they are the same; zeroes remain. */
void pseudonym_bytes(const struct pseudonyms *names, void *buf, const void *data, size_t size);

/* A number in place of one that is none of these; 0 remains. */
u64 pseudonym_number(const struct pseudonyms *names, u64 number);

#endif
