// SPDX-License-Identifier: GPL-2.0-only
#include "ring_quota.h"

#define USER_PART	4	/* of all slots, a user may have one part */
#define CGROUP_PART	2

static u32 part_of(u32 nr, u32 parts)
{
	return nr / parts ? nr / parts : 1;
}

static u32 count_user(const struct epitaph_ring_slot *slots, u32 nr, u32 user)
{
	u32 i, n = 0;

	for (i = 0; i < nr; i++)
		n += slots[i].seq && slots[i].user == user;
	return n;
}

static u32 count_cgroup(const struct epitaph_ring_slot *slots, u32 nr, u64 cgroup)
{
	u32 i, n = 0;

	for (i = 0; i < nr; i++)
		n += slots[i].seq && slots[i].cgroup == cgroup;
	return n;
}

/* Of those with ended rings in @cgroup (NULL: in any), the one with the most rings. */
static u32 greediest_user(const struct epitaph_ring_slot *slots, u32 nr, const u64 *cgroup)
{
	u32 i, n, most = 0, user = 0;

	for (i = 0; i < nr; i++) {
		if (slots[i].live || !slots[i].seq || (cgroup && slots[i].cgroup != *cgroup))
			continue;
		n = count_user(slots, nr, slots[i].user);
		if (n > most) {
			most = n;
			user = slots[i].user;
		}
	}
	return user;
}

/* The oldest ended one of @user and of @cgroup, each NULL: of any; @nr: there is none. */
static u32 oldest_ended(const struct epitaph_ring_slot *slots, u32 nr, const u32 *user, const u64 *cgroup)
{
	u32 i, found = nr;

	for (i = 0; i < nr; i++) {
		if (!slots[i].seq || slots[i].live || (user && slots[i].user != *user) ||
		    (cgroup && slots[i].cgroup != *cgroup))
			continue;
		if (found == nr || slots[i].seq < slots[found].seq)
			found = i;
	}
	return found;
}

static u32 first_free(const struct epitaph_ring_slot *slots, u32 nr)
{
	u32 i;

	for (i = 0; i < nr && slots[i].seq; i++)
		;
	return i;
}

/* For who has all that may be, or whose group has: the own first.  @nr: there is none. */
static u32 exchange_slot(const struct epitaph_ring_slot *slots, u32 nr, const struct epitaph_ring_asker *asker,
		    bool user_is_full, bool cgroup_is_full)
{
	const u64 *cgroup = cgroup_is_full ? &asker->cgroup : NULL;
	u32 found = oldest_ended(slots, nr, &asker->user, cgroup), greediest;

	/* Ended ones of others must not keep a group out for good: who is below the own limit takes one. */
	if (found < nr || user_is_full)
		return found;
	greediest = greediest_user(slots, nr, cgroup);
	return oldest_ended(slots, nr, &greediest, cgroup);
}

struct epitaph_quota_answer epitaph_ring_choose(const struct epitaph_ring_slot *slots, u32 nr,
						const struct epitaph_ring_asker *asker)
{
	u32 user_limit = part_of(nr, USER_PART), cgroup_limit = part_of(nr, CGROUP_PART);
	u32 user_has = count_user(slots, nr, asker->user);
	u32 cgroup_has = count_cgroup(slots, nr, asker->cgroup);
	bool user_is_full = !asker->is_root && user_has >= user_limit;
	bool cgroup_is_full = asker->cgroup && cgroup_has >= cgroup_limit;
	struct epitaph_quota_answer answer = { .verdict = EPITAPH_QUOTA_FITS };
	u32 greediest;

	if (user_is_full || cgroup_is_full) {
		answer.slot = exchange_slot(slots, nr, asker, user_is_full, cgroup_is_full);
		if (answer.slot < nr)
			return answer;
		answer.verdict = user_is_full ? EPITAPH_QUOTA_USER : EPITAPH_QUOTA_CGROUP;
		answer.has = user_is_full ? user_has : cgroup_has;
		answer.limit = user_is_full ? user_limit : cgroup_limit;
		return answer;
	}
	answer.slot = first_free(slots, nr);
	if (answer.slot < nr)
		return answer;
	greediest = greediest_user(slots, nr, NULL);
	answer.slot = oldest_ended(slots, nr, &greediest, NULL);
	if (answer.slot < nr)
		return answer;
	return (struct epitaph_quota_answer){ .verdict = EPITAPH_QUOTA_FULL, .has = nr, .limit = nr };
}
