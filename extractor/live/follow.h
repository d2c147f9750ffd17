/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "epitaph live" prints: the events of a running recorder as text, JSON or a trace of CTF. */
#ifndef EPITAPH_LIVE_FOLLOW_H
#define EPITAPH_LIVE_FOLLOW_H

#include "reading/choice.h"
#include "reading/reading.h"

/**
 * struct follow_request - what is followed
 * @choice: of events; times aside
 * @last_ns: begin this many ns before now
 * @for_ns: end this many ns after now; 0: when a signal asks for it
 * @device: what @fd is called
 * @fd: of the recorder's region
 * @dir: descriptor of an empty directory for CTF; -1: text, or @json
 */
struct follow_request {
	struct choice choice;
	u64 last_ns;
	u64 for_ns;
	const char *device;
	bool json;
	int fd;
	int dir;
};

/* For reading.run, with a struct follow_request and no FILE. */
int follow_device(struct file_list *files, void *request);

#endif
