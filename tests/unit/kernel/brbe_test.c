// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers of arm64's last branches: when they may be touched, who owns them, what a record says. The
 * registers are a double here; fields are written down by hand, of Arm's manual.
 *
 * build: kernel/arch/arm64_brbe.c -I kernel
 */
#include "arch/arm64_brbe.h"
#include "tap.h"

u64 epitaph_clock(void)
{
	return 0;
}

#define PAUSED	0x80ULL
/* EXCEPTION, ERTN, TS 1, MPRED, CC, E1BRE; DIRCALL, INDCALL, RTN, INDIRECT. */
#define OURS	0xc0003aULL
#define FILTER	0x3c0000ULL

/* A CPU: what it answers. */
static struct {
	u64 id, cr, cr12, fcr, synced_cr, synced_fcr;
	u64 inf[32], src[32], tgt[32];
	bool forgets;		/* as an emulator: reads 0, never traps */
	bool keeps_nothing;	/* its registers hold, but no branch is recorded */
	u32 nr_writes, nr_touched;
} cpu;

static bool records(void)
{
	return !cpu.keeps_nothing && cpu.synced_cr & 3 && !(cpu.synced_fcr & PAUSED);
}

static void record(u64 inf, u64 src, u64 tgt)
{
	memmove(cpu.inf + 1, cpu.inf, sizeof(cpu.inf) - 8);
	memmove(cpu.src + 1, cpu.src, sizeof(cpu.src) - 8);
	memmove(cpu.tgt + 1, cpu.tgt, sizeof(cpu.tgt) - 8);
	cpu.inf[0] = inf;
	cpu.src[0] = src;
	cpu.tgt[0] = tgt;
}

u64 epitaph_brbe_get(u32 reg)
{
	cpu.nr_touched++;
	if (cpu.forgets)
		return 0;
	switch (reg) {
	case EPITAPH_BRBIDR0:
		return cpu.id;
	case EPITAPH_BRBCR:
		return cpu.cr;
	case EPITAPH_BRBCR_EL12:
		return cpu.cr12;
	case EPITAPH_BRBFCR:
		return cpu.fcr;
	}
	if (!CHECK(cpu.synced_fcr & PAUSED, "a record is read while branches are recorded"))
		return 0;
	reg -= EPITAPH_BRBINF;
	return (reg < 32 ? cpu.inf : reg < 64 ? cpu.src : cpu.tgt)[reg % 32];
}

void epitaph_brbe_set(u32 reg, u64 value)
{
	cpu.nr_writes++;
	if (reg == EPITAPH_BRBCR)
		cpu.cr = value;
	else if (reg == EPITAPH_BRBCR_EL12)
		cpu.cr12 = value;
	else if (CHECK(reg == EPITAPH_BRBFCR, "register %u is written", reg))
		cpu.fcr = value;
}

/* What was written takes effect; the call of this is a branch itself. */
void epitaph_brbe_sync(void)
{
	if (records())
		record(2 << 8 | 1 << 6 | 3, 0xffff800080001000, 0xffff800080002000);
	cpu.synced_cr = cpu.cr;
	cpu.synced_fcr = cpu.fcr;
}

void epitaph_brbe_forget(void)
{
	cpu.nr_writes++;
	memset(cpu.inf, 0, sizeof(cpu.inf));
}

static struct epitaph_brbe brbe;
static struct epitaph_brbe_before before;
static struct epitaph_branch list[EPITAPH_NR_BRANCHES];
static struct epitaph_brbe_machine machine;

static int freeze(const struct epitaph_brbe *brbe)
{
	return EPITAPH_BRBE_FREEZE(brbe, epitaph_brbe_get, epitaph_brbe_set, epitaph_brbe_sync);
}

/* ID_AA64DFR0_EL1.BRBE 1; ID_AA64PFR0_EL1: no EL2, no EL3. */
static void begin(u32 depth)
{
	memset(&cpu, 0, sizeof(cpu));
	memset(list, 0xff, sizeof(list));
	machine = (struct epitaph_brbe_machine){ .dfr0 = 1ULL << 52, .pfr0 = 0x11 };
	cpu.id = 5 << 12 | depth;
	/* Behind a reset: unknown, but for E1BRE and E0BRE. */
	cpu.cr = 0x400108;
	cpu.fcr = 0x410000;
	memset(cpu.inf, 0xff, sizeof(cpu.inf));
	epitaph_brbe_sync();
}

