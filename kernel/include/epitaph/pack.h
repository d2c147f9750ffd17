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
#define EPITAPH_SLOT_BITS	7
#define EPITAPH_FIRST_VALUE	4	/* slots of values before it are bases */
#define EPITAPH_BASE_NS		1	/* of CLOCK_MONOTONIC, in ns */
#define EPITAPH_BASE_BELOW	(1ULL << 28)	/* as far below it numbers may be; 0.27 s */

/**
 * struct epitaph_slot - a text or a value that is written once in a sub-buffer
 * @a: the value, or the first half of a text
 * @b: the second half
 * @taken: seq of the last sub-buffer for which a writer took the slot, low half
 * @written: seq of the last sub-buffer that holds it whole
 * @number: of the slot in the sub-buffer
 */
struct epitaph_slot {
	u64	a;
	u64	b;
	u64	taken;
	u32	written;
	u32	number;
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
 * struct pack_state - the same for the compiler alone: its address never escapes, so it stays
 *	in registers
 * @at: where the data of the first field would go, if those so far were of their usual sizes
 * @codes: what is not as usual in the codes
 * @usual: the codes if each field is as it usually is; known when compiled, as is @size
 * @size: of the data so far, if each field is of its usual size
 * @looks: nothing is packed: it finds out whether it @has_address
 * @large: the last number of 8 bytes, if it @has_large
 */
struct pack_state {
	struct epitaph_pack *pack;
	struct epitaph_ring *ring;
	struct epitaph_slots *slots;
	u32 seq;
	u8 *at;
	u32 codes;
	u32 usual;
	u32 nr_codes;
	u32 size;
	bool looks;
	bool has_address;
	bool has_large;
	u64 large;
};

#define PACK_FAILED	(1U << 31)	/* of codes: it does not pack */


/* slots.c: a slot that was not found where it should be.  Return: its number; or -1. */
int epitaph_pack_text(struct epitaph_pack *pack, u64 a, u64 b);
int epitaph_pack_value(struct epitaph_pack *pack, u64 value);
bool epitaph_pack_base(struct epitaph_pack *pack, u32 slot, u64 value);

/* slots.c: claims, fills in, commits, if it is not the short way.  Return: as pack_end(). */
bool epitaph_pack_put(struct epitaph_pack *pack, u32 words);

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
	return (a ^ b) * EPITAPH_MIX_MUL >> (64 - EPITAPH_SLOT_BITS);
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

/* @number: of its packing, whose data begins behind @head bytes. */
static __always_inline struct pack_state pack_begin(struct epitaph_pack *pack,
						    struct epitaph_ring *ring,
						    struct epitaph_slots *slots,
						    u8 number, u8 head)
{
	struct pack_state state = {
		.pack = pack, .ring = ring, .slots = slots, .at = pack->data + head,
	};

	state.seq = READ_ONCE(ring->head) >> 32;			/* pack:A */
	crash_point("pack:A");
	pack->data[0] = number;
	return state;
}

/* For slots.c. */
static __always_inline struct epitaph_pack *pack_slowly(const struct pack_state *state)
{
	state->pack->ring = state->ring;
	state->pack->slots = state->slots;
	state->pack->seq = state->seq;
	return state->pack;
}

static __always_inline void pack_slot(struct pack_state *state, int slot)
{
	if (unlikely(slot < 0))
		state->codes |= PACK_FAILED;
	state->at[state->size] = slot;
}

static __always_inline void pack_t(struct pack_state *state, const void *text)
{
	u64 a = plat_load64(text), b = plat_load64(text + 8);
	const struct epitaph_slot *slot = &state->slots->texts[epitaph_slot_hash(a, b)];

	if (likely(epitaph_slot_is(slot, state->seq, a, b)))
		state->at[state->size] = slot->number;
	else
		pack_slot(state, epitaph_pack_text(pack_slowly(state), a, b));
	state->size++;
}

static __always_inline void pack_a(struct pack_state *state, u64 value)
{
	const struct epitaph_slot *slot = &state->slots->values[epitaph_slot_hash(value, 0)];

	if (likely(epitaph_slot_is(slot, state->seq, value, 0)))
		state->at[state->size] = slot->number;
	else
		pack_slot(state, epitaph_pack_value(pack_slowly(state), value));
	state->size++;
}

/* What was stored, whole, has @code and @size; what is behind @size is overwritten. */
static __always_inline void pack_code(struct pack_state *state, u32 code, int size,
				      u32 usual_code, int usual_size)
{
	state->codes |= (code ^ usual_code) << state->nr_codes * 2;
	state->at += size - usual_size;
}

/* The next field, if pack_code() says nothing else. */
static __always_inline void pack_next(struct pack_state *state, u32 usual_code, u32 usual_size)
{
	state->usual |= usual_code << state->nr_codes * 2;
	state->nr_codes++;
	state->size += usual_size;
}

/* Usually of three bytes, and not 0. */
static __always_inline void pack_p(struct pack_state *state, u32 pid)
{
	put_unaligned_le32(pid, state->at + state->size);
	if (unlikely(pid - 1 >= (1U << 24) - 1))
		pack_code(state, pid ? 2 : 0, pid ? 4 : 0, 1, 3);
	pack_next(state, 1, 3);
}

/* Usually of one byte, and not 0. */
static __always_inline void pack_n(struct pack_state *state, s32 value)
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
	pack_next(state, 1, 1);
}

