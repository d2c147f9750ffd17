/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes machine checks into words. A code without a known meaning is printed as its number.
 * docs/mce-decode.md has the meaning of each bit and its source.
 */
#ifndef EPITAPH_MCE_DECODE_H
#define EPITAPH_MCE_DECODE_H

#include <stdio.h>

#include "base/json.h"
#include "mce.h"

/* From the mildest to the worst. */
enum mce_grade {
	MCE_INVALID,		/* VAL is clear: the register is empty */
	MCE_CORRECTED,
	MCE_DEFERRED,		/* AMD: uncorrected, not used yet */
	MCE_UCNA,		/* Intel: uncorrected, not used yet; no action required */
	MCE_SRAO,		/* Intel: software recovery, action optional */
	MCE_UNCORRECTED,	/* recovery depends on the interrupted code */
	MCE_SRAR,		/* Intel: software recovery, action required */
	MCE_FATAL,
};

enum mce_grade mce_grade(const struct mce *mce);

/* "corrected", "fatal", ...: one word, for programs. */
const char *mce_grade_name(enum mce_grade grade);

/* Each prints a phrase without a full stop; some may print nothing. */
void mce_put_grade(FILE *f, const struct mce *mce);	/* the grade and its reason */
void mce_put_what(FILE *f, const struct mce *mce);	/* the unit and the error */
void mce_put_status(FILE *f, const struct mce *mce);	/* other bits of the status, or nothing */
void mce_put_address(FILE *f, const struct mce *mce);	/* address and its kind, or nothing */
void mce_put_global(FILE *f, const struct mce *mce);	/* MCG_STATUS and ip, or nothing */
void mce_put_processor(FILE *f, const struct mce *mce);
void mce_put_sources(FILE *f, const struct mce *mce);
void mce_put_raw(FILE *f, const struct mce *mce);	/* every register */

/* "printed", "logged", ...: one word for programs. @source: a bit number of mce.sources. */
#define MCE_NR_SOURCES	6
const char *mce_source_name(u32 source);

/* The phrase of @put as a text, which the caller frees; NULL if it is empty. */
char *mce_text(void (*put)(FILE *f, const struct mce *mce), const struct mce *mce);

/* The same as a text of JSON, or null. */
void mce_json(struct json *j, const char *key, void (*put)(FILE *f, const struct mce *mce),
	      const struct mce *mce);

/* The number of invalid low bits of the address, and the address without its other bits. */
u32 mce_addr_lsb(const struct mce *mce);
u64 mce_addr_bits(const struct mce *mce);

/* How many corrected errors this one stands for, 1 if nothing counted them. @more: there were others. */
u64 mce_corrected_count(const struct mce *mce, bool *more);

/* Is it an error of a memory module or of its controller, as far as is known? */
bool mce_is_of_memory(const struct mce *mce);

u32 mce_family(const struct mce *mce);
u32 mce_model(const struct mce *mce);
u32 mce_stepping(const struct mce *mce);

/* Does the processor report as those of AMD? */
bool mce_is_amd(const struct mce *mce);

#endif
