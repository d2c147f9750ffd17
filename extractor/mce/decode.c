// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode.h"

#include <stdlib.h>

#include "vendor.h"

#define PAGE_BITS	12
#define MAX_LSB		52	/* of a physical address: more is no number of bits */

u32 mce_family(const struct mce *mce)
{
	u32 family = mce_bits(mce->cpuid, 11, 8);

	return family == 15 ? family + mce_bits(mce->cpuid, 27, 20) : family;
}

u32 mce_model(const struct mce *mce)
{
	u32 model = mce_bits(mce->cpuid, 7, 4);

	return mce_family(mce) >= 6 ? model + (mce_bits(mce->cpuid, 19, 16) << 4) : model;
}

u32 mce_stepping(const struct mce *mce)
{
	return mce_bits(mce->cpuid, 3, 0);
}

bool mce_is_amd(const struct mce *mce)
{
	return mce->vendor == EPITAPH_VENDOR_AMD || mce->vendor == EPITAPH_VENDOR_HYGON;
}

/* Processors of Centaur and Zhaoxin report as those of Intel. NULL: unknown vendor. */
static const struct mce_vendor *vendor_of(const struct mce *mce)
{
	switch (mce->vendor) {
	case EPITAPH_VENDOR_INTEL:
	case EPITAPH_VENDOR_CENTAUR:
	case EPITAPH_VENDOR_ZHAOXIN:
		return &mce_intel;
	case EPITAPH_VENDOR_AMD:
	case EPITAPH_VENDOR_HYGON:
		return &mce_amd;
	}
	return NULL;
}

enum mce_grade mce_grade(const struct mce *mce)
{
	const struct mce_vendor *vendor = vendor_of(mce);

	if (!(mce->status & STATUS_VAL))
		return MCE_INVALID;
	if (mce->status & STATUS_PCC)
		return MCE_FATAL;
	if (vendor)
		return vendor->grade(mce);
	return mce->status & STATUS_UC ? MCE_UNCORRECTED : MCE_CORRECTED;
}

const char *mce_grade_name(enum mce_grade grade)
{
	static const char *const names[] = {
		[MCE_INVALID] = "invalid", [MCE_CORRECTED] = "corrected",
		[MCE_DEFERRED] = "deferred", [MCE_UCNA] = "ucna", [MCE_SRAO] = "srao",
		[MCE_UNCORRECTED] = "uncorrected", [MCE_SRAR] = "srar",
		[MCE_FATAL] = "fatal",
	};

	return names[grade];
}

void mce_put_grade(FILE *f, const struct mce *mce)
{
	static const char *const words[] = {
		[MCE_INVALID] = "none: the register says that it holds nothing",
		[MCE_CORRECTED] = "corrected by the hardware",
		[MCE_DEFERRED] = "deferred: uncorrected, found before anything used it",
		[MCE_UCNA] = "uncorrected, no action required (UCNA): nothing used it yet",
		[MCE_SRAO] = "uncorrected, recovery optional (SRAO): nothing used it yet",
		[MCE_UNCORRECTED] = "uncorrected; the processor's state is intact",
		[MCE_SRAR] = "uncorrected, recovery required (SRAR): what used it cannot go on",
	};
	enum mce_grade grade = mce_grade(mce);

	if (grade != MCE_FATAL)
		fputs(words[grade], f);
	else if (mce->status & STATUS_PCC)
		fputs("fatal: the processor's state is corrupt (PCC)", f);
	else if (mce->status & STATUS_OVER)
		fputs("fatal: uncorrected, and another error of this bank was lost (OVER)", f);
	else
		fputs("fatal: uncorrected, and it can neither be resumed nor blamed on an instruction", f);
}

void mce_put_request(FILE *f, u32 code, const char *const names[9])
{
	u32 request = code >> 4 & 15;

	if (request < 9)
		fputs(names[request], f);
	else
		fprintf(f, "unknown request %u", request);
}

void mce_put_what(FILE *f, const struct mce *mce)
{
	const struct mce_vendor *vendor = vendor_of(mce);

	if (vendor)
		vendor->what(f, mce);
	else
		fprintf(f, "error code 0x%04x of a processor whose maker (%u) is not known here",
			MCE_CODE(mce), mce->vendor);
}