static bool is_on(void)
{
	const char *why = epitaph_brbe_may_touch(&machine) ?: epitaph_brbe_find(&machine, &brbe);

	return CHECK(!why, "%s", why) && CHECK(!epitaph_brbe_on(&brbe, &before), "not on");
}

static void expect(u32 i, u64 from, u64 to, u32 flags, u32 cycles)
{
	CHECK(le64_to_cpu(list[i].from) == from && le64_to_cpu(list[i].to) == to && list[i].flags == flags &&
	      le16_to_cpu(list[i].cycles) == cycles, "%u: %llx to %llx, flags %u, %u cycles", i,
	      (unsigned long long)le64_to_cpu(list[i].from), (unsigned long long)le64_to_cpu(list[i].to),
	      list[i].flags, le16_to_cpu(list[i].cycles));
}

static void records__are_decoded(void)
{
	begin(32);
	if (!is_on())
		return;
	CHECK(brbe.depth == 32 && cpu.cr == OURS && cpu.fcr == FILTER && !cpu.cr12, "%u, %llx, %llx", brbe.depth,
	      (unsigned long long)cpu.cr, (unsigned long long)cpu.fcr);
	CHECK(!freeze(&brbe) && cpu.fcr == (FILTER | PAUSED), "not frozen");
	memset(cpu.inf, 0, sizeof(cpu.inf));
	/* The oldest first.  A jump to 0, and the fault there: no cycles are known. */
	record(3 << 8 | 1 << 6 | 3, 0xffff800080000018, 0);
	record(1ULL << 46 | 0x2b << 8 | 1 << 6 | 3, 0, 0xffff800080010200);
	/* A return to a program, its system call: halves.  In the second, what is not valid is not taken. */
	record(7 << 8 | 1 << 5 | 1ULL << 32 | 2, 0xffff800080011a00, 0);
	record(0x22 << 8 | 1 << 6 | 1 << 5 | 1, 0xdead, 0xffff800080010400);
	/* Not predicted; 256 + 3 times 2; the counter's end. */
	record(2ULL << 40 | 3ULL << 32 | 5 << 8 | 1 << 6 | 1 << 5 | 3, 0xffff800080000100, 0xffff800080000200);
	record(0x3fffULL << 32 | 2 << 8 | 1 << 6 | 3, 0xffff800080000300, 0xffff800080000400);
	record(9ULL << 40 | 2 << 8 | 1 << 6 | 3, 0xffff800080000500, 0xffff800080000600);
	record(8ULL << 40 | 0xffULL << 32 | 2 << 8 | 1 << 6 | 3, 0xffff800080000700, 0xffff800080000800);
	CHECK(epitaph_brbe_read(&brbe, list) == 8, "another number");
	expect(0, 0xffff800080000700, 0xffff800080000800, 1 | 4, 0x1ff << 7);
	expect(1, 0xffff800080000500, 0xffff800080000600, 1 | 4, 65535);
	expect(2, 0xffff800080000300, 0xffff800080000400, 1 | 4, 65535);
	expect(3, 0xffff800080000100, 0xffff800080000200, 1 | 2 | 4, 518);
	expect(4, 0, 0xffff800080010400, 4 | 64, 0);
	expect(5, 0xffff800080011a00, 0, 1 | 2 | 4 | 64, 1);
	expect(6, 0, 0xffff800080010200, 0, 0);
	expect(7, 0xffff800080000018, 0, 1 | 4, 0);
	epitaph_brbe_go_on(&brbe);
	CHECK(cpu.fcr == FILTER, "it does not go on");
}

static void records__that_are_not_valid_are_none(void)
{
	u32 i;

	begin(16);
	if (!is_on() || freeze(&brbe))
		return;
	for (i = 0; i < 32; i++)
		cpu.src[i] = cpu.tgt[i] = 0xffff800080000100 + i;
	memset(cpu.inf, 0, sizeof(cpu.inf));
	CHECK(!epitaph_brbe_read(&brbe, list), "one that is not valid");
	/* Two zeros are none, whatever says that they are valid. */
	cpu.inf[0] = 3;
	cpu.src[0] = cpu.tgt[0] = 0;
	CHECK(!epitaph_brbe_read(&brbe, list), "zeros");
	/* Behind the number that there is. */
	cpu.inf[16] = 3;
	CHECK(!epitaph_brbe_read(&brbe, list), "a 17th");
	begin(64);
	if (is_on())
		CHECK(brbe.depth == 32, "%u of 64", brbe.depth);
}

