// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copying a sub-buffer while it may be written.  docs/format.md has the rules; what
 * is different here is that a writer may be under way:
 *
 *   the sums are copied before the events, so there may be events that they do
 *   not speak of yet: these are newer than the copy, and left out of it;
 *
 *   a sub-buffer may be recycled while it is copied: its check is looked at
 *   before and after;
 *
 *   a writer that was interrupted before its claim may go on in an older sub-buffer: the copy may
 *   have a zero for the claim and words of the payload behind it, which look like events.  No sum
 *   speaks of these.  The next copy has the claim, so it is made again.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <epitaph/ring.h>
#include "subbuf_copy.h"
#include "subbuf_walk.h"

/* Of copying what is being written: a writer of each level may spoil one. */
#define TRIES		(EPITAPH_LEVELS + 1)

/* The sum of a level, behind @item. */
static u64 sum_with(u64 sum, const u8 *data, const struct epitaph_item *item)
{
	return epitaph_crc32c(plat_has_crc32(), sum, data + item->off, item->words * 4);
}

/*
 * For each level, how many of its events the sum speaks of.  Events are summed
 * one after the other, so it speaks of the first ones.
 */
static int check_events(struct epitaph_subcopy *copy, u32 size)
{
	const struct epitaph_sub *sub = (const struct epitaph_sub *)copy->data;
	u64 sum[EPITAPH_LEVELS];
	bool found[EPITAPH_LEVELS];
	u32 nr[EPITAPH_LEVELS] = {};
	struct epitaph_walk walk;
	struct epitaph_item item;
	int i, err;

	for (i = 0; i < EPITAPH_LEVELS; i++) {
		sum[i] = (u32)le64_to_cpu(sub->check);
		found[i] = sum[i] == le64_to_cpu(sub->sum[i]);
		copy->vouched[i] = 0;
	}
	copy->nr_events = 0;
	copy->nr_unvouched = 0;
	epitaph_walk_begin(&walk, copy->data, size);
	while ((err = epitaph_walk_next(&walk, &item)) > 0) {
		i = item.level;
		nr[i]++;
		copy->nr_events += !item.is_silent;
		sum[i] = sum_with(sum[i], copy->data, &item);
		if (sum[i] == le64_to_cpu(sub->sum[i])) {
			found[i] = true;
			copy->vouched[i] = nr[i];
		}
	}
	for (i = 0; i < EPITAPH_LEVELS; i++) {
		copy->nr_unvouched += nr[i] - copy->vouched[i];
		if (!found[i])
			err = -EBADMSG;
	}
	return err;
}

static void copy_words(u64 *to, const u64 *from, u32 bytes)
{
	u32 i;

	for (i = 0; i < bytes / 8; i++)
		to[i] = READ_ONCE(from[i]);
}

/* Return: 0, or -EAGAIN: it was empty, or changed meanwhile. */
static int copy_sub(struct epitaph_subcopy *to, const struct epitaph_ring *ring, u32 off)
{
	const struct epitaph_sub *sub = (const struct epitaph_sub *)(ring->data + off);
	__le64 check = READ_ONCE(sub->check);

	/*
	 * The check before the sums, which it does not cover.
	 * order:vouched pairs with order:vouch in kernel/core/ring.c
	 */
	smp_rmb();
	copy_words((u64 *)to->data, (const u64 *)sub, sizeof(*sub));
	/*
	 * The sums before the events.
	 * order:sums pairs with order:word in kernel/include/epitaph/ring_fast.h
	 */
	smp_rmb();
	copy_words((u64 *)(to->data + sizeof(*sub)), (const u64 *)(sub + 1),
		   ring->sub_size - sizeof(*sub));
	/*
	 * The content before the check again.
	 * order:again pairs with order:kill in kernel/core/ring.c
	 */
	smp_rmb();
	if (!check || READ_ONCE(sub->check) != check)
		return -EAGAIN;
	sub = (const struct epitaph_sub *)to->data;
	if (le64_to_cpu(check) != epitaph_check(ring->salt ^ off, sub,
						offsetof(struct epitaph_sub, check)))
		return -EAGAIN;
	to->off = off;
	to->prev = le32_to_cpu(sub->prev);
	to->start = le64_to_cpu(sub->time);
	return check_events(to, ring->sub_size);
}

static u32 seq_of(const struct epitaph_subcopy *copy)
{
	return (u32)le64_to_cpu(((const struct epitaph_sub *)copy->data)->seq);
}

int epitaph_subcopy_newest(struct epitaph_subcopy *copy, const struct epitaph_ring *ring)
{
	int i, err = -EAGAIN;
	u64 head;

	for (i = 0; i < TRIES; i++) {
		head = READ_ONCE(ring->head);
		err = copy_sub(copy, ring, (u32)head & ~(ring->sub_size - 1));
		if (!err && seq_of(copy) == head >> 32)
			return 0;
	}
	return err ?: -EAGAIN;
}

