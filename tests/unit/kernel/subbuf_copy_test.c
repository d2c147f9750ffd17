// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sub-buffer is copied while an interrupted writer goes on in it.  The copy may have read the
 * place of its claim before the claim was stored, and its payload after that was.
 *
 * build: kernel/core/ring.c kernel/core/subbuf_copy.c kernel/core/subbuf_walk.c
 * build: -I tests/lib/kernel -I kernel -include tests/lib/kernel/hooked_rmb.h -include kernel/include/epitaph/plat.h
 */
#include <stdlib.h>
#include <string.h>

#include <epitaph/ring.h>

#include "core/subbuf_copy.h"
#include "core/subbuf_walk.h"
#include "events/pack.h"
#include "recorder.h"
#include "tap.h"

#define SUB		512
#define SUBS		16
#define FIXED		16	/* 12 bytes */
#define EMPTY		17	/* no payload: one word */
#define RMB_OF_COPY	3	/* smp_rmb() in one copy of a sub-buffer */

static u8 memory[SUB * SUBS] __attribute__((aligned(4096)));
static u8 room[SUB] __attribute__((aligned(8)));
static struct epitaph_event_size sizes[32];
static struct epitaph_counters counters;
static struct epitaph_ring ring;

/* At this smp_rmb(), counted down, *@late becomes @value. */
static u32 rmbs_left;
static u32 *late;
static u32 late_value;

void hooked_rmb(void)
{
	if (rmbs_left && !--rmbs_left)
		*late = late_value;
}

u64 epitaph_clock(void)
{
	static u64 now;

	return now += 2;
}

bool epitaph_packs(void)
{
	return false;
}

void *epitaph_section(unsigned int type, size_t *size)
{
	(void)type;
	*size = sizeof(sizes);
	return sizes;
}

static void start_ring(void)
{
	memset(memory, 0, sizeof(memory));
	sizes[FIXED] = (struct epitaph_event_size){ .id = htole16(FIXED), .words = htole16(3) };
	sizes[EMPTY] = (struct epitaph_event_size){ .id = htole16(EMPTY) };
	ring = (struct epitaph_ring){ .data = memory, .size = sizeof(memory), .sub_size = SUB,
				      .salt = 7, .pid = 1, .counters = &counters };
	if (epitaph_ring_init(&ring))
		abort();
}

static void record(u32 number)
{
	struct epitaph_rec rec;
	u32 *payload = epitaph_ring_reserve(&ring, &rec, FIXED, 12, false);

	payload[0] = payload[1] = payload[2] = number;
	epitaph_ring_commit(&rec);
}

static u32 subbuf_of_head(void)
{
	return (u32)ring.head / SUB;
}

/* One-word events of a level that has none, in the place of @payload. */
static void look_like_events(u32 *payload)
{
	u32 i;

	for (i = 0; i < 3; i++)
		payload[i] = htole32(EMPTY << EPITAPH_ID_SHIFT | 2U << EPITAPH_LEVEL_SHIFT | 1);
}

struct walked {
	u32 fixed;
	u32 others;
};

static struct walked walk_copy(const struct epitaph_subcopy *copy)
{
	struct walked walked = { 0, 0 };
	struct epitaph_walk walk;
	struct epitaph_item item;

	epitaph_walk_begin(&walk, copy->data, SUB);
	while (epitaph_walk_next(&walk, &item) > 0) {
		walked.fixed += item.id == FIXED;
		walked.others += item.id == EMPTY;
	}
	return walked;
}

/*
 * A writer was interrupted behind its claim of room; who interrupted it has filled the sub-buffer.
 * The claim is seen from the @rmbs-th smp_rmb() of the copy on, the payload from its begin on.
 */
static void copy_beside_claim(u32 rmbs)
{
	struct epitaph_subcopy copy = { .data = room };
	struct walked walked;
	struct epitaph_rec rec;
	u32 *payload, number, old;

	start_ring();
	for (number = 0; number < 4; number++)
		record(number);
	payload = epitaph_ring_reserve(&ring, &rec, FIXED, 12, false);
	old = subbuf_of_head();
	while (subbuf_of_head() == old)
		record(number++);
	record(number);
	look_like_events(payload);
	late = payload - 1;
	late_value = *late;
	*late = 0;
	CHECK(late_value, "there is no claim in front of the payload");
	if (!CHECK(!epitaph_subcopy_newest(&copy, &ring), "the newest is not copied"))
		return;
	rmbs_left = rmbs;
	if (!CHECK(!epitaph_subcopy_before(&copy, &ring, &copy), "the one before is not copied"))
		return;
	CHECK(!rmbs_left, "%u smp_rmb() were missing", rmbs_left);
	epitaph_subcopy_seal(&copy, SUB, 9, false);
	walked = walk_copy(&copy);
	/* All but the one in the newest sub-buffer, whose first event set the head forward. */
	CHECK(walked.fixed == number - 1 && !walked.others, "%u events and %u invented ones; %u were committed",
	      walked.fixed, walked.others, number - 1);
}

static void subbuf_copy__invents_no_event_of_a_claim_that_it_did_not_see(void)
{
	u32 rmbs;

	for (rmbs = 1; rmbs <= RMB_OF_COPY; rmbs++)
		copy_beside_claim(rmbs);
}

int main(void)
{
	TAP_RUN(subbuf_copy__invents_no_event_of_a_claim_that_it_did_not_see);
	return tap_done();
}
