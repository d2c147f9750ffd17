/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of redact.h share.  Nobody else includes this. */
#ifndef EPITAPH_REDACT_REDACT_IMPL_H
#define EPITAPH_REDACT_REDACT_IMPL_H

#include "region/packed_decode.h"
#include "redact.h"

/**
 * struct redaction - one under way
 * @salt: of the copy, whose checks it seeds
 * @failed: errno of a write that did not succeed; the first
 */
struct redaction {
	struct recording *recording;
	struct pseudonyms *names;
	struct redacted *count;
	u64 salt;
	int fd;
	int failed;
};

/* Bytes at @off of the generation. */
void redact_put(struct redaction *r, u64 off, const void *data, size_t size);

/* The check of an entry of @size bytes is its last 8; writes it. */
void redact_put_checked(struct redaction *r, u64 off, void *entry, size_t size);

/* --- redact_entries.c ----------------------------------------------------- */

/* False: no array of entries that are known. */
bool redact_entries(struct redaction *r, const struct section *sec);

/* --- redact_event.c ------------------------------------------------------- */

/* The payload of one event, @size bytes, in place. */
void redact_payload(struct redaction *r, u32 id, u8 *payload, u32 size);

/* What takes the place of a number: what it is says its field. */
u64 redact_number_of(const struct pseudonyms *names, const struct tep_format_field *field,
		     u64 value);

/* --- redact_packed.c ------------------------------------------------------ */

/**
 * redact_packed() - the payload of a packed event, in place
 *
 * It takes the room that it took: a number that another one takes the place of keeps its bytes.
 *
 * Return: false: nothing tells what it is.
 */
bool redact_packed(struct redaction *r, const struct packed_decode_slots *slots, u8 *payload, u32 size);

/* Whether a packing may be told: that of a small event says what a number in a field is. */
bool redact_may_tell(const struct redaction *r, const struct packed_layout *packing);

/* The payload of what packed events refer to, in place. */
void redact_slot(struct redaction *r, u32 id, u8 *payload);

/* --- redact_ring.c -------------------------------------------------------- */

void redact_ring(struct redaction *r, const struct section *sec);

/* --- redact_text.c: what has lines and formats ----------------------------- */

void redact_log(struct redaction *r, const struct section *sec);
void redact_records(struct redaction *r, const struct section *sec);
void redact_formats(struct redaction *r, const struct section *sec);

#endif
