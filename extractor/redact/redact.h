/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of a generation that can be given away: docs/redact.md says what it
 * still tells.  Everything in it is written anew from what was understood, so
 * that bytes of which nobody knows what they are are not in it.
 */
#ifndef EPITAPH_REDACT_REDACT_H
#define EPITAPH_REDACT_REDACT_H

#include "recording/recording.h"
#include "pseudonym.h"

/**
 * struct redacted - what became of it
 * @events: that have been rewritten
 * @dropped: sub-buffers, entries and events whose content is left out, because
 *	they are damaged or nothing says what it is
 */
struct redacted {
	u64 size;
	u64 events;
	u64 dropped;
};

/**
 * redact() - write the copy
 * @recording: opened; need not be scanned
 * @fd: of an empty file
 */
int redact(struct redacted *ret, struct recording *recording, const u8 key[PSEUDONYM_KEY], int fd,
	   struct err *err);

#endif
