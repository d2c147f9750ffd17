/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packing an event, as docs/packing.md says: inline, because it is what a packed
 * event costs.  How a field is packed follows from its type, name and size, which
 * the compiler knows.
 */
#ifndef _EPITAPH_PACK_H
#define _EPITAPH_PACK_H

#include <epitaph/ring_fast.h>

#define EPITAPH_SMALL_NUMBERS	10	/* ids of a small event; of softirqs there are as many */
#define EPITAPH_SECTOR_SHIFT	9
#define EPITAPH_EMPTY_LEN	(1U << 16)	/* of a __data_loc: one byte */
#define EPITAPH_SLOT_BITS	7
#define EPITAPH_FIRST_VALUE	5	/* slots of values before it are bases */
#define EPITAPH_BASE_NS		1	/* of CLOCK_MONOTONIC, in ns */
#define EPITAPH_BASE_JIFFIES	4
#define EPITAPH_MASK_WHOLE	0xff	/* of a mask that is more than one bit */
#define EPITAPH_TIME_WHOLE	0xffffffffU	/* before a time that is far from its base */
#define EPITAPH_IN_CODE_MAX	2	/* of a number that a code holds */
#define EPITAPH_IN_CODES_MAX	14	/* of a number that two codes hold */
#define EPITAPH_BASE_BELOW	(1ULL << 28)	/* as far below it numbers may be; 0.27 s */
#define EPITAPH_JIFFIES_BELOW	(1U << 14)	/* the same of jiffies, of which two bytes hold 2^16 */

/**
 * struct epitaph_slot - a text, a value or a task that is written once in a sub-buffer
 * @a: the value, or the first half of a text or of the task's name
 * @b: the second half
 * @taken: seq of the last sub-buffer for which a writer took the slot, low half
 * @written: seq of the last sub-buffer that holds it whole
 * @pid: of a task, as its event says it
 * @prio: the same
 * @number: of the slot in the sub-buffer
 */
struct epitaph_slot {
	u64	a;
	u64	b;
	u32	taken;
	u32	written;
	u32	pid;
	s16	prio;
	u16	number;
};

/**
 * struct epitaph_slots - of one CPU, in ordinary memory
 * @tasks: slot i + 1 of the sub-buffer
 * @texts: the same
 * @values: slot i + EPITAPH_FIRST_VALUE
 * @bases: slot i, of numbers that are close to each other; 0 is none
 */
struct epitaph_slots {
	struct epitaph_slot tasks[1 << EPITAPH_SLOT_BITS];
	struct epitaph_slot texts[1 << EPITAPH_SLOT_BITS];
	struct epitaph_slot values[1 << EPITAPH_SLOT_BITS];
	struct epitaph_slot bases[EPITAPH_FIRST_VALUE];
};

/**
 * struct epitaph_pack - an event that is being packed, as slots.c sees it
 * @seq: of the sub-buffer whose slots it uses, low half
 */
struct epitaph_pack {
	struct epitaph_ring *ring;
	struct epitaph_slots *slots;
	u32 seq;
	u8 data[EPITAPH_PACKED_MAX + 48] __aligned(8);
};

/* What epitaph_pack_field() does with a field. */
enum pack_pass {
	PACK_LAYS_OUT,	/* counts its code and bytes, if all are as usual */
	PACK_CHECKS,	/* is its number as usual? */
	PACK_FINDS,	/* is its slot, or its base, where it should be? */
	PACK_FILLS,	/* into the claim, as usual */
	PACK_ANY,	/* into memory, whatever it is */
};

#define PACK_FIELDS_MAX	16

/**
 * struct pack_state - how far an event is, for the compiler alone: its address never escapes, so
 *	it stays in registers
 * @pass: known when compiled
 * @at: where the data of the first field would go, if those so far were of their usual sizes
 * @codes: what is not as usual in the codes
 * @usual: the codes if each field is as it usually is; known when compiled, as is @size
 * @size: of the data so far, if each field is of its usual size
 * @all_codes: how many codes there will be
 * @bytes: of the event, if all its fields are of their usual sizes
 * @data: of each field, from PACK_CHECKS and PACK_FINDS for PACK_FILLS
 * @large: the last number of 8 bytes, if it @has_large
 * @number: the last one of 4 bytes
 * @tasks: by its first field, whether name, pid and priority are one step; known when compiled
 * @names: how many fields are a name, and then a pid, without one between
 * @a: the name of the task that the next fields belong to, as @b and @pid
 * @is_last: no later event will be of that task; known when compiled
 */
