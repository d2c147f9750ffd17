/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packing an event, as docs/packing.md says: inline, because it is what a packed
 * event costs.  How a field is packed follows from its type, name and size, which
 * the compiler knows.
 */
#ifndef _EPITAPH_PACK_H
#define _EPITAPH_PACK_H

#include <epitaph/ring_fast.h>

#define EPITAPH_SLOT_BITS	7
#define EPITAPH_FIRST_VALUE	4	/* slots of values before it are bases */
#define EPITAPH_BASE_NS		1	/* of CLOCK_MONOTONIC, in ns */
#define EPITAPH_BASE_BELOW	(1ULL << 28)	/* as far below it numbers may be; 0.27 s */

/**
 * struct epitaph_slot - a text or a value that a sub-buffer tells once
 * @a: the value, or the first half of a text
 * @b: the second one
 * @taken: seq of the last sub-buffer in which somebody began to tell it, low half
 * @told: seq of the last one that tells it
 */
struct epitaph_slot {
	u64	a;
	u64	b;
	u64	taken;
	u32	told;
};

/**
 * struct epitaph_slots - of one CPU, in ordinary memory
 * @texts: slot i + 1 of the sub-buffer
 * @values: slot i + EPITAPH_FIRST_VALUE
 * @bases: slot i, of numbers that are close to each other; 0 is none
 */
