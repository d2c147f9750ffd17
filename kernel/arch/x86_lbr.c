// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of x86 that keep the last branches.  Numbers and bits are those of Intel's manual, volume
 * 4 and 3B chapters 18 and 19, and of AMD's, volume 2 chapter 13; the names are the kernel's.
 */
#include "x86_lbr.h"

#define DEBUGCTL		0x1d9
#define DEBUGCTL_LBR		1ULL
#define PERF_CAPABILITIES	0x345
#define INTEL_SELECT		0x1c8
#define INTEL_TOS		0x1c9
#define INTEL_FROM		0x680
#define INTEL_TO		0x6c0
#define INTEL_INFO		0xdc0
#define ARCH_CTL		0x14ce
#define ARCH_DEPTH		0x14cf
#define ARCH_FROM		0x1500
#define ARCH_TO			0x1600
#define ARCH_INFO		0x1200
#define AMD_SELECT		0xc000010e
#define AMD_CONFIG		0xc000010f
#define AMD_LBRV2		(1ULL << 6)
#define AMD_FROM		0xc0010300	/* and each TO behind it */

/* Left out: user space, conditional and direct jumps. */
#define SELECT			(1ULL << 1 | 1ULL << 2 | 1ULL << 7)
/* On; the kernel; indirect jumps, both calls, returns, others. */
#define ARCH_OURS		(1ULL << 0 | 1ULL << 1 | 0x1fULL << 18)
#define ARCH_ON			1ULL

/* Formats of IA32_PERF_CAPABILITIES. */
enum { EIP_FLAGS = 3, EIP_FLAGS2 = 4, INFO = 5, TIME = 6, INFO2 = 7 };

enum { EAX, EBX, ECX, EDX };

/* An address of 47 bits, which no layout changes. */
#define PROOF			0x5a5a5a5a5a40ULL

static bool vendor_is(const u32 regs[4], const char *name)
{
	return !memcmp(&regs[EBX], name, 4) && !memcmp(&regs[EDX], name + 4, 4) &&
	       !memcmp(&regs[ECX], name + 8, 4);
}

/* Zen 3 has another kind: it keeps what led to an overflow of a counter alone. */
static const char *name_of_amd_without(const char *otherwise)
{
	u32 regs[4] = { 0 };

	epitaph_lbr_cpuid(0x80000008, 0, regs);
	return regs[EBX] >> 31 ? "this CPU has AMD's BRS, which is not built, and no LBR v2" : otherwise;
}

static const char *find_amd(struct epitaph_lbr *lbr)
{
	u32 regs[4] = { 0 };

	epitaph_lbr_cpuid(0x80000000, 0, regs);
	if (regs[EAX] < 0x80000022)
		return name_of_amd_without("CPUID has no leaf 0x80000022");
	epitaph_lbr_cpuid(0x80000022, 0, regs);
	if (!(regs[EAX] & 2))
		return name_of_amd_without("CPUID says that there is no LBR v2");
	lbr->depth = regs[EBX] >> 4 & 0x3f;
	if (!lbr->depth || lbr->depth > EPITAPH_NR_BRANCHES)
		return "CPUID says a number of branches that is not known";
	lbr->kind = EPITAPH_BRANCHES_AMD;
	return NULL;
}

static bool has_arch(u32 max_leaf)
{
	u32 regs[4] = { 0 };

	if (max_leaf < 0x1c)
		return false;
	epitaph_lbr_cpuid(7, 0, regs);
	return regs[EDX] >> 19 & 1;
}

static const char *find_arch(struct epitaph_lbr *lbr)
{
	u32 regs[4] = { 0 }, bit;

	epitaph_lbr_cpuid(0x1c, 0, regs);
	/* Bit n: it can keep 8 * (n + 1). */
	for (bit = EPITAPH_NR_BRANCHES / 8; bit-- && !(regs[EAX] >> bit & 1);)
		;
	if (bit == (u32)-1)
		return "CPUID says no number of branches that is known";
	if ((regs[EBX] & 3) != 3)
		return "this CPU cannot choose which branches it keeps";
	lbr->depth = 8 * (bit + 1);
	lbr->kind = EPITAPH_BRANCHES_ARCH;
	return NULL;
}