struct pack_state {
	enum pack_pass pass;
	struct epitaph_pack *pack;
	struct epitaph_ring *ring;
	struct epitaph_slots *slots;
	u32 seq;
	u8 *at;
	u32 codes;
	u32 usual;
	u32 nr_codes;
	u32 size;
	u32 all_codes;
	u32 bytes;
	u32 data[PACK_FIELDS_MAX];
	u32 nr_fields;
	bool has_address;
	bool has_large;
	u64 large;
	u32 number;
	u32 tasks;
	u32 names;
	u64 a;
	u64 b;
	u32 pid;
	bool is_last;
};

/**
 * struct epitaph_pack_step - what epitaph_pack_steps() does with a field, or with an array
 * @kind: the letter of docs/packing.md, none of a task; 0: the end
 * @base: of a number of 8 bytes
 * @off: in the record
 */
struct epitaph_pack_step {
	char kind;
	u8 base;
	u16 off;
};

/* slots.c: a slot that was not found where it should be.  Return: its number; or -1. */
int epitaph_pack_text(struct epitaph_pack *pack, u64 a, u64 b);
int epitaph_pack_value(struct epitaph_pack *pack, u64 value);

/* slots.c: a task, to @to; @is_last: no slot is set for it. Return: bytes there; 0: it does not pack. */
u32 epitaph_pack_task(struct epitaph_pack *pack, u8 *to, u64 a, u64 b, u32 pid, s32 prio, bool is_last);

bool epitaph_pack_base(struct epitaph_pack *pack, u32 slot, u64 value);

/* slots.c: claims, fills in, commits, if the fast path is closed.  Return: as pack_end(). */
bool epitaph_pack_put(struct epitaph_pack *pack, u32 words);

/* slots.c: the same of an event that is no more than its id. */
void epitaph_pack_small(struct epitaph_ring *ring, u32 id);

/**
 * epitaph_pack_steps() - an event whose record is in memory, whatever its fields are
 * @ring: of this CPU
 * @slots: of this CPU
 * @number: of its packing
 * @head: bytes before the data of its first field
 * @steps: of its fields; ends with a @kind of 0
 * @record: as @steps have its fields
 *
 * pack_any_event() does the same faster, and takes a kilobyte for each class.
 *
 * Context: any, NMI included; preemption is off.
 * Return: false: it does not pack, or the next sub-buffer was begun.
 */
bool epitaph_pack_steps(struct epitaph_ring *ring, struct epitaph_slots *slots, u8 number, u32 head,
			const struct epitaph_pack_step *steps, const void *record);

static __always_inline bool pack_ends_in(const char *name, const char *end)
{
	unsigned int len = __builtin_strlen(name), most = __builtin_strlen(end);

	return len >= most && !__builtin_strcmp(name + len - most, end);
}

/* The letters of docs/packing.md; 0: there is none for it.  What is one task is 'c' besides. */
static __always_inline char epitaph_pack_kind(const char *type, const char *name,
					      unsigned int size)
{
	if (size == 16 && !__builtin_strncmp(type, "char", 4))
		return 't';
	if (size == 8 && __builtin_strchr(type, '*'))
		return 'a';
	if (size == 8 && pack_ends_in(name, "state"))
		return 'm';
	if (size == 8 && !__builtin_strcmp(type, "unsigned long") &&
	    (!__builtin_strcmp(name, "expires") || !__builtin_strcmp(name, "now")))
		return 'j';
	if (size == 8 && !__builtin_strcmp(type, "s64"))
		return 'g';
	if (size == 8)
		return !__builtin_strncmp(type, "char", 4) ? 'w' : !__builtin_strcmp(type, "sector_t") ? 'u' : 'q';
	if (size == 4 && !__builtin_strcmp(type, "dev_t"))
		return 'i';
	if (size == 4 && !__builtin_strcmp(name, "bytes"))
		return 'k';
	if (size == 4 && (!__builtin_strcmp(name, "mode") || !__builtin_strcmp(name, "clockid")))
		return 'o';
	if (size == 4)
		return pack_ends_in(name, "pid") ? 'p' : 'n';
	if (size == 1)
		return !__builtin_strcmp(type, "bool") ? 'l' : 'b';
	return size == 2 ? 'h' : 0;
}

/* Whether it is the priority of the task whose name and pid are the two fields before it. */
static __always_inline bool epitaph_pack_is_prio(char kind, const char *name)
{
	return kind == 'n' && pack_ends_in(name, "prio");
}

/* Of numbers that are close to each other: times in ns, jiffies, others of their type, others. */
static __always_inline u32 epitaph_pack_base_of(const char *type, char kind)
{
	return kind == 'g' ? EPITAPH_BASE_NS : kind == 'j' ? EPITAPH_BASE_JIFFIES :
	       !__builtin_strcmp(type, "unsigned long") ? 2 : 3;
}

static __always_inline u32 epitaph_slot_hash(u64 a, u64 b)
{
	return (a ^ b) * EPITAPH_MIX_MUL >> (64 - EPITAPH_SLOT_BITS);
}

