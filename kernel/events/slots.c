// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slow path of the packing of an event: a slot that is not written yet, and the ring.
 * docs/packing.md has the states, what a CPU that stops leaves behind, and why a slot is in
 * the ring before the first event that refers to it.
 */
#include <epitaph/pack.h>

#define VALUE_BITS	(8 * (EPITAPH_VALUE_WORDS * 4 - 1))
#define VALUE_LOW	52	/* a value that has more bits is an address of the kernel */
#define PROBES		4	/* places of one key */

/* The sub-buffer that it lies in, by the low half of its number. */
static bool is_in(const struct epitaph_ring *ring, struct epitaph_claim claim, u32 seq)
{
	u32 off = (uintptr_t)claim.w & (ring->sub_size - 1);
	const struct epitaph_sub *sub = (void *)claim.w - off;

	return (u32)le64_to_cpu(sub->seq) == seq;
}

/* An entry that lands in another sub-buffer stays 0, which names no slot. */
static bool put_entry(struct epitaph_pack *pack, u32 id, const void *payload, u32 words)
{
	struct epitaph_claim claim = epitaph_ring_claim(pack->ring, id, words, false);
	bool here;

	if (!claim.w)
		return false;
	here = is_in(pack->ring, claim, pack->seq);
	if (here)
		memcpy(epitaph_claim_payload(claim), payload, words * 4);
	epitaph_ring_settle(pack->ring, claim);
	return here;
}

/*
 * A writer that interrupts this finds the slot taken, and not written yet.  An interrupted
 * writer may be late: it must not take a slot that is taken in a later sub-buffer, or that
 * sub-buffer would hold the slot twice.
 */
static bool write_slot(struct epitaph_pack *pack, struct epitaph_slot *slot,
		       const struct epitaph_slot *key, u32 id, const void *payload, u32 words)
{
	u32 taken = READ_ONCE(slot->taken);

	if ((int)(taken - pack->seq) >= 0 ||
	    cmpxchg_local(&slot->taken, taken, pack->seq) != taken)	/* tell:A */
		return false;
	crash_point("tell:A");
	if (!put_entry(pack, id, payload, words))
		return false;
	WRITE_ONCE(slot->a, key->a);
	WRITE_ONCE(slot->b, key->b);
	WRITE_ONCE(slot->pid, key->pid);
	WRITE_ONCE(slot->prio, key->prio);
	WRITE_ONCE(slot->number, *(const u8 *)payload);
	WRITE_ONCE(slot->written, pack->seq);				/* tell:B */
	crash_point("tell:B");
	return true;
}

int epitaph_pack_text(struct epitaph_pack *pack, u64 a, u64 b)
{
	const struct epitaph_slot key = { .a = a, .b = b };
	u8 payload[EPITAPH_TEXT_WORDS * 4 + 1];
	u32 i, n, home = epitaph_slot_hash(a, b);

	memcpy(payload + 1, &a, sizeof(a));
	memcpy(payload + 9, &b, sizeof(b));
	if (!memchr(payload + 1, 0, 16))
		return -1;
	if (!payload[1])
		return 0;
	for (n = 0; n < PROBES; n++) {
		i = home ^ n;
		payload[0] = i + 1;
		if (epitaph_slot_is(&pack->slots->texts[i], pack->seq, a, b) ||
		    write_slot(pack, &pack->slots->texts[i], &key, EPITAPH_ID_TEXT, payload,
			       EPITAPH_TEXT_WORDS))
			return i + 1;
	}
	return -1;
}

static bool find_task(const struct epitaph_pack *pack, const struct epitaph_slot *key, u8 *to)
{
	const struct epitaph_slot *slot;
	u32 n, home = epitaph_task_hash(key->pid);

	for (n = 0; n < PROBES; n++) {
		slot = &pack->slots->tasks[home ^ n];
		if (!epitaph_slot_is_task(slot, pack->seq, key->a, key->b, key->pid, key->prio))
			continue;
		*to = (home ^ n) + 1;
		return true;
	}
	return false;
}