static const char *find_model(struct epitaph_lbr *lbr)
{
	u32 regs[4] = { 0 };
	u64 capabilities;

	epitaph_lbr_cpuid(1, 0, regs);
	/* PDCM */
	if (!(regs[ECX] >> 15 & 1) || epitaph_msr_read(PERF_CAPABILITIES, &capabilities))
		return "this CPU has no IA32_PERF_CAPABILITIES";
	lbr->format = capabilities & 0x3f;
	if (lbr->format < EIP_FLAGS || lbr->format > INFO2)
		return "its last branches have a format that is not known";
	lbr->depth = lbr->format >= INFO ? 32 : 16;
	lbr->kind = EPITAPH_BRANCHES_INTEL;
	return NULL;
}

static u32 find_virt_bits(void)
{
	u32 regs[4] = { 0 }, bits;

	epitaph_lbr_cpuid(0x80000008, 0, regs);
	bits = regs[EAX] >> 8 & 0xff;
	return bits >= 48 && bits <= 57 ? bits : 48;
}

static const char *find_layout(struct epitaph_lbr *lbr)
{
	u32 regs[4] = { 0 };

	epitaph_lbr_cpuid(0, 0, regs);
	if (vendor_is(regs, "AuthenticAMD") || vendor_is(regs, "HygonGenuine"))
		return find_amd(lbr);
	if (!vendor_is(regs, "GenuineIntel"))
		return "this maker's CPUs are not known";
	return has_arch(regs[EAX]) ? find_arch(lbr) : find_model(lbr);
}

/* Where it is on: a register, a bit. */
static u32 switch_of(const struct epitaph_lbr *lbr, u64 *bit)
{
	switch (lbr->kind) {
	case EPITAPH_BRANCHES_AMD:
		*bit = AMD_LBRV2;
		return AMD_CONFIG;
	case EPITAPH_BRANCHES_ARCH:
		*bit = ARCH_ON;
		return ARCH_CTL;
	default:
		*bit = DEBUGCTL_LBR;
		return DEBUGCTL;
	}
}

/* Where it is said which branches: a register, and what we write there. */
static u32 choice_of(const struct epitaph_lbr *lbr, u64 *ours)
{
	*ours = lbr->kind == EPITAPH_BRANCHES_ARCH ? ARCH_OURS & ~ARCH_ON : SELECT;
	switch (lbr->kind) {
	case EPITAPH_BRANCHES_AMD:
		return AMD_SELECT;
	case EPITAPH_BRANCHES_ARCH:
		return ARCH_CTL;
	default:
		return INTEL_SELECT;
	}
}

const char *epitaph_lbr_find(struct epitaph_lbr *lbr)
{
	const char *why;

	memset(lbr, 0, sizeof(*lbr));
	lbr->virt_bits = find_virt_bits();
	why = find_layout(lbr);
	lbr->switch_msr = switch_of(lbr, &lbr->switch_bit);
	lbr->choice_msr = choice_of(lbr, &lbr->chosen);
	/* Of the architectural one, both are in one register. */
	if (lbr->choice_msr == lbr->switch_msr)
		lbr->chosen |= lbr->switch_bit;
	return why;
}

static u32 from_msr(const struct epitaph_lbr *lbr, u32 i)
{
	switch (lbr->kind) {
	case EPITAPH_BRANCHES_AMD:
		return AMD_FROM + 2 * i;
	case EPITAPH_BRANCHES_ARCH:
		return ARCH_FROM + i;
	default:
		return INTEL_FROM + i;
	}
}

static u32 to_msr(const struct epitaph_lbr *lbr, u32 i)
{
	switch (lbr->kind) {
	case EPITAPH_BRANCHES_AMD:
		return AMD_FROM + 2 * i + 1;
	case EPITAPH_BRANCHES_ARCH:
		return ARCH_TO + i;
	default:
		return INTEL_TO + i;
	}
}