/* Pids follow each other. */
static __always_inline u32 epitaph_task_hash(u32 pid)
{
	return pid % (1U << EPITAPH_SLOT_BITS);
}

/*
 * A nested writer may write the slot meanwhile, so @written is read before the value.  A slot
 * that is written in @seq does not change, unless the next claim lies in another sub-buffer.
 */
static __always_inline bool epitaph_slot_is(const struct epitaph_slot *slot, u32 seq, u64 a, u64 b)
{
	if (unlikely(READ_ONCE(slot->written) != seq))
		return false;
	/* order:slot is local: slots are of this CPU, as is who writes them */
	barrier();
	return likely(slot->a == a && slot->b == b);
}

static __always_inline bool epitaph_slot_is_task(const struct epitaph_slot *slot, u32 seq, u64 a, u64 b,
						 u32 pid, s32 prio)
{
	return epitaph_slot_is(slot, seq, a, b) && likely(slot->pid == pid && slot->prio == prio);
}

/* Number and codes. */
static __always_inline u32 pack_head(u32 nr_codes)
{
	return 1 + (nr_codes + 3) / 4;
}

/* For slots.c. */
static __always_inline struct epitaph_pack *pack_slowly(const struct pack_state *state)
{
	state->pack->ring = state->ring;
	state->pack->slots = state->slots;
	state->pack->seq = state->seq;
	return state->pack;
}

/* The next field, if pack_code() says nothing else. */
static __always_inline void pack_next(struct pack_state *state, u32 usual_code, u32 usual_size)
{
	state->usual |= usual_code << state->nr_codes * 2;
	state->nr_codes++;
	state->size += usual_size;
}

/* A time is far from small, and what is none is usually small. */
static __always_inline void pack_lay_out(struct pack_state *state, char kind)
{
	switch (kind) {
	case 'p':
		pack_next(state, 1, 3);
		break;
	case 'n':
		pack_next(state, 1, 1);
		break;
	case 'q':
		pack_next(state, 0, 1);
		break;
	case 'd':
	case 'l':
		pack_next(state, 0, 0);
		break;
	case 'u':
		pack_next(state, 1, 4);
		break;
	case 'w':
		pack_next(state, 1, 2);
		break;
	case 'k':
		break;
	case 'j':
		pack_next(state, 1, 2);
		break;
	case 'o':
		pack_next(state, 0, 0);
		pack_next(state, 0, 0);
		break;
	case 'g':
	case 'i':
		state->size += 4;
		break;
	case 'h':
		state->size += 2;
		break;
	default:
		state->size++;
	}
}

/* The first byte of a text is the lowest one. */
static __always_inline u64 pack_short_text(const void *text)
{
	__le64 first;

	__builtin_memcpy(&first, text, sizeof(first));
	return le64_to_cpu(first);
}

/* What a disk moves in as many sectors. */
static __always_inline bool pack_is_sectors(const struct pack_state *state, u32 bytes)
{
	return likely(bytes == state->number << EPITAPH_SECTOR_SHIFT);
}

static __always_inline struct epitaph_slot *pack_text_slot(const struct pack_state *state, u64 a, u64 b)
{
	return &state->slots->texts[epitaph_slot_hash(a, b)];
}

static __always_inline struct epitaph_slot *pack_task_slot(const struct pack_state *state, u32 pid)
{
	return &state->slots->tasks[epitaph_task_hash(pid)];
}

static __always_inline struct epitaph_slot *pack_value_slot(const struct pack_state *state, u64 value)
{
	return &state->slots->values[epitaph_slot_hash(value, 0)];
}

static __always_inline bool pack_keep(struct pack_state *state, u32 data)
{
	state->data[state->nr_fields] = data;
	return true;
}

/* A number that is 0 may have its byte where that takes no word more. */
static __always_inline bool pack_check_number(struct pack_state *state, s32 value)
{
	return (value || state->bytes % 4 != 1) && value == (s8)value && pack_keep(state, value);
}