/* @to: what the entry says of it, with slot 0. */
static bool write_task(struct epitaph_pack *pack, const struct epitaph_slot *key, u8 *to)
{
	u32 n, home = epitaph_task_hash(key->pid);

	for (n = 0; n < PROBES; n++) {
		to[0] = (home ^ n) + 1;
		if (write_slot(pack, &pack->slots->tasks[home ^ n], key, EPITAPH_ID_TASK, to,
			       EPITAPH_TASK_WORDS))
			return true;
	}
	to[0] = 0;
	return false;
}

/* A task that finds no slot has all of it in the event. */
u32 epitaph_pack_task(struct epitaph_pack *pack, u8 *to, u64 a, u64 b, u32 pid, s32 prio, bool is_last)
{
	const struct epitaph_slot key = { .a = a, .b = b, .pid = pid, .prio = prio };
	int text;

	if (prio != key.prio)
		return 0;
	if (find_task(pack, &key, to))
		return 1;
	text = epitaph_pack_text(pack, a, b);
	if (text < 0)
		return 0;
	to[0] = 0;
	to[1] = text;
	put_unaligned_le16(prio, to + 2);
	put_unaligned_le32(pid, to + 4);
	return !is_last && write_task(pack, &key, to) ? 1 : EPITAPH_TASK_WORDS * 4;
}

static u64 min_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

static bool write_value(struct epitaph_pack *pack, struct epitaph_slot *slot, u32 number,
			u64 value)
{
	__le64 payload = cpu_to_le64(value << (64 - VALUE_BITS) | number);
	const struct epitaph_slot key = { .a = value };

	return write_slot(pack, slot, &key, EPITAPH_ID_VALUE, &payload, EPITAPH_VALUE_WORDS);
}

static bool is_value(u64 value)
{
	return !(value >> VALUE_LOW) ||
	       (value >> VALUE_BITS == 0xff && value << 8 >> (VALUE_LOW + 8));
}

int epitaph_pack_value(struct epitaph_pack *pack, u64 value)
{
	u32 i, n, home = epitaph_slot_hash(value, 0);

	if (!value || !is_value(value))
		return value ? -1 : 0;
	for (n = 0; n < PROBES; n++) {
		i = home ^ n;
		if (epitaph_slot_is(&pack->slots->values[i], pack->seq, value, 0) ||
		    write_value(pack, &pack->slots->values[i], i + EPITAPH_FIRST_VALUE, value))
			return i + EPITAPH_FIRST_VALUE;
	}
	return -1;
}

/*
 * Addresses have no base: a number near an address would reveal where the kernel is.  A timer
 * may expire long after the events that follow, so the base of times is now, not @value.
 */
bool epitaph_pack_base(struct epitaph_pack *pack, u32 slot, u64 value)
{
	u64 base = slot == EPITAPH_BASE_NS ? plat_mono_ns() :
		   slot == EPITAPH_BASE_JIFFIES ? plat_jiffies() : value;
	u64 below = slot == EPITAPH_BASE_JIFFIES ? EPITAPH_JIFFIES_BELOW : EPITAPH_BASE_BELOW;

	return !(value >> VALUE_LOW) &&
	       write_value(pack, &pack->slots->bases[slot], slot, base - min_of(base, below));
}

/* With a full time. */
static bool pack_has_room(const struct epitaph_pack *pack, u32 words)
{
	u64 head = READ_ONCE(pack->ring->head);

	return (u32)(head >> 32) == pack->seq && ring_has_room(pack->ring, head, 3 + words);
}

/* The first byte of a claim without use stays 0: pack:B. */
bool epitaph_pack_put(struct epitaph_pack *pack, u32 words)
{
	struct epitaph_claim claim;
	bool here;

	/* The next sub-buffer knows none of the slots. */
	if (!pack_has_room(pack, words))
		return false;
	crash_point("pack:room");
	claim = epitaph_ring_claim(pack->ring, EPITAPH_ID_PID + words, words, false);
	if (unlikely(!claim.w))
		return true;
	here = is_in(pack->ring, claim, pack->seq);
	if (likely(here))
		memcpy(epitaph_claim_payload(claim), pack->data, words * 4);
	epitaph_ring_settle(pack->ring, claim);				/* pack:B */
	return here;
}

void epitaph_pack_small(struct epitaph_ring *ring, u32 id)
{
	struct epitaph_claim claim = epitaph_ring_claim(ring, id, 0, false);

	if (claim.w)
		epitaph_ring_settle(ring, claim);
}
