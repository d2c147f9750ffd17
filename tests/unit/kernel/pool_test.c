// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Room for channels: who gets what, and what memory says when the CPU stops between
 * any two stores while a channel is added, is recorded into, and goes.
 *
 * The region cannot be written to.  Each store faults, is let through alone, and what
 * is there behind it is looked at as a reader would.
 *
 * build: kernel/core/pool.c kernel/core/layout.c kernel/core/ring.c tests/lib/ring_reader.c
 * only: plain
 */
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <epitaph/check.h>
#include <epitaph/pool.h>

#include "ring_reader.h"
#include "tap.h"

#define TRAP_FLAG	0x100
#define SALT		7
#define SUB		1024
#define RING		(EPITAPH_MIN_SUBS * SUB)
#define NR_EVENTS	40
#define U64		(EPITAPH_ID_FIRST + 2)

static const u16 words_of[512] = { [U64] = 2 };
static u8 *region;
static u64 region_size;
static struct epitaph_layout plan;
static struct epitaph_pool pool;
static u64 clock_now;

u64 epitaph_clock(void)
{
	return clock_now += 100;
}

static void begin(u64 size)
{
	struct epitaph_header header = { .gen_size = cpu_to_le64(size), .salt = cpu_to_le64(SALT) };

	if (region)
		munmap(region, region_size);
	region_size = size;
	region = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (region == MAP_FAILED || epitaph_layout_plan(&plan, size, 2, EPITAPH_POOL_DEFAULT))
		abort();
	epitaph_layout_write(&plan, region, &header);
	epitaph_pool_init(&pool, &plan, region, SALT);
}

static void layout__pool_takes_an_eighth_and_nothing_of_the_least(void)
{
	u64 least = epitaph_layout_min(2), main, most;

	CHECK(!epitaph_layout_plan(&plan, least, 2, EPITAPH_POOL_DEFAULT), "refused");
	CHECK(!plan.size[EPITAPH_SEC_POOL], "%llu",
	      (unsigned long long)plan.size[EPITAPH_SEC_POOL]);
	CHECK(epitaph_layout_plan(&plan, least, 2, EPITAPH_PAGE) == -ENOSPC, "taken");
	/* The parity takes its part of the pool. */
	CHECK(epitaph_layout_plan(&plan, least + 65536, 2, 65536) == -ENOSPC, "taken");
	CHECK(epitaph_layout_max_pool(least, 2) == 0, "%llu of the least",
	      (unsigned long long)epitaph_layout_max_pool(least, 2));
	most = epitaph_layout_max_pool(least + 65536, 2);
	CHECK(most > 65536 * 9 / 10 - EPITAPH_PAGE && most < 65536, "%llu", (unsigned long long)most);
	CHECK(epitaph_layout_plan(&plan, least + 65536, 2, most + EPITAPH_PAGE) == -ENOSPC, "taken");
	CHECK(!epitaph_layout_plan(&plan, least + 65536, 2, most), "refused");
	CHECK(plan.rings[EPITAPH_CHANNEL_MAIN].size >= EPITAPH_MIN_SUBS * EPITAPH_SUB_SIZE, "main");
	CHECK(epitaph_layout_plan(&plan, 8 << 20, 2, ~0ULL - EPITAPH_PAGE + 1) == -ENOSPC, "taken");
	CHECK(!epitaph_layout_plan(&plan, 8 << 20, 2, 0) && !plan.size[EPITAPH_SEC_POOL], "none");
	CHECK(!epitaph_layout_plan(&plan, 8 << 20, 2, EPITAPH_POOL_DEFAULT), "refused");
	main = 2 * plan.rings[EPITAPH_CHANNEL_MAIN].size;
	CHECK(plan.size[EPITAPH_SEC_POOL] > main / 9 && plan.size[EPITAPH_SEC_POOL] < main / 6,
	      "%llu beside %llu", (unsigned long long)plan.size[EPITAPH_SEC_POOL],
	      (unsigned long long)main);
	CHECK(plan.off[EPITAPH_SEC_POOL] + plan.size[EPITAPH_SEC_POOL] <=
	      plan.rings[EPITAPH_CHANNEL_MAIN].off, "they overlap");
}