/* A pid of three bytes, and not 0; a number of one; a number that is no time, small. */
static __always_inline bool pack_check(struct pack_state *state, char kind, const void *field)
{
	u64 value;
	u32 pid;

	switch (kind) {
	case 'p':
		pid = *(const u32 *)field;
		return pid - 1 < (1U << 24) - 1 && pack_keep(state, pid);
	case 'n':
		return pack_check_number(state, *(const s32 *)field);
	case 'q':
		value = *(const u64 *)field;
		return value == (u64)(s64)(s8)value && pack_keep(state, value);
	case 'd':
		return *(const u64 *)field == state->large;
	case 'u':
		value = *(const u64 *)field;
		return !(value >> 32) && pack_keep(state, value);
	case 'w':
		value = pack_short_text(field);
		return !(value >> 16) && pack_keep(state, value);
	case 'k':
		return pack_is_sectors(state, *(const u32 *)field);
	case 'i':
		return pack_keep(state, *(const u32 *)field);
	case 'h':
		return pack_keep(state, *(const u16 *)field);
	case 'b':
		return pack_keep(state, *(const u8 *)field);
	case 'l':
		state->codes |= *(const u8 *)field << state->nr_codes * 2;
		return *(const u8 *)field <= EPITAPH_IN_CODE_MAX;
	case 'o':
		state->codes |= *(const u32 *)field << state->nr_codes * 2;
		return *(const u32 *)field <= EPITAPH_IN_CODES_MAX;
	case 'm':
		value = *(const u64 *)field;
		return !(value & (value - 1)) && pack_keep(state, plat_first_bit(value));
	default:
		return kind;
	}
}

static __always_inline bool pack_find_task(struct pack_state *state, s32 prio)
{
	const struct epitaph_slot *slot = pack_task_slot(state, state->pid);

	plat_hide(slot);
	return likely(epitaph_slot_is_task(slot, state->seq, state->a, state->b, state->pid, prio)) &&
	       pack_keep(state, slot->number);
}

static __always_inline bool pack_find_slot(struct pack_state *state, const struct epitaph_slot *slot,
					   u64 a, u64 b)
{
	plat_hide(slot);
	return likely(epitaph_slot_is(slot, state->seq, a, b)) && pack_keep(state, slot->number);
}

/* A time as what it is more than its base. */
static __always_inline bool pack_find_rest(struct pack_state *state, u64 value, u32 base)
{
	const struct epitaph_slot *slot = &state->slots->bases[base];
	u64 rest;

	if (unlikely(READ_ONCE(slot->written) != state->seq))
		return false;
	rest = value - READ_ONCE(slot->a);
	return likely(base == EPITAPH_BASE_JIFFIES ? rest == (u16)rest : rest < EPITAPH_TIME_WHOLE) &&
	       pack_keep(state, rest);
}

static __always_inline bool pack_find(struct pack_state *state, char kind, const void *field, u32 base)
{
	u64 a, b;

	switch (kind) {
	case 't':
		a = plat_load64(field);
		b = plat_load64(field + 8);
		return pack_find_slot(state, pack_text_slot(state, a, b), a, b);
	case 'a':
		a = *(const u64 *)field;
		return pack_find_slot(state, pack_value_slot(state, a), a, 0);
	case 'c':
		return pack_find_task(state, *(const s32 *)field);
	case 'g':
	case 'j':
		return pack_find_rest(state, *(const u64 *)field, base);
	default:
		return true;
	}
}

/* A pid has three bytes; the fourth is 0, and the next field's, if there is one. */
static __always_inline void pack_fill_pid(u8 *to, bool has_room, u32 pid)
{
	if (has_room) {
		put_unaligned_le32(pid, to);
	} else {
		put_unaligned_le16(pid, to);
		to[2] = pid >> 16;
	}
}

static __always_inline void pack_fill(const struct pack_state *state, char kind)
{
	u32 data = state->data[state->nr_fields], words = (state->bytes + 3) / 4;
	u8 *to = state->at + state->size;

	switch (kind) {
	case 'p':
		pack_fill_pid(to, pack_head(state->all_codes) + state->size + 4 <= words * 4, data);
		break;
	case 'd':
	case 'k':
	case 'l':
	case 'o':
		break;
	case 'h':
	case 'w':
	case 'j':
		put_unaligned_le16(data, to);
		break;
	case 'i':
	case 'g':
	case 'u':
		put_unaligned_le32(data, to);
		break;
	default:
		*to = data;
	}
}

/* What was stored, whole, has @code and @size; what is behind @size is overwritten. */
static __always_inline void pack_code(struct pack_state *state, u32 code, int size,
				      u32 usual_code, int usual_size)
{
	state->codes |= (code ^ usual_code) << state->nr_codes * 2;
	state->at += size - usual_size;
}

static __always_inline bool pack_any_slot(struct pack_state *state, int slot)
{
	state->at[state->size] = slot;
	return likely(slot >= 0);
}

static __always_inline bool pack_any_text(struct pack_state *state, const void *text)
{
	u64 a = plat_load64(text), b = plat_load64(text + 8);
	const struct epitaph_slot *slot = pack_text_slot(state, a, b);

	if (likely(epitaph_slot_is(slot, state->seq, a, b)))
		return pack_any_slot(state, slot->number);
	return pack_any_slot(state, epitaph_pack_text(pack_slowly(state), a, b));
}

static __always_inline bool pack_any_value(struct pack_state *state, u64 value)
{
	const struct epitaph_slot *slot = pack_value_slot(state, value);

	if (likely(epitaph_slot_is(slot, state->seq, value, 0)))
		return pack_any_slot(state, slot->number);
	return pack_any_slot(state, epitaph_pack_value(pack_slowly(state), value));
}

