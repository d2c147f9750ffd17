// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers of last branches: the three layouts, and who owns them. The registers are a double here;
 * the numbers are written down by hand, of the manuals' tables.
 *
 * build: kernel/arch/x86_lbr.c -I kernel
 */
#include "arch/x86_lbr.h"
#include "tap.h"

#define NR	256

u64 epitaph_clock(void)
{
	return 0;
}

/* A CPU: what it answers. */
static struct {
	u32 msr[NR];
	u64 value[NR];
	u32 nr;
	bool forgets;		/* as an emulator: reads 0, never faults */
	u32 nr_writes;
	const char *maker;
	u32 leaf_7_edx, leaf_1c_eax, leaf_1c_ebx, max_leaf;
	u32 amd_eax, amd_ebx, max_extended, address_ebx;
	u32 virt_bits;
} cpu;

static u64 *msr_of(u32 msr)
{
	u32 i;

	for (i = 0; i < cpu.nr; i++)
		if (cpu.msr[i] == msr)
			return &cpu.value[i];
	return NULL;
}

static void has(u32 first, u32 nr)
{
	while (nr--)
		cpu.msr[cpu.nr++] = first++;
}

static void put(u32 msr, u64 value)
{
	if (CHECK(msr_of(msr) != NULL, "register %x", msr))
		*msr_of(msr) = value;
}

static u64 get(u32 msr)
{
	return msr_of(msr) ? *msr_of(msr) : ~0ULL;
}

int epitaph_msr_read(u32 msr, u64 *value)
{
	*value = 0;
	if (cpu.forgets)
		return 0;
	if (!msr_of(msr))
		return -EIO;
	*value = *msr_of(msr);
	return 0;
}

int epitaph_msr_write(u32 msr, u64 value)
{
	cpu.nr_writes++;
	if (cpu.forgets)
		return 0;
	if (!msr_of(msr))
		return -EIO;
	*msr_of(msr) = value;
	return 0;
}

void epitaph_lbr_cpuid(u32 leaf, u32 subleaf, u32 regs[4])
{
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (subleaf)
		return;
	switch (leaf) {
	case 0:
		regs[0] = cpu.max_leaf;
		memcpy(&regs[1], cpu.maker, 4);
		memcpy(&regs[3], cpu.maker + 4, 4);
		memcpy(&regs[2], cpu.maker + 8, 4);
		return;
	case 1:
		regs[2] = 1 << 15;
		return;
	case 7:
		regs[3] = cpu.leaf_7_edx;
		return;
	case 0x1c:
		regs[0] = cpu.leaf_1c_eax;
		regs[1] = cpu.leaf_1c_ebx;
		return;
	case 0x80000000:
		regs[0] = cpu.max_extended;
		return;
	case 0x80000008:
		regs[0] = cpu.virt_bits << 8 | 46;
		regs[1] = cpu.address_ebx;
		return;
	case 0x80000022:
		regs[0] = cpu.amd_eax;
		regs[1] = cpu.amd_ebx;
	}
}

static struct epitaph_lbr lbr;

static int freeze(const struct epitaph_lbr *lbr)
{
	return EPITAPH_LBR_FREEZE(lbr, epitaph_msr_read, epitaph_msr_write);
}
static struct epitaph_branch list[EPITAPH_NR_BRANCHES];
static u64 before;

static void begin(const char *maker)
{
	memset(&cpu, 0, sizeof(cpu));
	memset(list, 0xff, sizeof(list));
	cpu.maker = maker;
	cpu.virt_bits = 48;
}

static void amd(void)
{
	begin("AuthenticAMD");
	cpu.max_extended = 0x80000022;
	cpu.amd_eax = 3;
	cpu.amd_ebx = 16 << 4 | 6;
	has(0xc000010e, 2);
	has(0xc0010300, 32);
}

static void arch(void)
{
	begin("GenuineIntel");
	cpu.max_leaf = 0x1c;
	cpu.leaf_7_edx = 1 << 19;
	cpu.leaf_1c_eax = 0x0b;		/* 8, 16 or 32 */
	cpu.leaf_1c_ebx = 7;
	has(0x14ce, 2);
	has(0x1200, 32);
	has(0x1500, 32);
	has(0x1600, 32);
}

