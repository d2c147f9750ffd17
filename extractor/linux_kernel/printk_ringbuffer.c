// SPDX-License-Identifier: GPL-2.0-or-later
#include "printk_ringbuffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "dump/vmcoreinfo.h"

#define MAX_BITS	26	/* log2 of the number of descriptors */
#define ID_MASK		(~0ULL >> 2)
#define INFO_MAX	512	/* bytes of a printk_info; 7.2 has 112 */
#define DESC_MAX	256
#define ON_CPU		0x80000000U	/* in the id of a caller: the rest is a CPU, not a pid */
#define LPOS_NONE	3ULL	/* a line without text */
#define MAX_DESCS	(4 * KLOG_MAX_LINES)	/* most may be damaged, or not in the dump */

enum desc_state {
	DESC_RESERVED = 0,	/* being written */
	DESC_COMMITTED = 1,	/* complete, but may be continued */
	DESC_FINALIZED = 2,
	DESC_REUSABLE = 3,	/* its text is gone, or it was never used */
};

/* Offsets and sizes of members in the structs of the kernel, in bytes. */
struct printk_layout {
	u64 rb, desc_ring, data_ring;
	u64 count_bits, descs, infos, head_id, tail_id;
	u64 desc_size, state_var, blk_lpos, begin, next;
	u64 info_size, seq, ts, text_len, caller;
	u64 caller2, comm;	/* 0: this kernel does not have them */
	u64 size_bits, data;
};

/**
 * struct printk_ring - the ring buffer as it lies in the dump
 * @nr: number of descriptors, a power of 2
 * @size: bytes of text, a power of 2
 */
struct printk_ring {
	struct vmem *vmem;
	struct printk_layout at;
	u64 descs, infos, data;
	u64 head_id, tail_id;
	u64 nr, size;
};

/* --- where the ring buffer lies ------------------------------------------ */

static bool find_printk_layout(struct printk_layout *at, const struct dump *in)
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

static bool read_printk_rings(struct printk_ring *r)
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

struct printk_desc {
	enum desc_state state;
	u64 begin, next;
};

static bool read_desc(const struct printk_ring *r, u64 id, struct printk_desc *ret)
{
	u8 raw[DESC_MAX];
	struct bytes b = bytes_of(raw, r->at.desc_size, dump_byte_order(vmem_input(r->vmem)));
	u64 state;

	if (!vmem_get(r->vmem, r->descs + (id & (r->nr - 1)) * r->at.desc_size, raw, b.size))
		return false;
	state = bytes_u64(&b, r->at.state_var);
	ret->state = state >> 62;
	/* Its writer has moved the head on to it, and has not marked it as its own yet. */
	if (ret->state == DESC_REUSABLE && (state & ID_MASK) == ((id - r->nr) & ID_MASK)) {
		ret->state = DESC_RESERVED;
		return true;
	}
	ret->begin = bytes_u64(&b, r->at.blk_lpos + r->at.begin);
	ret->next = bytes_u64(&b, r->at.blk_lpos + r->at.next);
	return !b.overrun && (state & ID_MASK) == id;
}

/* A caller is a task, or a CPU, which has the highest bit set. */
static void take_record_caller(struct klog_record *record, u32 caller)
{
	if (caller & ON_CPU)
		record->cpu = caller & ~ON_CPU;
	else
		record->pid = caller;
}

static bool read_info(const struct printk_ring *r, u64 id, struct klog_record *record)
{
	const struct printk_layout *at = &r->at;
	u8 raw[INFO_MAX], facility, flags;
	struct bytes b = bytes_of(raw, at->info_size, dump_byte_order(vmem_input(r->vmem)));
	const char *comm;

	if (!vmem_get(r->vmem, r->infos + (id & (r->nr - 1)) * r->at.info_size, raw, b.size))
		return false;
	record->seq = bytes_u64(&b, at->seq);
	record->local_ns = bytes_u64(&b, at->ts);
	record->line.len = bytes_u16(&b, at->text_len);
	facility = bytes_u8(&b, at->text_len + 2);
	/* A bit field: the level has the upper three bits on little-endian machines. */
	flags = bytes_u8(&b, at->text_len + 3);
	record->line.priority = facility << 3 | (b.order == ORDER_LITTLE ? flags >> 5 : flags & 7);
	record->pid = -1;
	record->cpu = NO_CPU;
	take_record_caller(record, bytes_u32(&b, at->caller));
	if (at->caller2)
		take_record_caller(record, bytes_u32(&b, at->caller2));
	comm = at->comm ? bytes_ptr(&b, at->comm, sizeof(record->comm) - 1) : NULL;
	if (comm)
		memcpy(record->comm, comm, sizeof(record->comm) - 1);
	return !b.overrun && ((record->seq ^ id) & (r->nr - 1)) == 0;
}