/* Each phrase begins with ", ", which the caller removes from the first. */
static void put_status_phrases(FILE *f, const struct mce *mce)
{
	static const char *const severities[] = {
		NULL, "deferred or no action required", "keep for later", "some action",
		"action optional", "uncorrected", "action required", "panic",
	};
	const struct mce_vendor *vendor = vendor_of(mce);

	if (mce->status & STATUS_OVER)
		fputs(", overflow: at least one other error of this bank was lost", f);
	if (!(mce->status & STATUS_EN))
		fputs(", not enabled for reporting (EN clear)", f);
	if (vendor)
		vendor->status(f, mce);
	if (mce->severity)
		fprintf(f, ", graded %u by the kernel (%s)", mce->severity,
			mce->severity < ARRAY_SIZE(severities) ? severities[mce->severity] :
								 "unknown");
	if (mce->inject_flags)
		fprintf(f, ", injected by software (flags 0x%x)", mce->inject_flags);
}

void mce_put_status(FILE *f, const struct mce *mce)
{
	char *text = mce_text(put_status_phrases, mce);

	if (text)
		fputs(text + 2, f);
	free(text);
}

/* Does MISC describe the address? With software recovery it does, on processors of any vendor. */
static bool misc_describes_address(const struct mce *mce)
{
	return (mce->status & STATUS_MISCV) && (mce->mcgcap & MCE_CAP_SER) &&
	       (MCE_CODE(mce) & ~INTEL_FILTERED) != INTEL_IO;
}

u32 mce_addr_lsb(const struct mce *mce)
{
	const struct mce_vendor *vendor = vendor_of(mce);

	if (misc_describes_address(mce))
		return mce_bits(mce->misc, 5, 0);
	return vendor && vendor->lsb ? vendor->lsb(mce) : 0;
}

static const char *address_kind(const struct mce *mce)
{
	static const char *const names[] = {
		"segment offset", "linear address", "physical address", "memory address",
		"address of reserved kind 4", "address of reserved kind 5",
		"address of reserved kind 6", "generic address",
	};
	const struct mce_vendor *vendor = vendor_of(mce);

	if (misc_describes_address(mce))
		return names[mce_bits(mce->misc, 8, 6)];
	return vendor ? vendor->kind(mce) : "address";
}

/*
 * In scalable banks of AMD the bits above the address have another meaning: up to family 18h,
 * the number of invalid low bits.
 */
u64 mce_addr_bits(const struct mce *mce)
{
	if (!mce_is_amd(mce) || !mce_is_scalable(mce))
		return mce->addr;
	return mce->addr & ((1ULL << (mce_family(mce) >= 0x19 ? 57 : 56)) - 1);
}

void mce_put_address(FILE *f, const struct mce *mce)
{
	const struct mce_vendor *vendor = vendor_of(mce);
	u64 addr = mce_addr_bits(mce);
	const char *note;
	u32 lsb;

	if (!(mce->status & STATUS_ADDRV))
		return;
	lsb = mce_addr_lsb(mce);
	note = vendor && vendor->note && !misc_describes_address(mce) ? vendor->note(mce) : NULL;
	fprintf(f, "%s 0x%llx", address_kind(mce), addr);
	if (lsb && lsb < MAX_LSB)
		fprintf(f, ", exact to %llu bytes", 1ULL << lsb);
	if (lsb >= PAGE_BITS)
		fprintf(f, " (%s)", lsb == PAGE_BITS ? "a page" : "more than a page");
	if (note)
		fprintf(f, "; %s", note);
}

void mce_put_global(FILE *f, const struct mce *mce)
{
	u64 mcg = mce->mcgstatus;

	if (mcg) {
		fputs(mcg & MCG_RIPV ? "what was interrupted could be resumed (RIPV)" :
				       "what was interrupted cannot be resumed (RIPV clear)", f);
		if (mcg & MCG_MCIP)
			fputs(", a machine check was in progress (MCIP)", f);
		if (mcg & MCG_LMCE && !mce_is_amd(mce))
			fputs(", signalled to this CPU alone (LMCE)", f);
	}
	if (!mce->ip)
		return;
	fprintf(f, "%s interrupted at %02x:0x%llx", mcg ? ";" : "", mce->cs, mce->ip);
	if (mce->cs)
		fputs((mce->cs & 3) == 3 ? ", in user space" : ", in the kernel", f);
	fputs(mcg & MCG_EIPV ? ", which is where it failed (EIPV)" :
			       ", which need not be where it failed", f);
}