/* 0: there is none. */
static u32 info_msr(const struct epitaph_lbr *lbr, u32 i)
{
	if (lbr->kind == EPITAPH_BRANCHES_ARCH)
		return ARCH_INFO + i;
	if (lbr->kind == EPITAPH_BRANCHES_INTEL && (lbr->format == INFO || lbr->format == INFO2))
		return INTEL_INFO + i;
	return 0;
}

static int write_and_read(u32 msr, u64 value, u64 mask)
{
	u64 now;

	if (epitaph_msr_write(msr, value) || epitaph_msr_read(msr, &now) || (now ^ value) & mask)
		return -ENODEV;
	return 0;
}

/* Both ends of the list keep what is written. */
static int prove(const struct epitaph_lbr *lbr)
{
	u64 mask = (1ULL << 47) - 1;
	u32 last = lbr->depth - 1;

	if (write_and_read(from_msr(lbr, 0), PROOF, mask) || write_and_read(to_msr(lbr, 0), PROOF, mask) ||
	    write_and_read(from_msr(lbr, last), PROOF, mask) || write_and_read(to_msr(lbr, last), PROOF, mask))
		return -ENODEV;
	return 0;
}

static void clear(const struct epitaph_lbr *lbr)
{
	u32 i;

	for (i = 0; i < lbr->depth; i++) {
		epitaph_msr_write(from_msr(lbr, i), 0);
		epitaph_msr_write(to_msr(lbr, i), 0);
		if (info_msr(lbr, i))
			epitaph_msr_write(info_msr(lbr, i), 0);
	}
}

static int switch_on(const struct epitaph_lbr *lbr)
{
	u64 bit, now;
	u32 msr = switch_of(lbr, &bit);

	if (epitaph_msr_read(msr, &now))
		return -ENODEV;
	return write_and_read(msr, now | bit, bit);
}

static void switch_off(const struct epitaph_lbr *lbr)
{
	u64 bit, now;
	u32 msr = switch_of(lbr, &bit);

	if (!epitaph_msr_read(msr, &now) && now & bit)
		epitaph_msr_write(msr, now & ~bit);
}

int epitaph_lbr_on(const struct epitaph_lbr *lbr, u64 *before)
{
	u64 bit, now, ours;
	u32 choice = choice_of(lbr, &ours);

	if (epitaph_msr_read(switch_of(lbr, &bit), &now) || epitaph_msr_read(choice, before))
		return -ENODEV;
	if (now & bit)
		return -EBUSY;
	if (lbr->kind == EPITAPH_BRANCHES_ARCH && write_and_read(ARCH_DEPTH, lbr->depth, ~0ULL))
		return -ENODEV;
	if (prove(lbr) || write_and_read(choice, ours, ~0ULL)) {
		clear(lbr);
		epitaph_msr_write(choice, *before);
		return -ENODEV;
	}
	clear(lbr);
	if (!switch_on(lbr))
		return 0;
	switch_off(lbr);
	epitaph_msr_write(choice, *before);
	return -ENODEV;
}

static bool is_ours(const struct epitaph_lbr *lbr)
{
	u64 now, chosen;

	return !epitaph_msr_read(lbr->switch_msr, &now) && now & lbr->switch_bit &&
	       !epitaph_msr_read(lbr->choice_msr, &chosen) && chosen == lbr->chosen;
}

void epitaph_lbr_off(const struct epitaph_lbr *lbr, u64 before)
{
	u64 ours;

	if (!is_ours(lbr))
		return;
	switch_off(lbr);
	/* The kernel's addresses are not left for the next one. */
	clear(lbr);
	epitaph_msr_write(choice_of(lbr, &ours), before);
}

void epitaph_lbr_go_on(const struct epitaph_lbr *lbr)
{
	switch_on(lbr);
}

/* Bits above those of an address are flags, or nothing. */
static u64 address(u64 raw, u32 bits)
{
	return (u64)((s64)(raw << (64 - bits)) >> (64 - bits));
}

