// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_ust THREADS: the ring's core beside LTTng-UST, each thread on a CPU of its
 * own, all kinds in each of 31 rounds.  A line for each round: ns of CPU an event of a u64 takes,
 * ours and theirs, and of one like sched_switch, ours and theirs; the slowest thread's.
 * Who starts it has a session that records bench:*.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include <epitaph/ring.h>
#include <epitaph/ring_fast.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "bench_ust.h"

#define ROUNDS		31
#define EVENTS		200000
#define SIZE		(256 << 10)
#define THREADS_MAX	64
#define KINDS		4

/* As guest/bench_trace.h lays it out. */
struct switch_event {
	char prev_comm[16];
	int prev_pid;
	int prev_prio;
	long prev_state;
	char next_comm[16];
	int next_pid;
	int next_prio;
};

/* @ns: of an event, by round and kind */
struct worker {
	pthread_t thread;
	int cpu;
	struct epitaph_ring ring;
	struct epitaph_counters counters;
	double ns[ROUNDS][KINDS];
};

static const char prev_comm[16] = "one_of_them", next_comm[16] = "the_other";
static pthread_barrier_t together;

u64 epitaph_clock(void)
{
	return __rdtsc();
}

/* Of this thread alone: others may keep the CPU busy. */
static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static noinline void write_slowly(struct epitaph_ring *ring, u32 id,
				  const void *payload, u32 bytes)
{
	struct epitaph_rec rec;

	memcpy(epitaph_ring_reserve(ring, &rec, id, bytes, false), payload, bytes);
	epitaph_ring_commit(&rec);
}

static void our_u64(struct epitaph_ring *ring)
{
	u64 i;

	for (i = 0; i < EVENTS; i++) {
		struct epitaph_fast fast;

		if (epitaph_fast_claim(ring, &fast, 3)) {
			memcpy(fast.w + 1, &i, sizeof(i));
			epitaph_fast_commit(ring, &fast, 20 << EPITAPH_ID_SHIFT, 3);
		} else {
			write_slowly(ring, 20, &i, sizeof(i));
		}
	}
}

static void their_u64(struct epitaph_ring *ring)
{
	u64 i;

	(void)ring;
	for (i = 0; i < EVENTS; i++)
		lttng_ust_tracepoint(bench, u64, i);
}

static __always_inline void fill_switch(struct switch_event *e, int i)
{
	memcpy(e->prev_comm, prev_comm, 16);
	memcpy(e->next_comm, next_comm, 16);
	memcpy(&e->prev_pid, (int[2]){ i, 120 }, 8);
	memcpy(&e->prev_state, (long[1]){ 1 }, 8);
	memcpy(&e->next_pid, (int[2]){ i + 1, 120 }, 8);
}

static void our_switch(struct epitaph_ring *ring)
{
	const u32 words = 1 + sizeof(struct switch_event) / 4;
	int i;

	for (i = 0; i < EVENTS; i++) {
		struct epitaph_fast fast;

		if (epitaph_fast_claim(ring, &fast, words)) {
			fill_switch((struct switch_event *)(fast.w + 1), i);
			epitaph_fast_commit(ring, &fast, 21 << EPITAPH_ID_SHIFT, words);
		} else {
			struct switch_event e;

			fill_switch(&e, i);
			write_slowly(ring, 21, &e, sizeof(e));
		}
	}
}

static void their_switch(struct epitaph_ring *ring)
{
	int i;

	(void)ring;
	for (i = 0; i < EVENTS; i++)
		lttng_ust_tracepoint(bench, switch, prev_comm, i, next_comm, i + 1, 1);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *work(void *priv)
{
	static void (*const kinds[KINDS])(struct epitaph_ring *) = {
		our_u64, their_u64, our_switch, their_switch,
	};
	struct worker *worker = priv;
	int round, kind;

	pin(worker->cpu);
	for (round = -1; round < ROUNDS; round++) {
		for (kind = 0; kind < KINDS; kind++) {
			double begin;

			pthread_barrier_wait(&together);
			begin = now_ns();
			kinds[kind](&worker->ring);
			/* The first one finds everything cold. */
			if (round >= 0)
				worker->ns[round][kind] = (now_ns() - begin) / EVENTS;
		}
	}
	return NULL;
}

static int start(struct worker *worker, int cpu)
{
	worker->cpu = cpu;
	worker->ring = (struct epitaph_ring){
		.size = SIZE, .sub_size = 4096, .salt = 0x5eed, .shift = 4,
		.counters = &worker->counters, .data = aligned_alloc(4096, SIZE),
	};
	if (!worker->ring.data || epitaph_ring_init(&worker->ring))
		return -1;
	return pthread_create(&worker->thread, NULL, work, worker);
}

static void print_rounds(const struct worker *workers, int nr)
{
	int round, kind, i;

	for (round = 0; round < ROUNDS; round++) {
		for (kind = 0; kind < KINDS; kind++) {
			double slowest = 0;

			for (i = 0; i < nr; i++)
				if (workers[i].ns[round][kind] > slowest)
					slowest = workers[i].ns[round][kind];
			printf("%.2f%c", slowest, kind + 1 < KINDS ? ' ' : '\n');
		}
	}
}

int main(int argc, char **argv)
{
	static struct worker workers[THREADS_MAX];
	int nr = argc == 2 ? atoi(argv[1]) : 0, i;

	if (nr < 1 || nr > THREADS_MAX)
		return 2;
	pthread_barrier_init(&together, NULL, nr);
	for (i = 0; i < nr; i++)
		if (start(&workers[i], i))
			return 1;
	for (i = 0; i < nr; i++)
		pthread_join(workers[i].thread, NULL);
	print_rounds(workers, nr);
	for (i = 0; i < nr; i++)
		free(workers[i].ring.data);
	return 0;
}
