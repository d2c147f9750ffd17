// SPDX-License-Identifier: GPL-2.0-or-later
#include "printk_ringbuffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "dump/vmcoreinfo.h"

#define MAX_BITS	26	/* of the number of descriptors, of bytes of text */
#define ID_MASK		(~0ULL >> 2)
#define INFO_MAX	512	/* bytes of a printk_info; 7.2 has 112 */
#define DESC_MAX	256
#define ON_CPU		0x80000000U	/* in a caller's id: the rest is a CPU, not a task */
#define LPOS_NONE	3ULL	/* a line without text */
#define MAX_LOOKS	(4 * KLOG_MAX_LINES)	/* at descriptors: most may be damaged, or not in the dump */

enum desc_state {
	DESC_RESERVED = 0,	/* being written */
	DESC_COMMITTED = 1,	/* the last one, may get a continuation */
	DESC_FINALIZED = 2,
	DESC_REUSABLE = 3,	/* its text is gone; or nothing was ever there */
};

/* Where everything is in the kernel's structs; bytes. */
struct layout {
	u64 rb, desc_ring, data_ring;
	u64 count_bits, descs, infos, head_id, tail_id;
	u64 desc_size, state_var, blk_lpos, begin, next;
	u64 info_size, seq, ts, text_len, caller;
	u64 caller2, comm;	/* 0: not there */
	u64 size_bits, data;
};

/**
 * struct ring - printk's
 * @nr: of descriptors, a power of 2
 * @size: of the text, a power of 2
 */
struct ring {
	struct vmem *vmem;
	struct layout at;
	u64 descs, infos, data;
	u64 head_id, tail_id;
	u64 nr, size;
};

/* --- where it is --------------------------------------------------------- */

static bool find_layout(struct layout *at, const struct dump *in)
{
	const struct { const char *name; u64 *ret; } offsets[] = {
		{ "printk_ringbuffer.desc_ring", &at->desc_ring },
		{ "printk_ringbuffer.text_data_ring", &at->data_ring },
		{ "prb_desc_ring.count_bits", &at->count_bits },
		{ "prb_desc_ring.descs", &at->descs },
		{ "prb_desc_ring.infos", &at->infos },
		{ "prb_desc_ring.head_id", &at->head_id },
		{ "prb_desc_ring.tail_id", &at->tail_id },
		{ "prb_desc.state_var", &at->state_var },
		{ "prb_desc.text_blk_lpos", &at->blk_lpos },
		{ "prb_data_blk_lpos.begin", &at->begin },
		{ "prb_data_blk_lpos.next", &at->next },
		{ "printk_info.seq", &at->seq },
		{ "printk_info.ts_nsec", &at->ts },
		{ "printk_info.text_len", &at->text_len },
		{ "printk_info.caller_id", &at->caller },
		{ "prb_data_ring.size_bits", &at->size_bits },
		{ "prb_data_ring.data", &at->data },
	};

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		if (!vmcoreinfo_offset(in, offsets[i].name, offsets[i].ret))
			return false;
	return vmcoreinfo_size(in, "prb_desc", &at->desc_size) && at->desc_size <= DESC_MAX &&
	       vmcoreinfo_size(in, "printk_info", &at->info_size) && at->info_size <= INFO_MAX;
}

static void find_more(struct layout *at, const struct kernel_btf *ktypes)
{
	struct btf_member_place comm, caller;

	if (!kernel_btf_member(ktypes, "printk_info", "comm", &comm) || comm.size != 16 ||
	    !kernel_btf_member(ktypes, "printk_info", "caller_id2", &caller) || caller.size != 4)
		return;
	at->comm = comm.offset;
	at->caller2 = caller.offset;
}

static bool read_rings(struct ring *r)
{
	u64 desc_ring, data_ring, nr_bits, size_bits;
	struct vmem *vmem = r->vmem;

	if (!vmem_u64(vmem, r->at.rb, &desc_ring))
		return false;
	data_ring = desc_ring + r->at.data_ring;
	desc_ring += r->at.desc_ring;
	if (!vmem_number(vmem, desc_ring + r->at.count_bits, 4, &nr_bits) ||
	    !vmem_u64(vmem, desc_ring + r->at.descs, &r->descs) ||
	    !vmem_u64(vmem, desc_ring + r->at.infos, &r->infos) ||
	    !vmem_u64(vmem, desc_ring + r->at.head_id, &r->head_id) ||
	    !vmem_u64(vmem, desc_ring + r->at.tail_id, &r->tail_id) ||
	    !vmem_number(vmem, data_ring + r->at.size_bits, 4, &size_bits) ||
	    !vmem_u64(vmem, data_ring + r->at.data, &r->data))
		return false;
	r->nr = nr_bits <= MAX_BITS ? 1ULL << nr_bits : 0;
	r->size = size_bits <= MAX_BITS + 4 ? 1ULL << size_bits : 0;
	return true;
}