static __always_inline void pack_any_pid(struct pack_state *state, u32 pid)
{
	put_unaligned_le32(pid, state->at + state->size);
	if (unlikely(pid - 1 >= (1U << 24) - 1))
		pack_code(state, pid ? 2 : 0, pid ? 4 : 0, 1, 3);
}

static __always_inline void pack_any_number(struct pack_state *state, s32 value)
{
	put_unaligned_le32(value, state->at + state->size);
	if (unlikely(!value))
		pack_code(state, 0, 0, 1, 1);
	else if (likely(value == (s8)value))
		;
	else if (value == (s16)value)
		pack_code(state, 2, 2, 1, 1);
	else
		pack_code(state, 3, 4, 1, 1);
}

/* Far from small: as what it is more than its base, or else whole. */
static __always_inline void pack_any_far(struct pack_state *state, u64 value, u32 base,
					 u32 usual_code, int usual_size)
{
	const struct epitaph_slot *slot = &state->slots->bases[base];
	bool has_base = likely(READ_ONCE(slot->written) == state->seq) ||
			epitaph_pack_base(pack_slowly(state), base, value);
	u64 rest = value - READ_ONCE(slot->a);

	if (base == EPITAPH_BASE_JIFFIES && likely(has_base && rest == (u16)rest)) {
		put_unaligned_le16(rest, state->at + state->size);
		pack_code(state, 1, 2, usual_code, usual_size);
	} else if (likely(has_base && rest == (u32)rest)) {
		put_unaligned_le32(rest, state->at + state->size);
		pack_code(state, 2, 4, usual_code, usual_size);
	} else {
		put_unaligned_le64(value, state->at + state->size);
		pack_code(state, 3, 8, usual_code, usual_size);
	}
}

static __always_inline void pack_any_large(struct pack_state *state, u64 value, u32 base)
{
	put_unaligned_le16(value, state->at + state->size);
	if (likely(value == (u64)(s64)(s8)value))
		return;
	if (value == (u64)(s64)(s16)value)
		pack_code(state, 1, 2, 0, 1);
	else
		pack_any_far(state, value, base, 0, 1);
}

static __always_inline void pack_any_time(struct pack_state *state, u64 value, u32 base)
{
	const struct epitaph_slot *slot = &state->slots->bases[base];
	bool has_base = likely(READ_ONCE(slot->written) == state->seq) ||
			epitaph_pack_base(pack_slowly(state), base, value);
	u64 rest = value - READ_ONCE(slot->a);
	u8 *to = state->at + state->size;

	if (likely(has_base && rest < EPITAPH_TIME_WHOLE)) {
		put_unaligned_le32(rest, to);
		return;
	}
	put_unaligned_le32(EPITAPH_TIME_WHOLE, to);
	put_unaligned_le64(value, to + 4);
	state->at += sizeof(value);
}

static __always_inline void pack_any_in_code(struct pack_state *state, u8 value)
{
	bool fits = value <= EPITAPH_IN_CODE_MAX;

	state->codes |= (fits ? value : EPITAPH_IN_CODE_MAX + 1) << state->nr_codes * 2;
	if (likely(fits))
		return;
	state->at[state->size] = value;
	state->at += sizeof(value);
}

static __always_inline void pack_any_in_codes(struct pack_state *state, u32 value)
{
	bool fits = value <= EPITAPH_IN_CODES_MAX;

	state->codes |= (fits ? value : EPITAPH_IN_CODES_MAX + 1) << state->nr_codes * 2;
	if (likely(fits))
		return;
	put_unaligned_le32(value, state->at + state->size);
	state->at += sizeof(value);
}

static __always_inline void pack_any_more(struct pack_state *state, u64 value)
{
	s64 more = value - state->large;

	if (likely(!more))
		return;
	put_unaligned_le64(more, state->at + state->size);
	if (more == (s16)more)
		pack_code(state, 1, 2, 0, 0);
	else if (more == (s32)more)
		pack_code(state, 2, 4, 0, 0);
	else
		pack_code(state, 3, 8, 0, 0);
}

static __always_inline void pack_any_sector(struct pack_state *state, u64 value)
{
	put_unaligned_le64(value, state->at + state->size);
	if (!value)
		pack_code(state, 0, 0, 1, 4);
	else if (unlikely(value >> 32))
		pack_code(state, value >> 40 ? 3 : 2, value >> 40 ? 8 : 5, 1, 4);
}

static __always_inline void pack_any_short_text(struct pack_state *state, u64 value)
{
	put_unaligned_le64(value, state->at + state->size);
	if (value >> 32)
		pack_code(state, 3, 8, 1, 2);
	else if (value >> 16)
		pack_code(state, 2, 4, 1, 2);
	else if (!(value >> 8))
		pack_code(state, 0, 1, 1, 2);
}

