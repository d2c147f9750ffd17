// SPDX-License-Identifier: GPL-2.0-only
/* Where the sections of a generation lie. */
#include <epitaph/check.h>
#include <epitaph/layout.h>

/* Read at run time, so that the compiler does not invert it into the code. */
static const volatile u64 magic_inverted = EPITAPH_MAGIC_INVERTED;

#define NR_EVENT_SIZES	2048
#define NR_ANCHORS	64
#define NR_MARKS	32

static u64 round_up_to(u64 n, u64 step)
{
	return (n + step - 1) / step * step;
}

static u64 clamp_to(u64 n, u64 min, u64 max)
{
	return n < min ? min : n > max ? max : n;
}

static void place(struct epitaph_layout *plan, u64 *off,
		  enum epitaph_section_type type, u64 size, u32 unit)
{
	plan->off[type] = *off;
	plan->size[type] = size;
	plan->unit[type] = unit;
	*off = round_up_to(*off + size, 64);
}

/* Texts that grow with the region: an eighth of a MiB of each in 16 MiB. */
static void place_fixed(struct epitaph_layout *plan, u64 *off, u64 gen_size)
{
	u64 formats = round_up_to(clamp_to(gen_size / 64, 96 << 10, 1 << 20), 64);
	u64 tasks = clamp_to(gen_size / 64, 8 << 10, 2 << 20) / 40;
	u64 symbols = clamp_to(gen_size / 128, 16 << 10, 512 << 10) / 128;

	place(plan, off, EPITAPH_SEC_CHANNELS, sizeof(struct epitaph_channel),
	      sizeof(struct epitaph_channel));
	place(plan, off, EPITAPH_SEC_COUNTERS,
	      sizeof(struct epitaph_counters) * plan->nr_cpus,
	      sizeof(struct epitaph_counters));
	place(plan, off, EPITAPH_SEC_CRASH, sizeof(struct epitaph_crash),
	      sizeof(struct epitaph_crash));
	place(plan, off, EPITAPH_SEC_CPUS, sizeof(struct epitaph_cpu) * plan->nr_cpus,
	      sizeof(struct epitaph_cpu));
	place(plan, off, EPITAPH_SEC_CLOCK, sizeof(struct epitaph_anchor) * NR_ANCHORS,
	      sizeof(struct epitaph_anchor));
	place(plan, off, EPITAPH_SEC_MARKS, sizeof(struct epitaph_mark) * NR_MARKS,
	      sizeof(struct epitaph_mark));
	place(plan, off, EPITAPH_SEC_EVENTS,
	      sizeof(struct epitaph_event_size) * NR_EVENT_SIZES,
	      sizeof(struct epitaph_event_size));
	place(plan, off, EPITAPH_SEC_TASKS, sizeof(struct epitaph_task) * tasks,
	      sizeof(struct epitaph_task));
	place(plan, off, EPITAPH_SEC_SYMBOLS, sizeof(struct epitaph_symbol) * symbols,
	      sizeof(struct epitaph_symbol));
	place(plan, off, EPITAPH_SEC_FORMATS, formats, 0);
}

static void plan_sections(struct epitaph_layout *plan, u64 size, u32 nr_cpus)
{
	u64 off;

	plan->nr_cpus = nr_cpus;
	plan->nr_sections = EPITAPH_NR_FIXED + nr_cpus;
	plan->table_size = round_up_to(sizeof(struct epitaph_header) +
				       sizeof(struct epitaph_section) *
				       (u64)plan->nr_sections, EPITAPH_PAGE);
	off = plan->table_size;
	place_fixed(plan, &off, size);
	plan->rings_off = round_up_to(off, EPITAPH_PAGE);
}

u64 epitaph_layout_min(u32 nr_cpus)
{
	struct epitaph_layout plan;

	plan_sections(&plan, 0, nr_cpus);
	return plan.rings_off + plan.table_size +
	       (u64)nr_cpus * EPITAPH_MIN_SUBS * EPITAPH_SUB_SIZE;
}

