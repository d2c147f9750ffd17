// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring_killer KILLS SEED: so many processes that write to rings of their own, each killed at any moment.
 * All run on one CPU: QEMU would let each of two run for a tenth of a second.  After each, the region
 * has what it had committed and nothing else, and no other slot of the room has changed: those of three
 * programs that live, of some that were killed, and of none.
 */
#include <sched.h>
#include <sys/wait.h>

#include <epitaph-ring.h>

#include "killed_writer.h"

#define NEIGHBOURS	3
#define EARLY		8	/* one of so many is killed while it opens its ring */
#define ALL		64	/* after so many, all slots are looked at, and not the neighbours' alone */
#define NOWHERE		(~0U)

static uint64_t rng;
static int opening[2];
static int device;				/* the bytes of the region */
static uint64_t room_off, owners_off;
static uint8_t *room, *before;			/* its slots, and as they were */
static struct epitaph_owner *owners;
static uint32_t nr_slots;
static uint64_t neighbours[NEIGHBOURS];		/* salts */

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

static void read_region(void *to, size_t size, uint64_t off)
{
	if (pread(device, to, size, off) != (ssize_t)size)
		give_up("/dev/epitaph");
}

static size_t room_size(void)
{
	return (size_t)nr_slots * EPITAPH_SLOT_SIZE;
}

/* The region has one generation, which begins where it does. */
static void find_room(void)
{
	struct epitaph_added added;
	uint64_t off;

	device = open("/dev/epitaph", O_RDONLY);
	for (off = 0;; off += 128) {
		read_region(&added, sizeof(added), off);
		if (added.mode == EPITAPH_RINGS && !strcmp(added.name, "programs"))
			break;
	}
	room_off = added.off;
	owners_off = added.owners;
	nr_slots = added.nr_rings;
	room = malloc(room_size());
	before = malloc(room_size());
	owners = calloc(nr_slots, sizeof(*owners));
}

static void read_owners(void)
{
	read_region(owners, nr_slots * sizeof(*owners), owners_off);
}

static uint8_t *read_slot(uint32_t slot)
{
	size_t off = (size_t)slot * EPITAPH_SLOT_SIZE;

	read_region(room + off, EPITAPH_SLOT_SIZE, room_off + off);
	return room + off;
}

static uint32_t slot_of(uint64_t salt)
{
	uint32_t i;

	for (i = 0; i < nr_slots; i++)
		if (owners[i].salt == salt)
			return i;
	return NOWHERE;
}

static uint32_t pick(uint32_t below)
{
	rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
	return (rng >> 33) % below;
}

/* It has its ring, or is about to open it; and then some time. */
static void wait_for_it(bool early)
{
	char opened;

	if (!early && read(opening[0], &opened, 1) != 1)
		give_up("a pipe");
	usleep(pick(early ? 2000 : pick(16) ? 500 : 30000));
}

static void open_ring(bool says_so)
{
	if (epitaph_ring_open("rings")) {
		printf("# %s\n", epitaph_ring_error());
		exit(1);
	}
	shared->salt = epitaph_this_thread->ring.salt;
	if (says_so && write(opening[1], "", 1) != 1)
		give_up("a pipe");
}

