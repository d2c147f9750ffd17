// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists of a dump that lead to what is no entry any more, and what only looks like that.
 *
 * build: tests/lib/kmem_image.c @extractor
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel_state/list_break.h"
#include "kmem_image.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define NR	4

/* A head and four entries of 32 bytes, whose links lie in their middle; each is an object. */
struct lists {
	struct kmem k;
	struct dump *dump;
	struct vmem *vmem;
	u64 head;
	u64 objects[NR];
};

static u64 link_of(const struct lists *l, u32 i)
{
	return i < NR ? l->objects[i] + 16 : l->head;
}

static void put(struct lists *l, u64 va, u64 word)
{
	memcpy(kmem_at(&l->k, va), &word, 8);
}

/* A list; of a hash table the head has no link back, and the last no next one. */
static void make_list(struct lists *l, bool is_hash)
{
	u64 zeroes[4] = { 0 };

	l->k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
	l->head = kmem_put(&l->k, zeroes, 16);
	for (u32 i = 0; i < NR; i++)
		l->objects[i] = kmem_put(&l->k, zeroes, sizeof(zeroes));
	for (u32 i = 0; i <= NR; i++) {
		u32 next = i == NR ? 0 : i + 1;

		if (is_hash && next == NR)
			continue;
		put(l, link_of(l, i), link_of(l, next));
		put(l, link_of(l, next) + 8, link_of(l, i));
	}
}

static void read_lists(struct lists *l)
{
	struct err err = ERR_INIT;

	if (!CHECK(!dump_open_fd(&l->dump, kmem_fd(&l->k), &err) && !vmem_open(&l->vmem, l->dump, &err), "%s", err.msg))
		exit(99);
}

static void free_lists(struct lists *l)
{
	vmem_close(l->vmem);
	dump_close(l->dump);
	kmem_free(&l->k);
}

/* Does the list break in object @i? */
static bool breaks(struct lists *l, u32 i, struct list_break *found, u32 left)
{
	bool is;

	read_lists(l);
	is = list_break_find(found, l->vmem, l->head, l->objects[i], 32, &left);
	free_lists(l);
	return is;
}

static void list__one_that_is_whole_breaks_nowhere(void)
{
	struct list_break found;
	struct lists l;

	for (u32 i = 0; i < NR; i++)
		for (u32 hash = 0; hash < 2; hash++) {
			make_list(&l, hash);
			CHECK(!breaks(&l, i, &found, 100), "object %u, %u", i, hash);
		}
}

static void list__an_entry_that_was_written_over_is_found(void)
{
	static const char text[] = "channel 25: noise -92 dBm, busy";
	u64 back;
	struct list_break found;
	struct lists l;

	memcpy(&back, text + 24, 8);
	for (u32 i = 0; i < NR; i++)
		for (u32 hash = 0; hash < 2; hash++) {
			make_list(&l, hash);
			memcpy(kmem_at(&l.k, l.objects[i]), text, 32);
			/* Of the first of a chain no other link says that it is one. */
			CHECK(breaks(&l, i, &found, 100) == (i || !hash), "object %u, %u", i, hash);
			CHECK((!i && hash) || (found.head == l.head && found.entry == l.objects[i] + 16 && found.back == back),
			      "%#llx", found.back);
		}
}

static void list__a_pointer_to_the_object_is_no_list(void)
{
	struct list_break found;
	struct lists l;

	make_list(&l, true);
	put(&l, l.head, l.objects[2]);
	CHECK(!breaks(&l, 2, &found, 100), "a variable that points to it");
	make_list(&l, false);
	put(&l, link_of(&l, 0) + 8, 0);
	CHECK(!breaks(&l, 2, &found, 100), "an entry in front of it does not agree");
	make_list(&l, false);
	put(&l, link_of(&l, 2), link_of(&l, 1));
	CHECK(!breaks(&l, 3, &found, 100), "a circle without the head");
	make_list(&l, false);
	memset(kmem_at(&l.k, l.objects[3]), 'x', 32);
	CHECK(!breaks(&l, 3, &found, 2), "more entries than may be walked");
}

/* --- a next one that is no address ---------------------------------------------- */

static bool has_wild(struct lists *l, u64 value, struct list_break *found, u32 left)
{
	bool is;

	read_lists(l);
	is = list_wild_find(found, l->vmem, l->head, value, &left);
	free_lists(l);
	return is;
}

#define WILD	0x00a0009c00980094ULL

static void wild__the_entry_that_leads_there_is_found(void)
{
	struct list_break found;
	struct lists l;

	for (u32 i = 0; i < NR; i++) {
		make_list(&l, false);
		memset(kmem_at(&l.k, link_of(&l, i)), 0x5c, 16);
		put(&l, link_of(&l, i), WILD);
		/* The function counts from the start of the object. */
		CHECK(has_wild(&l, WILD - 16, &found, 100) && found.head == l.head && found.entry == link_of(&l, i), "entry %u", i);
	}
}

