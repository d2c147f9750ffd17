// SPDX-License-Identifier: GPL-2.0-only
/* Where the sections of a generation lie. */
#include <epitaph/check.h>
#include <epitaph/layout.h>

/* Read at run time, so that the compiler does not invert it into the code. */
static const volatile u64 magic_inverted = EPITAPH_MAGIC_INVERTED;

#define NR_EVENT_SIZES	2048
#define NR_ANCHORS	96
#define NR_MARKS	32
#define RAS_SUB_SIZE	1024
#define USER_SUB_SIZE	8192	/* a mark has up to 4 KiB */

/*
 * In the order in which they lie.  The parity is behind the table, where it is found without that;
 * machine checks come before all others.  The pool is behind the small rings.
 */
static const u32 fixed_types[EPITAPH_NR_FIXED] = {
	EPITAPH_SEC_PARITY, EPITAPH_SEC_MCE, EPITAPH_SEC_TAKEN, EPITAPH_SEC_CHANNELS,
	EPITAPH_SEC_COUNTERS, EPITAPH_SEC_CRASH, EPITAPH_SEC_CPUS, EPITAPH_SEC_BRANCHES,
	EPITAPH_SEC_MEMORY, EPITAPH_SEC_CLOCK, EPITAPH_SEC_SKEW, EPITAPH_SEC_MARKS,
	EPITAPH_SEC_EVENTS, EPITAPH_SEC_TASKS, EPITAPH_SEC_SYMBOLS, EPITAPH_SEC_FORMATS,
	EPITAPH_SEC_LOG, EPITAPH_SEC_RECORDS, EPITAPH_SEC_ADDED, EPITAPH_SEC_POOL,
};

static const struct {
	const char *name;
	u32 sub_size;
} channels[EPITAPH_NR_ALL_CHANNELS] = {
	[EPITAPH_CHANNEL_MAIN] = { "main", EPITAPH_SUB_SIZE },
	[EPITAPH_CHANNEL_RAS] = { "ras", RAS_SUB_SIZE },
	[EPITAPH_CHANNEL_USER] = { "user", USER_SUB_SIZE },
};

const char *epitaph_channel_name(enum epitaph_channel_id channel)
{
	return channels[channel].name;
}

static bool wants_branches;

void epitaph_layout_want_branches(bool want)
{
	wants_branches = want;
}

static u64 wanted_memory;

void epitaph_layout_want_memory(u64 bytes)
{
	wanted_memory = bytes;
}

static u32 nr_rings_of(u32 channel, u32 nr_cpus)
{
	return channel == EPITAPH_CHANNEL_USER ? 1 : nr_cpus;
}

/* Of the first @channel channels. */
static u32 nr_rings_before(u32 channel, u32 nr_cpus)
{
	u32 i, n = 0;

	for (i = 0; i < channel; i++)
		n += nr_rings_of(i, nr_cpus);
	return n;
}

static u64 round_up_to(u64 n, u64 step)
{
	return (n + step - 1) / step * step;
}

static u64 clamp_to(u64 n, u64 min, u64 max)
{
	return n < min ? min : n > max ? max : n;
}

static void set_size(struct epitaph_layout *plan, enum epitaph_section_type type,
		     u64 count, u32 unit)
{
	plan->size[type] = count * unit;
	plan->unit[type] = unit;
}

/* Texts that grow with the generation: of 8 MiB, 128 KiB for the names of tasks. */
static void size_texts(struct epitaph_layout *plan, u64 gen_size)
{
	u64 formats = clamp_to(gen_size / 32, 96 << 10, 1 << 20);
	u64 log = clamp_to(gen_size / 64, 8 << 10, 256 << 10);

	set_size(plan, EPITAPH_SEC_TASKS, clamp_to(gen_size / 64, 8 << 10, 2 << 20) / 40,
		 sizeof(struct epitaph_task));
	set_size(plan, EPITAPH_SEC_SYMBOLS,
		 clamp_to(gen_size / 128, 16 << 10, 512 << 10) / 128,
		 sizeof(struct epitaph_symbol));
	set_size(plan, EPITAPH_SEC_MCE, clamp_to(gen_size / 128, 8 << 10, 256 << 10) / 256,
		 sizeof(struct epitaph_mce));
	set_size(plan, EPITAPH_SEC_RECORDS,
		 clamp_to(gen_size / 128 / EPITAPH_RECORD_SIZE, 2, 32), EPITAPH_RECORD_SIZE);
	plan->size[EPITAPH_SEC_FORMATS] = round_up_to(formats, 64);
	plan->size[EPITAPH_SEC_MEMORY] = clamp_to(gen_size / 64, 0, wanted_memory) / 64 * 64;
	plan->size[EPITAPH_SEC_LOG] = round_up_to(log, 64);
}

