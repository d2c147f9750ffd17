// SPDX-License-Identifier: GPL-2.0-only
/* The files that earlier generations become in /sys/fs/pstore. */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <epitaph/check.h>
#include <epitaph/earlier.h>
#include "catalog.h"

/* Of an id: behind it the generation's number. */
#define IDS_OF_A_TYPE	100000

static struct {
	struct shown *shown;
	u32 nr_shown;
	struct item *items;
	u32 nr_items;
} catalog;

static const void *entry_at(const struct shown *shown, u32 type, u32 i, u32 known)
{
	return epitaph_gen_entry(shown->gen, shown->region, type, i, known);
}

static bool mce_holds(const struct shown *shown, const struct epitaph_mce *mce)
{
	return mce->check && le64_to_cpu(mce->check) ==
	       epitaph_check(shown->gen->salt, mce, offsetof(struct epitaph_mce, check));
}

/* Its bytes, too, lie within the entry. */
static bool record_holds(const struct shown *shown, const struct epitaph_record *record,
			 u32 i)
{
	u32 size = le32_to_cpu(record->size);
	u64 seed;

	if (!record->check || !size || size > EPITAPH_PART_SIZE ||
	    !entry_at(shown, EPITAPH_SEC_RECORDS, i, sizeof(*record) + size))
		return false;
	seed = epitaph_check(shown->gen->salt, record,
			     offsetof(struct epitaph_record, check));
	return le64_to_cpu(record->check) == epitaph_check(seed, record + 1, size);
}

static void put(struct item *to, struct shown *shown, enum pstore_type_id type,
		const void *what)
{
	to->of = shown;
	to->type = type;
	to->what = what;
}

/* At most @max whole entries, anyhow ordered.  With no @to they are counted only. */
static u32 list_mces(struct shown *shown, struct item *to, u32 max)
{
	const struct epitaph_mce *mce;
	u32 i, n = 0;

	for (i = 0; n < max; i++) {
		mce = entry_at(shown, EPITAPH_SEC_MCE, i, sizeof(*mce));
		if (!mce)
			break;
		if (!mce_holds(shown, mce))
			continue;
		if (to)
			put(&to[n], shown, PSTORE_TYPE_MCE, mce);
		n++;
	}
	return n;
}

static u32 list_records(struct shown *shown, struct item *to, u32 max)
{
	const struct epitaph_record *record;
	u32 i, n = 0;

	for (i = 0; n < max; i++) {
		record = entry_at(shown, EPITAPH_SEC_RECORDS, i, sizeof(*record));
		if (!record)
			break;
		if (!record_holds(shown, record, i))
			continue;
		if (to) {
			put(&to[n], shown, PSTORE_TYPE_DMESG, record);
			to[n].size = le32_to_cpu(record->size);
		}
		n++;
	}
	return n;
}

/* Both kinds of entries begin with their number. */
static int by_seq(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	u64 of_x = le64_to_cpup(x->what), of_y = le64_to_cpup(y->what);

	return of_x < of_y ? -1 : of_x > of_y;
}

static u32 number(struct item *items, u32 n)
{
	u32 i;

	sort(items, n, sizeof(*items), by_seq, NULL);
	for (i = 0; i < n; i++)
		items[i].nr = i + 1;
	return n;
}

/* The summary, records, machine checks, parts: what is read first comes first. */
static u32 list_items(struct shown *shown, struct item *to)
{
	struct item *at = to;
	u32 i;

	put(at++, shown, PSTORE_TYPE_DMESG, NULL);
	at += number(at, list_records(shown, at, shown->nr_records));
	at += number(at, list_mces(shown, at, shown->nr_mces));
	for (i = 0; i < shown->nr_parts; i++) {
		put(at, shown, PSTORE_TYPE_PMSG, NULL);
		at++->nr = i + 1;
	}
	return at - to;
}

static bool is_taken(const struct epitaph_gen *gen)
{
	int how;

	for (how = 0; how < EPITAPH_NR_TAKEN; how++)
		if (gen->taken[how])
			return true;
	return false;
}

