// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machine checks of Intel: SDM volume 3B, "Machine-Check Architecture" and "Interpreting Machine
 * Check Error Codes".
 */
#include "vendor.h"

#define STATUS_S	(1ULL << 56)
#define STATUS_AR	(1ULL << 55)
#define CAP_CMCI	(1ULL << 10)	/* corrected errors are counted */
#define CAP_TES		(1ULL << 11)	/* and graded by a threshold */

#define CODE_TIMER	0x0400
#define CODE_SCRUB	0x00c0		/* and 15 more, one for each channel */
#define CODE_L3_WB	0x017a

static u32 code_of(const struct mce *mce)
{
	return MCE_CODE(mce) & ~INTEL_FILTERED;
}

static bool is_scrub(const struct mce *mce)
{
	return (code_of(mce) & ~15U) == CODE_SCRUB;
}

/* Skylake and Cascade Lake report an uncorrected error of the patrol scrubber in this way. */
static bool is_scrub_quirk(const struct mce *mce)
{
	return mce->vendor == EPITAPH_VENDOR_INTEL && mce_family(mce) == 6 &&
	       mce_model(mce) == 0x55 && mce_stepping(mce) >= 4 &&
	       mce->bank >= 13 && mce->bank <= 18 && is_scrub(mce) &&
	       mce_bits(mce->status, 31, 16) == 0x10 &&
	       (mce->status & STATUS_ADDRV) && (mce->status & STATUS_MISCV);
}

/* MCG_CAP is 0 if it was not recorded. S and AR decide then. */
static bool can_recover(const struct mce *mce)
{
	return !mce->mcgcap || (mce->mcgcap & MCE_CAP_SER);
}

static enum mce_grade grade_recoverable(const struct mce *mce)
{
	if (mce->status & STATUS_AR)
		return mce->status & STATUS_OVER || !(mce->status & STATUS_S) ? MCE_FATAL :
										MCE_SRAR;
	if (mce->status & STATUS_S || is_scrub(mce) || code_of(mce) == CODE_L3_WB)
		return MCE_SRAO;
	return MCE_UCNA;
}

static enum mce_grade intel_grade(const struct mce *mce)
{
	if (!(mce->status & STATUS_UC))
		return is_scrub_quirk(mce) ? MCE_SRAO : MCE_CORRECTED;
	/* Neither can the interrupted code be resumed, nor is the error at its instruction. */
	if ((mce->mcgstatus & MCG_MCIP) && !(mce->mcgstatus & (MCG_RIPV | MCG_EIPV)))
		return MCE_FATAL;
	if (can_recover(mce))
		return grade_recoverable(mce);
	return mce->status & STATUS_OVER ? MCE_FATAL : MCE_UNCORRECTED;
}

static const char *intel_level(u32 code)
{
	static const char *const names[] = { "level 0", "level 1", "level 2", "generic level" };

	return names[code & 3];
}

static void intel_put_request(FILE *f, u32 code)
{
	static const char *const names[] = {
		"generic error", "generic read", "generic write", "data read", "data write",
		"instruction fetch", "prefetch", "eviction", "snoop",
	};

	mce_put_request(f, code, names);
}

static void put_controller(FILE *f, u32 code)
{
	static const char *const names[] = {
		"undefined request", "read", "write", "address or command", "scrubbing",
	};
	u32 what = code >> 4 & 7, channel = code & 15;

	if (what < ARRAY_SIZE(names))
		fprintf(f, "%s error", names[what]);
	else
		fprintf(f, "unknown request %u", what);
	if (channel == 15)
		fputs(", channel unknown", f);
	else
		fprintf(f, ", channel %u", channel);
}

static void intel_put_bus(FILE *f, u32 code)
{
	static const char *const who[] = {
		"this processor asked", "this processor answered",
		"this processor saw it as a third party", "participant unknown",
	};
	static const char *const where[] = { "memory", "reserved", "I/O", "other" };

	fputs("bus or interconnect: ", f);
	intel_put_request(f, code);
	fprintf(f, ", %s transaction, %s, %s, %s", where[code >> 2 & 3], intel_level(code),
		who[code >> 9 & 3], code & 0x100 ? "the request timed out" : "no timeout");
}

