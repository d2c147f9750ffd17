/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pseudonyms for private data. The same data gets the same pseudonym; without the key a pseudonym
 * says nothing about the data.
 */
#ifndef EPITAPH_REDACT_PSEUDONYM_H
#define EPITAPH_REDACT_PSEUDONYM_H

#include "base/err.h"

#define PSEUDONYM_KEY	16	/* bytes */
#define PSEUDONYM_TEXT	9	/* characters of the pseudonym of a text */

struct pseudonyms;

/**
 * pseudonyms_new() - pseudonyms of a key
 * @nr_slots: of the table of tasks, where a thread is at pid % nr_slots: pseudonyms keep threads
 *	with different places apart
 */
int pseudonyms_new(struct pseudonyms **ret, const u8 key[PSEUDONYM_KEY], u32 nr_slots,
		   struct err *err);

/* Wipes the key. Accepts NULL. */
void pseudonyms_free(struct pseudonyms *names);

/* 0 and -1 stay as they are; a negative number stays negative. */
u32 pseudonym_pid(const struct pseudonyms *names, u32 pid);

/* Numbers below 4096 are no addresses and stay. An address of the kernel stays one. */
u64 pseudonym_address(const struct pseudonyms *names, u64 addr);

/**
 * pseudonym_text() - "x" and eight letters, as far as there is room, then zeroes
 * @text: up to @size bytes, or up to a NUL; an empty text stays empty
 * @room: bytes at @buf, of which the last becomes a NUL
 *
 * Names of the kernel's own threads ("swapper/0", "kworker/1:2") stay.
 */
void pseudonym_text(const struct pseudonyms *names, char *buf, size_t room, const char *text,
		    size_t size);

/* Is it a name that the kernel gives to threads of its own ("kworker/1:2")? @text has @n bytes. */
bool pseudonym_keeps_thread(const char *text, size_t n);

/* The pseudonym of @size bytes, of the same size; zeroes stay. */
void pseudonym_bytes(const struct pseudonyms *names, void *buf, const void *data, size_t size);

/* The pseudonym of any other number; 0 stays. */
u64 pseudonym_number(const struct pseudonyms *names, u64 number);

#endif
