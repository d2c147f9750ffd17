// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which slot a program's ring gets.
 *
 * build: kernel/control/ring_quota.c -I kernel
 */
#include "control/ring_quota.h"
#include "tap.h"

#define NR	16

u64 epitaph_clock(void)
{
	return 0;
}

static struct epitaph_ring_slot slots[NR];
static u64 seq;

static void empty(void)
{
	memset(slots, 0, sizeof(slots));
	seq = 0;
}

static struct epitaph_quota_answer ask(u32 user, u64 cgroup, bool is_root)
{
	const struct epitaph_ring_asker asker = { .user = user, .cgroup = cgroup, .is_root = is_root };

	return epitaph_ring_choose(slots, NR, &asker);
}

/* The slot that was taken, or -1. */
static int take(u32 user, u64 cgroup, bool is_root)
{
	struct epitaph_quota_answer answer = ask(user, cgroup, is_root);

	if (answer.verdict != EPITAPH_QUOTA_FITS)
		return -1;
	if (!CHECK(answer.slot < NR && !slots[answer.slot].live, "slot %u", answer.slot))
		return -1;
	slots[answer.slot] = (struct epitaph_ring_slot){
		.seq = ++seq, .user = user, .cgroup = cgroup, .live = true,
	};
	return answer.slot;
}

static void quota__a_user_has_a_quarter(void)
{
	struct epitaph_quota_answer answer;
	int i;

	empty();
	for (i = 0; i < NR / 4; i++)
		CHECK(take(1000, 0, false) == i, "%d", i);
	answer = ask(1000, 0, false);
	CHECK(answer.verdict == EPITAPH_QUOTA_USER && answer.has == 4 && answer.limit == 4, "%u of %u",
	      answer.has, answer.limit);
	CHECK(take(1001, 0, false) == 4, "another user");
}

static void quota__a_control_group_has_half(void)
{
	int i;

	empty();
	for (i = 0; i < NR / 2; i++)
		CHECK(take(1000 + i, 7, false) == i, "%d", i);
	CHECK(ask(2000, 7, false).verdict == EPITAPH_QUOTA_CGROUP, "user");
	CHECK(ask(0, 7, true).verdict == EPITAPH_QUOTA_CGROUP, "root");
	CHECK(take(0, 0, true) == NR / 2, "root outside of it");
}

static void quota__who_is_full_takes_the_own_oldest_ended(void)
{
	int i;

	empty();
	for (i = 0; i < NR / 4; i++)
		take(1000, 0, false);
	slots[2].live = slots[3].live = false;
	CHECK(take(1000, 0, false) == 2, "the oldest");
	CHECK(take(1000, 0, false) == 3, "the next");
	CHECK(take(1000, 0, false) == -1, "no live one");
}

static void quota__a_full_group_takes_its_own_ended_ones(void)
{
	int i;

	empty();
	for (i = 0; i < NR / 2; i++)
		take(1000 + i % 2, 7, false);
	for (i = 0; i < NR / 2; i++)
		slots[i].live = i % 2;
	/* User 1000 has the ended ones, and takes them first. */
	CHECK(take(1000, 7, false) == 0, "who had them");
	CHECK(take(1001, 7, false) == -1, "another who has a quarter");
	for (i = 0; i < 3; i++)
		CHECK(take(1002, 7, false) == 2 + 2 * i, "a member that has none, %d", i);
	CHECK(take(1002, 7, false) == -1, "none is ended");
	CHECK(take(1003, 8, false) == NR / 2, "another group");
}

static void quota__ended_users_keep_no_group_out(void)
{
	int i;

	empty();
	for (i = 0; i < NR / 2; i++)
		take(1000 + i % 2, 7, false);
	for (i = 0; i < NR / 2; i++)
		slots[i].live = false;
	CHECK(take(0, 7, true) == 0, "root in the group");
	for (i = 0; i < 4; i++)
		CHECK(take(1002, 7, false) >= 0, "user, %d", i);
	CHECK(ask(1002, 7, false).verdict == EPITAPH_QUOTA_USER, "more than a quarter");
}

static void quota__a_full_room_takes_from_who_has_most(void)
{
	int i;

	empty();
	for (i = 0; i < NR; i++)
		take(i < 3 ? 1001 : 0, 0, i >= 3);
	for (i = 0; i < NR; i++)
		slots[i].live = false;
	CHECK(take(1002, 0, false) == 3, "root has the most");
	for (i = 3; i < NR; i++)
		slots[i].live = true;
	CHECK(take(1002, 0, false) == 0, "no live one");
	CHECK(take(1002, 0, false) == 1 && take(1002, 0, false) == 2, "the others");
	CHECK(ask(1003, 0, false).verdict == EPITAPH_QUOTA_FULL, "all are live");
}

/* Whatever is asked for: a live slot is never given, nor more than the quota. */
static void quota__holds_for_random_users(void)
{
	u32 rng = 1, round, i, has;

	empty();
	for (round = 0; round < 200000; round++) {
		rng = rng * 1664525 + 1013904223;
		if (rng >> 31)
			slots[rng >> 8 & (NR - 1)].live = false;
		else
			take(1000 + (rng >> 8 & 7), rng >> 12 & 3, false);
		for (i = 0, has = 0; i < NR; i++)
			has += slots[i].seq && slots[i].user == 1000;
		if (!CHECK(has <= NR / 4, "%u rings in round %u", has, round))
			return;
	}
}

int main(void)
{
	TAP_RUN(quota__a_user_has_a_quarter);
	TAP_RUN(quota__a_control_group_has_half);
	TAP_RUN(quota__who_is_full_takes_the_own_oldest_ended);
	TAP_RUN(quota__a_full_group_takes_its_own_ended_ones);
	TAP_RUN(quota__ended_users_keep_no_group_out);
	TAP_RUN(quota__a_full_room_takes_from_who_has_most);
	TAP_RUN(quota__holds_for_random_users);
	return tap_done();
}
