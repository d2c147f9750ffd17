// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of the region that cannot be read.  A load from memory with an uncorrectable error is
 * a machine check, and the kernel dies of it unless the load is one that may fail.  The region
 * is no memory of the kernel's, so such a page stays in it, from boot to boot: each page is
 * read so once, before anything else looks at it, and a bad one is left alone.
 */
#include <linux/cache.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <epitaph/earlier.h>
#include "bad_page.h"
#include "lost.h"

#define MAX_REPORTED	16

static char *skip;
module_param(skip, charp, 0444);
MODULE_PARM_DESC(skip, "physical addresses of pages that are not touched, as 0x20005000,0x20404000: where a load from bad memory kills the kernel all the same");

/* Bit n: page n of the region; NULL: all can be read. */
static u8 *bad;

bool epitaph_page_is_bad(u64 page)
{
	return bad && bad[page / 8] & 1 << page % 8;
}

static int set_bad(u64 page, u64 size)
{
	if (!bad)
		bad = kvzalloc(DIV_ROUND_UP_ULL(size, 8 * EPITAPH_PAGE), GFP_KERNEL);
	if (!bad)
		return -ENOMEM;
	bad[page / 8] |= 1 << page % 8;
	return 0;
}

static int take_skipped(const struct epitaph_extent *mem)
{
	const char *at = skip;
	char *end;
	u64 addr;
	int err;

	while (at && *at) {
		addr = simple_strtoull(at, &end, 0);
		if (end == at || (*end && *end != ',') || addr < mem->phys ||
		    addr - mem->phys >= mem->size) {
			pr_err("skip=%s: \"%.20s\" is no address in the region, %#llx-%#llx\n", skip, at,
			       (u64)mem->phys, mem->phys + mem->size - 1);
			return -EINVAL;
		}
		err = set_bad((addr - mem->phys) / EPITAPH_PAGE, mem->size);
		if (err)
			return err;
		at = end + (*end == ',');
	}
	return 0;
}

bool epitaph_page_is_skipped(phys_addr_t page)
{
	char *at = skip, *end;

	for (; at && *at; at = end + (*end == ',')) {
		u64 addr = simple_strtoull(at, &end, 0);

		if (end == at || (*end && *end != ','))
			return false;
		if (addr >= page && addr - page < EPITAPH_PAGE)
			return true;
	}
	return false;
}

/* An error is one of a line of the cache, which is loaded as a whole: a byte of each will do. */
static bool page_can_be_read(const void *page)
{
	unsigned int off;
	u8 byte;

	for (off = 0; off < EPITAPH_PAGE; off += L1_CACHE_BYTES)
		if (copy_mc_to_kernel(&byte, page + off, sizeof(byte)))
			return false;
	return true;
}

static int try_page(const struct epitaph_extent *mem, u64 page)
{
	if (epitaph_page_is_bad(page) || page_can_be_read(mem->base + page * EPITAPH_PAGE))
		return 0;
	return set_bad(page, mem->size);
}

static void report_bad(const struct epitaph_extent *mem)
{
	u64 page, nr = 0;

	for (page = 0; bad && page < mem->size / EPITAPH_PAGE; page++)
		if (epitaph_page_is_bad(page) && nr++ < MAX_REPORTED)
			pr_warn("the page at %#llx cannot be read: nothing is recorded around it, and what earlier boots left there is lost\n",
				mem->phys + page * EPITAPH_PAGE);
	if (nr > MAX_REPORTED)
		pr_warn("%llu more pages cannot be read\n", nr - MAX_REPORTED);
}

int epitaph_bad_pages_find(const struct epitaph_extent *mem)
{
	int err = take_skipped(mem);
	u64 page;

	for (page = 0; !err && page < mem->size / EPITAPH_PAGE; page++) {
		err = try_page(mem, page);
		cond_resched();
	}
	if (err)
		epitaph_bad_pages_forget();
	report_bad(mem);
	return err;
}

void epitaph_bad_pages_forget(void)
{
	kvfree(bad);
	bad = NULL;
}

const u8 *epitaph_bad_pages(void)
{
	return bad;
}

/* Who loses the region waits for us. */
static bool read_in_page(void *to, u64 off, size_t size)
{
	const void *base;
	bool is_read;
	u64 all;

	base = epitaph_region_memory(&all, NULL);
	rcu_read_lock();
	is_read = !epitaph_is_gone() && !epitaph_page_is_bad(off / EPITAPH_PAGE) &&
		  !copy_mc_to_kernel(to, base + off, size);
	rcu_read_unlock();
	return is_read;
}

size_t epitaph_region_read(void *to, u64 off, size_t size)
{
	size_t done, n;

	for (done = 0; done < size; done += n) {
		n = min_t(size_t, size - done, EPITAPH_PAGE - (off + done) % EPITAPH_PAGE);
		if (!read_in_page(to + done, off + done, n))
			break;
	}
	return done;
}
EXPORT_SYMBOL_GPL(epitaph_region_read);
