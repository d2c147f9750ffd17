// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "access_words.h"
#include "bad_call.h"
#include "judge/words.h"
#include "protection.h"

/* Instructions that a CPU refuses for what they ask of itself: Intel's manual, volume 2. */
static bool claim_refused(struct explain *explain, const char *place)
{
	static const char *const msr[] = { "wrmsr", "rdmsr", NULL };
	static const char *const other[] = { "xsetbv", "xrstors", "xsaves", "rdpmc", "mov cr", "mov dr", "lidt", "lgdt", "ltr", "invpcid", NULL };
	const struct instruction *instruction = &explain->access.instruction;
	struct finding *finding = explain->finding;
	char name[16] = "";
	u64 rcx = 0;

	if (!explain->access.is_decoded)
		return false;
	sscanf(instruction->text, "%15s", name);
	if (plumbing_begins(instruction->text, msr) && fault_text_register(&explain->fault, "RCX", &rcx))
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "%s executed %s for the CPU's register (MSR) 0x%llx, by RCX, and the CPU refused that: it has no such register, or not for this value. No memory is in it.",
			      place, name, rcx & 0xffffffff);
	else if (plumbing_begins(instruction->text, other))
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "%s executed %s, and the CPU refused that: it does not have what is asked for, or not with this value.", place, name);
	else
		return false;
	finding_open(finding, "Whether this CPU, or the hypervisor, has it: the code did not ask before, or asked for another model.");
	return true;
}

/* All of SSE's 16 bytes but those that say that they need not be (movups); those of AVX begin with v. */
static bool claim_misaligned(struct explain *explain, const char *place)
{
	static const char *const unaligned[] = { "v", "movup", "movdqu", "lddqu", "pcmpe", "pcmpi", "fx", "xs", "xr", "cmpxchg", "rep", NULL };
	const struct faulting_access *access = &explain->access;
	struct finding *finding = explain->finding;

	if (!access->is_decoded || !access->has_memory || access->memory.size != 16 || !(access->address % 16) ||
	    access->address < ~0ULL << 47 || !strstr(access->instruction.text, "xmm") || plumbing_begins(access->instruction.text, unaligned))
		return false;
	finding_claim(finding, "wild-pointer", FINDING_LIKELY,
		      "%s used 16 bytes at %016llx by an instruction of SSE, which needs a multiple of 16: the address is not aligned, and may be right else.", place,
		      access->address);
	finding_open(finding, "Who gave that address: a buffer on a stack, or one with an offset, that the code takes to be aligned.");
	return true;
}

void protection_claim(struct explain *explain, const char *place)
{
	if (!bad_target_claim(explain, place) && !claim_refused(explain, place) && !claim_misaligned(explain, place))
		finding_claim(explain->finding, "wild-pointer", FINDING_POSSIBLE,
			      "%s used an address that no memory can have, or an instruction that is not allowed (general protection fault).",
			      place);
}