static void set_prediction(struct epitaph_branch *to, bool mispredicted)
{
	to->flags |= EPITAPH_BRANCH_PREDICTION;
	if (mispredicted)
		to->flags |= EPITAPH_BRANCH_MISPREDICTED;
}

static void set_transaction(struct epitaph_branch *to, u64 raw)
{
	if (raw >> 62 & 1)
		to->flags |= EPITAPH_BRANCH_IN_TX;
	if (raw >> 61 & 1)
		to->flags |= EPITAPH_BRANCH_ABORT;
}

static void set_cycles(struct epitaph_branch *to, u64 cycles)
{
	to->cycles = cpu_to_le16(cycles & 0xffff);
	to->flags |= EPITAPH_BRANCH_CYCLES;
}

static void decode_model(const struct epitaph_lbr *lbr, struct epitaph_branch *to, u64 from, u64 target,
			 u64 info)
{
	switch (lbr->format) {
	case INFO:
	case INFO2:
		set_prediction(to, info >> 63);
		set_transaction(to, info);
		set_cycles(to, info);
		return;
	case TIME:
		set_prediction(to, from >> 63);
		set_cycles(to, target >> 48);
		return;
	case EIP_FLAGS2:
		set_transaction(to, from);
		set_prediction(to, from >> 63);
		return;
	default:
		set_prediction(to, from >> 63);
	}
}

static void decode_arch(struct epitaph_branch *to, u64 info)
{
	set_prediction(to, info >> 63);
	set_transaction(to, info);
	if (info >> 60 & 1)
		set_cycles(to, info);
}

static void decode_amd(struct epitaph_branch *to, u64 from, u64 target)
{
	set_prediction(to, from >> 63);
	if (target >> 62 == 1)
		to->flags |= EPITAPH_BRANCH_SPECULATIVE;
}

/* False: nothing was ever written there. */
static bool read_branch(const struct epitaph_lbr *lbr, u32 i, struct epitaph_branch *to)
{
	u64 from, target, info = 0;

	if (epitaph_msr_read(from_msr(lbr, i), &from) || epitaph_msr_read(to_msr(lbr, i), &target))
		return false;
	if (info_msr(lbr, i) && epitaph_msr_read(info_msr(lbr, i), &info))
		return false;
	memset(to, 0, sizeof(*to));
	/* Neither valid nor on trial. */
	if (lbr->kind == EPITAPH_BRANCHES_AMD && !(target >> 62))
		return false;
	to->from = cpu_to_le64(address(from, lbr->virt_bits));
	to->to = cpu_to_le64(address(target, lbr->virt_bits));
	if (!to->from && !to->to)
		return false;
	if (lbr->kind == EPITAPH_BRANCHES_AMD)
		decode_amd(to, from, target);
	else if (lbr->kind == EPITAPH_BRANCHES_ARCH)
		decode_arch(to, info);
	else
		decode_model(lbr, to, from, target, info);
	return true;
}

/* Of a model, they lie in a circle; else the newest has number 0. */
static u32 newest(const struct epitaph_lbr *lbr)
{
	u64 top;

	if (lbr->kind != EPITAPH_BRANCHES_INTEL || epitaph_msr_read(INTEL_TOS, &top))
		return 0;
	return top % lbr->depth;
}

/* A program's addresses are its own.  But where the kernel itself went there, it is of interest. */
static void hide_user(struct epitaph_branch *list, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (!(le64_to_cpu(list[i].from) >> 63) && (i + 1 == nr || list[i + 1].to != list[i].from)) {
			list[i].from = 0;
			list[i].flags |= EPITAPH_BRANCH_USER;
		}
}

u32 epitaph_lbr_read(const struct epitaph_lbr *lbr, struct epitaph_branch *to)
{
	bool is_circle = lbr->kind == EPITAPH_BRANCHES_INTEL;
	u32 first = newest(lbr), i, nr = 0;

	for (i = 0; i < lbr->depth && i < EPITAPH_NR_BRANCHES; i++)
		if (read_branch(lbr, is_circle ? (first + lbr->depth - i) % lbr->depth : i, &to[nr]))
			nr++;
	hide_user(to, nr);
	return nr;
}