static void size_tables(struct epitaph_layout *plan)
{
	u32 nr_rings = nr_rings_before(EPITAPH_NR_ALL_CHANNELS, plan->nr_cpus);

	set_size(plan, EPITAPH_SEC_TAKEN, EPITAPH_NR_TAKEN, sizeof(struct epitaph_taken));
	set_size(plan, EPITAPH_SEC_CHANNELS, EPITAPH_NR_ALL_CHANNELS,
		 sizeof(struct epitaph_channel));
	set_size(plan, EPITAPH_SEC_COUNTERS, nr_rings, sizeof(struct epitaph_counters));
	set_size(plan, EPITAPH_SEC_CRASH, 1, sizeof(struct epitaph_crash));
	set_size(plan, EPITAPH_SEC_CPUS, plan->nr_cpus, sizeof(struct epitaph_cpu));
	set_size(plan, EPITAPH_SEC_BRANCHES, wants_branches ? plan->nr_cpus : 0,
		 sizeof(struct epitaph_branches));
	set_size(plan, EPITAPH_SEC_CLOCK, NR_ANCHORS, sizeof(struct epitaph_anchor));
	set_size(plan, EPITAPH_SEC_SKEW, plan->nr_cpus * EPITAPH_SKEWS_OF_CPU,
		 sizeof(struct epitaph_skew));
	set_size(plan, EPITAPH_SEC_MARKS, NR_MARKS, sizeof(struct epitaph_mark));
	set_size(plan, EPITAPH_SEC_EVENTS, NR_EVENT_SIZES,
		 sizeof(struct epitaph_event_size));
	set_size(plan, EPITAPH_SEC_ADDED, EPITAPH_MAX_ADDED, sizeof(struct epitaph_added));
}

static u64 place_fixed(struct epitaph_layout *plan, u64 off)
{
	u32 i, type;

	for (i = 0; i < EPITAPH_NR_FIXED - 1; i++) {
		type = fixed_types[i];
		plan->off[type] = off;
		/* No page of parity has anything else. */
		off = round_up_to(off + plan->size[type], type == EPITAPH_SEC_PARITY ? EPITAPH_PAGE : 64);
	}
	return off;
}

/* The small rings first, the pool; those of the main channel take what is left. */
static void place_rings(struct epitaph_layout *plan, u64 off, u64 gen_size)
{
	struct epitaph_rings_plan *ras = &plan->rings[EPITAPH_CHANNEL_RAS];
	struct epitaph_rings_plan *user = &plan->rings[EPITAPH_CHANNEL_USER];
	u64 least = EPITAPH_MIN_SUBS * USER_SUB_SIZE;

	ras->off = round_up_to(off, EPITAPH_PAGE);
	ras->size = EPITAPH_MIN_SUBS * RAS_SUB_SIZE;
	user->off = round_up_to(ras->off + plan->nr_cpus * ras->size, EPITAPH_PAGE);
	user->size = clamp_to(gen_size / 64, least, 1 << 20) / USER_SUB_SIZE * USER_SUB_SIZE;
	/* With room to align it. */
	plan->off[EPITAPH_SEC_POOL] = user->off + user->size + USER_SUB_SIZE - EPITAPH_PAGE;
	plan->rings[EPITAPH_CHANNEL_MAIN].off = plan->off[EPITAPH_SEC_POOL];
}

static void place_pool(struct epitaph_layout *plan, u64 pool)
{
	plan->size[EPITAPH_SEC_POOL] = pool;
	plan->rings[EPITAPH_CHANNEL_MAIN].off += pool;
}