/* Far from small: as what it is more than its base, or else whole. */
static __always_inline void pack_far(struct pack_state *state, u64 value, u32 base,
				     u32 usual_code, int usual_size)
{
	const struct epitaph_slot *slot = &state->slots->bases[base];
	bool has_base = likely(READ_ONCE(slot->written) == state->seq) ||
			epitaph_pack_base(pack_slowly(state), base, value);
	u64 rest = value - READ_ONCE(slot->a);

	if (likely(has_base && rest == (u32)rest)) {
		put_unaligned_le32(rest, state->at + state->size);
		pack_code(state, 2, 4, usual_code, usual_size);
	} else {
		put_unaligned_le64(value, state->at + state->size);
		pack_code(state, 3, 8, usual_code, usual_size);
	}
}

/* A time is usually far from small, and what is none is small. */
static __always_inline void pack_q(struct pack_state *state, u64 value, u32 base)
{
	u32 code = base == EPITAPH_BASE_NS ? 2 : 0;
	int size = code ? 4 : 1;

	put_unaligned_le16(value, state->at + state->size);
	if (__builtin_expect(value == (u64)(s64)(s8)value, !code))
		pack_code(state, 0, 1, code, size);
	else if (__builtin_expect(value == (u64)(s64)(s16)value, 0))
		pack_code(state, 1, 2, code, size);
	else
		pack_far(state, value, base, code, size);
	pack_next(state, code, size);
	state->large = value;
	state->has_large = true;
}

/* Usually the same. */
static __always_inline void pack_d(struct pack_state *state, u64 value)
{
	s64 more = value - state->large;

	if (unlikely(more)) {
		put_unaligned_le64(more, state->at + state->size);
		if (more == (s16)more)
			pack_code(state, 1, 2, 0, 0);
		else if (more == (s32)more)
			pack_code(state, 2, 4, 0, 0);
		else
			pack_code(state, 3, 8, 0, 0);
	}
	pack_next(state, 0, 0);
	state->large = value;
}

/* One field; which way it goes, the compiler decides. */
static __always_inline void epitaph_pack_field(struct pack_state *state, const void *field,
					       unsigned int size, const char *type,
					       const char *name)
{
	if (state->looks) {
		state->has_address |= epitaph_pack_kind(type, name, size) == 'a';
		return;
	}
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
		put_unaligned_le16(*(const u16 *)field, state->at + state->size);
		state->size += 2;
		break;
	case 'b':
		state->at[state->size++] = *(const u8 *)field;
		break;
	default:
		state->codes |= PACK_FAILED;
	}
}

