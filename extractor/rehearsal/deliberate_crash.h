/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A deliberate crash of this machine, to see whether its trace comes back; docs/setup.md. */
#ifndef EPITAPH_REHEARSAL_DELIBERATE_CRASH_H
#define EPITAPH_REHEARSAL_DELIBERATE_CRASH_H

#include "base/err.h"
#include "host/doctor.h"

#define CRASH_TEST_TOKEN	17
#define CRASH_TEST_BOOT		37

/**
 * struct crash_test - the facts that are kept on disk over the crash
 * @token: 16 hex digits that are in the trace, and in no other
 * @boot: id of the boot that crashes
 * @warm: without a capture kernel
 * @when: s since 1970
 */
struct crash_test {
	char token[CRASH_TEST_TOKEN];
	char boot[CRASH_TEST_BOOT];
	bool warm;
	s64 when;
};

/* crash_test_begin() - a new one, of this boot; -ERR_IO */
int crash_test_begin(struct crash_test *test, const char *root, bool warm, struct err *err);

/* crash_test_keep() - it is on disk afterwards, instead of an earlier one */
int crash_test_keep(const struct crash_test *test, const char *root, struct err *err);

/* crash_test_read() - the last one that was kept; -ERR_NOT_OURS: none was */
int crash_test_read(struct crash_test *test, const char *root, struct err *err);

/*
 * crash_test_crash() - the token goes to the recorder, and the kernel crashes
 *
 * Return: -ERR_IO: it has not; nothing else is returned.
 */
int crash_test_crash(const struct crash_test *test, const char *root, struct err *err);

/* crash_test_verify() - what came back of it, as findings */
void crash_test_verify(const struct crash_test *test, struct doctor *d);

#endif
