/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "epitaph redact" does with its FILE. */
#ifndef EPITAPH_REDACT_REDACT_FILES_H
#define EPITAPH_REDACT_REDACT_FILES_H

#include "reading/choice.h"
#include "reading/reading.h"
#include "redact.h"

/**
 * struct redact_request - what of the FILE, and where to
 * @out: what @fd is called; NULL: nothing is written, and what would be is printed
 * @fd: of an empty file
 * @policy: its preview is set here
 * @done: filled in; shared with the process that asks
 */
struct redact_request {
	struct choice choice;
	const char *out;
	int fd;
	u8 key[PSEUDONYM_KEY];
	struct redact_policy policy;
	struct redacted *done;
};

/* For reading.run, with a struct redact_request. */
int redact_files(struct file_list *files, void *request);

#endif
