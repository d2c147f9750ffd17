/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of traces of many hosts, DEPOT/HOST/NAME: what a collector fills,
 * and what a share is.  docs/send.md has the steps and what a stop leaves.
 */
#ifndef EPITAPH_TRANSFER_DEPOT_H
#define EPITAPH_TRANSFER_DEPOT_H

#include "spool/manifest.h"
#include "spool/store.h"

/**
 * struct depot - one
 * @fd: of the directory
 * @max_trace: bytes of one trace; 0, here and below: any number
 * @max_host: bytes of all traces of a host
 * @keep_free: bytes that stay free on the file system
 * @max_hosts: that have something here
 */
struct depot {
	int fd;
	u64 max_trace;
	u64 max_host;
	u64 keep_free;
	u64 max_hosts;
};

/* It must be there; no limits. */
int depot_open(struct depot *depot, const char *path, struct err *err);

/**
 * struct deposit - one trace under way
 * @depot: where it goes
 * @host: descriptor of its host's directory
 * @dir: of its own, called @temporary, and locked; -1: there is none
 * @fd: of the file that is written, number @file of @m
 * @got: bytes of it
 * @name: under which it is at last, or under which its like is there
 */
struct deposit {
	const struct depot *depot;
	const struct manifest *m;
	int host;
	int dir;
	int fd;
	size_t file;
	u64 got;
	struct sha256_ctx sum;
	char temporary[64];
	char name[MANIFEST_PLACE];
};

enum deposit_there {
	DEPOSIT_NEW,
	DEPOSIT_SAME,		/* the same bytes in all files */
	DEPOSIT_WITHIN,		/* all of its generations, in another trace */
};

/**
 * deposit_begin() - make room for all of it
 *
 * What dead processes left for this host is removed.  @depot and @m must stay
 * until deposit_finish() or deposit_abort().
 *
 * Return: DEPOSIT_NEW: deposit_write() has its turn; another enum deposit_there: it is there
 *	already, in @name of @d, and on disk; -ERR_CORRUPT: it will never fit; -ERR_IO: now
 *	it cannot be.  In any case but the first nothing is left to abort.
 */
int deposit_begin(struct deposit *d, const struct depot *depot, const struct manifest *m,
		  struct err *err);

/* What deposit_begin() returned, for people. */
void deposit_tell(const struct deposit *d, enum deposit_there there, struct placed *placed);

/* The next bytes, over the borders of files; -ERR_IO also if a file is another than announced. */
int deposit_write(struct deposit *d, const void *data, size_t size, struct err *err);

/* How many bytes are to come. */
u64 deposit_wants(const struct deposit *d);

/**
 * deposit_finish() - all bytes are there: on disk and under its name afterwards
 * @from: for the file "received", a line
 */
int deposit_finish(struct deposit *d, const char *from, struct err *err);

/*
 * Nothing is left of it, nor of its host's directory if that is empty now; without effect
 * after deposit_finish() and a failed begin.
 */
void deposit_abort(struct deposit *d);

#endif