/* include/linux/poison.h */
#define POISON	0xdead000000000100ULL

static void wild__a_list_that_leads_to_a_deleted_entry_is_found(void)
{
	struct list_break found;
	struct lists l;

	make_list(&l, false);
	put(&l, link_of(&l, 2), POISON);
	put(&l, link_of(&l, 2) + 8, POISON + 0x22);
	CHECK(has_wild(&l, POISON, &found, 100) && found.entry == link_of(&l, 2), "it leads there still");
	/* As list_del() leaves it, under one that reads it. */
	make_list(&l, false);
	put(&l, link_of(&l, 1), link_of(&l, 3));
	put(&l, link_of(&l, 3) + 8, link_of(&l, 1));
	put(&l, link_of(&l, 2), POISON);
	put(&l, link_of(&l, 2) + 8, POISON + 0x22);
	CHECK(!has_wild(&l, POISON, &found, 100), "it does not lead there any more");
}

static void wild__another_value_is_of_another_list(void)
{
	struct list_break found;
	struct lists l;

	make_list(&l, false);
	CHECK(!has_wild(&l, WILD, &found, 100), "a whole one");
	make_list(&l, false);
	put(&l, link_of(&l, 2), WILD);
	CHECK(!has_wild(&l, WILD + 0x2000, &found, 100), "farther than an entry lies in what it belongs to");
	make_list(&l, false);
	put(&l, link_of(&l, 2), WILD);
	CHECK(!has_wild(&l, WILD, &found, 2), "more entries than may be walked");
}

/* A pointer to memory that has such a number is no list. */
static void wild__what_does_not_agree_is_no_list(void)
{
	struct list_break found;
	struct lists l;

	make_list(&l, true);
	memset(kmem_at(&l.k, l.objects[0]), 0x5c, 32);
	put(&l, link_of(&l, 0), WILD);
	CHECK(!has_wild(&l, WILD, &found, 100), "the first of a chain");
	make_list(&l, false);
	put(&l, link_of(&l, 1) + 8, link_of(&l, 3));
	put(&l, link_of(&l, 2), WILD);
	CHECK(!has_wild(&l, WILD, &found, 100), "one in front of it leads back elsewhere");
}

/* --- trees --------------------------------------------------------------------- */

/* A root with two children, of which the left one has a left one. */
static void make_tree(struct lists *l)
{
	static const int parents[NR] = { -1, 0, 0, 1 };

	make_list(l, false);
	put(l, l->head, l->objects[0]);
	for (u32 i = 0; i < NR; i++) {
		put(l, l->objects[i], (parents[i] < 0 ? 0 : l->objects[parents[i]]) | 1);
		put(l, l->objects[i] + 8, i ? 0 : l->objects[2]);
		put(l, l->objects[i] + 16, i > 1 ? 0 : l->objects[i ? 3 : 1]);
	}
}

static bool tree_breaks(struct lists *l, u32 i, u32 left)
{
	struct list_break found;
	bool is;

	read_lists(l);
	is = tree_break_find(&found, l->vmem, l->head, l->objects[i], 32, &left);
	free_lists(l);
	return is;
}

static void tree__a_node_that_was_written_over_is_found(void)
{
	struct lists l;

	for (u32 i = 0; i < NR; i++) {
		make_tree(&l);
		CHECK(!tree_breaks(&l, i, 100), "node %u of a whole tree", i);
		make_tree(&l);
		memset(kmem_at(&l.k, l.objects[i]), 'x', 32);
		CHECK(tree_breaks(&l, i, 100) == (i > 0), "node %u", i);
	}
	make_tree(&l);
	put(&l, l.objects[1], 0);
	put(&l, l.objects[2], 0);
	CHECK(!tree_breaks(&l, 2, 100), "no node leads back: what points to three objects is no tree");
	make_tree(&l);
	put(&l, l.objects[1], 0);
	CHECK(!tree_breaks(&l, 3, 100), "the node above it does not lead back");
	make_tree(&l);
	put(&l, l.objects[3] + 16, l.objects[1]);
	memset(kmem_at(&l.k, l.objects[2]), 'x', 32);
	CHECK(!tree_breaks(&l, 2, 2), "more nodes than may be walked");
}

int main(void)
{
	alarm(60);
	TAP_RUN(list__one_that_is_whole_breaks_nowhere);
	TAP_RUN(list__an_entry_that_was_written_over_is_found);
	TAP_RUN(list__a_pointer_to_the_object_is_no_list);
	TAP_RUN(wild__the_entry_that_leads_there_is_found);
	TAP_RUN(wild__a_list_that_leads_to_a_deleted_entry_is_found);
	TAP_RUN(wild__another_value_is_of_another_list);
	TAP_RUN(wild__what_does_not_agree_is_no_list);
	TAP_RUN(tree__a_node_that_was_written_over_is_found);
	return tap_done();
}
