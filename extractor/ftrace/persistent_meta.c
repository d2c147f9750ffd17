// SPDX-License-Identifier: GPL-2.0-or-later
#include "persistent_meta.h"

#include "dump/page_magic.h"
#include "subbuf.h"

#define META_SIZE	24		/* of the one header for all CPUs, since 6.15 */
#define LARGEST		56
#define MIN_SUBS	3		/* fewer are refused by the kernel */
#define MAX_SUBS	(1U << 21)
#define MAX_TOTAL	(1ULL << 40)

/*
 * Which kernels write which; @size is what their header says of itself.
 * @one_for_all: a header of META_SIZE for all CPUs is in front, with room for more behind it
 */
static const struct version {
	u32 size;
	u32 pointers;
	bool one_for_all;
} versions[] = {
	{ 56, 24, false },	/* 6.12, 6.13 */
	{ 48, 16, false },	/* 6.14 */
	{ 32, 0, true },	/* 6.15 */
	{ 40, 0, true },	/* the same with CONFIG_RING_BUFFER_PERSISTENT_INJECT, 7.1 */
};

static const struct version *version_of(u32 sizes)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(versions); i++)
		if (sizes == versions[i].size + (versions[i].one_for_all ? META_SIZE << 16 : 0))
			return &versions[i];
	return NULL;
}

static bool order_of(const u8 bytes[8], enum byte_order *order, u32 *sizes)
{
	static const enum byte_order orders[] = { ORDER_LITTLE, ORDER_BIG };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		struct bytes b = bytes_of(bytes, 8, orders[i]);

		*order = orders[i];
		*sizes = bytes_u32(&b, 4);
		if (bytes_u32(&b, 0) == FTRACE_META_MAGIC)
			return true;
	}
	return false;
}

/* Of 6.12 to 6.14: the first CPU's header has all that is known of the buffer. */
static void take_first_cpu(struct ftrace_meta *meta, struct bytes *b)
{
	meta->end = ~0ULL;
	meta->first = meta->base;
	meta->each_magic = true;
	meta->text = bytes_u64(b, 8);
	meta->text_symbol = meta->pointers == 24 ? "rb_meta_init_text_addr" : NULL;
}

/* Since 6.15: behind the header the tracer has notes of its own, the clock and where the kernel was. */
static bool take_all_cpus(struct ftrace_meta *meta, struct bytes *b)
{
	u64 total = bytes_u64(b, 8), first = bytes_u64(b, 16);

	if (total > MAX_TOTAL || meta->base + total < total || first < META_SIZE || first > total ||
	    first % 8)
		return false;
	meta->end = meta->base + total;
	meta->first = meta->base + first;
	if (first < META_SIZE + 24)
		return true;
	meta->clock = bytes_u32(b, META_SIZE);
	meta->text = bytes_u64(b, META_SIZE + 8);
	meta->text_symbol = "_text";
	return true;
}

bool ftrace_meta_read(struct ftrace_meta *meta, struct dump *in, u64 paddr)
{
	const struct version *version;
	u8 raw[LARGEST];
	struct bytes b;
	u32 sizes;

	*meta = (struct ftrace_meta){ .base = paddr, .clock = FTRACE_META_NO_CLOCK };
	if (dump_read(in, paddr, raw, sizeof(raw), NULL) != sizeof(raw) ||
	    !order_of(raw, &meta->order, &sizes))
		return false;
	version = version_of(sizes);
	if (!version)
		return false;
	meta->size = version->size;
	meta->pointers = version->pointers;
	b = bytes_of(raw, sizeof(raw), meta->order);
	if (version->one_for_all)
		return take_all_cpus(meta, &b);
	take_first_cpu(meta, &b);
	return true;
}

/* Which sub-buffer a pointer leads to. */
static bool subbuf_number(const struct ftrace_meta_cpu *cpu, u64 first, u64 at, u32 *ret)
{
	u64 off = at - first;

	if (at < first || off % cpu->unit || off / cpu->unit >= cpu->nr)
		return false;
	*ret = off / cpu->unit;
	return true;
}

/* After all CPUs' sub-buffers before it, and its own array, at a multiple of their size. */
static bool place(struct ftrace_meta_cpu *cpu, const struct ftrace_meta *meta, u64 at)
{
	u64 size = (u64)cpu->nr * cpu->unit;

	cpu->index = at + meta->size;
	cpu->subs = (cpu->index + cpu->nr * 4ULL + cpu->unit - 1) & ~(cpu->unit - 1ULL);
	cpu->next = cpu->subs + size;
	return cpu->subs > at && cpu->next > cpu->subs && cpu->next <= meta->end;
}

bool ftrace_meta_cpu_read(struct ftrace_meta_cpu *cpu, const struct ftrace_meta *meta,
			  struct dump *in, u64 at)
{
	u8 raw[LARGEST];
	struct bytes b;
	u64 first, head, commit;
	u32 off = meta->pointers;

	*cpu = (struct ftrace_meta_cpu){ 0 };
	if (dump_read(in, at, raw, meta->size, NULL) != (ssize_t)meta->size)
		return false;
	b = bytes_of(raw, meta->size, meta->order);
	if (meta->each_magic &&
	    (bytes_u32(&b, 0) != FTRACE_META_MAGIC || bytes_u32(&b, 4) != meta->size))
		return false;
	first = bytes_u64(&b, off);
	head = bytes_u64(&b, off + 8);
	commit = bytes_u64(&b, off + 16);
	cpu->unit = bytes_u32(&b, off + 24);
	cpu->nr = bytes_u32(&b, off + 28);
	if (cpu->unit < FTRACE_PAGE_MIN || cpu->unit > FTRACE_PAGE_MAX ||
	    (cpu->unit & (cpu->unit - 1)) || cpu->nr < MIN_SUBS || cpu->nr > MAX_SUBS ||
	    !place(cpu, meta, at))
		return false;
	cpu->is_empty = !head && !commit;
	return cpu->is_empty || (subbuf_number(cpu, first, head, &cpu->head) &&
				 subbuf_number(cpu, first, commit, &cpu->commit));
}