static __always_inline bool pack_any_task(struct pack_state *state, s32 prio)
{
	const struct epitaph_slot *slot = pack_task_slot(state, state->pid);
	u32 bytes;

	if (likely(epitaph_slot_is_task(slot, state->seq, state->a, state->b, state->pid, prio)))
		return pack_any_slot(state, slot->number);
	bytes = epitaph_pack_task(pack_slowly(state), state->at + state->size, state->a, state->b,
				  state->pid, prio, state->is_last);
	state->at += bytes - 1;
	return likely(bytes);
}

/* One bit, or none, or all of it. */
static __always_inline void pack_any_mask(struct pack_state *state, u64 value)
{
	u8 *to = state->at + state->size;

	*to = plat_first_bit(value);
	if (likely(!(value & (value - 1))))
		return;
	*to = EPITAPH_MASK_WHOLE;
	put_unaligned_le64(value, to + 1);
	state->at += sizeof(value);
}

static __always_inline bool pack_any(struct pack_state *state, char kind, const void *field, u32 base)
{
	switch (kind) {
	case 't':
		return pack_any_text(state, field);
	case 'a':
		return pack_any_value(state, *(const u64 *)field);
	case 'p':
		pack_any_pid(state, *(const u32 *)field);
		return true;
	case 'n':
		pack_any_number(state, *(const s32 *)field);
		return true;
	case 'q':
		pack_any_large(state, *(const u64 *)field, base);
		return true;
	case 'd':
		pack_any_more(state, *(const u64 *)field);
		return true;
	case 'i':
		put_unaligned_le32(*(const u32 *)field, state->at + state->size);
		return true;
	case 'u':
		pack_any_sector(state, *(const u64 *)field);
		return true;
	case 'w':
		pack_any_short_text(state, pack_short_text(field));
		return true;
	case 'k':
		return pack_is_sectors(state, *(const u32 *)field);
	case 'c':
		return pack_any_task(state, *(const s32 *)field);
	case 'j':
		pack_any_far(state, *(const u64 *)field, base, 1, 2);
		return true;
	case 'g':
		pack_any_time(state, *(const u64 *)field, base);
		return true;
	case 'l':
		pack_any_in_code(state, *(const u8 *)field);
		return true;
	case 'o':
		pack_any_in_codes(state, *(const u32 *)field);
		return true;
	case 'm':
		pack_any_mask(state, *(const u64 *)field);
		return true;
	case 'h':
		put_unaligned_le16(*(const u16 *)field, state->at + state->size);
		return true;
	case 'b':
		state->at[state->size] = *(const u8 *)field;
		return true;
	default:
		return false;
	}
}

static __always_inline bool pack_pass(struct pack_state *state, char kind, const void *field, u32 base)
{
	switch (state->pass) {
	case PACK_CHECKS:
		return likely(pack_check(state, kind, field));
	case PACK_FINDS:
		return pack_find(state, kind, field, base);
	case PACK_FILLS:
		pack_fill(state, kind);
		return true;
	case PACK_ANY:
		return pack_any(state, kind, field, base);
	default:
		state->has_address |= kind == 'a';
		return true;
	}
}

/* All numbers of 8 bytes but addresses, masks, texts and sectors: the second is what it is more than the first. */
static __always_inline bool pack_is_large(char kind)
{
	return kind == 'q' || kind == 'g' || kind == 'j' || kind == 'd';
}

static __always_inline bool pack_step(struct pack_state *state, char kind, const void *field, u32 base)
{
	if (!pack_pass(state, kind, field, base))
		return false;
	pack_lay_out(state, kind);
	if (kind == 'n')
		state->number = state->pass == PACK_LAYS_OUT ? 0 : *(const u32 *)field;
	if (pack_is_large(kind)) {
		state->has_large = true;
		state->large = state->pass == PACK_LAYS_OUT ? 0 : *(const u64 *)field;
	}
	state->nr_fields++;
	return true;
}

/* Name and pid of a task, which pack_pass() has with its priority. */
static __always_inline void pack_note_task(struct pack_state *state, char kind, const void *field)
{
	state->nr_fields++;
	if (state->pass != PACK_FINDS && state->pass != PACK_ANY)
		return;
	if (kind == 't') {
		state->a = plat_load64(field);
		state->b = plat_load64(field + 8);
	} else {
		state->pid = *(const u32 *)field;
	}
}

/* PACK_LAYS_OUT finds out at its priority that a task is one, and takes back what was laid out. */
static __always_inline void pack_lay_out_task(struct pack_state *state)
{
	state->tasks |= 1U << (state->nr_fields - 2);
	state->nr_codes--;
	state->usual &= (1U << state->nr_codes * 2) - 1;
	state->size -= 1 + 3;
}

