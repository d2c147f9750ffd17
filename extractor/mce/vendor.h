/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between decode.c and the code of each vendor. */
#ifndef EPITAPH_MCE_VENDOR_H
#define EPITAPH_MCE_VENDOR_H

#include "decode.h"

/**
 * struct mce_vendor - the decoder of one vendor
 * @grade: the grade of a valid error without PCC
 * @what: prints the unit and the error
 * @status: prints the vendor's bits of the status, each with ", " in front
 * @kind: the kind of the address if MISC does not have it: "physical address", ...
 * @note: more about the address, or NULL; may be NULL
 * @lsb: number of invalid low bits of the address if MISC does not have it; may be NULL
 * @count: how many corrected errors the status counts; 0: it counts none; may be NULL
 * @is_memory: is it an error of a memory module or of its controller?
 */
struct mce_vendor {
	enum mce_grade (*grade)(const struct mce *mce);
	void (*what)(FILE *f, const struct mce *mce);
	void (*status)(FILE *f, const struct mce *mce);
	const char *(*kind)(const struct mce *mce);
	const char *(*note)(const struct mce *mce);
	u32 (*lsb)(const struct mce *mce);
	u32 (*count)(const struct mce *mce);
	bool (*is_memory)(const struct mce *mce);
};

extern const struct mce_vendor mce_intel;
extern const struct mce_vendor mce_amd;

#define MCE_COUNT_MOST	0x7fff		/* so many or more, of @count */

/* Bits @high to @low of @value. */
static inline u32 mce_bits(u64 value, u32 high, u32 low)
{
	return (value >> low) & ((2ULL << (high - low)) - 1);
}

/* Is @bit the highest set bit? For 8: 0000 0001 xxxx xxxx. */
static inline bool mce_leads(u32 code, u32 bit)
{
	return code >> bit == 1;
}

#define MCE_CODE(mce)	((u32)(mce)->status & 0xffff)

#define INTEL_FILTERED	0x1000		/* no part of the code of Intel */
#define INTEL_IO	0x0e0b		/* MISC has the reporting root port */
#define MCE_CAP_SER	(1ULL << 24)	/* software recovery: S, AR, and the kind of ADDR */

/* The access in bits 3:2 of a code. */
static inline const char *mce_access_kind(u32 code)
{
	static const char *const names[] = { "instruction", "data", "generic", "reserved" };

	return names[code >> 2 & 3];
}

/* Prints the request in bits 7:4 of a code, with the @names of the vendor. */
void mce_put_request(FILE *f, u32 code, const char *const names[9]);

/* Has the processor AMD's scalable banks, whose IPID has the unit? */
bool mce_is_scalable(const struct mce *mce);

/* Prints the unit and the error of a scalable bank. */
void mce_put_scalable(FILE *f, const struct mce *mce);

/* Does the bank belong to a memory controller? Its addresses are no system addresses. */
bool mce_is_controller(const struct mce *mce);

#endif
