/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A corrected error that the kernel reports as one of the hardware, on purpose; docs/inject.md. */
#ifndef EPITAPH_REHEARSAL_CORRECTED_ERROR_H
#define EPITAPH_REHEARSAL_CORRECTED_ERROR_H

#include "base/err.h"
#include "host/machine_files.h"

enum corrected_error_way {
	CORRECTED_BY_KERNEL,	/* mce-inject: the kernel's reports alone; no hardware takes part */
	CORRECTED_BY_FIRMWARE,	/* EINJ: the firmware makes a real one */
};

/**
 * struct corrected_error - what is to be reported
 * @cpu, @bank: whose; the firmware chooses itself
 */
struct corrected_error {
	enum corrected_error_way way;
	u32 cpu;
	u32 bank;
};

#define CORRECTED_STATUS	0x9c00004000010091ULL	/* one; Intel: read by a memory controller */
#define CORRECTED_ADDR		0xfffffff000ULL		/* where few machines have memory */

/* corrected_error_find() - the way that this machine has; -ERR_IO: none */
int corrected_error_find(struct corrected_error *error, const char *root, struct err *err);

/* corrected_error_check() - is there such a CPU?  -ERR_USAGE */
int corrected_error_check(const struct corrected_error *error, const char *root, struct err *err);

/* corrected_error_make() - it is reported afterwards; -ERR_IO */
int corrected_error_make(const struct corrected_error *error, const char *root, struct err *err);

#endif
