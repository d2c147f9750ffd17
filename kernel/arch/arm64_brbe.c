// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of arm64 that keep the last branches.  Their fields are those of the Arm Architecture Reference
 * Manual (DDI 0487), chapters D19 "The Branch Record Buffer Extension" and D24.8; rules are named as
 * there.  Who may touch them is in the kernel's Documentation/arch/arm64/booting.rst (6.17).  The order
 * of reads and writes is that of its driver, drivers/perf/arm_brbe.c.
 */
#include "arm64_brbe.h"

/* BRBCR_EL1, and BRBCR_EL2, which has E2BRE and E0HBRE in the same place. */
#define CONTROL_E0BRE		(1ULL << 0)
#define CONTROL_EXBRE		(1ULL << 1)
#define CONTROL_CC		(1ULL << 3)
#define CONTROL_MPRED		(1ULL << 4)
#define CONTROL_TS_VIRTUAL	(1ULL << 5)	/* of BRBTS_EL1, which nothing here reads; 0 is reserved */
#define CONTROL_ERTN		(1ULL << 22)
#define CONTROL_EXCEPTION	(1ULL << 23)

/* BRBFCR_EL1.  BANK is 0: of 64 records, the newest 32 are read. */
#define FILTER_INDIRECT		(1ULL << 18)
#define FILTER_RTN		(1ULL << 19)
#define FILTER_INDCALL		(1ULL << 20)
#define FILTER_DIRCALL		(1ULL << 21)

/*
 * The kernel alone: what is of user space is a BRBE Prohibited region, and its addresses are in no record
 * (D19.1.4).  No freeze by a counter that overflows (FZP).
 */
#define OUR_CONTROL	(CONTROL_EXBRE | CONTROL_CC | CONTROL_MPRED | CONTROL_TS_VIRTUAL | \
			 CONTROL_ERTN | CONTROL_EXCEPTION)
/* Left out: conditional and direct jumps. */
#define OUR_FILTER	(FILTER_INDIRECT | FILTER_RTN | FILTER_INDCALL | FILTER_DIRCALL)

/* BRBIDR0_EL1 */
#define ID_NUMREC(id)		((id) & 0xff)
#define ID_FORMAT(id)		((id) >> 8 & 0xf)	/* 0 is the only one */
#define ID_CC(id)		((id) >> 12 & 0xf)
#define CC_20_BITS		5			/* the only one */

/* BRBINF<n>_EL1 */
#define INF_HAS_TARGET		(1ULL << 0)
#define INF_HAS_SOURCE		(1ULL << 1)
#define INF_MPRED		(1ULL << 5)
#define INF_IS_EXCEPTION	(1ULL << 13)		/* TYPE[5] */
#define INF_CC_MANTISSA(inf)	((inf) >> 32 & 0xff)
#define INF_CC_EXPONENT(inf)	((inf) >> 40 & 0x3f)
#define INF_CCU			(1ULL << 46)		/* nothing is known of CC */

/* ID_AA64DFR0_EL1.BRBE: 1, FEAT_BRBE; 2, FEAT_BRBEv1p1. */
static u32 version_of(u64 dfr0)
{
	return dfr0 >> 52 & 0xf;
}

static bool has_el2(const struct epitaph_brbe_machine *machine)
{
	return machine->pfr0 >> 8 & 0xf;
}

static bool has_el3(const struct epitaph_brbe_machine *machine)
{
	return machine->pfr0 >> 12 & 0xf;
}

bool epitaph_brbe_is_there(u64 dfr0)
{
	return version_of(dfr0) == 1 || version_of(dfr0) == 2;
}

/*
 * In EL1, EL2 traps them where HDFGRTR_EL2.nBRBCTL, nBRBDATA or nBRBIDR is 0, which was what a kernel before
 * 6.17 wrote there when it booted.  In both, EL3 traps them where MDCR_EL3.SBRBE is x0.
 */
