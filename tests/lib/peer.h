/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One side of a sending, played by a script, against the other.  A trace, and
 * what a collector makes of it, lie in a directory of the test's own.
 */
#ifndef _EPITAPH_PEER_H
#define _EPITAPH_PEER_H

#include "transfer/depot.h"

#define PEER_NAME	"00010203-0405-0607-0809-0a0b0c0d0e0f-20231114T221320Z"
#define PEER_REGION	"a region, for all that a collector knows"
#define PEER_TRACE	"a text\n"

extern char peer_top[64];
extern struct depot peer_depot;
extern const struct secret peer_no_key, peer_key, peer_other_key;

/* What the collector answered, and what the sender said, the last time. */
extern char peer_answer[4096];
extern char peer_given[4096];

/* Makes the directory, called after @name; peer_end() removes it. */
bool peer_begin(const char *name);
void peer_end(void);

/* Below it, until the next call. */
const char *peer_path(const char *name);
void peer_put(const char *name, const char *text);
int peer_open(const char *name);

/* An empty depot, and a trace. */
void peer_fresh(void);

/* Of that trace, of a host called web1. */
struct manifest peer_manifest(void);

/* Everything below the depot, but for the directories of hosts that are @hosts. */
unsigned int peer_left(unsigned int hosts);

/* Has web1's trace @name a @file of this text? */
bool peer_has(const char *name, const char *file, const char *text);

/* What a sender says that has no key, and the bytes; how many. */
size_t peer_script(char *script, size_t size, const struct manifest *m);

/* The same of a fresh trace, in @ret_m, for an empty depot. */
size_t peer_fresh_script(char *script, size_t size, struct manifest *ret_m);

/* The collector against a sender that says @script and closes; as receive(). */
int peer_collect(const struct secret *secret, const char *host, const void *script, size_t size,
		 struct err *err);

/* What a collector says first, and @end. */
size_t peer_collector(char *script, size_t size, const char *end);

/* The sender against a collector that says @script and closes; as transmit(). */
int peer_transmit(const char *script, size_t size, const struct secret *secret, struct err *err);

#endif /* _EPITAPH_PEER_H */