/* A ring that is full of events, in a process that waits for its end. */
static pid_t start_neighbour(uint64_t *salt)
{
	pid_t child;
	uint64_t i;

	memset(shared, 0, sizeof(*shared));
	child = fork();
	if (!child) {
		open_ring(false);
		for (i = 0; i < 5000; i++)
			EPITAPH_WRITE(number, .value = i, .check = mixed(i));
		if (write(opening[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	wait_for_it(false);
	*salt = shared->salt;
	return child;
}

/* --- killed ---------------------------------------------------------------------- */

static pid_t kill_one(bool with_signals, bool early)
{
	int status;
	pid_t child;

	memset(shared, 0, sizeof(*shared));
	child = fork();
	if (!child) {
		open_ring(!early);
		write_for_ever(with_signals);
		_exit(1);
	}
	wait_for_it(early);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "status %x", status);
	return child;
}

static void judge_ring(pid_t child, uint32_t slot, bool with_signals)
{
	const struct epitaph_owner *owner = &owners[slot];
	struct found found;

	if (!CHECK(slot != NOWHERE, "no slot has its salt"))
		return;
	CHECK(owner->pid == (uint32_t)child && owner->tgid == (uint32_t)child, "it is of %u", owner->pid);
	CHECK(owner->ended && owner->ended == ~owner->ended_not, "it is live");
	found = read_ring(read_slot(slot) + EPITAPH_SLOT_DATA, shared->salt);
	judge_numbers(&found, 0);
	if (with_signals)
		judge_numbers(&found, 1);
	CHECK(found.torn <= 2, "%u torn", found.torn);
}

/* Whether it is as it was; from now on it is as it is. */
static bool is_same(uint32_t slot)
{
	uint8_t *was = before + (size_t)slot * EPITAPH_SLOT_SIZE, *now = read_slot(slot);

	if (!memcmp(was, now, EPITAPH_SLOT_SIZE))
		return true;
	memcpy(was, now, EPITAPH_SLOT_SIZE);
	return false;
}

static void judge_neighbours(void)
{
	uint32_t i, slot;

	for (i = 0; i < NEIGHBOURS; i++) {
		slot = slot_of(neighbours[i]);
		if (CHECK(slot != NOWHERE && !owners[slot].ended, "neighbour %u has lost its slot", i))
			CHECK(is_same(slot), "neighbour %u was touched", i);
	}
}

/* @given: to those that were killed, but for @early: each may have had another one, or none. */
static void judge_room(bool *given, uint32_t early)
{
	uint32_t i, changed = 0;

	for (i = 0; i < nr_slots; i++) {
		changed += !is_same(i) && !given[i];
		given[i] = false;
	}
	CHECK(changed <= early, "%u slots were touched that were not given out", changed - early);
}

static void kill_all(unsigned long nr)
{
	bool *given = calloc(nr_slots, sizeof(*given));
	unsigned long i, nr_early = 0;
	uint64_t events = 0;
	uint32_t early = 0;

	read_region(before, room_size(), room_off);
	for (i = 0; i < nr && !tap.failures; i++) {
		pid_t child = kill_one(i & 1, !pick(EARLY));

		read_owners();
		if (shared->salt) {
			uint32_t slot = slot_of(shared->salt);

			judge_ring(child, slot, i & 1);
			given[slot % nr_slots] = true;
		}
		judge_neighbours();
		nr_early += !shared->salt;
		early += !shared->salt;
		if (i % ALL == ALL - 1) {
			judge_room(given, early);
			early = 0;
		}
		events += shared->committed[0] + shared->committed[1];
		if (i % 1000 == 999)
			printf("guest: %lu killed, %lu of them early, %llu events\n", i + 1, nr_early,
			       (unsigned long long)events);
		fflush(stdout);
	}
	printf("# %lu processes killed, %lu of them before they wrote, %llu events committed, %d faults\n", i, nr_early,
	       (unsigned long long)events, tap.failures);
}

int main(int argc, char **argv)
{
	pid_t pids[NEIGHBOURS];
	cpu_set_t one;
	int i;

	if (argc != 3)
		return 2;
	if (pipe(opening))
		give_up("a pipe");
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	find_room();
	rng = strtoull(argv[2], NULL, 0);
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	epitaph_name_type(&epitaph_type_number);
	epitaph_name_type(&epitaph_type_nested);
	for (i = 0; i < NEIGHBOURS; i++)
		pids[i] = start_neighbour(&neighbours[i]);
	kill_all(strtoul(argv[1], NULL, 0));
	for (i = 0; i < NEIGHBOURS; i++)
		kill(pids[i], SIGKILL);
	return tap.failures != 0;
}
