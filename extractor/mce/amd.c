// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * AMD's way, and Hygon's: APM volume 2, "Machine Check Architecture", and for
 * banks of families before 17h the BKDG of each.
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

static enum mce_grade grade(const struct mce *mce)
{
	if (has_deferred(mce) && (mce->status & STATUS_DEFERRED))
		return MCE_DEFERRED;
	return mce->status & STATUS_UC ? MCE_UNCORRECTED : MCE_CORRECTED;
}

static const char *level(u32 code)
{
	static const char *const names[] = {
		"reserved level", "level 1", "level 2", "level 3 or generic",
	};

	return names[code & 3];
}

static const char *kind_of_access(u32 code)
{
	static const char *const names[] = { "instruction", "data", "generic", "reserved" };

	return names[code >> 2 & 3];
}

static void put_request(FILE *f, u32 code)
{
	static const char *const names[] = {
		"generic", "generic read", "generic write", "data read", "data write",
		"instruction fetch", "prefetch", "eviction", "probe",
	};
	u32 request = code >> 4 & 15;

	if (request < ARRAY_SIZE(names))
		fputs(names[request], f);
	else
		fprintf(f, "unknown request %u", request);
}

static void put_bus(FILE *f, u32 code)
{
	static const char *const who[] = {
		"this node asked", "this node answered", "this node saw it as a third party",
		"not told who took part",
	};
	static const char *const where[] = { "memory", "reserved", "I/O", "generic" };

	fputs("bus: ", f);
	put_request(f, code);
	fprintf(f, ", %s transaction, %s, %s, %s", where[code >> 2 & 3], level(code),
		who[code >> 9 & 3], code & 0x100 ? "the request timed out" : "no timeout");
}

static void put_internal(FILE *f, u32 code)
{
	if ((code >> 8 & 3) == 2)
		fputs("internal: hardware assertion", f);
	else
		fprintf(f, "internal: reserved kind %u", code >> 8 & 3);
}

static void put_code(FILE *f, u32 code)
{
	if (mce_leads(code, 4)) {
		fprintf(f, "TLB: %s, %s", kind_of_access(code), level(code));
	} else if (mce_leads(code, 8)) {
		fputs("memory hierarchy: ", f);
		put_request(f, code);
		fprintf(f, ", %s, %s", kind_of_access(code), level(code));
	} else if (mce_leads(code, 11)) {
		put_bus(f, code);
	} else if ((code & 0xf4ff) == 0x0400) {
		put_internal(f, code);
	} else {
		fprintf(f, "error code 0x%04x, which is not known here", code);
	}
}

/* What the northbridge's extended codes mean, families 0Fh to 16h. */
static const char *northbridge(u32 extended)
{
	switch (extended) {
	case 0x00:
	case 0x08:
		return "DRAM ECC error";
	case 0x01:
		return "CRC error on a HyperTransport link";
	case 0x02:
		return "sync packets on a HyperTransport link";
	case 0x03:
		return "master abort";
	case 0x04:
		return "target abort";
	case 0x05:
		return "invalid entry in the GART table walk";
	case 0x06:
		return "unsupported atomic operation from an I/O link";
	case 0x07:
		return "watchdog timeout";
	case 0x09:
		return "DMA exclusion vector error";
	case 0x0a:
		return "data error on a HyperTransport link";
	case 0x0b:
		return "protocol error of a link, the L3 or the probe filter";
	case 0x0c:
		return "parity error of an internal array";
	case 0x0d:
		return "parity error of DRAM address or control";
	case 0x0e:
		return "a HyperTransport link was retried";
	case 0x0f:
		return "data error of a table walk";
	case 0x19:
		return "data error of a compute unit";
	case 0x1c:
		return "L3 data ECC error";
	case 0x1d:
		return "L3 tag ECC error";
	case 0x1e:
		return "L3 LRU parity error";
	case 0x1f:
		return "probe filter ECC error";
	}
	return NULL;
}

static const char *old_bank(const struct mce *mce)
{
	bool is_15h = mce_family(mce) == 0x15;

	switch (mce->bank) {
	case 0:
		return is_15h ? "load-store unit" : "data cache";
	case 1:
		return is_15h ? "instruction fetch" : "instruction cache";
	case 2:
		return is_15h ? "combined unit" : "bus unit or L2";
	case 3:
		return is_15h ? NULL : "load-store unit";
	case 4:
		return "northbridge";
	case 5:
		return is_15h ? "execution unit" : "reorder buffer";
	case 6:
		return "floating point unit";
	}
	return NULL;
}

static void put_old(FILE *f, const struct mce *mce)
{
	u32 extended = mce_bits(mce->status, 20, 16);
	const char *bank = mce_family(mce) ? old_bank(mce) : NULL;
	const char *what = bank && mce->bank == NORTHBRIDGE ? northbridge(extended) : NULL;

	if (bank)
		fprintf(f, "%s: ", bank);
	if (what)
		fprintf(f, "%s; ", what);
	put_code(f, MCE_CODE(mce));
	if (extended && !what)
		fprintf(f, " (extended code 0x%x)", extended);
}

static void put_what(FILE *f, const struct mce *mce)
{
	if (!mce_is_scalable(mce))
		return put_old(f, mce);
	mce_put_scalable(f, mce);
	if (!MCE_CODE(mce))
		return;
	fputs("; ", f);
	put_code(f, MCE_CODE(mce));
}

static void put_ecc(FILE *f, const struct mce *mce)
{
	if (mce->status & STATUS_CECC)
		fputs(", corrected by ECC (CECC)", f);
	if (mce->status & STATUS_UECC)
		fputs(", ECC could not correct it (UECC)", f);
	if (has_deferred(mce) && (mce->status & STATUS_POISON))
		fputs(", poisoned data was used (Poison)", f);
}

static void put_status(FILE *f, const struct mce *mce)
{
	put_ecc(f, mce);
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

static bool is_physical(const struct mce *mce)
{
	u32 extended = mce_bits(mce->status, 20, 16);

	if (mce_is_scalable(mce))
		return mce->status & STATUS_POISON ||
		       (mce_family(mce) >= 0x1a && (mce->status & STATUS_PADDRV));
	return mce->bank == NORTHBRIDGE && mce_family(mce) && (!extended || extended == 8);
}

static const char *kind(const struct mce *mce)
{
	if (is_normalised(mce))
		return "normalised address";
	return is_physical(mce) ? "physical address" : "address of a kind that is not told,";
}

static const char *note(const struct mce *mce)
{
	return is_normalised(mce) ? "the memory controller's own, no system address" : NULL;
}

/* Families 19h and later have it in the status, 17h and 18h in the address. */
static u32 lsb(const struct mce *mce)
{
	if (!mce_is_scalable(mce))
		return 0;
	return mce_family(mce) >= 0x19 ? mce_bits(mce->status, 29, 24) :
					 mce_bits(mce->addr, 61, 56);
}

const struct mce_vendor mce_amd = { grade, put_what, put_status, kind, note, lsb };
