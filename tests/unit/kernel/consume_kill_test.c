// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A ring that another process reads out while it is written at full speed, with signals that write on
 * top; the reader is killed at any moment, and the next one goes on.  Each event is read once, or was
 * counted as dropped.  EVENTS and KILLS: how many.
 *
 * The interrupt that asks the ring's CPU what is ready is a signal.
 *
 * build: kernel/core/ring.c tests/lib/ring_reader.c
 * only: plain
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <epitaph/ring_fast.h>

#include "ring_reader.h"
#include "tap.h"

#define SUB	4096
#define NR_SUBS	128
#define SIZE	(NR_SUBS * SUB)
#define NUMBER	(EPITAPH_ID_FIRST + 2)
#define AGAIN	64		/* a full ring is written to once in so many looks at it */

enum { THREAD, HANDLER, NR_WRITERS };

static const u16 words_of[512] = { [NUMBER] = 2 };

/* What a reader has stored: its archive. */
struct stored {
	u64 seq;
	u64 next[NR_WRITERS];
	u64 read, missing, doubled, damaged, again;
};

/*
 * Shared with the reader.
 * @asked, @answered, @ready: its requests, and what the last one found
 * @stored: that of @current counts; the other is being written
 */
static struct {
	struct epitaph_ring ring;
	struct epitaph_counters counters;
	struct epitaph_consumed consumed;
	volatile u64 asked, answered;
	volatile u32 ready;
	struct stored stored[2];
	volatile u32 current;
	u8 data[SIZE] __attribute__((aligned(4096)));
} *shared;

static struct reader_sub sub;
static u64 numbers[NR_WRITERS];
static u64 clock_now;
static unsigned long nr_killed;

u64 epitaph_clock(void)
{
	return ++clock_now;
}

/* --- the writer ------------------------------------------------------------------- */

static void write_one(int writer)
{
	struct epitaph_rec rec;
	u64 number = numbers[writer]++ << 1 | writer;
	void *to = epitaph_ring_reserve(&shared->ring, &rec, NUMBER, 8, false);

	if (!to)
		return;
	memcpy(to, &number, 8);
	epitaph_ring_commit(&rec);
}

static void on_timer(int signal)
{
	(void)signal;
	write_one(HANDLER);
	write_one(HANDLER);
}

static void on_request(int signal)
{
	u64 asked = shared->asked;

	(void)signal;
	if (shared->answered == asked)
		return;
	epitaph_ring_close(&shared->ring);
	shared->ready = epitaph_ring_ready(&shared->ring);
	__atomic_store_n(&shared->answered, asked, __ATOMIC_RELEASE);
}

/* --- the reader ------------------------------------------------------------------- */

static void store_sub(struct stored *to)
{
	u64 number;
	u32 i;

	to->damaged += sub.verdict == READER_DAMAGED || sub.nr_torn || sub.nr_gaps;
	for (i = 0; i < sub.nr_events; i++) {
		int writer;

		memcpy(&number, sub.events[i].payload, 8);
		writer = number & 1;
		number >>= 1;
		to->doubled += number < to->next[writer];
		to->missing += number > to->next[writer] ? number - to->next[writer] : 0;
		to->next[writer] = number + 1;
		to->read++;
	}
}

/* One sub-buffer, in one step: a reader that is killed has stored it, or not. */
static void read_one(u32 off)
{
	u32 current = shared->current;
	struct stored *to = &shared->stored[!current];

	*to = shared->stored[current];
	reader_sub(&sub, shared->data + off, SUB, off, shared->ring.salt, words_of);
	/* Stored and not given back by the reader before; or the ring went around it. */
	if (sub.verdict == READER_EMPTY || (sub.verdict == READER_GOOD && sub.seq <= to->seq)) {
		to->again++;
	} else {
		store_sub(to);
		to->seq = sub.seq;
	}
	__atomic_store_n(&shared->current, !current, __ATOMIC_RELEASE);
}

static void read_for_ever(pid_t writer)
{
	u32 off, end;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		u64 asked = ++shared->asked;

		kill(writer, SIGUSR1);
		while (__atomic_load_n(&shared->answered, __ATOMIC_ACQUIRE) != asked)
			sched_yield();
		end = shared->ready;
		for (off = shared->ring.position; off != end;) {
			read_one(off);
			off = (off + SUB) % SIZE;
			epitaph_ring_give(&shared->ring, off);
		}
	}
}