/* BRBCR_EL2.MPRED masks it, and nothing says so. */
static void prediction__is_not_known_below_a_hypervisor(void)
{
	begin(8);
	machine.pfr0 = 0x111;
	machine.has_driver = true;
	if (!is_on() || freeze(&brbe))
		return;
	memset(cpu.inf, 0, sizeof(cpu.inf));
	record(1ULL << 46 | 5 << 8 | 1 << 6 | 3, 0xffff800080000100, 0xffff800080000200);
	record(1ULL << 46 | 5 << 8 | 1 << 6 | 1 << 5 | 3, 0xffff800080000100, 0xffff800080000200);
	CHECK(epitaph_brbe_read(&brbe, list) == 2, "another number");
	expect(0, 0xffff800080000100, 0xffff800080000200, 1 | 2, 0);
	expect(1, 0xffff800080000100, 0xffff800080000200, 0, 0);
}

static void a_host__has_two_registers(void)
{
	begin(32);
	machine.pfr0 = 0x111;
	machine.is_host = true;
	cpu.cr12 = 0x20;
	if (!is_on())
		return;
	CHECK(cpu.cr == OURS && cpu.cr12 == (OURS & ~2ULL), "%llx, %llx", (unsigned long long)cpu.cr,
	      (unsigned long long)cpu.cr12);
	epitaph_brbe_off(&brbe, &before);
	CHECK(cpu.cr == 0x400108 && cpu.cr12 == 0x20 && cpu.fcr == 0x410000, "not as before");
}

static void registers__that_forget_are_none(void)
{
	begin(32);
	epitaph_brbe_find(&machine, &brbe);
	cpu.forgets = true;
	CHECK(epitaph_brbe_on(&brbe, &before) == -ENODEV, "on");
	CHECK(epitaph_brbe_find(&machine, &brbe) != NULL && !brbe.depth, "found");
	/* They hold what is written, and that is all. */
	begin(32);
	epitaph_brbe_find(&machine, &brbe);
	cpu.keeps_nothing = true;
	CHECK(epitaph_brbe_on(&brbe, &before) == -ENODEV, "on without a record");
	CHECK(cpu.cr == 0x400108 && cpu.fcr == 0x410000, "not as before");
	/* All ones as well. */
	cpu.id = ~0ULL;
	CHECK(epitaph_brbe_find(&machine, &brbe) != NULL, "found by ones");
}

static void registers__of_another_one_are_left_alone(void)
{
	u64 on;

	for (on = 1; on < 4; on++) {
		begin(32);
		epitaph_brbe_find(&machine, &brbe);
		cpu.cr = 0x118 | on;
		CHECK(epitaph_brbe_on(&brbe, &before) == -EBUSY && !cpu.nr_writes, "%u writes", cpu.nr_writes);
		/* A counter that overflowed has paused it. */
		cpu.fcr |= PAUSED;
		CHECK(epitaph_brbe_on(&brbe, &before) == -EBUSY && !cpu.nr_writes, "%u writes", cpu.nr_writes);
	}
}

/* perf turns on what it wants; later it turns it off: PAUSED, and BRBCR 0. */
static void registers__taken_over_are_neither_read_nor_given_back(void)
{
	const struct { u64 cr, fcr; } others[] = {
		{ 0x13a, 0x7e0000 }, { OURS, 0x7e0000 }, { 0x13a, FILTER }, { OURS, FILTER | PAUSED }, { 0, PAUSED },
	};
	u32 i;

	for (i = 0; i < 5; i++) {
		begin(32);
		if (!is_on())
			return;
		cpu.cr = others[i].cr;
		cpu.fcr = others[i].fcr;
		cpu.nr_writes = 0;
		CHECK(freeze(&brbe) == -EBUSY && !cpu.nr_writes, "%u: frozen", i);
		/* Ours, and paused: by an NMI that came before. */
		CHECK(epitaph_brbe_is_ours(&brbe) == (i == 3), "%u", i);
		if (i == 3)
			continue;
		epitaph_brbe_off(&brbe, &before);
		CHECK(!cpu.nr_writes, "%u: %u writes", i, cpu.nr_writes);
	}
}

