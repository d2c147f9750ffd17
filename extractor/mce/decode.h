/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine checks in words, made of the numbers when they are read: nothing is
 * cut, and what is not known is told with its number.  docs/mce-decode.md says
 * what follows from which bit, and where that is written.
 */
#ifndef EPITAPH_MCE_DECODE_H
#define EPITAPH_MCE_DECODE_H

#include <stdio.h>

#include "base/json.h"
#include "mce.h"

/* The worse the later. */
enum mce_grade {
	MCE_INVALID,		/* the register says it holds nothing */
	MCE_CORRECTED,
	MCE_DEFERRED,		/* AMD: found, not yet used by anybody */
	MCE_UCNA,		/* Intel: the same; uncorrected, no action required */
	MCE_SRAO,		/* Intel: software recovery, action optional */
	MCE_UNCORRECTED,	/* what can go on depends on what was interrupted */
	MCE_SRAR,		/* Intel: software recovery, action required */
	MCE_FATAL,
};

enum mce_grade mce_grade(const struct mce *mce);

/* "corrected", "fatal", ...: one word, for programs. */
const char *mce_grade_name(enum mce_grade grade);

/* Each puts a phrase without a full stop. */
void mce_put_grade(FILE *f, const struct mce *mce);	/* how bad, and why */
void mce_put_what(FILE *f, const struct mce *mce);	/* what failed */
void mce_put_status(FILE *f, const struct mce *mce);	/* further bits; may be nothing */
void mce_put_address(FILE *f, const struct mce *mce);	/* and what it is; may be nothing */
void mce_put_global(FILE *f, const struct mce *mce);	/* MCG_STATUS and ip; may be nothing */
void mce_put_processor(FILE *f, const struct mce *mce);
void mce_put_sources(FILE *f, const struct mce *mce);
void mce_put_raw(FILE *f, const struct mce *mce);	/* every register */

/* "printed", "logged", ...: one word, for programs; of a bit number of sources. */
#define MCE_NR_SOURCES	6
const char *mce_source_name(u32 source);

/* Such a phrase as a text, to be freed; NULL if there is nothing to say. */
char *mce_text(void (*put)(FILE *f, const struct mce *mce), const struct mce *mce);

/* The same as a text of JSON, or null. */
void mce_json(struct json *j, const char *key, void (*put)(FILE *f, const struct mce *mce),
	      const struct mce *mce);

/* How many low bits of the address mean nothing, and the address without what is no part of it. */
u32 mce_addr_lsb(const struct mce *mce);
u64 mce_addr_bits(const struct mce *mce);

u32 mce_family(const struct mce *mce);
u32 mce_model(const struct mce *mce);
u32 mce_stepping(const struct mce *mce);

/* The processor says of itself that it reports in AMD's way. */
bool mce_is_amd(const struct mce *mce);

#endif
