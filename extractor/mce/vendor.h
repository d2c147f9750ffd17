/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What mce_words.c asks of the two ways to report, Intel's and AMD's. */
#ifndef EPITAPH_MCE_VENDOR_H
#define EPITAPH_MCE_VENDOR_H

#include "decode.h"

/**
 * struct mce_vendor - how one of them words it
 * @grade: how bad it is; only of a valid one
 * @what: what failed
 * @status: bits of the status that the other has not; each with ", " in front
 * @kind: what the address is where MISC does not tell: "physical address", ...
 * @note: more about it, or NULL
 * @lsb: low bits of the address that mean nothing, where MISC does not tell
 */
struct mce_vendor {
	enum mce_grade (*grade)(const struct mce *mce);
	void (*what)(FILE *f, const struct mce *mce);
	void (*status)(FILE *f, const struct mce *mce);
	const char *(*kind)(const struct mce *mce);
	const char *(*note)(const struct mce *mce);
	u32 (*lsb)(const struct mce *mce);
};

extern const struct mce_vendor mce_intel;
extern const struct mce_vendor mce_amd;

/* Bits @high to @low of @value. */
static inline u32 mce_bits(u64 value, u32 high, u32 low)
{
	return (value >> low) & ((2ULL << (high - low)) - 1);
}

/* Is @bit the highest that is set? For 8: 0000 0001 xxxx xxxx. */
static inline bool mce_leads(u32 code, u32 bit)
{
	return code >> bit == 1;
}

#define MCE_CODE(mce)	((u32)(mce)->status & 0xffff)

#define INTEL_FILTERED	0x1000		/* no part of Intel's code */
#define INTEL_IO	0x0e0b		/* MISC then says who reported it */
#define MCE_CAP_SER	(1ULL << 24)	/* software can recover: S, AR, and what ADDR is */

/* Is it one with AMD's scalable banks, whose IPID says what they belong to? */
bool mce_is_scalable(const struct mce *mce);

/* What the extended code means in a scalable bank. */
void mce_put_scalable(FILE *f, const struct mce *mce);

/* Is the bank a memory controller's, whose addresses are its own? */
bool mce_is_controller(const struct mce *mce);

#endif