static void pool__gives_room_once_and_takes_it_back(void)
{
	u64 off[4], all, part, largest;
	int e[4], i;

	begin(8 << 20);
	all = epitaph_pool_free(&pool);
	part = all / 4 / EPITAPH_PAGE * EPITAPH_PAGE;
	CHECK(all == plan.size[EPITAPH_SEC_POOL], "%llu", (unsigned long long)all);
	for (i = 0; i < 4; i++) {
		e[i] = epitaph_pool_take(&pool, part - 5, &off[i]);
		CHECK(e[i] >= 0 && off[i] % EPITAPH_PAGE == 0, "%d", e[i]);
		CHECK(!i || off[i] >= off[i - 1] + part - 5, "overlap");
	}
	CHECK(off[3] + part - 5 <= pool.off + pool.size, "outside");
	CHECK(epitaph_pool_take(&pool, all - 4 * part + 1, &off[0]) == -ENOSPC, "taken twice");
	epitaph_pool_give(&pool, e[0]);
	epitaph_pool_give(&pool, e[2]);
	largest = epitaph_pool_largest(&pool);
	CHECK(largest < epitaph_pool_free(&pool) && largest >= part - 5, "%llu",
	      (unsigned long long)largest);
	CHECK(epitaph_pool_take(&pool, largest + 1, &off[0]) == -ENOSPC, "%d", 0);
	CHECK(epitaph_pool_take(&pool, largest, &off[0]) >= 0, "%d", 0);
	epitaph_pool_shrink(&pool, e[1], EPITAPH_PAGE);
	CHECK(epitaph_pool_take(&pool, part - EPITAPH_PAGE, &off[1]) >= 0, "%d", 0);
	CHECK(epitaph_pool_take(&pool, 0, &off[0]) == -ENOSPC, "nothing");
	CHECK(epitaph_pool_take(&pool, ~0ULL, &off[0]) == -ENOSPC, "all");
}

static void pool__has_so_many_entries(void)
{
	u64 off;
	int i;

	begin(16 << 20);
	for (i = 0; i < EPITAPH_MAX_ADDED; i++)
		CHECK(epitaph_pool_take(&pool, EPITAPH_PAGE, &off) == i, "%d", i);
	CHECK(epitaph_pool_take(&pool, EPITAPH_PAGE, &off) == -EMFILE, "one more");
}

/* --- every store ------------------------------------------------------------ */

#ifdef __x86_64__

/* What a reader may find, in the order in which that may change. */
enum phase {
	NONE,
	FIRST,
	GONE,
	SECOND,
	LAST,
	NR_PHASES
};

static const char *const names[NR_PHASES] = { "", "first", "", "second", "" };
static volatile enum phase phase;
static volatile u64 stores[NR_PHASES];
static volatile u32 committed;		/* of the channel that is recorded into */
static const char *volatile why;

static void complain(const char *what)
{
	if (!why)
		why = what;
}

/* The events of its ring: the numbers of this channel from 0 on, and no others. */
static void look_at_ring(const struct epitaph_added *added, u64 mark)
{
	u8 *data = region + le64_to_cpu(added->off);
	static struct reader_sub sub;
	u32 i, k, n = 0;

	for (i = 0; i < EPITAPH_MIN_SUBS; i++) {
		reader_sub(&sub, data + i * SUB, SUB, i * SUB, SALT, words_of);
		if (sub.verdict == READER_DAMAGED)
			complain("a sub-buffer is damaged");
		for (k = 0; k < sub.nr_events; k++, n++) {
			u64 value;

			memcpy(&value, sub.events[k].payload, sizeof(value));
			if (value != mark + n)
				complain("an event of another channel");
		}
	}
	if (n < committed)
		complain("an event is missing");
}

static enum phase next_phase(const char *name)
{
	enum phase now = phase;

	while (now < NR_PHASES - 1 && strcmp(names[now], name))
		now++;
	return now;
}