/* Is the field that comes now, or one of the two before it, the name of a task that is one step? */
static __always_inline bool pack_is_of_task(const struct pack_state *state, u32 before)
{
	return state->nr_fields >= before && state->tasks >> (state->nr_fields - before) & 1;
}

/**
 * epitaph_pack_field() - one field; which way it goes, the compiler decides
 * @state: of its event
 * @field: the field
 * @size: of the field
 * @type: as a format has it
 * @name: of the field
 *
 * Context: any, NMI included; preemption is off.
 * Return: false: the event is not as usual, or, in PACK_ANY, does not pack.
 */
static __always_inline bool epitaph_pack_field(struct pack_state *state, const void *field,
					       unsigned int size, const char *type, const char *name)
{
	char kind = epitaph_pack_kind(type, name, size);
	u32 base = epitaph_pack_base_of(type, kind);

	if (state->has_large && pack_is_large(kind))
		kind = 'd';
	if (pack_is_of_task(state, 0) || pack_is_of_task(state, 1)) {
		pack_note_task(state, kind, field);
		return true;
	}
	if (state->pass == PACK_LAYS_OUT && state->names == 2 && epitaph_pack_is_prio(kind, name))
		pack_lay_out_task(state);
	state->names = kind == 't' ? 1 : kind == 'p' && state->names == 1 ? 2 : 0;
	if (pack_is_of_task(state, 2))
		kind = 'c';
	return pack_step(state, kind, field, base);
}

/**
 * epitaph_pack_empty() - an array of varying length, if it is a zero
 * @array: of one byte, as the size of the event has shown
 *
 * Context and return: as epitaph_pack_field().
 */
static __always_inline bool epitaph_pack_empty(const struct pack_state *state, const void *array)
{
	return (state->pass != PACK_CHECKS && state->pass != PACK_ANY) || likely(!*(const u8 *)array);
}


/* Into the claim, two words at a time.  Return: event_sum(). */
static __always_inline u64 pack_copy(u64 sum, const struct epitaph_fast *fast, u32 word,
				     const u8 *from, u32 words)
{
	u8 *to = (u8 *)(fast->w + 1);
	u64 i, last = (words - 1) * 4;

	if (!EPITAPH_HAS_CRC32C) {
		memcpy(to, from, words * 4);
		return epitaph_ring_sum(sum, word, fast->w, 1 + words);
	}
	sum = epitaph_crc32c_4(sum, word);
	for (i = 0; i < last; i += 8) {
		u64 pair = plat_load64(from + i);

		__builtin_memcpy(to + i, &pair, sizeof(pair));
		sum = epitaph_crc32c_8(sum, pair);
	}
	if (!(last & 4)) {
		u32 end = *(const u32 *)(from + last);

		__builtin_memcpy(to + last, &end, sizeof(end));
		sum = epitaph_crc32c_4(sum, end);
	}
	return sum;
}

static __always_inline void pack_copied(const struct pack_state *state, const struct epitaph_fast *fast,
					u32 words)
{
	__le64 *sum = ring_sum(state->ring, fast->w, fast->level);
	u32 word = fast->word | (EPITAPH_ID_PID + words) << EPITAPH_ID_SHIFT;
	u64 value = pack_copy(le64_to_cpu(*sum), fast, word, state->pack->data, words);

	ring_done(fast->w, word);
	ring_summed(state->ring, sum, fast->level, value);
}

static __always_inline bool pack_put(const struct pack_state *state, u32 words)
{
	struct epitaph_fast fast __attribute__((uninitialized));

	if (likely(epitaph_is_fast &&
		   fast_claim_in(state->ring, &fast, 1 + words, &state->seq))) {
		pack_copied(state, &fast, words);
		return true;
	}
	return epitaph_pack_put(pack_slowly(state), words);
}

/* Return: false, it does not pack, or the next sub-buffer was begun. */
static __always_inline bool pack_end(const struct pack_state *state)
{
	u8 *codes = state->pack->data + 1, *end = state->at + state->size;
	u32 bytes = end - state->pack->data, all = state->usual ^ state->codes;

	if (unlikely(bytes > EPITAPH_PACKED_MAX))
		return false;
	if (state->nr_codes)
		codes[0] = all;
	if (state->nr_codes > 4)
		codes[1] = all >> 8;
	if (state->nr_codes > 8)
		codes[2] = all >> 16;
	put_unaligned_le32(0, end);
	return pack_put(state, (bytes + 3) / 4);
}

/* The number of the sub-buffer whose slots are used. */
static __always_inline void pack_begin(struct pack_state *state)
{
	state->seq = READ_ONCE(state->ring->head) >> 32;		/* pack:A */
	crash_point("pack:A");
}

