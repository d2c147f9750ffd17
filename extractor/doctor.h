/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Will it work when this machine dies?  Checks, each with what to do about it. */
#ifndef EPITAPH_DOCTOR_H
#define EPITAPH_DOCTOR_H

#include <sys/types.h>

#include "types.h"

#define DOCTOR_MAX	32	/* findings; each check has at most two */

enum doctor_verdict {
	DOCTOR_OK,
	DOCTOR_WARNING,		/* one way out less, or something to know */
	DOCTOR_FAILURE,		/* it will not work, or not as it was set up */
};

/**
 * struct doctor_finding - what one check found
 * @check: its name, one word
 * @found: a sentence, printable
 * @advice: what to do, a sentence; "" where there is nothing
 */
struct doctor_finding {
	const char *check;
	enum doctor_verdict verdict;
	char found[320];
	char advice[320];
};

/**
 * struct doctor - the machine, and what was found
 * @root: in front of each path; "" for this machine
 * @has_kdump: a capture kernel is loaded, so a crash need not outlive a reset
 * @region_size: bytes; 0: there is none
 */
struct doctor {
	const char *root;
	bool has_kdump;
	u64 region_size;
	struct doctor_finding list[DOCTOR_MAX];
	unsigned int nr;
};

/* Runs every check. */
void doctor_run(struct doctor *d);

/* The checks, by what they look at. */
void doctor_check_region(struct doctor *d);	/* first: sets region_size */
void doctor_check_reset(struct doctor *d);
void doctor_check_crash(struct doctor *d);	/* before the two above: sets has_kdump */
void doctor_check_after(struct doctor *d);

/**
 * doctor_say() - note a finding
 * @advice: NULL if nothing is to be done
 *
 * What is put in by %s is escaped.
 */
__attribute__((format(printf, 5, 6)))
void doctor_say(struct doctor *d, const char *check, enum doctor_verdict verdict,
		const char *advice, const char *fmt, ...);

/* A whole path of this machine, or of the one at @root. */
void doctor_path(const struct doctor *d, char *buf, size_t size, const char *path);

/**
 * doctor_read() - the start of a small file
 * @buf: terminated; a newline at its end is taken away
 *
 * Return: bytes, or -errno.
 */
ssize_t doctor_read(const struct doctor *d, const char *path, char *buf, size_t size);

bool doctor_exists(const struct doctor *d, const char *path);

/* The file begins with a decimal number; false: it is not there, or it does not. */
bool doctor_number(const struct doctor *d, const char *path, s64 *ret);

#endif
