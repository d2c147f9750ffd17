// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rings of programs by the header that programs use, over a memfd in place of the region.  Processes
 * are killed at any moment: what they had committed is there, nothing else is, and the memory in
 * front of and behind the slot is as it was.
 *
 * build: tests/lib/ring_reader.c -I api -I kernel
 * only: plain
 */
#include <sched.h>
#include <sys/wait.h>

#include <signal.h>

static int test_ask(void *request);
static int nr_masks;
#define pthread_sigmask(...)	(nr_masks++, pthread_sigmask(__VA_ARGS__))
#define EPITAPH_RING_ASK	test_ask
#define EPITAPH_RING_AT		EPITAPH_SLOT_SIZE
#include <epitaph-ring.h>

#include "killed_writer.h"

#define SALT	0x123456789abcdef1ULL
#define GUARD	0x5a

static uint8_t *memory;			/* three slots; the ring's is in the middle */
static int memory_fd;
static int asked;

static int test_ask(void *arg)
{
	struct epitaph_ring_request *request = arg;

	asked++;
	if (shared->refuse) {
		errno = EDQUOT;
		return -1;
	}
	request->salt = SALT;
	request->clock_id = PLAT_COUNTER_ID;
	request->clock_shift = 3;
	request->pid = getpid();
	memset(memory + EPITAPH_SLOT_SIZE, 0, EPITAPH_SLOT_SIZE);
	return dup(memory_fd);
}

static bool guards_are_whole(void)
{
	uint32_t i;

	for (i = 0; i < EPITAPH_SLOT_SIZE; i++)
		if (memory[i] != GUARD || memory[2 * EPITAPH_SLOT_SIZE + i] != GUARD)
			return false;
	return true;
}

/* --- killed ---------------------------------------------------------------------- */

static uint32_t rng = 12345;

static void kill_one(bool with_signals)
{
	struct found found;
	int status, spin;
	pid_t child;

	memset(shared, 0, sizeof(*shared));
	child = fork();
	if (!child) {
		write_for_ever(with_signals);
		_exit(1);
	}
	while (!shared->runs)
		sched_yield();
	rng = rng * 1664525 + 1013904223;
	for (spin = rng >> 17; spin; spin--)
		__asm__ __volatile__("");
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "status %x", status);
	found = read_ring(memory + EPITAPH_SLOT_SIZE + EPITAPH_SLOT_DATA, SALT);
	judge_numbers(&found, 0);
	if (with_signals)
		judge_numbers(&found, 1);
	CHECK(found.torn <= 2, "%u torn", found.torn);
	CHECK(guards_are_whole(), "a neighbour was touched");
}

static void program_ring__outlives_sigkill(void)
{
	const char *many = getenv("KILLS");
	const char *seed = getenv("SEED");
	int i, n = many ? atoi(many) : 500;
	uint64_t events = 0;

	rng += seed ? atoi(seed) : 0;
	for (i = 0; i < n && !tap.failures; i++) {
		kill_one(i & 1);
		events += shared->committed[0] + shared->committed[1];
		if (i % 5000 == 4999) {
			printf("# %d killed\n", i + 1);
			fflush(stdout);
		}
	}
	printf("# %d processes killed, %llu events committed\n", i, (unsigned long long)events);
}

/* --- the header ------------------------------------------------------------------- */

static void program_ring__a_child_has_its_own(void)
{
	struct epitaph_thread *thread;
	int status;

	memset(shared, 0, sizeof(*shared));
	CHECK(!epitaph_ring_open("test"), "%s", epitaph_ring_error());
	EPITAPH_WRITE(number, .value = 1, .check = mixed(1));
	thread = epitaph_this_thread;
	CHECK(thread && thread->slot, "the parent has a ring");
	if (!fork()) {
		asked = 0;
		if (epitaph_this_thread->slot)
			_exit(1);
		EPITAPH_WRITE(number, .value = 2, .check = mixed(2));
		_exit(asked != 1);
	}
	wait(&status);
	CHECK(!status, "status %x", status);
	epitaph_ring_end();
}

static void program_ring__asks_again_when_it_is_over(void)
{
	memset(shared, 0, sizeof(*shared));
	CHECK(!epitaph_ring_open("test"), "%s", epitaph_ring_error());
	asked = 0;
	/* As the kernel does: pages of zeroes. */
	memset(epitaph_this_thread->slot, 0, EPITAPH_SLOT_SIZE);
	for (int i = 0; i < 10000; i++)
		EPITAPH_WRITE(number, .value = i, .check = mixed(i));
	CHECK(asked == 1, "asked %d times", asked);
	epitaph_ring_end();
}

static void program_ring__refused_it_asks_once_a_second(void)
{
	memset(shared, 0, sizeof(*shared));
	shared->refuse = true;
	asked = 0;
	CHECK(epitaph_ring_open("test") == -1 && errno == EDQUOT, "%m");
	nr_masks = 0;
	for (int i = 0; i < 10000; i++)
		EPITAPH_WRITE(number, .value = i, .check = mixed(i));
	CHECK(asked >= 1 && asked <= 3, "asked %d times", asked);
	CHECK(nr_masks <= 8, "%d system calls", nr_masks);
	shared->refuse = false;
	epitaph_ring_end();
}