/* @nr_codes: of the event; @codes: all of them. */
static __always_inline void pack_fill_head(u8 *to, u8 number, u32 nr_codes, u32 codes)
{
	to[0] = number;
	if (nr_codes > 4) {
		put_unaligned_le16(codes, to + 1);
		if (nr_codes > 8)
			to[3] = codes >> 16;
	} else if (nr_codes) {
		to[1] = codes;
	}
}

/* Of @raw, by PACK_LAYS_OUT. */
#define pack_layout(raw, fields)					\
	({								\
		struct pack_state __layout = { .pass = PACK_LAYS_OUT };	\
									\
		fields(&__layout, &(raw));				\
		__layout;						\
	})

/* One pass over @fields.  Return: as epitaph_pack_field(). */
#define pack_go(state, which, raw, fields)				\
	({								\
		(state)->pass = which;					\
		(state)->names = 0;					\
		(state)->has_large = false;				\
		(state)->size = (state)->nr_codes = (state)->nr_fields = 0; \
		fields(state, &(raw));					\
	})

/**
 * pack_usual() - an event whose fields are all as they usually are
 * @its_ring: of this CPU; epitaph_is_fast
 * @its_slots: of this CPU
 * @number: of its packing
 * @raw: the event, of which no others get a pointer
 * @fields: calls epitaph_pack_field() for each of them, and ends where that returns false
 *
 * Where each field goes is known when it is compiled, so it goes straight into the ring.
 *
 * Context: any, NMI included; preemption is off.
 * Return: false: nothing has begun, and pack_any_event() does it.
 */
#define pack_usual(its_ring, its_slots, number, raw, fields)		\
	({								\
		const struct pack_state __laid = pack_layout(raw, fields); \
		const u32 __head = pack_head(__laid.nr_codes);		\
		const u32 __words = (__head + __laid.size + 3) / 4;	\
		struct pack_state __usual = {				\
			.slots = its_slots, .ring = its_ring, .tasks = __laid.tasks, \
			.all_codes = __laid.nr_codes, .bytes = __head + __laid.size, \
		};							\
		struct epitaph_fast __fast __attribute__((uninitialized)); \
		bool __done = false;					\
									\
		pack_begin(&__usual);					\
		if (__usual.bytes <= EPITAPH_PACKED_MAX &&		\
		    __laid.nr_fields <= PACK_FIELDS_MAX &&		\
		    pack_go(&__usual, PACK_CHECKS, raw, fields) &&	\
		    pack_go(&__usual, PACK_FINDS, raw, fields) &&	\
		    fast_claim_in(__usual.ring, &__fast, 1 + __words, &__usual.seq)) { \
			u8 *__to = (u8 *)(__fast.w + 1);		\
									\
			pack_fill_head(__to, number, __laid.nr_codes,	\
				       __laid.usual | __usual.codes);	\
			__usual.at = __to + __head;			\
			pack_go(&__usual, PACK_FILLS, raw, fields);	\
			epitaph_fast_commit(__usual.ring, &__fast,	\
					    (EPITAPH_ID_PID + __words) << EPITAPH_ID_SHIFT, \
					    1 + __words);		\
			__done = true;					\
		}							\
		__done;							\
	})

/**
 * pack_any_event() - an event, whatever its fields are
 *
 * Arguments and context as those of pack_usual(), but for epitaph_is_fast.
 * Return: false: it does not pack, or the next sub-buffer was begun.
 */
#define pack_any_event(its_ring, its_slots, number, raw, fields)	\
	({								\
		const struct pack_state __laid = pack_layout(raw, fields); \
		struct epitaph_pack __pack __attribute__((uninitialized)); \
		struct pack_state __any = {				\
			.slots = its_slots, .ring = its_ring, .pack = &__pack, \
			.tasks = __laid.tasks,				\
			.at = __pack.data + pack_head(__laid.nr_codes),	\
		};							\
									\
		pack_begin(&__any);					\
		__pack.data[0] = number;				\
		pack_go(&__any, PACK_ANY, raw, fields) && pack_end(&__any); \
	})

/* A small event, whose ids begin at @first.  Return: false, it has none for @value. */
static __always_inline bool pack_small(struct epitaph_ring *ring, u32 first, u32 value)
{
	struct epitaph_fast fast __attribute__((uninitialized));

	if (unlikely(value >= EPITAPH_SMALL_NUMBERS))
		return false;
	if (likely(epitaph_is_fast && epitaph_fast_claim(ring, &fast, 1)))
		epitaph_fast_commit(ring, &fast, (first + value) << EPITAPH_ID_SHIFT, 1);
	else
		epitaph_pack_small(ring, first + value);
	return true;
}

#endif /* _EPITAPH_PACK_H */