static void put_compound(FILE *f, u32 code)
{
	if (code >> 2 == 3) {
		fprintf(f, "cache hierarchy: %s", intel_level(code));
	} else if (mce_leads(code, 4)) {
		fprintf(f, "TLB: %s, %s", mce_access_kind(code), intel_level(code));
	} else if (mce_leads(code, 7)) {
		fputs("memory controller: ", f);
		put_controller(f, code);
	} else if (mce_leads(code, 8)) {
		fprintf(f, "cache: %s, %s, ", mce_access_kind(code), intel_level(code));
		intel_put_request(f, code);
	} else if (code >> 7 == 5) {
		fputs("memory used as cache: ", f);
		put_controller(f, code);
	} else if (mce_leads(code, 10)) {
		fprintf(f, "internal unclassified error 0x%04x", code);
	} else if (mce_leads(code, 11)) {
		intel_put_bus(f, code);
	} else {
		fprintf(f, "error code 0x%04x, which is not known here", code);
	}
}

static void intel_put_what(FILE *f, const struct mce *mce)
{
	static const char *const names[] = {
		"no error", "unclassified error", "microcode ROM parity error",
		"external error: another processor asserted BINIT#",
		"FRC error: functional redundancy check of master and checker",
		"internal parity error",
		"the SMM handler tried to execute outside its memory",
	};
	u32 code = code_of(mce), more = mce_bits(mce->status, 31, 16);

	if (code == INTEL_IO) {
		fputs("I/O error", f);
		/* MISC has the requester: segment, bus, device, function. */
		if (mce->status & STATUS_MISCV)
			fprintf(f, ", reported by the root port %04x:%02x:%02x.%x",
				mce_bits(mce->misc, 39, 32), mce_bits(mce->misc, 31, 24),
				mce_bits(mce->misc, 23, 19), mce_bits(mce->misc, 18, 16));
	} else if (code < ARRAY_SIZE(names)) {
		fputs(names[code], f);
	} else if (code == CODE_TIMER) {
		fputs("internal timer error", f);
	} else {
		put_compound(f, code);
	}
	if (more)
		fprintf(f, " (model-specific code 0x%04x)", more);
}

static u32 intel_count(const struct mce *mce)
{
	return (mce->mcgcap & CAP_CMCI) || !mce->mcgcap ? mce_bits(mce->status, 52, 38) : 0;
}

static bool intel_is_memory(const struct mce *mce)
{
	return mce_leads(code_of(mce), 7) || code_of(mce) >> 7 == 5;
}

static void intel_put_status(FILE *f, const struct mce *mce)
{
	static const char *const thresholds[] = {
		NULL, "corrected errors below the threshold (green)",
		"corrected errors above the threshold (yellow)", "reserved threshold state 3",
	};
	u32 count = intel_count(mce), state = mce_bits(mce->status, 54, 53);

	if (count)
		fprintf(f, ", %u corrected error%s counted", count, count == 1 ? "" : "s");
	if (count == MCE_COUNT_MOST)
		fputs(" or more", f);
	if ((mce->mcgcap & CAP_TES) && !(mce->status & STATUS_UC) && state)
		fprintf(f, ", %s", thresholds[state]);
	if (MCE_CODE(mce) & INTEL_FILTERED)
		fputs(", filtered: further ones like it are not reported", f);
	if (is_scrub_quirk(mce))
		fputs(", found by the patrol scrubber, uncorrected though UC is clear", f);
	if ((mce->status & STATUS_UC) && (mce->status & STATUS_S) && can_recover(mce))
		fputs(", signalled by an exception (S)", f);
}

static const char *intel_address_kind(const struct mce *mce)
{
	(void)mce;
	return "address of an unknown kind,";
}

const struct mce_vendor mce_intel = {
	.grade = intel_grade, .what = intel_put_what, .status = intel_put_status,
	.kind = intel_address_kind, .count = intel_count, .is_memory = intel_is_memory,
};