static void look(void)
{
	const struct epitaph_added *added = pool.table;
	const char *name = "";
	u32 i, n = 0;

	for (i = 0; i < EPITAPH_MAX_ADDED; i++, added++) {
		if (!added->check)
			continue;
		n++;
		if (le64_to_cpu(added->check) !=
		    epitaph_check(SALT, added, offsetof(struct epitaph_added, check)))
			return complain("an entry does not check");
		name = added->name;
		look_at_ring(added, name[0] == 's' ? 2000 : 1000);
	}
	if (n > 1)
		complain("two entries");
	phase = next_phase(name);
	if (strcmp(names[phase], name))
		complain("it went back");
	stores[phase]++;
}

static void protect(int how)
{
	if (mprotect(region, region_size, how))
		abort();
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	u8 *at = info->si_addr;

	(void)sig;
	if (at < region || at >= region + region_size) {
		fprintf(stderr, "a store outside of the region\n");
		_exit(1);
	}
	protect(PROT_READ | PROT_WRITE);
	uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	(void)info;
	uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	look();
	protect(PROT_READ);
}

static void handle(int sig, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigaction(sig, &action, NULL);
}

static void record(struct epitaph_ring *ring, u64 mark)
{
	struct epitaph_rec rec;
	u64 value;

	for (committed = 0; committed < NR_EVENTS; committed++) {
		value = mark + committed;
		memcpy(epitaph_ring_reserve(ring, &rec, U64, 8, false), &value, 8);
		epitaph_ring_commit(&rec);
	}
}

static void live(const char *name, u64 mark)
{
	u64 off = 0, size = EPITAPH_PAGE + RING;
	int entry = epitaph_pool_take(&pool, size, &off);
	struct epitaph_ring ring = {
		.data = region + off + EPITAPH_PAGE, .size = RING, .sub_size = SUB, .salt = SALT,
		.counters = (void *)(region + off),
	};
	struct epitaph_added added = {
		.off = cpu_to_le64(off + EPITAPH_PAGE), .ring_size = cpu_to_le64(RING),
		.counters = cpu_to_le64(off), .id = cpu_to_le32(mark), .unit = cpu_to_le32(SUB),
		.nr_rings = cpu_to_le32(1),
	};

	memcpy(added.name, name, strlen(name));
	if (entry < 0 || epitaph_ring_init(&ring))
		complain("no room");
	epitaph_pool_publish(&pool, entry, &added);
	record(&ring, mark);
	committed = 0;
	epitaph_pool_give(&pool, entry);
}

#endif

static void pool__stops_anywhere_and_leaves_a_channel_whole_or_none(void)
{
#ifdef __x86_64__
	u32 i;

	begin(epitaph_layout_min(2) + (1 << 20));
	handle(SIGSEGV, on_fault);
	handle(SIGTRAP, on_trap);
	protect(PROT_READ);
	live("first", 1000);
	live("second", 2000);
	signal(SIGSEGV, SIG_DFL);
	protect(PROT_READ | PROT_WRITE);
	CHECK(!why, "%s", why);
	CHECK(phase == LAST, "%d", phase);
	for (i = 0; i < NR_PHASES; i++)
		CHECK(stores[i], "phase %u was never seen", i);
	printf("# stores behind which was found: none %llu, the first %llu, none %llu, the second %llu, none %llu\n",
	       (unsigned long long)stores[NONE], (unsigned long long)stores[FIRST],
	       (unsigned long long)stores[GONE], (unsigned long long)stores[SECOND],
	       (unsigned long long)stores[LAST]);
#else
	TAP_SKIP("stores are stepped through on x86-64 only");
#endif
}

int main(void)
{
	TAP_RUN(layout__pool_takes_an_eighth_and_nothing_of_the_least);
	TAP_RUN(pool__gives_room_once_and_takes_it_back);
	TAP_RUN(pool__has_so_many_entries);
	TAP_RUN(pool__stops_anywhere_and_leaves_a_channel_whole_or_none);
	return tap_done();
}
