// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Blocks of 32 KiB and more, for whom ASan maps, marks and unmaps memory each time: that was
 * two thirds of a run on a region.  These are kept.  A free one is poisoned, and one ends
 * where nothing is mapped, or up to 15 bytes before.
 *
 * The linker turns the extractor's malloc() and the like to this (--wrap), not that of libraries.
 */
#include <errno.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BIG		(32U << 10)
#define SMALL		(256U << 10)
#define HUGE		(64U << 20)
#define NR_BLOCKS	64
#define GUARD		4096

/* @map: of @room bytes, and a guard behind it; @user: NULL while it is free */
struct block {
	char *map;
	size_t room;
	char *user;
	size_t size;
};

static struct block blocks[NR_BLOCKS];

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t nr, size_t size);
void *__wrap_reallocarray(void *p, size_t nr, size_t size);
void __real_free(void *p);
void __wrap_free(void *p);

static struct block *find(const void *p)
{
	for (int i = 0; p && i < NR_BLOCKS; i++)
		if (blocks[i].user == p)
			return &blocks[i];
	return NULL;
}

/* Room is a power of two: blocks that grow take each other's places. */
static void map(struct block *b, size_t size)
{
	for (b->room = BIG; b->room < size; b->room *= 2)
		;
	b->map = mmap(NULL, b->room + GUARD, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (b->map == MAP_FAILED || mprotect(b->map + b->room, GUARD, PROT_NONE))
		abort();
	__asan_poison_memory_region(b->map, b->room);
	__lsan_register_root_region(b->map, b->room);
}

static struct block *take(size_t size)
{
	for (int i = 0; i < NR_BLOCKS; i++) {
		struct block *b = &blocks[i];

		if (b->user || (b->map && (b->room < size || b->room >= 4 * size + 4 * BIG)))
			continue;
		if (!b->map)
			map(b, size);
		b->user = b->map + b->room - ((size + 15) & ~15UL);
		b->size = size;
		__asan_unpoison_memory_region(b->user, size);
		return b;
	}
	return NULL;
}

static void drop(struct block *b)
{
	__asan_poison_memory_region(b->user, b->size);
	b->user = NULL;
}

/* Of a large block most is never touched: its zeroes are the kernel's. */
static void clear(const struct block *b)
{
	if (b->room <= SMALL)
		memset(b->user, 0, b->size);
	else
		madvise(b->map, b->room, MADV_DONTNEED);
}

void *__wrap_malloc(size_t size)
{
	const struct block *b = size >= BIG && size < HUGE ? take(size) : NULL;

	return b ? b->user : __real_malloc(size);
}

void *__wrap_calloc(size_t nr, size_t size)
{
	const struct block *b = NULL;
	size_t all;

	if (!__builtin_mul_overflow(nr, size, &all) && all >= BIG && all < HUGE)
		b = take(all);
	if (!b)
		return __real_calloc(nr, size);
	clear(b);
	return b->user;
}

void *__wrap_realloc(void *p, size_t size)
{
	struct block *b = find(p);
	void *q;

	if (!b && size < BIG)
		return __real_realloc(p, size);
	q = __wrap_malloc(size);
	if (!q || !p)
		return q;
	if (b)
		memcpy(q, p, size < b->size ? size : b->size);
	else
		memcpy(q, p, __sanitizer_get_allocated_size(p));
	__wrap_free(p);
	return q;
}

void *__wrap_reallocarray(void *p, size_t nr, size_t size)
{
	size_t all;

	if (!__builtin_mul_overflow(nr, size, &all))
		return __wrap_realloc(p, all);
	errno = ENOMEM;
	return NULL;
}

void __wrap_free(void *p)
{
	struct block *b = find(p);

	if (b)
		drop(b);
	else
		__real_free(p);
}
