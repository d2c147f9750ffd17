/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which slot a program's ring gets: quotas of users and control groups.  Knows nothing but numbers,
 * and builds in user space as well.
 */
#ifndef EPITAPH_CONTROL_RING_QUOTA_H
#define EPITAPH_CONTROL_RING_QUOTA_H

#include <epitaph/plat.h>

/**
 * struct epitaph_ring_slot - what the kernel knows of a slot
 * @seq: of its opening; 0: never used
 * @cgroup: that it counts for; 0: none
 * @user: that it counts for
 * @live: a process has it
 */
struct epitaph_ring_slot {
	u64	seq;
	u64	cgroup;
	u32	user;
	bool	live;
};

/**
 * struct epitaph_ring_asker - who wants one
 * @is_root: no quota of users
 */
struct epitaph_ring_asker {
	u64	cgroup;
	u32	user;
	bool	is_root;
};

enum epitaph_quota {
	EPITAPH_QUOTA_FITS,
	EPITAPH_QUOTA_USER,	/* the user has all that may be, and no ended one to take */
	EPITAPH_QUOTA_CGROUP,	/* the control group */
	EPITAPH_QUOTA_FULL,	/* all are live */
};

/**
 * struct epitaph_quota_answer - what was decided
 * @slot: to be taken, with EPITAPH_QUOTA_FITS
 * @has: else, what @asker has of @limit
 */
struct epitaph_quota_answer {
	enum epitaph_quota verdict;
	u32	slot;
	u32	has;
	u32	limit;
};

/**
 * epitaph_ring_choose() - decide
 * @slots: @nr of them
 *
 * A live one is never chosen.
 */
struct epitaph_quota_answer epitaph_ring_choose(const struct epitaph_ring_slot *slots, u32 nr,
						const struct epitaph_ring_asker *asker);

#endif /* EPITAPH_CONTROL_RING_QUOTA_H */