struct epitaph_slots {
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

/**
 * struct pack_state - the same as the compiler sees it: nobody else does, so it is all in registers
 * @at: where the data of the next field goes
 * @large: the last number of 8 bytes, if it @has_large
 * @failed: it does not pack
 */
struct pack_state {
	struct epitaph_pack *pack;
	struct epitaph_slots *slots;
	u32 seq;
	u32 codes;
	u32 nr_codes;
	bool has_large;
	bool failed;
	u64 large;
	u8 *at;
};

enum epitaph_packed {
	EPITAPH_PACK_DONE,
	EPITAPH_PACK_AGAIN,	/* the next sub-buffer was begun */
	EPITAPH_PACK_NOT,	/* it does not pack */
};

/* slots.c: a slot that was not found where it should be.  Return: its number; or -1. */
int epitaph_pack_text(struct epitaph_pack *pack, u64 a, u64 b);
int epitaph_pack_value(struct epitaph_pack *pack, u64 value);
bool epitaph_pack_base(struct epitaph_pack *pack, u32 slot, u64 value);

/* slots.c: claims, fills in, commits. */
enum epitaph_packed epitaph_pack_put(struct epitaph_pack *pack, u8 *end);

/* The letters of docs/packing.md; 0: there is none for it. */
static __always_inline char epitaph_pack_kind(const char *type, const char *name,
					      unsigned int size)
{
	unsigned int len = __builtin_strlen(name);

	if (size == 16 && !__builtin_strncmp(type, "char", 4))
		return 't';
	if (size == 8)
		return __builtin_strchr(type, '*') ? 'a' : 'q';
	if (size == 4)
		return len >= 3 && !__builtin_strcmp(name + len - 3, "pid") ? 'p' : 'n';
	return size == 2 ? 'h' : size == 1 ? 'b' : 0;
}

/* Of numbers that are close to each other: times in ns, jiffies, others. */
static __always_inline u32 epitaph_pack_base_of(const char *type)
{
	return !__builtin_strcmp(type, "s64") ? EPITAPH_BASE_NS : !__builtin_strcmp(type, "unsigned long") ? 2 : 3;
}

static __always_inline u32 epitaph_slot_hash(u64 a, u64 b)
{
	return (a * EPITAPH_MIX_MUL + b) * EPITAPH_MIX_MUL >> (64 - EPITAPH_SLOT_BITS);
}

/*
 * Whoever interrupts may tell it: first whether it is told, and then what.  Told
 * in @seq, it stays so, or else the claim that follows lies in another sub-buffer.
 */
static __always_inline bool epitaph_slot_is(const struct epitaph_slot *slot, u32 seq, u64 a, u64 b)
{
	return READ_ONCE(slot->told) == seq && READ_ONCE(slot->a) == a && READ_ONCE(slot->b) == b;
}

/* @number: of its packing, whose data begins behind @head bytes. */
static __always_inline struct pack_state pack_begin(struct epitaph_pack *pack,
						    struct epitaph_ring *ring,
						    struct epitaph_slots *slots,
						    u8 number, u8 head)
{
	struct pack_state state = { .pack = pack, .slots = slots, .at = pack->data + head };

	pack->ring = ring;
	pack->slots = slots;
	pack->seq = state.seq = READ_ONCE(ring->head) >> 32;		/* pack:A */
	crash_point("pack:A");
	pack->data[0] = number;
	return state;
}

static __always_inline void pack_slot(struct pack_state *state, int slot)
{
	if (unlikely(slot < 0))
		state->failed = true;
	*state->at++ = slot;
}

static __always_inline void pack_t(struct pack_state *state, const void *text)
{
	u64 a = plat_load64(text), b = plat_load64(text + 8);
	u32 i = epitaph_slot_hash(a, b);

	if (likely(epitaph_slot_is(&state->slots->texts[i], state->seq, a, b)))
		*state->at++ = i + 1;
	else
		pack_slot(state, epitaph_pack_text(state->pack, a, b));
}

static __always_inline void pack_a(struct pack_state *state, u64 value)
{
	u32 i = epitaph_slot_hash(value, 0);

	if (likely(epitaph_slot_is(&state->slots->values[i], state->seq, value, 0)))
		*state->at++ = i + EPITAPH_FIRST_VALUE;
	else
		pack_slot(state, epitaph_pack_value(state->pack, value));
}

/* Stored whole; what is behind @size is overwritten. */
static __always_inline void pack_data(struct pack_state *state, u32 code, u32 size)
{
	state->codes |= code << state->nr_codes * 2;
	state->at += size;
}

static __always_inline void pack_p(struct pack_state *state, u32 pid)
{
	put_unaligned_le32(pid, state->at);
	if (likely(!(pid >> 24)))
		pack_data(state, pid ? 1 : 0, pid ? 3 : 0);
	else
		pack_data(state, 2, 4);
	state->nr_codes++;
}

static __always_inline void pack_n(struct pack_state *state, s32 value)
{
	put_unaligned_le32(value, state->at);
	if (likely(value == (s8)value))
		pack_data(state, value ? 1 : 0, value ? 1 : 0);
	else if (value == (s16)value)
		pack_data(state, 2, 2);
	else
		pack_data(state, 3, 4);
	state->nr_codes++;
}

/* Far from small: as what it is more than its base, or else whole. */
static __always_inline void pack_far(struct pack_state *state, u64 value, u32 base)
{
	const struct epitaph_slot *slot = &state->slots->bases[base];
	bool told = READ_ONCE(slot->told) == state->seq || epitaph_pack_base(state->pack, base, value);
	u64 rest = value - READ_ONCE(slot->a);

	if (likely(told && rest == (u32)rest)) {
		put_unaligned_le32(rest, state->at);
		pack_data(state, 2, 4);
	} else {
		put_unaligned_le64(value, state->at);
		pack_data(state, 3, 8);
	}
}

static __always_inline void pack_q(struct pack_state *state, u64 value, u32 base)
{
	put_unaligned_le16(value, state->at);
	if (value == (u64)(s64)(s8)value)
		pack_data(state, 0, 1);
	else if (value == (u64)(s64)(s16)value)
		pack_data(state, 1, 2);
	else
		pack_far(state, value, base);
	state->large = value;
	state->has_large = true;
	state->nr_codes++;
}

static __always_inline void pack_d(struct pack_state *state, u64 value)
{
	s64 more = value - state->large;

	put_unaligned_le64(more, state->at);
	if (more == (s16)more)
		pack_data(state, more ? 1 : 0, more ? 2 : 0);
	else if (more == (s32)more)
		pack_data(state, 2, 4);
	else
		pack_data(state, 3, 8);
	state->large = value;
	state->nr_codes++;
}

/* One field; which way it goes, the compiler decides. */
static __always_inline void epitaph_pack_field(struct pack_state *state, const void *field,
					       unsigned int size, const char *type,
					       const char *name)
{
	switch (epitaph_pack_kind(type, name, size)) {
	case 't':
		pack_t(state, field);
		break;
	case 'a':
		pack_a(state, *(const u64 *)field);
		break;
	case 'p':
		pack_p(state, *(const u32 *)field);
		break;
	case 'n':
		pack_n(state, *(const s32 *)field);
		break;
	case 'q':
		if (state->has_large)
			pack_d(state, *(const u64 *)field);
		else
			pack_q(state, *(const u64 *)field, epitaph_pack_base_of(type));
		break;
	case 'h':
		put_unaligned_le16(*(const u16 *)field, state->at);
		state->at += 2;
		break;
	case 'b':
		*state->at++ = *(const u8 *)field;
		break;
	default:
		state->failed = true;
	}
}

static __always_inline enum epitaph_packed pack_end(const struct pack_state *state)
{
	u8 *codes = state->pack->data + 1;

	if (unlikely(state->failed))
		return EPITAPH_PACK_NOT;
	if (state->nr_codes)
		codes[0] = state->codes;
	if (state->nr_codes > 4)
		codes[1] = state->codes >> 8;
	if (state->nr_codes > 8)
		codes[2] = state->codes >> 16;
	return epitaph_pack_put(state->pack, state->at);
}

#endif /* _EPITAPH_PACK_H */
