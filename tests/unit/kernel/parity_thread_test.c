// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The thread that keeps parity is not frozen when the machine hibernates: the image may have it in the
 * middle of a round.  Behind the resume the region may be another kernel's, and from the first
 * instruction on that is known.  Nothing is written then, wherever in its round the thread was.
 *
 * build: kernel/core/parity.c kernel/core/layout.c kernel/core/ring.c
 * build: -I tests/lib/kernel -I kernel -include kernel/include/epitaph/plat.h -Wno-unused-parameter
 */
#include <stdlib.h>
#include <string.h>

#include <linux/kthread.h>

#include "core/lost.h"
#include "core/parity.h"
#include "recorder.h"
#include "tap.h"

#define OTHERS	0x5a	/* what another kernel left, everywhere */

struct epitaph_region epitaph_region;
struct epitaph_ring epitaph_rings[NR_TEST_CPUS * EPITAPH_NR_CHANNELS];

static struct epitaph_layout plan;
static struct epitaph_counters counters[NR_TEST_CPUS];
static int (*thread)(void *data);
static u8 *others;
static u32 resched_left, nr_rescheds;
static bool is_over, is_lost;

enum epitaph_loss epitaph_lost(void)
{
	return is_lost ? EPITAPH_LOST_IN_HIBERNATION : EPITAPH_NOT_LOST;
}

u64 epitaph_clock(void)
{
	return 1;
}

u64 ktime_get_mono_fast_ns(void)
{
	return 1;
}

void *epitaph_section(unsigned int type, size_t *size)
{
	*size = plan.size[type];
	return epitaph_region.base + plan.off[type];
}

struct task_struct *kthread_run(int (*run)(void *data), void *data, const char *name)
{
	thread = run;
	return (struct task_struct *)&thread;
}

int kthread_stop(struct task_struct *stopped)
{
	return 0;
}

/* One round. */
bool kthread_should_stop(void)
{
	bool was = is_over;

	is_over = true;
	return was;
}

/* Here the image is made, and here the kernel goes on that was resumed from it. */
void cond_resched(void)
{
	nr_rescheds++;
	if (!resched_left || --resched_left)
		return;
	memset(epitaph_region.base, OTHERS, epitaph_region.size);
	is_lost = true;
}

static void begin_generation(void)
{
	static struct epitaph_header header;
	unsigned int cpu;

	epitaph_region.size = epitaph_layout_min(NR_TEST_CPUS);
	epitaph_region.base = aligned_alloc(EPITAPH_PAGE, epitaph_region.size);
	others = malloc(epitaph_region.size);
	memset(epitaph_region.base, 0, epitaph_region.size);
	memset(others, OTHERS, epitaph_region.size);
	memset(&header, 0, sizeof(header));
	header.gen_size = cpu_to_le64(epitaph_region.size);
	epitaph_layout_plan(&plan, epitaph_region.size, NR_TEST_CPUS, 0);
	epitaph_layout_write(&plan, epitaph_region.base, &header);
	for_each_possible_cpu(cpu) {
		struct epitaph_ring *ring = per_cpu_ptr(&epitaph_rings[EPITAPH_CHANNEL_MAIN], cpu);

		*ring = (struct epitaph_ring){
			.data = epitaph_region.base + plan.rings[EPITAPH_CHANNEL_MAIN].off +
				cpu * plan.rings[EPITAPH_CHANNEL_MAIN].size,
			.size = plan.rings[EPITAPH_CHANNEL_MAIN].size,
			.sub_size = plan.rings[EPITAPH_CHANNEL_MAIN].sub_size,
			.counters = &counters[cpu],
		};
		epitaph_ring_init(ring);
	}
}

static void end_generation(void)
{
	epitaph_parity_stop();
	free(epitaph_region.base);
	free(others);
}

/* Return: bytes that the thread wrote over what another kernel left. */
static u64 written_behind(u32 resched)
{
	u64 i, n = 0;

	begin_generation();
	is_lost = false;
	resched_left = 0;
	epitaph_parity_start();
	nr_rescheds = 0;
	resched_left = resched;
	is_over = false;
	thread(NULL);
	for (i = 0; resched && i < epitaph_region.size; i++)
		n += epitaph_region.base[i] != others[i];
	end_generation();
	return n;
}

static void parity_thread__what_is_lost_in_the_middle_of_a_round_is_not_written_to(void)
{
	u32 i, nr;
	u64 n;

	written_behind(0);
	nr = nr_rescheds;
	CHECK(nr > 16, "a round has %u places", nr);
	for (i = 1; i <= nr; i++) {
		n = written_behind(i);
		if (!CHECK(!n, "lost at place %u of %u: %llu bytes written", i, nr, (unsigned long long)n))
			return;
	}
}

int main(void)
{
	TAP_RUN(parity_thread__what_is_lost_in_the_middle_of_a_round_is_not_written_to);
	return tap_done();
}
