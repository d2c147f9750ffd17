/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between the files of redact.h. */
#ifndef EPITAPH_REDACT_REDACT_IMPL_H
#define EPITAPH_REDACT_REDACT_IMPL_H

#include "region/packed_decode.h"
#include "recording/recording.h"
#include "redact.h"

/**
 * struct redaction - the state of redact()
 * @salt: of the copy; it seeds the checks
 * @failed: errno of the first failed write; 0: none
 */
struct redaction {
	struct recording *recording;
	struct pseudonyms *names;
	struct redacted *count;
	u64 salt;
	int fd;
	int failed;
};

/* Writes bytes at @off of the copy. */
void redact_put(struct redaction *r, u64 off, const void *data, size_t size);

/* Writes an entry of @size bytes, with a new check in its last 8. */
void redact_put_checked(struct redaction *r, u64 off, void *entry, size_t size);

/* --- entries.c ------------------------------------------------------------ */

/* Redacts an array section. False: not an array of a known type. */
bool redact_entries(struct redaction *r, const struct section *sec);

/* --- event.c -------------------------------------------------------------- */

/* Redacts the payload of one event, @size bytes, in place. */
void redact_payload(struct redaction *r, u32 id, u8 *payload, u32 size);

/* The replacement of the number @value in @field. */
u64 redact_number_of(const struct pseudonyms *names, const struct layout_field *field,
		     u64 value);

/* --- packed.c ------------------------------------------------------------- */

/**
 * redact_packed() - redact the payload of a packed event, in place
 *
 * The size does not change: the replacement of a number has the same number of bytes.
 *
 * Return: false: the event cannot be decoded.
 */
bool redact_packed(struct redaction *r, const struct packed_decode_slots *slots, u8 *payload, u32 size);

/* May @layout be in the copy? The layout of a small event contains values of a field. */
bool redact_may_publish(const struct redaction *r, const struct packed_layout *layout);

/* Redacts the payload of a definition for packed events, in place. */
void redact_slot(struct redaction *r, u32 id, u8 *payload);

/* --- ring.c --------------------------------------------------------------- */

void redact_ring(struct redaction *r, const struct section *sec);

/* --- text.c: log, records and formats -------------------------------------- */

void redact_log(struct redaction *r, const struct section *sec);
void redact_records(struct redaction *r, const struct section *sec);
void redact_formats(struct redaction *r, const struct section *sec);

#endif