/* Files in pstore mean to everybody that the kernel crashed. */
static bool is_worth_showing(const struct shown *shown)
{
	return !is_taken(shown->gen) &&
	       (!shown->gen->ended || shown->nr_records || shown->nr_mces);
}

static u32 count_parts(const struct epitaph_gen *gen, u64 trace_max)
{
	if (gen->size <= trace_max)
		return DIV_ROUND_UP_ULL(gen->size, PART_BYTES);
	if (trace_max)
		pr_info("generation %llu: %llu MiB are too many for pstore, which would hold them in memory; trace_mib=%llu would show them, and /dev/epitaph has them\n",
			gen->number, gen->size >> 20, (gen->size + (1 << 20) - 1) >> 20);
	return 0;
}

static struct shown look_at(const struct epitaph_gen *gen, const void *region,
			    u64 trace_max)
{
	struct shown shown = { .gen = gen, .region = region };

	shown.nr_records = list_records(&shown, NULL, IDS_OF_A_TYPE - 1);
	shown.nr_mces = list_mces(&shown, NULL, IDS_OF_A_TYPE - 1);
	if (is_worth_showing(&shown))
		shown.nr_parts = count_parts(gen, trace_max);
	shown.parts_left = shown.nr_parts;
	return shown;
}

static u32 find_shown(struct shown *to, u64 trace_max)
{
	const struct epitaph_gen *gen;
	u64 size;
	const void *region = epitaph_region_memory(&size, NULL);
	u32 i, n = 0;

	for (i = 0; (gen = epitaph_earlier(i)); i++) {
		struct shown shown = look_at(gen, region, trace_max);

		if (!is_worth_showing(&shown))
			continue;
		to[n++] = shown;
		catalog.nr_items += 1 + shown.nr_records + shown.nr_mces + shown.nr_parts;
	}
	return n;
}

static u32 nr_earlier(void)
{
	u32 n = 0;

	while (epitaph_earlier(n))
		n++;
	return n;
}

int catalog_make(u64 trace_max)
{
	struct item *at;
	u32 i;

	catalog.shown = kvcalloc(nr_earlier() + 1, sizeof(*catalog.shown), GFP_KERNEL);
	if (!catalog.shown)
		return -ENOMEM;
	catalog.nr_shown = find_shown(catalog.shown, trace_max);
	catalog.items = kvcalloc(catalog.nr_items + 1, sizeof(*catalog.items), GFP_KERNEL);
	if (!catalog.items) {
		catalog_free();
		return -ENOMEM;
	}
	at = catalog.items;
	for (i = 0; i < catalog.nr_shown; i++)
		at += list_items(&catalog.shown[i], at);
	catalog.nr_items = at - catalog.items;
	return 0;
}

void catalog_free(void)
{
	kvfree(catalog.items);
	kvfree(catalog.shown);
	memset(&catalog, 0, sizeof(catalog));
}

u32 catalog_nr_shown(void)
{
	return catalog.nr_shown;
}

u32 catalog_nr_items(void)
{
	return catalog.nr_items;
}

struct item *catalog_item(u32 i)
{
	return i < catalog.nr_items ? &catalog.items[i] : NULL;
}

u64 item_id(const struct item *item)
{
	return item->of->gen->number * IDS_OF_A_TYPE + item->nr;
}

struct item *catalog_find(enum pstore_type_id type, u64 id)
{
	u32 i;

	for (i = 0; i < catalog.nr_items; i++)
		if (catalog.items[i].type == type && item_id(&catalog.items[i]) == id)
			return &catalog.items[i];
	return NULL;
}

static void take(const struct shown *shown)
{
	int err = epitaph_earlier_take(shown->gen, EPITAPH_TAKEN_PSTORE, "/sys/fs/pstore");

	if (err)
		pr_warn("generation %llu cannot be marked as erased from pstore (%d): the next boot shows it again\n",
			shown->gen->number, err);
}

void item_erase(struct item *item)
{
	if (item->erased)
		return;
	item->erased = true;
	if (item->type == PSTORE_TYPE_PMSG && !--item->of->parts_left)
		take(item->of);
}