int epitaph_layout_plan(struct epitaph_layout *plan, u64 size, u32 nr_cpus)
{
	u64 room, per_cpu;

	if (!nr_cpus || size < epitaph_layout_min(nr_cpus))
		return -ENOSPC;
	/* The texts shrink before the rings do. */
	plan_sections(plan, size, nr_cpus);
	room = size - plan->table_size;
	per_cpu = room > plan->rings_off ? (room - plan->rings_off) / nr_cpus : 0;
	if (per_cpu < EPITAPH_MIN_SUBS * EPITAPH_SUB_SIZE) {
		plan_sections(plan, 0, nr_cpus);
		per_cpu = (room - plan->rings_off) / nr_cpus;
	}
	per_cpu = clamp_to(per_cpu, 0, 1U << 30);
	plan->ring_size = per_cpu / EPITAPH_SUB_SIZE * EPITAPH_SUB_SIZE;
	return 0;
}

static void write_channel(void *base, const struct epitaph_layout *plan, u64 salt)
{
	struct epitaph_channel *channel = base + plan->off[EPITAPH_SEC_CHANNELS];

	channel->mode = cpu_to_le32(EPITAPH_OVERWRITE);
	memcpy(channel->name, "main", 5);
	channel->check = cpu_to_le64(epitaph_check(salt, channel,
				offsetof(struct epitaph_channel, check)));
}

static void write_fixed(struct epitaph_section *entry, u32 type, void *base,
			const struct epitaph_layout *plan, u64 salt)
{
	entry->type = cpu_to_le32(type);
	entry->off = cpu_to_le64(plan->off[type]);
	entry->size = cpu_to_le64(plan->size[type]);
	entry->cpu = cpu_to_le32(EPITAPH_NO_CPU);
	entry->unit = cpu_to_le32(plan->unit[type]);
	if (type == EPITAPH_SEC_CHANNELS)
		entry->check = cpu_to_le64(epitaph_check(salt,
					base + plan->off[type], plan->size[type]));
}

static void write_ring(struct epitaph_section *entry, u32 cpu,
		       const struct epitaph_layout *plan)
{
	entry->type = cpu_to_le32(EPITAPH_SEC_RING);
	entry->off = cpu_to_le64(plan->rings_off + cpu * plan->ring_size);
	entry->size = cpu_to_le64(plan->ring_size);
	entry->cpu = cpu_to_le32(cpu);
	entry->unit = cpu_to_le32(EPITAPH_SUB_SIZE);
	entry->index = cpu_to_le32(cpu);
}

static void write_table(struct epitaph_section *table, void *base,
			const struct epitaph_layout *plan, u64 salt)
{
	u32 i;

	for (i = 0; i < EPITAPH_NR_FIXED; i++)
		write_fixed(&table[i], i + 1, base, plan, salt);
	for (i = 0; i < plan->nr_cpus; i++)
		write_ring(&table[EPITAPH_NR_FIXED + i], i, plan);
}

/* The magic by itself and last: without it there is no header. */
static void write_header(void *base, u64 off, struct epitaph_header *header,
			 u32 table_size)
{
	struct epitaph_header *to = base + off;
	u64 check;

	header->magic = cpu_to_le64(~magic_inverted);
	header->self_off = cpu_to_le64(off);
	header->check = 0;
	*to = *header;		/* with its magic, for the check; 0 is none */
	check = epitaph_check(0, to, table_size);
	WRITE_ONCE(to->magic, 0);
	smp_wmb();
	to->check = cpu_to_le64(check);
	smp_wmb();
	WRITE_ONCE(to->magic, header->magic);
}

void epitaph_layout_write(const struct epitaph_layout *plan, void *base,
			  struct epitaph_header *header)
{
	u64 gen_size = le64_to_cpu(header->gen_size);
	u64 copy_off = gen_size - plan->table_size;
	u64 salt = le64_to_cpu(header->salt);
	struct epitaph_section *table = base + sizeof(*header);

	header->major = cpu_to_le16(EPITAPH_MAJOR);
	header->minor = cpu_to_le16(EPITAPH_MINOR);
	header->header_size = cpu_to_le32(sizeof(*header));
	header->copy_off = cpu_to_le64(copy_off);
	header->table_size = cpu_to_le32(plan->table_size);
	header->nr_sections = cpu_to_le32(plan->nr_sections);
	header->section_size = cpu_to_le32(sizeof(struct epitaph_section));
	header->nr_cpus = cpu_to_le32(plan->nr_cpus);

	write_channel(base, plan, salt);
	write_table(table, base, plan, salt);
	memcpy(base + copy_off + sizeof(*header), table,
	       plan->table_size - sizeof(*header));
	write_header(base, copy_off, header, plan->table_size);
	write_header(base, 0, header, plan->table_size);
}