static void registers__are_given_back(void)
{
	begin(32);
	if (!is_on())
		return;
	record(3, 0xffff800080000100, 0xffff800080000200);
	epitaph_brbe_off(&brbe, &before);
	CHECK(cpu.cr == 0x400108 && cpu.fcr == 0x410000 && !cpu.inf[0], "not as before");
}

static void nothing__is_touched_that_may_be_trapped(void)
{
	const struct {
		struct epitaph_brbe_machine machine;
		const char *why;
	} machines[] = {
		{ { .dfr0 = 0, .pfr0 = 0x11 }, "no BRBE" },
		{ { .dfr0 = 0, .pfr0 = 0x11, .has_driver = true }, "no BRBE" },
		{ { .dfr0 = 3ULL << 52, .pfr0 = 0x11 }, "version" },
		{ { .dfr0 = 2ULL << 52, .pfr0 = 0x11 }, NULL },
		/* EL2 there: below it, and in it. */
		{ { .dfr0 = 1ULL << 52, .pfr0 = 0x111 }, "EL2" },
		{ { .dfr0 = 1ULL << 52, .pfr0 = 0x111, .firmware = EPITAPH_FIRMWARE_GRANTS }, "EL2" },
		{ { .dfr0 = 1ULL << 52, .pfr0 = 0x111, .is_host = true }, NULL },
		/* EL3 there. */
		{ { .dfr0 = 1ULL << 52, .pfr0 = 0x1011 }, "firmware does not say" },
		{ { .dfr0 = 1ULL << 52, .pfr0 = 0x1111, .is_host = true }, "firmware does not say" },
		{ { .dfr0 = 1ULL << 52, .pfr0 = 0x1111, .is_host = true, .firmware = EPITAPH_FIRMWARE_REFUSES },
		  "keeps the registers" },
		{ { .dfr0 = 1ULL << 52, .pfr0 = 0x1111, .is_host = true, .firmware = EPITAPH_FIRMWARE_GRANTS }, NULL },
		{ { .dfr0 = 1ULL << 52, .pfr0 = 0x11, .firmware = EPITAPH_FIRMWARE_REFUSES }, "keeps the registers" },
		/* The kernel has read one of them by now. */
		{ { .dfr0 = 1ULL << 52, .pfr0 = 0x1111, .has_driver = true }, NULL },
	};
	const char *why;
	u32 i;

	begin(32);
	cpu.nr_touched = 0;
	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		why = epitaph_brbe_may_touch(&machines[i].machine);
		CHECK(machines[i].why ? why && strstr(why, machines[i].why) : !why, "%u: %s", i, why ?: "may");
	}
	CHECK(!cpu.nr_touched && !cpu.nr_writes, "touched");
}

static void formats__that_are_not_known(void)
{
	const u64 ids[] = { 0, 5 << 12 | 33, 5 << 12 | 128, 4 << 12 | 32, 5 << 12 | 1 << 8 | 32 };
	u32 i;

	for (i = 0; i < 5; i++) {
		begin(32);
		cpu.id = ids[i];
		CHECK(epitaph_brbe_find(&machine, &brbe) && !brbe.depth, "%llx", (unsigned long long)ids[i]);
	}
}

int main(void)
{
	TAP_RUN(records__are_decoded);
	TAP_RUN(records__that_are_not_valid_are_none);
	TAP_RUN(prediction__is_not_known_below_a_hypervisor);
	TAP_RUN(a_host__has_two_registers);
	TAP_RUN(registers__that_forget_are_none);
	TAP_RUN(registers__of_another_one_are_left_alone);
	TAP_RUN(registers__taken_over_are_neither_read_nor_given_back);
	TAP_RUN(registers__are_given_back);
	TAP_RUN(nothing__is_touched_that_may_be_trapped);
	TAP_RUN(formats__that_are_not_known);
	return tap_done();
}