/* --- one record ---------------------------------------------------------- */

struct desc {
	enum desc_state state;
	u64 begin, next;
};

static bool read_desc(const struct ring *r, u64 id, struct desc *ret)
{
	u8 raw[DESC_MAX];
	struct bytes b = bytes_of(raw, r->at.desc_size, dump_byte_order(vmem_input(r->vmem)));
	u64 state;

	if (!vmem_get(r->vmem, r->descs + (id & (r->nr - 1)) * r->at.desc_size, raw, b.size))
		return false;
	state = bytes_u64(&b, r->at.state_var);
	ret->state = state >> 62;
	ret->begin = bytes_u64(&b, r->at.blk_lpos + r->at.begin);
	ret->next = bytes_u64(&b, r->at.blk_lpos + r->at.next);
	return !b.overrun && (state & ID_MASK) == id;
}

/* One of two is a task, the other a CPU, which has the highest bit set. */
static void take_caller(struct klog_record *record, u32 caller)
{
	if (caller & ON_CPU)
		record->cpu = caller & ~ON_CPU;
	else
		record->pid = caller;
}

static void take_callers(struct klog_record *record, const struct layout *at, struct bytes *b)
{
	const char *comm = at->comm ? bytes_ptr(b, at->comm, sizeof(record->comm) - 1) : NULL;

	record->pid = -1;
	record->cpu = NO_CPU;
	take_caller(record, bytes_u32(b, at->caller));
	if (at->caller2)
		take_caller(record, bytes_u32(b, at->caller2));
	if (comm)
		memcpy(record->comm, comm, sizeof(record->comm) - 1);
}

/* The level is in the upper bits of the byte behind the facility's, on little-endian machines. */
static s32 priority_of(struct bytes *b, u64 text_len)
{
	u8 flags = bytes_u8(b, text_len + 3);
	u8 level = b->order == ORDER_LITTLE ? flags >> 5 : flags & 7;

	return bytes_u8(b, text_len + 2) << 3 | level;
}

static bool read_info(const struct ring *r, u64 id, struct klog_record *record)
{
	u8 raw[INFO_MAX];
	struct bytes b = bytes_of(raw, r->at.info_size, dump_byte_order(vmem_input(r->vmem)));

	if (!vmem_get(r->vmem, r->infos + (id & (r->nr - 1)) * r->at.info_size, raw, b.size))
		return false;
	record->seq = bytes_u64(&b, r->at.seq);
	record->local_ns = bytes_u64(&b, r->at.ts);
	take_callers(record, &r->at, &b);
	record->line.len = bytes_u16(&b, r->at.text_len);
	record->line.priority = priority_of(&b, r->at.text_len);
	return !b.overrun && ((record->seq ^ id) & (r->nr - 1)) == 0;
}

/*
 * Where the text of a descriptor lies.  What does not fit behind the last text
 * begins at the buffer's start again, and its place counts on as if it had not.
 * What fits to the last byte does so too in older kernels, and ends there in newer ones.
 *
 * Return: does it have one?
 */
static bool find_text(const struct ring *r, const struct desc *d, u64 *off, u64 *size)
{
	u64 mask = r->size - 1;

	if ((d->begin | d->next) & 7)
		return false;
	if ((d->begin & ~mask) == ((d->next - 1) & ~mask) && d->begin != d->next) {
		*off = d->begin & mask;
		*size = d->next - d->begin;
	} else if (((d->begin + r->size) & ~mask) == (d->next & ~mask)) {
		*off = 0;
		*size = d->next & mask;
	} else {
		return false;
	}
	return *size >= 8;
}

enum text_result { TEXT_READ, TEXT_GONE, TEXT_DAMAGED };

static enum text_result read_text(const struct ring *r, u64 id, const struct desc *d,
				  struct klog_record *record, char *buf)
{
	u64 off, size, owner;

	if (d->begin == LPOS_NONE && d->next == LPOS_NONE) {
		record->line.len = 0;
		return TEXT_READ;
	}
	if (d->begin & d->next & 1)
		return TEXT_GONE;
	if (!find_text(r, d, &off, &size) || !vmem_u64(r->vmem, r->data + off, &owner))
		return TEXT_DAMAGED;
	if (owner != id)
		return TEXT_GONE;
	if (record->line.len > size - 8)
		record->line.len = size - 8;
	return vmem_get(r->vmem, r->data + off + 8, buf, record->line.len) ? TEXT_READ
									   : TEXT_DAMAGED;
}