/* @size: what texts grow with; @nr_pages: of the generation */
static void plan_sections(struct epitaph_layout *plan, u64 size, u64 nr_pages, u32 nr_cpus)
{
	u32 i;

	plan->nr_cpus = nr_cpus;
	plan->nr_sections = EPITAPH_NR_FIXED +
			    nr_rings_before(EPITAPH_NR_ALL_CHANNELS, nr_cpus);
	plan->table_size = round_up_to(sizeof(struct epitaph_header) +
				       sizeof(struct epitaph_section) *
				       (u64)plan->nr_sections, EPITAPH_PAGE);
	for (i = 0; i < EPITAPH_NR_ALL_CHANNELS; i++)
		plan->rings[i].sub_size = channels[i].sub_size;
	size_tables(plan);
	size_texts(plan, size);
	set_size(plan, EPITAPH_SEC_PARITY, nr_pages, EPITAPH_PARITY_SIZE);
	place_rings(plan, place_fixed(plan, plan->table_size), size);
}

void epitaph_layout_align(struct epitaph_layout *plan, const void *base)
{
	struct epitaph_rings_plan *user = &plan->rings[EPITAPH_CHANNEL_USER];

	if (((uintptr_t)base + user->off) % USER_SUB_SIZE)
		user->off += EPITAPH_PAGE;
}

static u64 least_rings(u32 nr_cpus)
{
	return (u64)nr_cpus * EPITAPH_MIN_SUBS * EPITAPH_SUB_SIZE;
}

u64 epitaph_layout_min(u32 nr_cpus)
{
	struct epitaph_layout plan = { 0 };
	u64 size = 0, before;

	/* The parity has to cover itself, too. */
	do {
		before = size;
		plan_sections(&plan, 0, before / EPITAPH_PAGE, nr_cpus);
		size = plan.rings[EPITAPH_CHANNEL_MAIN].off + plan.table_size +
		       least_rings(nr_cpus);
	} while (size != before);
	return size;
}

/* What there is for the main channel's rings and for the pool. */
static u64 room_in(const struct epitaph_layout *plan, u64 size)
{
	u64 taken = plan->rings[EPITAPH_CHANNEL_MAIN].off + plan->table_size;

	return size > taken ? size - taken : 0;
}

static u64 pool_by_default(u64 room, u64 least)
{
	return room > least ? (room - least) / 8 / EPITAPH_PAGE * EPITAPH_PAGE : 0;
}

u64 epitaph_layout_max_pool(u64 size, u32 nr_cpus)
{
	struct epitaph_layout plan = { 0 };
	u64 room;

	plan_sections(&plan, 0, size / EPITAPH_PAGE, nr_cpus);
	room = room_in(&plan, size);
	return room > least_rings(nr_cpus) ?
	       (room - least_rings(nr_cpus)) / EPITAPH_PAGE * EPITAPH_PAGE : 0;
}

int epitaph_layout_plan(struct epitaph_layout *plan, u64 size, u32 nr_cpus, u64 pool)
{
	u64 least = least_rings(nr_cpus);
	u64 room, per_cpu, fixed_pool = pool == EPITAPH_POOL_DEFAULT ? 0 : pool;

	if (!nr_cpus || fixed_pool % EPITAPH_PAGE || size < epitaph_layout_min(nr_cpus) ||
	    epitaph_layout_max_pool(size, nr_cpus) < fixed_pool)
		return -ENOSPC;
	memset(plan, 0, sizeof(*plan));
	/* The texts shrink before the rings do. */
	plan_sections(plan, size, size / EPITAPH_PAGE, nr_cpus);
	if (room_in(plan, size) < fixed_pool + least)
		plan_sections(plan, 0, size / EPITAPH_PAGE, nr_cpus);
	room = room_in(plan, size);
	if (pool == EPITAPH_POOL_DEFAULT)
		pool = pool_by_default(room, least);
	place_pool(plan, pool);
	per_cpu = clamp_to((room - pool) / nr_cpus, 0, 1U << 30);
	plan->rings[EPITAPH_CHANNEL_MAIN].size = per_cpu / EPITAPH_SUB_SIZE * EPITAPH_SUB_SIZE;
	return 0;
}