#define WIDE	"a_name_of_a_field_that_is_so_long_that_not_many_of_these_have_room_in_a_format"

/* More than the text of one format may be. */
static const struct epitaph_type_field wide_fields[] = {
	{ "uint64_t", WIDE, 0, 8, 0, false, false }, { "uint64_t", WIDE, 0, 8, 0, false, false },
	{ "uint64_t", WIDE, 0, 8, 0, false, false }, { "uint64_t", WIDE, 0, 8, 0, false, false },
	{ "uint64_t", WIDE, 0, 8, 0, false, false }, { "uint64_t", WIDE, 0, 8, 0, false, false },
	{ "uint64_t", WIDE, 0, 8, 0, false, false }, { "uint64_t", WIDE, 0, 8, 0, false, false },
};
static struct epitaph_type wide = { EPITAPH_NEW_TYPE, "wide", wide_fields, 8, false };
EPITAPH_EVENT(late, (uint64_t, value));

static void program_ring__a_type_without_room_is_alone(void)
{
	struct epitaph_thread *thread;
	uint64_t value = 1;

	memset(shared, 0, sizeof(*shared));
	CHECK(!epitaph_ring_open("test"), "%s", epitaph_ring_error());
	thread = epitaph_this_thread;
	epitaph_write(&wide, &value, 8, false);
	EPITAPH_WRITE(late, .value = 1);
	CHECK(!(thread->has & epitaph_bit_of(wide.id)), "there was room");
	CHECK(thread->has & epitaph_bit_of(epitaph_type_late.id), "the next type has none");
	nr_masks = 0;
	for (int i = 0; i < 1000; i++)
		epitaph_write(&wide, &value, 8, false);
	CHECK(!nr_masks, "%d times its format was tried", nr_masks);
	CHECK(le64toh(thread->ring.counters->full) == 1001, "%llu are lost",
	      (unsigned long long)le64toh(thread->ring.counters->full));
	CHECK(!thread->busy, "%u events are under way", thread->busy);
	epitaph_ring_end();
}

static void *write_cancelled(void *arg)
{
	pthread_cancel(pthread_self());
	epitaph_ring_open("test");
	EPITAPH_WRITE(number, .value = 1, .check = mixed(1));
	epitaph_ring_end();
	*(bool *)arg = true;
	return NULL;
}

static void program_ring__no_thread_is_cancelled_in_an_event(void)
{
	bool came = false;
	pthread_t thread;

	memset(shared, 0, sizeof(*shared));
	pthread_create(&thread, NULL, write_cancelled, &came);
	pthread_join(thread, NULL);
	CHECK(came, "it was cancelled");
}

/* As in a handler that interrupted one. */
static void program_ring__stays_while_an_event_is_under_way(void)
{
	struct epitaph_thread *thread;

	memset(shared, 0, sizeof(*shared));
	CHECK(!epitaph_ring_open("test"), "%s", epitaph_ring_error());
	thread = epitaph_this_thread;
	thread->busy++;
	epitaph_ring_end();
	CHECK(thread->slot, "it was ended");
	memset(thread->slot, 0, EPITAPH_SLOT_SIZE);
	EPITAPH_WRITE(late, .value = 1);
	epitaph_ring_open("test");
	CHECK(thread->slot && thread->busy == 1, "it was unmapped");
	thread->busy--;
	epitaph_ring_end();
	CHECK(!thread->slot, "it stays for ever");
}

static void program_ring__a_bad_name_decides_nothing(void)
{
	memset(shared, 0, sizeof(*shared));
	CHECK(epitaph_ring_open("my-app") == -1 && errno == EINVAL, "%m");
	CHECK(!epitaph_program.name, "it stays %s", epitaph_program.name);
}

int main(void)
{
	memory_fd = memfd_create("slots", 0);
	if (ftruncate(memory_fd, 3 * EPITAPH_SLOT_SIZE))
		return 1;
	memory = mmap(NULL, 3 * EPITAPH_SLOT_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd, 0);
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	memset(memory, GUARD, 3 * EPITAPH_SLOT_SIZE);
	/* The children have the same ids. */
	epitaph_name_type(&epitaph_type_number);
	epitaph_name_type(&epitaph_type_nested);
	TAP_RUN(program_ring__a_bad_name_decides_nothing);
	TAP_RUN(program_ring__a_child_has_its_own);
	TAP_RUN(program_ring__asks_again_when_it_is_over);
	TAP_RUN(program_ring__refused_it_asks_once_a_second);
	TAP_RUN(program_ring__a_type_without_room_is_alone);
	TAP_RUN(program_ring__no_thread_is_cancelled_in_an_event);
	TAP_RUN(program_ring__stays_while_an_event_is_under_way);
	TAP_RUN(program_ring__outlives_sigkill);
	return tap_done();
}
