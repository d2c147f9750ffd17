// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every instruction of a write is a crash point: the trap flag stops behind
 * each, and the ring is read as it is then.  At a chosen one an interrupt comes
 * that writes as well, and is stepped through in the same way.
 *
 * A trap takes 15 us or so on a virtual machine: what is stepped through is chosen
 * with care, and the rest is for ring_crash_test and ring_stress_test.
 *
 * build: kernel/core/ring.c tests/lib/ring_reader.c tests/lib/ring_load.c
 * only: plain
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "ring_load.h"
#include "tap.h"

#define SUB		512
#define TRAP_FLAG	0x100

/* A write at one level, and where it is interrupted. */
struct step {
	u32 at;			/* instruction, from 0; LOAD_NONE: nowhere */
	u32 count;		/* writes of the next level there */
	u32 passed;		/* instructions so far */
};

static struct load *load;
static struct step steps[LOAD_CONTEXTS];
static volatile u32 level;	/* of the write that is stepped through */
static u64 instructions;
static u64 interrupts;

u64 epitaph_clock(void)
{
	static u64 clock;

	/* Far from the last event every now and then. */
	clock += clock % 29 ? 1 : 1 << EPITAPH_TIME_BITS;
	return clock;
}

#ifdef __x86_64__

static void set_trap(void)
{
	__asm__ __volatile__("pushfq; orq %0, (%%rsp); popfq" : : "i" (TRAP_FLAG) : "memory", "cc");
}

static void clear_trap(void)
{
	__asm__ __volatile__("pushfq; andq %0, (%%rsp); popfq" : : "i" (~TRAP_FLAG) : "memory", "cc");
}

static void write_stepping(u32 count)
{
	while (count--) {
		set_trap();
		load_write(load, level);
		clear_trap();
	}
}

/* The kernel clears the trap flag for the handler, and puts it back after. */
static void on_trap(int sig)
{
	struct step *s = &steps[level];

	(void)sig;
	instructions++;
	load_compare(load);
	if (s->passed++ != s->at)
		return;
	interrupts++;
	level++;
	steps[level].passed = 0;
	/* A burst is stepped through for its first write only. */
	write_stepping(1);
	while (--s->count)
		load_write(load, level);
	level--;
}

static void begin(u32 writes)
{
	u32 i;

	load = load_new(SUB, EPITAPH_MIN_SUBS);
	for (i = 0; i < LOAD_CONTEXTS; i++)
		steps[i] = (struct step){ .at = LOAD_NONE };
	while (writes--)
		load_write(load, 0);
}

static void end(void)
{
	load_compare(load);
	CHECK(!load->why[0], "%s", load->why);
	load_free(load);
}

static void handle_traps(void)
{
	struct sigaction action = { .sa_handler = on_trap, .sa_flags = SA_NODEFER };

	sigemptyset(&action.sa_mask);
	sigaction(SIGTRAP, &action, NULL);
}

static void ring__every_instruction_of_a_write_is_a_crash_point(void)
{
	u64 before = instructions;

	begin(700);
	/* All ways through the ring, and nearly a lap. */
	write_stepping(300);
	printf("# %llu instructions\n", (unsigned long long)(instructions - before));
	CHECK(instructions - before > 10000, "not stepped");
	end();
}

static bool next_write_switches(const struct load *start)
{
	u64 seq;

	load_copy(load, start);
	seq = load->ring.seq;
	load_write(load, 0);
	return load->ring.seq != seq;
}

/* The ring is full, and the next write needs a sub-buffer, or does not. */
static struct load *begin_before(bool switches)
{
	struct load *start;

	begin(700);
	start = load;
	load = load_new(SUB, EPITAPH_MIN_SUBS);
	while (next_write_switches(start) != switches)
		load_write(start, 0);
	return start;
}

/* With @burst, only the first of the writes that come is stepped through. */
static void interrupt_at_each(bool switches, u32 burst)
{
	struct load *start = begin_before(switches);
	u64 before = instructions;
	u32 at, passed = 1;

	for (at = 0; at < passed && !load->why[0]; at++) {
		load_copy(load, start);
		steps[0] = (struct step){ at, burst, 0 };
		write_stepping(1);
		passed = steps[0].passed;
		load_write(load, 0);
		load_compare(load);
	}
	CHECK(at > 50, "%u instructions", at);
	printf("# %s: %u interrupts, %llu instructions\n",
	       switches ? "a switch" : "no switch", at,
	       (unsigned long long)(instructions - before));
	end();
	load_free(start);
}

static void ring__a_write_may_come_behind_every_instruction_of_another(void)
{
	interrupt_at_each(false, 1);
	interrupt_at_each(true, 1);
}

static void ring__a_burst_around_the_ring_may_come_behind_every_instruction(void)
{
	interrupt_at_each(false, 500);
	interrupt_at_each(true, 500);
}

static void ring__three_levels_may_meet_at_any_instructions(void)
{
	u64 before = instructions, nested = interrupts;
	u32 round;

	srandom(20);
	begin(700);
	for (round = 0; round < 300 && !load->why[0]; round++) {
		steps[0] = (struct step){ random() % 200, 1 + random() % 3, 0 };
		steps[1] = (struct step){ random() % 200, random() % 8 ? 1 : 600, 0 };
		write_stepping(1);
	}
	end();
	printf("# %llu interrupts, %llu instructions\n",
	       (unsigned long long)(interrupts - nested),
	       (unsigned long long)(instructions - before));
	CHECK(interrupts - nested > 300, "hardly interrupted");
}

int main(void)
{
	handle_traps();
	TAP_RUN(ring__every_instruction_of_a_write_is_a_crash_point);
	TAP_RUN(ring__a_write_may_come_behind_every_instruction_of_another);
	TAP_RUN(ring__a_burst_around_the_ring_may_come_behind_every_instruction);
	TAP_RUN(ring__three_levels_may_meet_at_any_instructions);
	return tap_done();
}

#else

static void ring__every_instruction_of_a_write_is_a_crash_point(void)
{
	TAP_SKIP("only x86-64 is stepped through");
}

int main(void)
{
	TAP_RUN(ring__every_instruction_of_a_write_is_a_crash_point);
	return tap_done();
}

#endif
