/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of pstore's, kept in the generation that is recorded into. */
#ifndef _EPITAPH_RECORDS_H
#define _EPITAPH_RECORDS_H

#include <linux/types.h>
#include <epitaph/format.h>
#include <epitaph/layout.h>

/* Bytes of the largest one. */
#define EPITAPH_RECORD_ROOM	(EPITAPH_RECORD_SIZE - sizeof(struct epitaph_record))

/**
 * epitaph_record_store() - keep a record
 * @what: type, reason, part, count and is_compressed; the rest is filled in here
 * @bytes: of the record
 * @size: of them
 *
 * Of the places in the section, the first half keeps the first records and the
 * second half the last ones.
 *
 * Context: any, NMI and panic included.  Never waits; from entry to exit of
 *	the recorder, which the caller keeps loaded.
 * Return: the record's number, from 1; -E2BIG if it is larger than
 *	EPITAPH_RECORD_ROOM; -ENOSPC if this generation has no room for records.
 */
s64 epitaph_record_store(const struct epitaph_record *what, const void *bytes, size_t size);

#endif /* _EPITAPH_RECORDS_H */