static void model(u32 format)
{
	begin("GenuineIntel");
	cpu.max_leaf = 0x16;
	has(0x345, 1);
	put(0x345, 0x3000 | format);
	has(0x1c8, 2);
	has(0x1d9, 1);
	has(0x680, 32);
	has(0x6c0, 32);
	has(0xdc0, 32);
}

static bool is_on(void)
{
	const char *why = epitaph_lbr_find(&lbr);

	return CHECK(!why, "%s", why) && CHECK(!epitaph_lbr_on(&lbr, &before), "not on");
}

static void expect(u32 i, u64 from, u64 to, u32 flags, u32 cycles)
{
	CHECK(le64_to_cpu(list[i].from) == from && le64_to_cpu(list[i].to) == to && list[i].flags == flags &&
	      le16_to_cpu(list[i].cycles) == cycles, "%u: %llx to %llx, flags %u, %u cycles", i,
	      (unsigned long long)le64_to_cpu(list[i].from), (unsigned long long)le64_to_cpu(list[i].to),
	      list[i].flags, le16_to_cpu(list[i].cycles));
}

static void branches__of_amd(void)
{
	amd();
	if (!is_on())
		return;
	CHECK(lbr.kind == EPITAPH_BRANCHES_AMD && lbr.depth == 16, "%u of %u", lbr.kind, lbr.depth);
	CHECK(get(0xc000010e) == 0x86 && get(0xc000010f) == 0x40, "chosen %llx", (unsigned long long)get(0xc000010e));
	CHECK(!freeze(&lbr) && !get(0xc000010f), "not frozen");
	/* 58 bits of address; mispredicted is bit 63 of from; valid and speculative bits 63 and 62 of to. */
	put(0xc0010300, 0x83ffffff81000123ULL);
	put(0xc0010301, 0x83ffffff81000456ULL);
	put(0xc0010302, 0x03ffffff81000789ULL);
	put(0xc0010303, 0x43ffffff81000aaaULL);
	/* Not valid: none. */
	put(0xc0010304, 0x03ffffff81000789ULL);
	put(0xc0010305, 0x03ffffff81000aaaULL);
	CHECK(epitaph_lbr_read(&lbr, list) == 2, "another number");
	expect(0, 0xffffffff81000123ULL, 0xffffffff81000456ULL, 1 | 2, 0);
	expect(1, 0xffffffff81000789ULL, 0xffffffff81000aaaULL, 1 | 32, 0);
	epitaph_lbr_go_on(&lbr);
	CHECK(get(0xc000010f) == 0x40, "it does not go on");
}

static void branches__of_the_architecture(void)
{
	arch();
	if (!is_on())
		return;
	CHECK(lbr.kind == EPITAPH_BRANCHES_ARCH && lbr.depth == 32 && get(0x14cf) == 32, "%u of %u", lbr.kind, lbr.depth);
	CHECK(get(0x14ce) == 0x7c0003, "chosen %llx", (unsigned long long)get(0x14ce));
	CHECK(!freeze(&lbr) && get(0x14ce) == 0x7c0002, "not frozen");
	put(0x1500, 0xffffffff81000123ULL);
	put(0x1600, 0xffffffff81000456ULL);
	put(0x1200, 1ULL << 63 | 1ULL << 60 | 77);
	put(0x1501, 0xffffffff81000789ULL);
	put(0x1601, 0xffffffff81000aaaULL);
	put(0x1201, 1ULL << 62 | 1ULL << 61 | 77);
	CHECK(epitaph_lbr_read(&lbr, list) == 2, "another number");
	expect(0, 0xffffffff81000123ULL, 0xffffffff81000456ULL, 1 | 2 | 4, 77);
	expect(1, 0xffffffff81000789ULL, 0xffffffff81000aaaULL, 1 | 8 | 16, 0);
}