void mce_put_processor(FILE *f, const struct mce *mce)
{
	static const char *const names[] = {
		[EPITAPH_VENDOR_INTEL] = "Intel", [EPITAPH_VENDOR_AMD] = "AMD",
		[EPITAPH_VENDOR_CENTAUR] = "Centaur", [EPITAPH_VENDOR_HYGON] = "Hygon",
		[EPITAPH_VENDOR_ZHAOXIN] = "Zhaoxin",
	};

	if (mce->vendor < ARRAY_SIZE(names) && names[mce->vendor])
		fputs(names[mce->vendor], f);
	else
		fprintf(f, "maker %u", mce->vendor);
	if (mce->cpuid)
		fprintf(f, " family 0x%x model 0x%x stepping %u", mce_family(mce),
			mce_model(mce), mce_stepping(mce));
	if (mce->microcode)
		fprintf(f, ", microcode 0x%x", mce->microcode);
	if (mce->ppin)
		fprintf(f, ", PPIN 0x%llx", mce->ppin);
}

const char *mce_source_name(u32 source)
{
	static const char *const names[] = {
		[MCE_UNKNOWN_SOURCE] = "unknown",
		[EPITAPH_MCE_LOGGED] = "logged", [EPITAPH_MCE_PRINTED] = "printed",
		[EPITAPH_MCE_CRASH] = "crash", [EPITAPH_MCE_LOAD] = "load",
		[MCE_KERNEL_LOG] = "kernel-log",
	};

	return names[source];
}

void mce_put_sources(FILE *f, const struct mce *mce)
{
	static const char *const words[] = {
		[MCE_UNKNOWN_SOURCE] = "recorded in a way that is not known here",
		[EPITAPH_MCE_LOGGED] = "reported by the kernel",
		[EPITAPH_MCE_PRINTED] = "printed by the kernel",
		[EPITAPH_MCE_CRASH] = "read from the CPU's registers on the way down",
		[EPITAPH_MCE_LOAD] = "in the CPU's registers when recording began",
		[MCE_KERNEL_LOG] = "printed in the kernel's log",
	};
	bool any = false;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (!(mce->sources & (1U << i)))
			continue;
		fprintf(f, "%s%s", any ? "; " : "", words[i]);
		any = true;
	}
}

void mce_put_raw(FILE *f, const struct mce *mce)
{
	fprintf(f, "status=0x%016llx addr=0x%llx misc=0x%llx mcgstatus=0x%llx mcgcap=0x%llx",
		mce->status, mce->addr, mce->misc, mce->mcgstatus, mce->mcgcap);
	if (mce_is_amd(mce))
		fprintf(f, " synd=0x%llx ipid=0x%llx", mce->synd, mce->ipid);
	if (mce->synd1 || mce->synd2)
		fprintf(f, " synd1=0x%llx synd2=0x%llx", mce->synd1, mce->synd2);
	fprintf(f, " tsc=0x%llx time=%llu ip=%02x:0x%llx cpuid=0x%x apicid=0x%x socket=%u microcode=0x%x",
		mce->tsc, mce->time, mce->cs, mce->ip, mce->cpuid, mce->apicid, mce->socket,
		mce->microcode);
	if (mce->ppin)
		fprintf(f, " ppin=0x%llx", mce->ppin);
}

char *mce_text(void (*put)(FILE *f, const struct mce *mce), const struct mce *mce)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (f) {
		put(f, mce);
		fclose(f);
	}
	if (size)
		return text;
	free(text);
	return NULL;
}

void mce_json(struct json *j, const char *key, void (*put)(FILE *f, const struct mce *mce),
	      const struct mce *mce)
{
	char *text = mce_text(put, mce);

	json_str(j, key, text);
	free(text);
}

u64 mce_corrected_count(const struct mce *mce, bool *more)
{
	const struct mce_vendor *vendor = vendor_of(mce);
	u32 count = vendor && vendor->count ? vendor->count(mce) : 0;

	*more = mce->status & STATUS_OVER || count == MCE_COUNT_MOST;
	return count ? count : 1;
}

bool mce_is_of_memory(const struct mce *mce)
{
	const struct mce_vendor *vendor = vendor_of(mce);

	return vendor && vendor->is_memory(mce);
}