const char *epitaph_brbe_may_touch(const struct epitaph_brbe_machine *machine)
{
	if (!version_of(machine->dfr0))
		return "ID_AA64DFR0_EL1 says that there is no BRBE";
	if (!epitaph_brbe_is_there(machine->dfr0))
		return "ID_AA64DFR0_EL1 says a version of BRBE that is not known";
	if (machine->has_driver)
		return NULL;
	if (has_el2(machine) && !machine->is_host)
		return "the CPUs have BRBE, but this kernel cannot know whether EL2 lets it have the registers: one runs in EL2, or has CONFIG_ARM64_BRBE (from 6.17 on)";
	if (machine->firmware == EPITAPH_FIRMWARE_REFUSES)
		return "the CPUs have BRBE, but the firmware says that it keeps the registers (MDCR_EL3.SBRBE)";
	if (has_el3(machine) && machine->firmware != EPITAPH_FIRMWARE_GRANTS)
		return "the CPUs have BRBE, but the firmware does not say whether the kernel may have the registers (MDCR_EL3.SBRBE): a kernel with CONFIG_ARM64_BRBE (from 6.17 on) would know";
	return NULL;
}

const char *epitaph_brbe_find(const struct epitaph_brbe_machine *machine, struct epitaph_brbe *brbe)
{
	u64 id = epitaph_brbe_get(EPITAPH_BRBIDR0);
	u32 depth = ID_NUMREC(id);

	memset(brbe, 0, sizeof(*brbe));
	if (ID_FORMAT(id) || ID_CC(id) != CC_20_BITS || (depth != 8 && depth != 16 && depth != 32 && depth != 64))
		return "BRBIDR0_EL1 says a format of BRBE that is not known";
	brbe->depth = depth < EPITAPH_NR_BRANCHES ? depth : EPITAPH_NR_BRANCHES;
	brbe->is_host = machine->is_host;
	/* BRBCR_EL2.MPRED masks it in EL1 as well, rule RXHWRB. */
	brbe->knows_prediction = machine->is_host || !has_el2(machine);
	brbe->control = OUR_CONTROL;
	brbe->filter = OUR_FILTER;
	return NULL;
}

static void put_back(const struct epitaph_brbe *brbe, const struct epitaph_brbe_before *before)
{
	epitaph_brbe_set(EPITAPH_BRBFCR, before->filter | EPITAPH_BRBE_PAUSED);
	epitaph_brbe_sync();
	/* The kernel's addresses are not left for the next one. */
	epitaph_brbe_forget();
	epitaph_brbe_set(EPITAPH_BRBCR, before->control);
	if (brbe->is_host)
		epitaph_brbe_set(EPITAPH_BRBCR_EL12, before->control_el12);
	epitaph_brbe_sync();
	epitaph_brbe_set(EPITAPH_BRBFCR, before->filter);
	epitaph_brbe_sync();
}

/* Of cycles and predictions, a host sees what both registers let through; a guest of it is not for us. */
static void choose(const struct epitaph_brbe *brbe)
{
	epitaph_brbe_set(EPITAPH_BRBFCR, brbe->filter | EPITAPH_BRBE_PAUSED);
	epitaph_brbe_sync();
	if (brbe->is_host)
		epitaph_brbe_set(EPITAPH_BRBCR_EL12, brbe->control & ~CONTROL_EXBRE);
	epitaph_brbe_set(EPITAPH_BRBCR, brbe->control);
	epitaph_brbe_sync();
	epitaph_brbe_forget();
	epitaph_brbe_sync();
}

static noinline void be_called(void)
{
	barrier();
}

/* What is written is there, and a call leaves a valid record. */
static bool prove_brbe(const struct epitaph_brbe *brbe)
{
	if (epitaph_brbe_get(EPITAPH_BRBCR) != brbe->control ||
	    epitaph_brbe_get(EPITAPH_BRBFCR) != (brbe->filter | EPITAPH_BRBE_PAUSED) ||
	    epitaph_brbe_get(EPITAPH_BRBINF) & (INF_HAS_SOURCE | INF_HAS_TARGET))
		return false;
	epitaph_brbe_go_on(brbe);
	be_called();
	epitaph_brbe_sync();
	epitaph_brbe_set(EPITAPH_BRBFCR, brbe->filter | EPITAPH_BRBE_PAUSED);
	epitaph_brbe_sync();
	return epitaph_brbe_get(EPITAPH_BRBINF) & INF_HAS_SOURCE && epitaph_brbe_get(EPITAPH_BRBSRC);
}

