// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deaths of memory: lists, counts of references, the heap, pointers and the stack.  Each has
 * a few callers, none of them a tail call, so that a frame that is missing shows.
 */
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "victim.h"

/* Visitors of a house; one of them leaves by two doors. */
struct visitor {
	struct list_head entry;
	int number;
};

static LIST_HEAD(house);

static noinline int visitor_leave(struct visitor *visitor)
{
	list_del(&visitor->entry);
	barrier();
	return visitor->number;
}

static noinline int house_send_home(struct visitor *visitor)
{
	int left = visitor_leave(visitor);

	barrier();
	return left + 1;
}

static noinline int house_close(struct visitor *visitor)
{
	int left = house_send_home(visitor);

	left += house_send_home(visitor);
	barrier();
	return left;
}

static struct visitor *visitor_enter(int number)
{
	struct visitor *visitor = kzalloc(sizeof(*visitor), GFP_KERNEL);

	if (!visitor)
		return NULL;
	visitor->number = number;
	list_add_tail(&visitor->entry, &house);
	return visitor;
}

/* An entry is deleted twice: its links are poison by then. */
static void list_deleted_twice(void)
{
	struct visitor *first = visitor_enter(1);

	if (visitor_enter(2) && first)
		house_close(first);
}

/* An entry's neighbour has other links than it should: it was written over. */
static void list_written_over(void)
{
	struct visitor *first = visitor_enter(1), *second = visitor_enter(2);

	if (!first || !second)
		return;
	memset(&first->entry, 0x5a, sizeof(first->entry));
	house_send_home(second);
}

/* An account that is shared, and put once too often. */
struct account {
	refcount_t users;
};

static noinline bool account_put(struct account *account)
{
	bool last = refcount_dec_and_test(&account->users);

	barrier();
	return last;
}

static noinline int account_close(struct account *account)
{
	int closed = account_put(account);

	closed += account_put(account);
	barrier();
	return closed;
}

static void refcount_put_twice(void)
{
	static struct account account;

	refcount_set(&account.users, 1);
	account_close(&account);
}

/*
 * Letters of a kind; one is freed twice in a row.  A kernel that keeps what was freed for the
 * next one who asks sees it only when it has too many of them, and so there are more.
 */
#define NR_LETTERS	4096
#define BURNT_TWICE	3000

struct letter {
	char text[96];
};

static noinline void letter_burn(struct letter *letter)
{
	kfree(letter);
	barrier();
}

static noinline void letters_burn(struct letter **letters)
{
	int i;

	for (i = 0; i < NR_LETTERS; i++) {
		letter_burn(letters[i]);
		if (i == BURNT_TWICE)
			letter_burn(letters[i]);
	}
	barrier();
}

static void freed_twice(void)
{
	static struct letter *letters[NR_LETTERS];
	int i;

	for (i = 0; i < NR_LETTERS; i++)
		letters[i] = kmalloc(sizeof(**letters), GFP_KERNEL);
	letters_burn(letters);
	pr_err("victim: a letter was burnt twice, and the kernel did not see it\n");
}

/* A pointer that was written over by text. */
struct parcel {
	struct parcel *next;
	long weight;
};

static noinline long parcel_weigh(struct parcel *parcel)
{
	long weight = READ_ONCE(parcel->next->weight);

	barrier();
	return weight;
}

static noinline long parcels_weigh(struct parcel *parcel)
{
	long weight = parcel_weigh(parcel);

	barrier();
	return weight + 1;
}

static void pointer_of_text(void)
{
	static struct parcel parcel;

	parcel.next = (struct parcel *)(0x4143534942594143UL - offsetof(struct parcel, weight));
	parcels_weigh(&parcel);
}

/* A pointer into the hole between the kernel's mappings. */
static void pointer_to_nowhere(void)
{
	static struct parcel parcel;

	parcel.next = (struct parcel *)(0xffffff1234567890UL - offsetof(struct parcel, weight));
	parcels_weigh(&parcel);
}

/* A service with a function that was never set. */
struct service {
	int (*ring)(struct service *service);
};

static noinline int service_ring(struct service *service)
{
	int answer = READ_ONCE(service->ring)(service);

	barrier();
	return answer;
}

static noinline int service_start(struct service *service)
{
	int answer = service_ring(service);

	barrier();
	return answer + 1;
}

static void function_null(void)
{
	static struct service service;

	service_start(&service);
}

/* A tree that leads into itself, walked with a frame for each step. */
struct branch {
	struct branch *left;
	long leaves;
};

static noinline long branch_count(struct branch *branch, const long *above)
{
	volatile long row[24];
	long leaves;

	row[0] = branch->leaves;
	row[23] = above ? *above : 0;
	leaves = branch->left ? branch_count(branch->left, (const long *)&row[23]) : 0;
	barrier();
	return leaves + row[0] + row[23];
}

static void stack_overflow(void)
{
	static struct branch branch;

	branch.leaves = 1;
	branch.left = &branch;
	branch_count(&branch, NULL);
}

/* All pages, until the kernel has none and looks for a task to kill. */
static noinline unsigned long hoard_page(struct list_head *hoard)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (!page)
		return 0;
	list_add(&page->lru, hoard);
	return 1;
}

static noinline unsigned long hoard_pages(struct list_head *hoard)
{
	unsigned long pages = 0;

	while (hoard_page(hoard))
		pages++;
	return pages;
}

static void out_of_memory_all(void)
{
	static LIST_HEAD(hoard);

	pr_err("victim: %lu pages hoarded, and the kernel goes on\n", hoard_pages(&hoard));
}

const struct victim_way victim_ways_of_memory[] = {
	{ "list-twice", list_deleted_twice },
	{ "list-over", list_written_over },
	{ "refcount", refcount_put_twice },		/* warns */
	{ "free-twice", freed_twice },
	{ "pointer-text", pointer_of_text },		/* general protection */
	{ "pointer-nowhere", pointer_to_nowhere },
	{ "function-null", function_null },
	{ "stack-overflow", stack_overflow },
	{ "memory-all", out_of_memory_all },
	{ }
};