static void write_channels(void *base, const struct epitaph_layout *plan, u64 salt)
{
	struct epitaph_channel *channel = base + plan->off[EPITAPH_SEC_CHANNELS];
	u32 i;

	for (i = 0; i < EPITAPH_NR_ALL_CHANNELS; i++, channel++) {
		channel->id = cpu_to_le32(i);
		channel->mode = cpu_to_le32(EPITAPH_OVERWRITE);
		memcpy(channel->name, channels[i].name, strlen(channels[i].name));
		channel->check = cpu_to_le64(epitaph_check(salt, channel,
				offsetof(struct epitaph_channel, check)));
	}
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

static void write_ring(struct epitaph_section *entry, u32 cpu, u32 channel,
		       const struct epitaph_layout *plan)
{
	const struct epitaph_rings_plan *rings = &plan->rings[channel];

	entry->type = cpu_to_le32(EPITAPH_SEC_RING);
	entry->off = cpu_to_le64(rings->off + cpu * rings->size);
	entry->size = cpu_to_le64(rings->size);
	entry->cpu = cpu_to_le32(channel == EPITAPH_CHANNEL_USER ? EPITAPH_NO_CPU : cpu);
	entry->channel = cpu_to_le32(channel);
	entry->unit = cpu_to_le32(rings->sub_size);
	entry->index = cpu_to_le32(nr_rings_before(channel, plan->nr_cpus) + cpu);
}

static void write_table(struct epitaph_section *table, void *base,
			const struct epitaph_layout *plan, u64 salt)
{
	u32 i, channel;

	for (i = 0; i < EPITAPH_NR_FIXED; i++)
		write_fixed(table++, fixed_types[i], base, plan, salt);
	for (channel = 0; channel < EPITAPH_NR_ALL_CHANNELS; channel++)
		for (i = 0; i < nr_rings_of(channel, plan->nr_cpus); i++)
			write_ring(table++, i, channel, plan);
}

/* epitaph_check(0, table, size), as it will be when @magic stands there: the first 8 bytes. */
static u64 check_with_magic(const u8 *table, u32 size, u64 magic)
{
	u64 h = epitaph_mix(size, magic);
	u32 i;

	for (i = sizeof(magic); i < size; i += 8)
		h = epitaph_mix(h, get_unaligned_le64(table + i));
	return h ^ h >> 32;
}

/* The magic by itself and last: without it there is no header. */
static void write_header(void *base, u64 off, struct epitaph_header *header,
			 u32 table_size)
{
	struct epitaph_header *to = base + off;

	header->magic = 0;
	header->self_off = cpu_to_le64(off);
	header->check = 0;
	*to = *header;
	to->check = cpu_to_le64(check_with_magic((const u8 *)to, table_size, ~magic_inverted));
	/* order:header pairs with order:table in kernel/core/generation.c */
	smp_wmb();
	WRITE_ONCE(to->magic, cpu_to_le64(~magic_inverted));
}

void epitaph_layout_clear(void *base, u64 size)
{
	u64 off;

	for (off = 0; off < size; off += EPITAPH_PAGE) {
		plat_relax_at(off);
		if (le64_to_cpu(*(__le64 *)(base + off)) == ~magic_inverted)
			plat_zero(base + off, EPITAPH_PAGE);
	}
	/*
	 * No header over content that is not its own.
	 * order:clear pairs with order:table in kernel/core/generation.c
	 */
	smp_wmb();
	for (off = 0; off < size; off += PLAT_RELAX_BYTES) {
		plat_relax_at(off);
		plat_zero(base + off, size - off < PLAT_RELAX_BYTES ? size - off : PLAT_RELAX_BYTES);
	}
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

	write_channels(base, plan, salt);
	write_table(table, base, plan, salt);
	memcpy(base + copy_off + sizeof(*header), table,
	       plan->table_size - sizeof(*header));
	write_header(base, copy_off, header, plan->table_size);
	write_header(base, 0, header, plan->table_size);
}