/*
 * Where the text of a descriptor lies. A text that does not fit at the end of the buffer begins at
 * its start, but its position counts on as if it had not. If a text ends with the last byte of the
 * buffer, @next is in the next round in older kernels, and in this round in newer ones.
 *
 * Return: does the descriptor have a text?
 */
static bool find_text(const struct printk_ring *r, const struct printk_desc *d, u64 *off, u64 *size)
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

static enum text_result read_record_text(const struct printk_ring *r, u64 id,
					 const struct printk_desc *d, struct klog_record *record,
					 char *buf)
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

/* --- all records --------------------------------------------------------- */

#define TEXT_MAX 65536		/* of a record: its length has 16 bits */

static bool make_record_room(struct printk_ringbuffer *log, u32 used, u32 *room, u32 *nr_room)
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

/* Read a record, its text to log->text + @used. Return: bytes of text */
static u32 take_record(struct printk_ringbuffer *log, const struct printk_ring *r, u64 id, u32 used)
{
	struct klog_record *record = &log->records[log->nr];
	struct printk_desc d;

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
	switch (read_record_text(r, id, &d, record, log->text + used)) {
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

static int read_printk_records(struct printk_ringbuffer *log, const struct printk_ring *r,
			       struct err *err)
{
	u64 n = ((r->head_id - r->tail_id) & ID_MASK) + 1;
	u32 used = 0, room = 0, nr_room = 0;

	if (n > r->nr)
		n = r->nr;
	if (n > MAX_DESCS)
		n = MAX_DESCS;
	for (u64 i = 0; i < n && log->nr < KLOG_MAX_LINES && used < KLOG_MAX_BYTES; i++) {
		if (!make_record_room(log, used, &room, &nr_room))
			return err_sys(err, "memory for %u lines of the kernel's log", nr_room);
		used += take_record(log, r, (r->head_id - i) & ID_MASK, used);
	}
	/* The oldest record first; the text has moved while it grew. */
	for (u32 i = 0; i < log->nr / 2; i++) {
		struct klog_record *a = &log->records[i], *b = &log->records[log->nr - 1 - i];
		struct klog_record swap = *a;

		*a = *b;
		*b = swap;
	}
	for (u32 i = 0; i < log->nr; i++)
		log->records[i].line.text = log->text + log->records[i].off;
	return 0;
}

static void note_lost_lines(const struct printk_ringbuffer *log, struct damage_notes *notes)
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

int printk_ringbuffer_read(struct printk_ringbuffer *log, struct vmem *vmem,
			   const struct kernel_btf *ktypes, struct damage_notes *notes,
			   struct err *err)
{
	struct printk_ring r = { .vmem = vmem };
	struct btf_member_place comm, caller;
	int ret;

	memset(log, 0, sizeof(*log));
	if (!vmcoreinfo_symbol(vmem_input(vmem), "prb", &r.at.rb) ||
	    !find_printk_layout(&r.at, vmem_input(vmem)))
		return 0;
	if (kernel_btf_member(ktypes, "printk_info", "comm", &comm) && comm.size == 16 &&
	    kernel_btf_member(ktypes, "printk_info", "caller_id2", &caller) && caller.size == 4) {
		r.at.comm = comm.offset;
		r.at.caller2 = caller.offset;
	}
	if (!read_printk_rings(&r)) {
		damage_notes_add(notes, NOTE_NOWHERE, "the kernel's log cannot be read: %s", vmem_why(vmem));
		return 0;
	}
	if (!r.nr || !r.size) {
		damage_notes_add(notes, NOTE_NOWHERE, "the kernel's log is damaged: its sizes cannot be");
		return 0;
	}
	log->there = true;
	ret = read_printk_records(log, &r, err);
	note_lost_lines(log, notes);
	return ret;
}

int printk_ringbuffer_add(const struct printk_ringbuffer *log, struct aux_events *aux, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; i < log->nr && !ret; i++) {
		const struct klog_record *record = &log->records[i];

		ret = aux_events_add(aux, &(struct aux_event){
			.kind = AUX_EVENT_LOG, .name = "printk:log", .data = &record->line,
			.cpu = record->cpu, .pid = record->pid,
			.comm = *record->comm ? record->comm : NULL,
			.time = record->line.mono_ns,
		}, err);
	}
	return ret;
}

void printk_ringbuffer_free(struct printk_ringbuffer *log)
{
	free(log->text);
	free(log->records);
	memset(log, 0, sizeof(*log));
}