static void branches__of_models(void)
{
	/* With INFO registers; the newest is the one of TOS. */
	model(5);
	if (!is_on())
		return;
	CHECK(lbr.depth == 32 && get(0x1c8) == 0x86 && get(0x1d9) == 1, "depth %u", lbr.depth);
	put(0x1c9, 1);
	put(0x681, 0xffffffff81000001ULL);
	put(0x6c1, 0xffffffff81000002ULL);
	put(0xdc1, 1ULL << 63 | 5);
	put(0x680, 0xffffffff81000003ULL);
	put(0x6c0, 0xffffffff81000004ULL);
	put(0x69f, 0xffffffff81000005ULL);
	put(0x6df, 0xffffffff81000006ULL);
	CHECK(!freeze(&lbr) && !get(0x1d9), "not frozen");
	CHECK(epitaph_lbr_read(&lbr, list) == 3, "another number");
	expect(0, 0xffffffff81000001ULL, 0xffffffff81000002ULL, 1 | 2 | 4, 5);
	expect(1, 0xffffffff81000003ULL, 0xffffffff81000004ULL, 1 | 4, 0);
	expect(2, 0xffffffff81000005ULL, 0xffffffff81000006ULL, 1 | 4, 0);

	/* Flags in from. */
	model(4);
	if (!is_on())
		return;
	CHECK(lbr.depth == 16, "depth %u", lbr.depth);
	put(0x680, 0x5fffffff81000001ULL);
	put(0x6c0, 0xffffffff81000002ULL);
	CHECK(epitaph_lbr_read(&lbr, list) == 1, "another number");
	expect(0, 0xffffffff81000001ULL, 0xffffffff81000002ULL, 1 | 8, 0);

	/* Cycles in to. */
	model(6);
	if (!is_on())
		return;
	put(0x680, 0x7fffffff81000001ULL);
	put(0x6c0, 0x0123ffff81000002ULL);
	CHECK(epitaph_lbr_read(&lbr, list) == 1, "another number");
	expect(0, 0xffffffff81000001ULL, 0xffffffff81000002ULL, 1 | 4, 0x123);
}

static void zeros__are_no_branches(void)
{
	amd();
	if (is_on())
		CHECK(!freeze(&lbr) && !epitaph_lbr_read(&lbr, list), "AMD's");
	arch();
	if (is_on())
		CHECK(!freeze(&lbr) && !epitaph_lbr_read(&lbr, list), "the architecture's");
	model(5);
	if (is_on())
		CHECK(!freeze(&lbr) && !epitaph_lbr_read(&lbr, list), "a model's");
}

static void registers__that_forget_are_none(void)
{
	void (*const kinds[])(void) = { amd, arch };
	u32 i;

	for (i = 0; i < 2; i++) {
		kinds[i]();
		epitaph_lbr_find(&lbr);
		cpu.forgets = true;
		CHECK(epitaph_lbr_on(&lbr, &before) == -ENODEV, "kind %u is on", lbr.kind);
	}
	/* Its format is 0 then. */
	model(5);
	cpu.forgets = true;
	CHECK(epitaph_lbr_find(&lbr) != NULL, "found");
}

static void registers__that_fault_are_none(void)
{
	void (*const kinds[])(void) = { amd, arch };
	u32 i;

	for (i = 0; i < 2; i++) {
		kinds[i]();
		epitaph_lbr_find(&lbr);
		cpu.nr = 0;
		CHECK(epitaph_lbr_on(&lbr, &before) == -ENODEV, "kind %u is on", lbr.kind);
	}
}

static void registers__of_another_one_are_left_alone(void)
{
	const struct { void (*kind)(void); u32 msr; u64 on; } others[] = {
		{ amd, 0xc000010f, 0x40 }, { arch, 0x14ce, 3 },
	};
	u32 i;

	for (i = 0; i < 2; i++) {
		others[i].kind();
		epitaph_lbr_find(&lbr);
		put(others[i].msr, others[i].on);
		CHECK(epitaph_lbr_on(&lbr, &before) == -EBUSY && !cpu.nr_writes, "%u writes", cpu.nr_writes);
	}
	model(5);
	epitaph_lbr_find(&lbr);
	put(0x1d9, 1);
	CHECK(epitaph_lbr_on(&lbr, &before) == -EBUSY && !cpu.nr_writes, "%u writes", cpu.nr_writes);
}