/*
 * The short way through the ring, as epitaph_ring_claim_short(): if the head that is taken
 * is in the sub-buffer whose slots it uses, so is the claim.
 */
static __always_inline bool pack_take(const struct pack_state *state, u32 level,
				      struct epitaph_claim *claim)
{
	struct epitaph_ring *ring = state->ring;
	u64 head = ring_look(ring, level);
	u64 time = epitaph_clock_near() >> ring->shift;

	if (unlikely((u32)(head >> 32) != state->seq || ring_is_far(ring, time) ||
		     !ring_has_room(ring, head, claim->words) ||
		     !ring_take(ring, head, claim->words)))
		return false;
	claim->w = ring_open(ring, head, claim->words, time);
	ring_saw(ring, time);
	claim->word = done_word(EPITAPH_ID_PID - 1 + claim->words, level, time);
	return true;
}

/* Into the claim, two words at a time, as x86-64 has them.  Return: event_sum(). */
static __always_inline u64 pack_copy(u64 sum, struct epitaph_claim claim, const u8 *from)
{
	u8 *to = (u8 *)(claim.w + 1);
	u64 i, last = (claim.words - 2) * 4;

	sum = epitaph_crc32c_4(sum, claim.word);
	for (i = 0; i < last; i += 8) {
		u64 pair = get_unaligned_le64(from + i);

		put_unaligned_le64(pair, to + i);
		sum = epitaph_crc32c_8(sum, pair);
	}
	if (!(last & 4)) {
		u32 word = get_unaligned_le32(from + last);

		put_unaligned_le32(word, to + last);
		sum = epitaph_crc32c_4(sum, word);
	}
	return sum;
}

static __always_inline void pack_fill(const struct pack_state *state, u32 level,
				      struct epitaph_claim claim)
{
	u32 off = (uintptr_t)claim.w & (state->ring->sub_size - 1);
	struct epitaph_sub *sub = (void *)claim.w - off;
	u64 sum = le64_to_cpu(sub->sum[level]);

	if (likely(plat_has_crc32())) {
		sum = pack_copy(sum, claim, state->pack->data);
	} else {
		memcpy(claim.w + 1, state->pack->data, (claim.words - 1) * 4);
		sum = epitaph_ring_sum(sum, claim.word, claim.w, claim.words);
	}
	ring_finish(state->ring, sub, level, claim, sum, true);
}

static __always_inline bool pack_put(const struct pack_state *state, u32 words)
{
	struct epitaph_claim claim = { .words = 1 + words };
	struct epitaph_ring *ring = state->ring;
	u32 level = READ_ONCE(ring->nest);

	if (likely(level < EPITAPH_LEVELS && epitaph_clock_is_near())) {
		ring_enter(ring, level);
		if (likely(pack_take(state, level, &claim))) {
			pack_fill(state, level, claim);
			return true;
		}
		WRITE_ONCE(ring->nest, level);
	}
	return epitaph_pack_put(pack_slowly(state), words);
}

/* Return: false, it does not pack, or the next sub-buffer was begun. */
static __always_inline bool pack_end(const struct pack_state *state)
{
	u8 *codes = state->pack->data + 1, *end = state->at + state->size;
	u32 bytes = end - state->pack->data, all = state->usual ^ state->codes;

	if (unlikely(all & PACK_FAILED || bytes > EPITAPH_PACKED_MAX))
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

/* A small event, whose ids begin at @first.  Return: false, it has none for @value. */
static __always_inline bool pack_small(struct epitaph_ring *ring, u32 first, u32 value)
{
	struct epitaph_claim claim;

	if (unlikely(value >= EPITAPH_SMALL_NUMBERS))
		return false;
	claim = epitaph_ring_claim_short(ring, first + value, 0);
	if (likely(claim.w))
		epitaph_ring_settle_short(ring, claim, 0);
	return true;
}

#endif /* _EPITAPH_PACK_H */