int epitaph_brbe_on(const struct epitaph_brbe *brbe, struct epitaph_brbe_before *before)
{
	before->control = epitaph_brbe_get(EPITAPH_BRBCR);
	before->control_el12 = brbe->is_host ? epitaph_brbe_get(EPITAPH_BRBCR_EL12) : 0;
	before->filter = epitaph_brbe_get(EPITAPH_BRBFCR);
	/* Both are 0 behind a reset; PAUSED is unknown then. */
	if (before->control & (CONTROL_E0BRE | CONTROL_EXBRE))
		return -EBUSY;
	choose(brbe);
	if (!prove_brbe(brbe)) {
		put_back(brbe, before);
		return -ENODEV;
	}
	epitaph_brbe_forget();
	epitaph_brbe_sync();
	epitaph_brbe_go_on(brbe);
	return 0;
}

bool epitaph_brbe_is_ours(const struct epitaph_brbe *brbe)
{
	return epitaph_brbe_get(EPITAPH_BRBCR) == brbe->control &&
	       (epitaph_brbe_get(EPITAPH_BRBFCR) & ~EPITAPH_BRBE_PAUSED) == brbe->filter;
}

void epitaph_brbe_off(const struct epitaph_brbe *brbe, const struct epitaph_brbe_before *before)
{
	if (epitaph_brbe_is_ours(brbe))
		put_back(brbe, before);
}

void epitaph_brbe_go_on(const struct epitaph_brbe *brbe)
{
	epitaph_brbe_set(EPITAPH_BRBFCR, brbe->filter);
	epitaph_brbe_sync();
}

/* A mantissa of 8 bits, and an exponent; all ones: more than the counter has. */
static u16 cycles_of(u64 inf)
{
	u32 mantissa = INF_CC_MANTISSA(inf), exponent = INF_CC_EXPONENT(inf);

	if (!exponent)
		return mantissa;
	if (exponent > 8)
		return 0xffff;
	return (0x100 | mantissa) << (exponent - 1);
}

static void decode_record(const struct epitaph_brbe *brbe, u64 inf, struct epitaph_branch *to)
{
	if (!(inf & INF_CCU)) {
		to->cycles = cpu_to_le16(cycles_of(inf));
		to->flags |= EPITAPH_BRANCH_CYCLES;
	}
	if (!(inf & INF_HAS_SOURCE) || inf & INF_IS_EXCEPTION)
		return;
	/* 0: it was predicted, or that was not recorded. */
	if (inf & INF_MPRED)
		to->flags |= EPITAPH_BRANCH_PREDICTION | EPITAPH_BRANCH_MISPREDICTED;
	else if (brbe->knows_prediction)
		to->flags |= EPITAPH_BRANCH_PREDICTION;
}

/* False: it is none. */
static bool read_branch_record(const struct epitaph_brbe *brbe, u32 i, struct epitaph_branch *to)
{
	u64 inf = epitaph_brbe_get(EPITAPH_BRBINF + i), both = INF_HAS_SOURCE | INF_HAS_TARGET;

	memset(to, 0, sizeof(*to));
	if (inf & INF_HAS_SOURCE)
		to->from = cpu_to_le64(epitaph_brbe_get(EPITAPH_BRBSRC + i));
	if (inf & INF_HAS_TARGET)
		to->to = cpu_to_le64(epitaph_brbe_get(EPITAPH_BRBTGT + i));
	if (!to->from && !to->to)
		return false;
	/* A half: the other end is in user space, rules RYSKQK to RYBJDJ. */
	if ((inf & both) != both)
		to->flags |= EPITAPH_BRANCH_USER;
	decode_record(brbe, inf, to);
	return true;
}

u32 epitaph_brbe_read(const struct epitaph_brbe *brbe, struct epitaph_branch *to)
{
	u32 i, nr = 0;

	for (i = 0; i < brbe->depth && i < EPITAPH_NR_BRANCHES; i++)
		if (read_branch_record(brbe, i, &to[nr]))
			nr++;
	return nr;
}
