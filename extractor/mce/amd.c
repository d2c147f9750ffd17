// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machine checks of AMD and Hygon: APM volume 2, "Machine Check Architecture", and the BKDG of
 * each family before 17h.
 */
#include "vendor.h"

#define STATUS_TCC	(1ULL << 55)
#define STATUS_PADDRV	(1ULL << 54)
#define STATUS_SYNDV	(1ULL << 53)
#define STATUS_CECC	(1ULL << 46)
#define STATUS_UECC	(1ULL << 45)
#define STATUS_DEFERRED	(1ULL << 44)
#define STATUS_POISON	(1ULL << 43)
#define STATUS_SCRUB	(1ULL << 40)
#define STATUS_CORE	(1ULL << 56)

#define NORTHBRIDGE	4	/* bank, before family 17h */

bool mce_is_scalable(const struct mce *mce)
{
	return mce->ipid || mce_family(mce) >= 0x17;
}

static bool has_deferred(const struct mce *mce)
{
	return mce_is_scalable(mce) || mce_family(mce) >= 0x15;
}

static enum mce_grade amd_grade(const struct mce *mce)
{
	if (has_deferred(mce) && (mce->status & STATUS_DEFERRED))
		return MCE_DEFERRED;
	return mce->status & STATUS_UC ? MCE_UNCORRECTED : MCE_CORRECTED;
}

static const char *amd_level(u32 code)
{
	static const char *const names[] = {
		"reserved level", "level 1", "level 2", "level 3 or generic",
	};

	return names[code & 3];
}

static void amd_put_request(FILE *f, u32 code)
{
	static const char *const names[] = {
		"generic", "generic read", "generic write", "data read", "data write",
		"instruction fetch", "prefetch", "eviction", "probe",
	};

	mce_put_request(f, code, names);
}

static void amd_put_bus(FILE *f, u32 code)
{
	static const char *const who[] = {
		"this node asked", "this node answered", "this node saw it as a third party",
		"participant unknown",
	};
	static const char *const where[] = { "memory", "reserved", "I/O", "generic" };

	fputs("bus: ", f);
	amd_put_request(f, code);
	fprintf(f, ", %s transaction, %s, %s, %s", where[code >> 2 & 3], amd_level(code),
		who[code >> 9 & 3], code & 0x100 ? "the request timed out" : "no timeout");
}

static void amd_put_code(FILE *f, u32 code)
{
	if (mce_leads(code, 4)) {
		fprintf(f, "TLB: %s, %s", mce_access_kind(code), amd_level(code));
	} else if (mce_leads(code, 8)) {
		fputs("memory hierarchy: ", f);
		amd_put_request(f, code);
		fprintf(f, ", %s, %s", mce_access_kind(code), amd_level(code));
	} else if (mce_leads(code, 11)) {
		amd_put_bus(f, code);
	} else if ((code & 0xf4ff) == 0x0400) {
		if ((code >> 8 & 3) == 2)
			fputs("internal: hardware assertion", f);
		else
			fprintf(f, "internal: reserved kind %u", code >> 8 & 3);
	} else {
		fprintf(f, "error code 0x%04x, which is not known here", code);
	}
}

/* Extended codes of the northbridge, families 0Fh to 16h. */
static const char *const northbridge[] = {
	[0x00] = "DRAM ECC error",
	[0x01] = "CRC error on a HyperTransport link",
	[0x02] = "sync packets on a HyperTransport link",
	[0x03] = "master abort",
	[0x04] = "target abort",
	[0x05] = "invalid entry in the GART table walk",
	[0x06] = "unsupported atomic operation from an I/O link",
	[0x07] = "watchdog timeout",
	[0x08] = "DRAM ECC error",
	[0x09] = "DMA exclusion vector error",
	[0x0a] = "data error on a HyperTransport link",
	[0x0b] = "protocol error of a link, the L3 or the probe filter",
	[0x0c] = "parity error of an internal array",
	[0x0d] = "parity error of DRAM address or control",
	[0x0e] = "a HyperTransport link was retried",
	[0x0f] = "data error of a table walk",
	[0x19] = "data error of a compute unit",
	[0x1c] = "L3 data ECC error",
	[0x1d] = "L3 tag ECC error",
	[0x1e] = "L3 LRU parity error",
	[0x1f] = "probe filter ECC error",
};