/* --- all of them --------------------------------------------------------- */

#define TEXT_MAX 65536		/* of a record: its length has 16 bits */

static bool make_room(struct printk_ringbuffer *log, u32 used, u32 *room, u32 *nr_room)
{
	if (*room - used < TEXT_MAX) {
		char *text = realloc(log->text, 2 * (size_t)*room + TEXT_MAX);

		if (!text)
			return false;
		log->text = text;
		*room = 2 * *room + TEXT_MAX;
	}
	if (log->nr == *nr_room) {
		void *p = reallocarray(log->records, 2 * (size_t)*nr_room + 256,
				       sizeof(*log->records));

		if (!p)
			return false;
		log->records = p;
		*nr_room = 2 * *nr_room + 256;
	}
	return true;
}

/* They were read from the newest on; and the text moved while there was more of it. */
static void put_in_order(struct printk_ringbuffer *log)
{
	for (u32 i = 0; i < log->nr / 2; i++) {
		struct klog_record *a = &log->records[i], *b = &log->records[log->nr - 1 - i];
		struct klog_record swap = *a;

		*a = *b;
		*b = swap;
	}
	for (u32 i = 0; i < log->nr; i++)
		log->records[i].line.text = log->text + log->records[i].off;
}

/* Return: bytes of text it took, at @used of the log's. */
static u32 take_record(struct printk_ringbuffer *log, const struct ring *r, u64 id, u32 used)
{
	struct klog_record *record = &log->records[log->nr];
	struct desc d;

	memset(record, 0, sizeof(*record));
	record->off = used;
	if (!read_desc(r, id, &d)) {
		log->nr_damaged++;
		return 0;
	}
	if (d.state == DESC_RESERVED) {
		log->nr_uncommitted++;
		return 0;
	}
	if (d.state == DESC_REUSABLE)
		return 0;
	if (!read_info(r, id, record)) {
		log->nr_damaged++;
		return 0;
	}
	switch (read_text(r, id, &d, record, log->text + used)) {
	case TEXT_READ:
		log->nr++;
		return record->line.len;
	case TEXT_GONE:
		log->nr_textless++;
		return 0;
	default:
		log->nr_damaged++;
		return 0;
	}
}

static int walk(struct printk_ringbuffer *log, const struct ring *r, struct err *err)
{
	u64 n = ((r->head_id - r->tail_id) & ID_MASK) + 1;
	u32 used = 0, room = 0, nr_room = 0;

	if (n > r->nr)
		n = r->nr;
	if (n > MAX_LOOKS)
		n = MAX_LOOKS;
	for (u64 i = 0; i < n && log->nr < KLOG_MAX_LINES && used < KLOG_MAX_BYTES; i++) {
		if (!make_room(log, used, &room, &nr_room))
			return err_sys(err, "memory for %u lines of the kernel's log", nr_room);
		used += take_record(log, r, (r->head_id - i) & ID_MASK, used);
	}
	put_in_order(log);
	return 0;
}

static void tell(const struct printk_ringbuffer *log, struct damage_notes *notes)
{
	if (log->nr_uncommitted)
		damage_notes_add(notes, NOTE_NOWHERE,
				 "%u lines of the kernel's log were being written when it ended",
				 log->nr_uncommitted);
	if (log->nr_damaged)
		damage_notes_add(notes, NOTE_NOWHERE,
				 "%u lines of the kernel's log are damaged or not in the dump",
				 log->nr_damaged);
}

int printk_ringbuffer_read(struct printk_ringbuffer *log, struct vmem *vmem, const struct kernel_btf *ktypes,
			   struct damage_notes *notes, struct err *err)
{
	struct ring r = { .vmem = vmem };
	int ret;

	memset(log, 0, sizeof(*log));
	if (!vmcoreinfo_symbol(vmem_input(vmem), "prb", &r.at.rb) ||
	    !find_layout(&r.at, vmem_input(vmem)))
		return 0;
	find_more(&r.at, ktypes);
	if (!read_rings(&r)) {
		damage_notes_add(notes, NOTE_NOWHERE, "the kernel's log cannot be read: %s", vmem_why(vmem));
		return 0;
	}
	if (!r.nr || !r.size) {
		damage_notes_add(notes, NOTE_NOWHERE, "the kernel's log is damaged: its sizes cannot be");
		return 0;
	}
	log->there = true;
	ret = walk(log, &r, err);
	tell(log, notes);
	return ret;
}

void printk_ringbuffer_free(struct printk_ringbuffer *log)
{
	free(log->text);
	free(log->records);
	memset(log, 0, sizeof(*log));
}