static pid_t start_reader(void)
{
	struct itimerval none = { }, often = { { 0, 300 }, { 0, 300 } };
	pid_t writer = getpid(), child = fork();

	if (!child) {
		setitimer(ITIMER_REAL, &none, NULL);
		read_for_ever(writer);
	}
	setitimer(ITIMER_REAL, &often, NULL);
	return child;
}

/* --- both ------------------------------------------------------------------------- */

static u64 from_env(const char *name, u64 otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

static void begin(void)
{
	struct sigaction timer = { .sa_handler = on_timer, .sa_flags = SA_RESTART };
	struct sigaction request = { .sa_handler = on_request, .sa_flags = SA_RESTART };

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	shared->ring = (struct epitaph_ring){
		.data = shared->data, .sub_size = SUB, .size = SIZE, .salt = 7,
		.counters = &shared->counters, .consumed = &shared->consumed,
	};
	CHECK(!epitaph_ring_init(&shared->ring), "refused");
	sigaction(SIGALRM, &timer, NULL);
	sigaction(SIGUSR1, &request, NULL);
}

/* Where the ring is full, the writer waits for most of the time: otherwise it would do nothing but drop. */
static void write_all(u64 events, u64 kills)
{
	u64 each = events / (kills + 1), at = each, looks = 0, killed = 0;
	pid_t reader = start_reader();

	while (numbers[THREAD] < events) {
		if (epitaph_ring_waits(&shared->ring) && ++looks % AGAIN) {
			sched_yield();
			continue;
		}
		write_one(THREAD);
		if (numbers[THREAD] < at || killed == kills)
			continue;
		at += each;
		kill(reader, SIGKILL);
		waitpid(reader, NULL, 0);
		killed++;
		reader = start_reader();
		if (killed % 100 == 0)
			printf("# %llu readers killed, %llu events\n", (unsigned long long)killed,
			       (unsigned long long)numbers[THREAD]);
		fflush(stdout);
	}
	/* The last one goes on until it has all. */
	signal(SIGALRM, SIG_IGN);
	for (looks = 0; looks < 100; looks++) {
		u64 seq = shared->stored[shared->current].seq;

		usleep(20000);
		looks = seq == shared->stored[shared->current].seq ? looks : 0;
	}
	kill(reader, SIGKILL);
	waitpid(reader, NULL, 0);
	nr_killed = killed;
}

static void consume__each_event_once_while_readers_are_killed(void)
{
	u64 events = from_env("EVENTS", 3000000), kills = from_env("KILLS", 30), behind;
	const struct stored *stored;

	begin();
	write_all(events, kills);
	stored = &shared->stored[shared->current];
	behind = numbers[THREAD] - stored->next[THREAD] + numbers[HANDLER] - stored->next[HANDLER];
	CHECK(!stored->damaged && !stored->doubled, "%llu damaged, %llu twice", (unsigned long long)stored->damaged,
	      (unsigned long long)stored->doubled);
	CHECK(stored->missing + behind == shared->counters.full, "%llu missing, %llu counted",
	      (unsigned long long)(stored->missing + behind), (unsigned long long)shared->counters.full);
	CHECK(stored->read + shared->counters.full == numbers[THREAD] + numbers[HANDLER], "%llu read of %llu",
	      (unsigned long long)stored->read, (unsigned long long)(numbers[THREAD] + numbers[HANDLER]));
	CHECK(stored->read > events / 2 && numbers[HANDLER], "%llu read, %llu of a handler",
	      (unsigned long long)stored->read, (unsigned long long)numbers[HANDLER]);
	printf("# %lu readers killed, %llu events written, %llu of them by a handler; %llu read, %llu dropped and counted, %llu sub-buffers read again\n",
	       nr_killed, (unsigned long long)(numbers[THREAD] + numbers[HANDLER]), (unsigned long long)numbers[HANDLER],
	       (unsigned long long)stored->read, (unsigned long long)shared->counters.full,
	       (unsigned long long)stored->again);
}

int main(void)
{
	TAP_RUN(consume__each_event_once_while_readers_are_killed);
	return tap_done();
}
