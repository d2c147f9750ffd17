// SPDX-License-Identifier: GPL-2.0-or-later
#include "retention.h"

#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "saved_captures.h"
#include "spool.h"

static bool are_too_many(const struct retention *limit, const struct saved_captures *all)
{
	return (limit->count && all->nr > limit->count) || (limit->size && all->size > limit->size);
}

static int list_both(struct saved_captures *all, const struct retention_place *place, struct err *err)
{
	int ret = saved_captures_read(all, place->store, place->prefix, place->target, err);

	if (!ret && place->also)
		ret = saved_captures_read(all, place->also->store, place->also->prefix, place->target, err);
	return ret;
}

/* The last one in the order of age, but a clock that was set back does not make it so. */
static bool must_stay(const struct saved_captures *all, const struct saved_capture *kept,
		      const struct saved_capture *last, const struct retention_place *place)
{
	if (all->nr == 1 || !place->newest)
		return all->nr == 1 || kept == last;
	return kept->store == place->store && !strcmp(kept->name, place->newest);
}

static int retire(struct saved_captures *all, const struct saved_capture *kept,
		  const struct retention_place *place, struct err *err)
{
	if (place->also && kept->store == place->also->store)
		place = place->also;
	if (spool_retire(place->store, kept->name, place->temporary, err))
		return -ERR_IO;
	all->nr--;
	all->size -= kept->size;
	if (place->on_removed)
		place->on_removed(place->arg, kept->name, kept->size);
	return 0;
}

static int thin(struct saved_captures *all, const struct retention *limit,
		const struct retention_place *place, u32 *ret_unsent, struct err *err)
{
	struct saved_capture *kept, *end = all->list + all->nr;

	for (kept = all->list; kept < end && are_too_many(limit, all); kept++) {
		if (must_stay(all, kept, end - 1, place))
			continue;
		if (place->target && !kept->sent) {
			(*ret_unsent)++;
			continue;
		}
		if (retire(all, kept, place, err))
			return -ERR_IO;
	}
	return 0;
}

int retention_apply(const struct retention *limit, const struct retention_place *place,
		    u32 *ret_unsent, struct err *err)
{
	struct saved_captures all = { 0 };
	int ret = list_both(&all, place, err);

	*ret_unsent = 0;
	if (!ret)
		ret = thin(&all, limit, place, ret_unsent, err);
	saved_captures_free(&all);
	return ret;
}

/* What is reserved for root is root's. */
u64 retention_free_bytes(int store)
{
	struct statvfs fs;

	return fstatvfs(store, &fs) ? 0 : (u64)(geteuid() ? fs.f_bavail : fs.f_bfree) * fs.f_frsize;
}

/* But for the newest one, which is not in @end. */
static u64 removable_bytes(const struct saved_capture *kept, const struct saved_capture *end,
			   const struct retention_place *place, u32 *ret_unsent)
{
	u64 sum = 0;

	for (; kept < end; kept++) {
		if (place->target && !kept->sent)
			(*ret_unsent)++;
		else
			sum += kept->size;
	}
	return sum;
}

int retention_make_room(const struct retention_place *place, u64 bytes, u32 *ret_unsent,
			struct err *err)
{
	struct saved_captures all = { 0 };
	struct saved_capture *kept, *end;
	int ret = list_both(&all, place, err);
	u64 before = retention_free_bytes(place->store), gain = 0;

	*ret_unsent = 0;
	end = all.list + (all.nr ? all.nr - 1 : 0);
	/* In vain none of them goes. */
	if (ret || before + removable_bytes(all.list, end, place, ret_unsent) < bytes)
		end = all.list;
	for (kept = all.list; ret >= 0 && kept < end; kept++) {
		/* Some file systems take a while to count what was removed. */
		if (gain && (before + gain >= bytes || retention_free_bytes(place->store) >= bytes))
			break;
		if (place->target && !kept->sent)
			continue;
		gain += kept->size;
		ret = retire(&all, kept, place, err) ? -ERR_IO : 1;
	}
	saved_captures_free(&all);
	return ret;
}