/* perf chooses and turns on what it wants; later it turns it off. */
static void registers__taken_over_are_neither_read_nor_given_back(void)
{
	model(5);
	if (!is_on())
		return;
	put(0x1c8, 0x1);
	cpu.nr_writes = 0;
	CHECK(freeze(&lbr) == -EBUSY && get(0x1d9) == 1, "frozen");
	epitaph_lbr_off(&lbr, before);
	CHECK(!cpu.nr_writes && get(0x1c8) == 1, "%u writes", cpu.nr_writes);
	put(0x1c8, 0x86);
	put(0x1d9, 0);
	CHECK(freeze(&lbr) == -EBUSY && !cpu.nr_writes, "read while it is off");
	arch();
	if (!is_on())
		return;
	put(0x14ce, 0x7f0007);
	CHECK(freeze(&lbr) == -EBUSY && get(0x14ce) == 0x7f0007, "frozen");
}

static void registers__are_given_back(void)
{
	amd();
	put(0xc000010e, 0x1fc);
	if (!is_on())
		return;
	put(0xc0010300, 0x83ffffff81000123ULL);
	epitaph_lbr_off(&lbr, before);
	CHECK(get(0xc000010e) == 0x1fc && !get(0xc000010f) && !get(0xc0010300), "not as before");
}

static void numbers__of_cpuid_that_are_not_known(void)
{
	amd();
	cpu.amd_ebx = 33 << 4;
	CHECK(epitaph_lbr_find(&lbr) && !lbr.kind, "33 branches");
	amd();
	cpu.amd_eax = 1;
	CHECK(epitaph_lbr_find(&lbr) && !lbr.kind, "no LBR v2");
	amd();
	cpu.max_extended = 0x8000001e;
	CHECK(epitaph_lbr_find(&lbr) && !lbr.kind, "no leaf");
	/* A Zen 3. */
	cpu.max_extended = 0x80000021;
	cpu.address_ebx = 1U << 31;
	CHECK(strstr(epitaph_lbr_find(&lbr) ?: "", "BRS") && !lbr.kind, "BRS is not named");
	arch();
	cpu.leaf_1c_eax = 0x80;
	CHECK(epitaph_lbr_find(&lbr) && !lbr.kind, "64 branches alone");
	arch();
	cpu.leaf_1c_ebx = 4;
	CHECK(epitaph_lbr_find(&lbr) && !lbr.kind, "no choice");
	model(8);
	CHECK(epitaph_lbr_find(&lbr) && !lbr.kind, "format 8");
	begin("CentaurHauls");
	CHECK(epitaph_lbr_find(&lbr) && !lbr.kind, "another maker");
}

static void addresses__of_programs_are_hidden(void)
{
	amd();
	if (!is_on() || freeze(&lbr))
		return;
	/* A system call; before it, the kernel jumped to 0x5000 and faulted there. */
	put(0xc0010300, 0x00007f1200001000ULL);
	put(0xc0010301, 0x83ffffff81000456ULL);
	put(0xc0010302, 0x0000000000005000ULL);
	put(0xc0010303, 0x83ffffff81000aaaULL);
	put(0xc0010304, 0x03ffffff81000111ULL);
	put(0xc0010305, 0x8000000000005000ULL);
	CHECK(epitaph_lbr_read(&lbr, list) == 3, "another number");
	expect(0, 0, 0xffffffff81000456ULL, 1 | 64, 0);
	expect(1, 0x5000, 0xffffffff81000aaaULL, 1, 0);
	expect(2, 0xffffffff81000111ULL, 0x5000, 1, 0);
}

int main(void)
{
	TAP_RUN(branches__of_amd);
	TAP_RUN(branches__of_the_architecture);
	TAP_RUN(branches__of_models);
	TAP_RUN(zeros__are_no_branches);
	TAP_RUN(registers__that_forget_are_none);
	TAP_RUN(registers__that_fault_are_none);
	TAP_RUN(registers__of_another_one_are_left_alone);
	TAP_RUN(registers__taken_over_are_neither_read_nor_given_back);
	TAP_RUN(registers__are_given_back);
	TAP_RUN(numbers__of_cpuid_that_are_not_known);
	TAP_RUN(addresses__of_programs_are_hidden);
	return tap_done();
}