/*
 * Where the sub-buffer before is: in front of this one, but for those that were
 * held when the ring came by, or made ready and not used.
 */
static bool find_prev(const struct epitaph_ring *ring, u32 prev, u32 *off)
{
	const struct epitaph_sub *sub;
	int i;

	for (i = 0; i < EPITAPH_MIN_SUBS; i++) {
		*off = (*off ?: ring->size) - ring->sub_size;
		sub = (const struct epitaph_sub *)(ring->data + *off);
		if ((u32)le64_to_cpu(READ_ONCE(sub->seq)) == prev)
			return true;
	}
	return false;
}

int epitaph_subcopy_before(struct epitaph_subcopy *copy, const struct epitaph_ring *ring,
			   const struct epitaph_subcopy *newer)
{
	u32 prev = newer->prev, newer_off = newer->off, off;
	int i, err = -ENOENT;

	for (i = 0; i < TRIES; i++) {
		off = newer_off;
		if (!find_prev(ring, prev, &off))
			return -ENOENT;
		err = copy_sub(copy, ring, off);
		if (!err && seq_of(copy) == prev && (!copy->nr_unvouched || i + 1 == TRIES))
			return 0;
	}
	return err == -EBADMSG ? err : -ENOENT;
}

int epitaph_subcopy_sample(const struct epitaph_ring *ring, void *room,
			   struct epitaph_sample *sample)
{
	struct epitaph_subcopy copy = { .data = room };
	int err = epitaph_subcopy_newest(&copy, ring);

	if (err)
		return err;
	sample->events = copy.nr_events;
	sample->since = copy.start;
	if (!copy.prev)
		return 0;
	err = epitaph_subcopy_before(&copy, ring, &copy);
	if (!err) {
		sample->events += copy.nr_events;
		sample->since = copy.start;
	}
	return err == -ENOENT ? 0 : err;
}

static void cut_off(struct epitaph_sub *sub, u32 end, u32 size)
{
	memset((u8 *)sub + end, 0, size - end);
	sub->used = cpu_to_le32(end);
	sub->used_not = cpu_to_le32(~end);
}

/*
 * The sums follow from the check, which is another one where it goes.  An event in
 * a closed sub-buffer that no sum speaks of stays so: a reader knows that.
 */
void epitaph_subcopy_seal(const struct epitaph_subcopy *copy, u32 size, u64 seed, bool is_newest)
{
	struct epitaph_sub *sub = (struct epitaph_sub *)copy->data;
	u64 check = epitaph_check(seed, sub, offsetof(struct epitaph_sub, check));
	u64 sum[EPITAPH_LEVELS];
	u32 i, end, seen[EPITAPH_LEVELS] = {};
	struct epitaph_walk walk;
	struct epitaph_item item;

	for (i = 0; i < EPITAPH_LEVELS; i++)
		sum[i] = (u32)check;
	epitaph_walk_begin(&walk, sub, size);
	for (end = walk.off; epitaph_walk_next(&walk, &item) > 0; end = walk.off) {
		bool is_vouched = seen[item.level]++ < copy->vouched[item.level];

		if (is_newest && (!is_vouched || item.off != end))
			break;
		if (is_vouched)
			sum[item.level] = sum_with(sum[item.level], copy->data, &item);
	}
	if (is_newest)
		cut_off(sub, end, size);
	sub->check = cpu_to_le64(check);
	for (i = 0; i < EPITAPH_LEVELS; i++)
		sub->sum[i] = cpu_to_le64(sum[i]);
}

/* In any order: the check covers all that is used here, and no mixture of two headers fits one. */
static bool read_header(const struct epitaph_ring *ring, u32 off, struct epitaph_sub *to)
{
	copy_words((u64 *)to, (const u64 *)(ring->data + off), sizeof(*to));
	return to->check && le64_to_cpu(to->check) ==
	       epitaph_check(ring->salt ^ off, to, offsetof(struct epitaph_sub, check));
}

/*
 * The first one behind the newest whose successor names it: what the ring went around
 * is older, and the ring is not complete from there on.
 */
bool epitaph_subcopy_oldest(const struct epitaph_ring *ring, u64 *time, bool *whole)
{
	u32 newest = (u32)READ_ONCE(ring->head) & ~(ring->sub_size - 1), off = newest;
	struct epitaph_sub last = {}, sub = {};
	bool have_last = false, have;

	do {
		off += ring->sub_size;
		if (off >= ring->size)
			off = 0;
		have = read_header(ring, off, &sub);
		if (have && have_last && sub.prev == cpu_to_le32((u32)le64_to_cpu(last.seq)))
			break;
		last = sub;
		have_last = have;
	} while (off != newest);
	*time = le64_to_cpu(last.time);
	*whole = !last.prev;
	return have_last;
}
