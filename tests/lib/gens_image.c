// SPDX-License-Identifier: GPL-2.0-or-later
#include "gens_image.h"

#include <stdlib.h>
#include <sys/mman.h>

#include <epitaph/check.h>
#include <epitaph/layout.h>

#define GUARD	4096

static u64 now;
static u32 rng = 1;

u64 epitaph_clock(void)
{
	return now += 100;
}

void gens_seed(u32 seed)
{
	rng = seed | 1;
}

u32 gens_random(u32 below)
{
	rng ^= rng << 13;
	rng ^= rng >> 17;
	rng ^= rng << 5;
	return rng % below;
}

void gens_image_new(struct gens_image *image, u64 size)
{
	u8 *all = mmap(NULL, size + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (all == MAP_FAILED || mprotect(all + GUARD, size, PROT_READ | PROT_WRITE))
		abort();
	image->data = all + GUARD;
	image->size = size;
}

void gens_image_free(struct gens_image *image)
{
	munmap(image->data - GUARD, image->size + 2 * GUARD);
}

static void record(const struct epitaph_layout *plan, u8 *base, u64 salt, u32 cpu)
{
	const struct epitaph_rings_plan *rings = &plan->rings[EPITAPH_CHANNEL_MAIN];
	struct epitaph_counters *counters = (void *)(base + plan->off[EPITAPH_SEC_COUNTERS]);
	struct epitaph_ring ring = {
		.data = base + rings->off + cpu * rings->size,
		.size = rings->size,
		.sub_size = rings->sub_size,
		.salt = salt,
		.counters = counters + cpu,
		.pid = 100 + cpu,
	};
	struct epitaph_rec rec;
	u32 i;

	if (epitaph_ring_init(&ring))
		abort();
	for (i = 0; i < 20; i++) {
		memcpy(epitaph_ring_reserve(&ring, &rec, 16, 8, false), &salt, 8);
		epitaph_ring_commit(&rec);
	}
}

static void write_crash(struct epitaph_crash *crash, u64 salt)
{
	memcpy(crash->reason, "as it was forced", 16);
	crash->cpu = cpu_to_le32(gens_random(4));
	crash->check = cpu_to_le64(epitaph_check(salt, crash,
				   offsetof(struct epitaph_crash, check)));
}

/* The newest of some marks is the end, or the end is not the newest. */
static void write_marks(struct epitaph_mark *mark, u32 n, bool ended, u64 salt)
{
	u32 seq, nr = 1 + gens_random(2 * n);

	for (seq = 1; seq <= nr; seq++) {
		struct epitaph_mark *m = &mark[(seq - 1) % n];
		bool is_end = ended ? seq == nr : seq + 1 == nr;

		m->seq = cpu_to_le64(seq);
		m->type = cpu_to_le32(is_end ? EPITAPH_MARK_END : EPITAPH_MARK_SYSRQ);
		m->check = cpu_to_le64(epitaph_check(salt, m,
				       offsetof(struct epitaph_mark, check)));
	}
}

static void write_taken(struct epitaph_taken *taken, u64 salt)
{
	memcpy(taken->where, "/var/lib/epitaph", 16);
	taken->check = cpu_to_le64(epitaph_check(salt, taken,
				   offsetof(struct epitaph_taken, check)));
}

static void format(struct epitaph_layout *plan, struct gens_image *image, struct boot *boot,
		   u32 nr_cpus, u64 lost_number, u32 lost_gens)
{
	struct epitaph_header header = {
		.region_size = cpu_to_le64(image->size),
		.gen_size = cpu_to_le64(boot->size),
		.number = cpu_to_le64(boot->number),
		.lost_number = cpu_to_le64(lost_number),
		.lost_gens = cpu_to_le32(lost_gens),
		.start_real_ns = cpu_to_le64(++now),
	};

	if (epitaph_layout_plan(plan, boot->size, nr_cpus, EPITAPH_POOL_DEFAULT))
		abort();
	boot->salt = (u64)gens_random(1U << 31) << 32 | gens_random(1U << 31);
	boot->table_size = plan->table_size;
	header.salt = cpu_to_le64(boot->salt);
	epitaph_layout_clear(image->data + boot->off, boot->size);
	epitaph_layout_write(plan, image->data + boot->off, &header);
}

void gens_image_format(struct gens_image *image, struct boot *boot, u32 nr_cpus,
		       u64 lost_number, u32 lost_gens)
{
	struct epitaph_layout plan;

	format(&plan, image, boot, nr_cpus, lost_number, lost_gens);
}

void gens_image_record(struct gens_image *image, struct boot *boot, u32 nr_cpus,
		       u64 lost_number, u32 lost_gens)
{
	u8 *base = image->data + boot->off;
	struct epitaph_layout plan;
	struct epitaph_taken *taken;
	u32 i;

	format(&plan, image, boot, nr_cpus, lost_number, lost_gens);
	for (i = 0; i < nr_cpus; i++)
		record(&plan, base, boot->salt, i);
	if (boot->crashed)
		write_crash((void *)(base + plan.off[EPITAPH_SEC_CRASH]), boot->salt);
	write_marks((void *)(base + plan.off[EPITAPH_SEC_MARKS]),
		    plan.size[EPITAPH_SEC_MARKS] / sizeof(struct epitaph_mark),
		    boot->ended, boot->salt);
	taken = (void *)(base + plan.off[EPITAPH_SEC_TAKEN]);
	for (i = 0; i < EPITAPH_NR_TAKEN; i++)
		if (boot->taken[i])
			write_taken(&taken[i], boot->salt);
}

void gens_image_sign(struct epitaph_header *header)
{
	header->check = 0;
	header->check = cpu_to_le64(epitaph_check(0, header, le32_to_cpu(header->table_size)));
}
