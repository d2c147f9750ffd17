/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: redact - a copy of a generation without names
 *
 * Writes a copy that can be given away: docs/redact.md has what the copy still contains. The copy
 * is written anew from decoded fields, so that it has no bytes of unknown meaning.
 *
 *	ret = redact(&count, recording, key, fd, &err);
 *
 * The caller owns the recording, the key and the file; nothing is kept.
 */
#ifndef EPITAPH_REDACT_REDACT_H
#define EPITAPH_REDACT_REDACT_H

#include <stdio.h>

#include "class.h"
#include "pseudonym.h"

struct recording;

/**
 * struct redacted - the result of redact()
 * @size: bytes of the copy
 * @events: rewritten events
 * @dropped: sub-buffers, entries and events that are left out because they are damaged or of
 *	unknown kind
 * @damage: places of the vmcore that could not be read
 * @left_out: a whole thing that the file has and the copy lacks, and why; else ""
 * @has_kernel: it is an excerpt of a vmcore, with
 * @lines: lines of the kernel's log, and
 * @stacks: stacks of CPUs, which the recorder does not have
 */
struct redacted {
	u64 size;
	u64 events;
	u64 dropped;
	u64 damage;
	char left_out[600];
	bool has_kernel;
	u32 lines;
	u32 stacks;
};

/**
 * struct redact_policy - what stays, beyond what a copy without a profile keeps
 * @classes: NULL for PROFILE_NONE
 * @preview: nothing is written; what would become of what is printed here; NULL: it is written
 * @is_json: as JSON
 */
struct redact_policy {
	enum redact_profile profile;
	const struct classes *classes;
	FILE *preview;
	bool is_json;
};

/**
 * redact() - write the copy
 * @ret: size, events and dropped are filled in
 * @recording: opened; need not be scanned
 * @key: of the pseudonyms
 * @policy: NULL: no profile
 * @fd: of an empty file; unused with a preview
 *
 * Return: 0, or an error: no memory, or a write failed.
 */
int redact(struct redacted *ret, struct recording *recording, const u8 key[PSEUDONYM_KEY],
	   const struct redact_policy *policy, int fd, struct err *err);

#endif
