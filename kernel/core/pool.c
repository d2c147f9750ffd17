// SPDX-License-Identifier: GPL-2.0-only
/*
 * Added channels in the region.  An entry is written after its rings, its check last.  It is
 * removed check first; only then its room may be reused.
 */
#include <epitaph/check.h>
#include <epitaph/pool.h>

void epitaph_pool_init(struct epitaph_pool *pool, const struct epitaph_layout *plan,
		       void *base, u64 salt)
{
	memset(pool, 0, sizeof(*pool));
	pool->base = base;
	pool->salt = salt;
	pool->off = plan->off[EPITAPH_SEC_POOL];
	pool->size = plan->size[EPITAPH_SEC_POOL];
	pool->table = base + plan->off[EPITAPH_SEC_ADDED];
}

static u64 whole_pages(u64 size)
{
	return (size + EPITAPH_PAGE - 1) / EPITAPH_PAGE * EPITAPH_PAGE;
}

/* The one that begins first of those that end behind @off, or NULL. */
static const void *next_taken(const struct epitaph_pool *pool, u64 off, u64 *begin, u64 *end)
{
	const void *found = NULL;
	u32 i;

	for (i = 0; i < EPITAPH_MAX_ADDED; i++) {
		u64 at = pool->taken[i].off, size = pool->taken[i].size;

		if (!size || at + size <= off || (found && at >= *begin))
			continue;
		found = &pool->taken[i];
		*begin = at;
		*end = at + size;
	}
	return found;
}

/* The next free stretch from @off on; false: none. */
static bool next_free(const struct epitaph_pool *pool, u64 *off, u64 *size)
{
	u64 last = pool->off + pool->size, begin = 0, end = 0;

	while (*off < last) {
		if (!next_taken(pool, *off, &begin, &end))
			begin = end = last;
		if (begin > *off) {
			*size = begin - *off;
			return true;
		}
		*off = end;
	}
	return false;
}

u64 epitaph_pool_free(const struct epitaph_pool *pool)
{
	u64 off = pool->off, size = 0, n = 0;

	for (; next_free(pool, &off, &size); off += size)
		n += size;
	return n;
}

u64 epitaph_pool_largest(const struct epitaph_pool *pool)
{
	u64 off = pool->off, size = 0, n = 0;

	for (; next_free(pool, &off, &size); off += size)
		n = size > n ? size : n;
	return n;
}

/* First fit; all of it is pages, so that there is no need for better. */
int epitaph_pool_take(struct epitaph_pool *pool, u64 size, u64 *off)
{
	u64 at = pool->off, room = 0;
	int i = 0;

	if (!size || size > pool->size)
		return -ENOSPC;
	size = whole_pages(size);
	while (i < EPITAPH_MAX_ADDED && pool->taken[i].size)
		i++;
	if (i == EPITAPH_MAX_ADDED)
		return -EMFILE;
	for (; next_free(pool, &at, &room); at += room) {
		if (room < size)
			continue;
		pool->taken[i].off = *off = at;
		pool->taken[i].size = size;
		return i;
	}
	return -ENOSPC;
}

void epitaph_pool_shrink(struct epitaph_pool *pool, int entry, u64 size)
{
	pool->taken[entry].size = whole_pages(size);
}

void epitaph_pool_publish(struct epitaph_pool *pool, int entry, const struct epitaph_added *added)
{
	struct epitaph_added *to = &pool->table[entry];
	u64 check;

	memcpy(to, added, offsetof(struct epitaph_added, check));	/* add:A */
	check = epitaph_check(pool->salt, to, offsetof(struct epitaph_added, check));
	/*
	 * The rings, and the entry that says where they are, before the check that vouches for it.
	 * order:entry pairs with order:added in extractor/recording/added_channels.c
	 */
	smp_wmb();							/* add:B */
	WRITE_ONCE(to->check, cpu_to_le64(check));			/* add:C */
}

void epitaph_pool_retract(struct epitaph_pool *pool, int entry)
{
	struct epitaph_added *to = &pool->table[entry];

	WRITE_ONCE(to->check, 0);					/* remove:A */
	/*
	 * Before the rest, and before anything of the next owner's: what is under a check of 0 may
	 * come in any order.
	 * order:gone pairs with order:added in extractor/recording/added_channels.c
	 */
	smp_wmb();							/* remove:B */
	plat_zero(to, sizeof(*to));
}

void epitaph_pool_give(struct epitaph_pool *pool, int entry)
{
	epitaph_pool_retract(pool, entry);
	pool->taken[entry].off = pool->taken[entry].size = 0;
}