/* Banks before family 17h; in the second row those of family 15h. */
static const char *const old_banks[2][7] = {
	{ "data cache", "instruction cache", "bus unit or L2", "load-store unit", "northbridge",
	  "reorder buffer", "floating point unit" },
	{ "load-store unit", "instruction fetch", "combined unit", NULL, "northbridge",
	  "execution unit", "floating point unit" },
};

static void put_old_bank(FILE *f, const struct mce *mce)
{
	u32 extended = mce_bits(mce->status, 20, 16), family = mce_family(mce);
	const char *bank = family && mce->bank < ARRAY_SIZE(old_banks[0]) ?
			   old_banks[family == 0x15][mce->bank] : NULL;
	const char *what = bank && mce->bank == NORTHBRIDGE ? northbridge[extended] : NULL;

	if (bank)
		fprintf(f, "%s: ", bank);
	if (what)
		fprintf(f, "%s; ", what);
	amd_put_code(f, MCE_CODE(mce));
	if (extended && !what)
		fprintf(f, " (extended code 0x%x)", extended);
}

static void amd_put_what(FILE *f, const struct mce *mce)
{
	if (!mce_is_scalable(mce))
		return put_old_bank(f, mce);
	mce_put_scalable(f, mce);
	if (!MCE_CODE(mce))
		return;
	fputs("; ", f);
	amd_put_code(f, MCE_CODE(mce));
}

static void amd_put_status(FILE *f, const struct mce *mce)
{
	if (mce->status & STATUS_CECC)
		fputs(", corrected by ECC (CECC)", f);
	if (mce->status & STATUS_UECC)
		fputs(", ECC could not correct it (UECC)", f);
	if (has_deferred(mce) && (mce->status & STATUS_POISON))
		fputs(", poisoned data was used (Poison)", f);
	if (mce->status & STATUS_SCRUB)
		fputs(", found by the scrubber", f);
	if (!mce_is_scalable(mce))
		return;
	if (mce->status & STATUS_TCC)
		fputs(", what was running is corrupt (TCC)", f);
	if (mce->status & STATUS_CORE)
		fprintf(f, ", of core %u of the bank", mce_bits(mce->status, 37, 32));
	if (mce->status & STATUS_SYNDV)
		fprintf(f, ", syndrome 0x%llx", mce->synd);
}

static bool is_normalised(const struct mce *mce)
{
	return mce_is_scalable(mce) && mce_is_controller(mce) &&
	       !(mce_family(mce) >= 0x1a && (mce->status & STATUS_PADDRV));
}

/* Of the northbridge, before family 17h. */
static bool is_dram(const struct mce *mce)
{
	u32 extended = mce_bits(mce->status, 20, 16);

	return mce->bank == NORTHBRIDGE && mce_family(mce) && (!extended || extended == 8);
}

static bool amd_is_memory(const struct mce *mce)
{
	return mce_is_scalable(mce) ? mce_is_controller(mce) : is_dram(mce);
}

static const char *amd_address_kind(const struct mce *mce)
{
	bool is_physical;

	if (is_normalised(mce))
		return "normalised address";
	if (mce_is_scalable(mce))
		is_physical = mce->status & STATUS_POISON ||
			      (mce_family(mce) >= 0x1a && (mce->status & STATUS_PADDRV));
	else
		is_physical = is_dram(mce);
	return is_physical ? "physical address" : "address of an unknown kind,";
}

static const char *amd_address_note(const struct mce *mce)
{
	return is_normalised(mce) ? "the memory controller's own, no system address" : NULL;
}

/* Families 19h and later have the bits in the status, 17h and 18h in the address. */
static u32 amd_address_lsb(const struct mce *mce)
{
	if (!mce_is_scalable(mce))
		return 0;
	return mce_family(mce) >= 0x19 ? mce_bits(mce->status, 29, 24) :
					 mce_bits(mce->addr, 61, 56);
}

const struct mce_vendor mce_amd = {
	amd_grade, amd_put_what, amd_put_status, amd_address_kind, amd_address_note,
	amd_address_lsb, NULL, amd_is_memory,
};
