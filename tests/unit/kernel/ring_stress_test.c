// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that write as fast as they can, a ring each.  On each, one signal
 * writes too, another writes over that one, and a third stops everything where
 * it is and reads the ring as a crash there would leave it.  One more thread
 * peeks at all rings while they are written.
 *
 * Under TSan signals wait for a quiet moment: there it is about the threads.
 *
 * build: kernel/core/ring.c tests/lib/ring_reader.c tests/lib/ring_load.c -pthread
 * also: tsan
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ring_load.h"
#include "tap.h"

#define NR_THREADS	2
#define SECONDS		2
#define AT_MOST		30	/* where signals come late: a busy host, TSan */
#define TRIES		3
#define NR_TIMERS	3

/* Signals may not come faster than they are handled. */
#if defined(__SANITIZE_THREAD__)
#define SLOWER	50
#elif defined(__SANITIZE_ADDRESS__)
#define SLOWER	4
#else
#define SLOWER	1
#endif

struct worker {
	struct load *load;
	pthread_t thread;
	bool ended;
	u64 writes;
};

static struct worker workers[NR_THREADS];
static __thread struct load *own;
static bool stop;

u64 epitaph_clock(void)
{
	return __builtin_ia32_rdtsc();
}

static void on_write(int sig)
{
	load_write(own, sig == SIGUSR1 ? 1 : 2);
	if (own->begun[1] % 64 == 0)
		load_write(own, sig == SIGUSR1 ? 1 : 2);
}

static void on_stop(int sig)
{
	(void)sig;
	load_compare(own);
}

static void handle(int sig, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

	/* Each may interrupt those before it. */
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR1);
	if (sig != SIGUSR1)
		sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(sig, &action, NULL);
}

/* @nsec: odd against each other, so that all combinations come up. */
static timer_t tick(int sig, long nsec)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = sig };
	struct itimerspec period = { { 0, nsec }, { 0, nsec } };
	timer_t timer;

	event._sigev_un._tid = syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &period, NULL))
		abort();
	return timer;
}

static u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Called by the thread's own signals: no other thread may look while it runs. */
static bool has_been_stopped(const struct load *l, u64 limit)
{
	return (l->done[1] > 10 && l->done[2] > 10 && l->points > 10) || now_ns() > limit;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	timer_t timers[NR_TIMERS];
	u64 limit;
	int i;

	own = w->load;
	limit = now_ns() + AT_MOST * 1000000000ULL;
	timers[0] = tick(SIGUSR1, SLOWER * 61001);
	timers[1] = tick(SIGUSR2, SLOWER * 83003);
	timers[2] = tick(SIGRTMIN, SLOWER * 97007);
	while ((!__atomic_load_n(&stop, __ATOMIC_RELAXED) || !has_been_stopped(own, limit)) &&
	       !own->why[0]) {
		load_write(own, 0);
		w->writes++;
	}
	for (i = 0; i < NR_TIMERS; i++)
		timer_delete(timers[i]);
	return NULL;
}

static void peek_until_the_end(u32 sub_size)
{
	u64 end = now_ns() + SECONDS * 1000000000ULL;
	struct reader_sub *sub = malloc(sizeof(*sub));
	u8 *copy = malloc(sub_size);
	u32 i;

	while (now_ns() < end)
		for (i = 0; i < NR_THREADS; i++)
			load_peek(workers[i].load, copy, sub);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	free(copy);
	free(sub);
}

static void check_worker(struct worker *w)
{
	struct load *l = w->load;

	load_compare(l);
	printf("# %llu + %u + %u events, stopped %llu times with %llu torn, peeked at %llu events, %llu times again\n",
	       (unsigned long long)w->writes, l->done[1], l->done[2],
	       (unsigned long long)l->points, (unsigned long long)l->torn,
	       (unsigned long long)l->events, (unsigned long long)l->retries);
	CHECK(!l->why[0], "%s", l->why);
	CHECK(!l->peek_why[0], "%s", l->peek_why);
	CHECK(w->writes > 1000 && l->done[1] > 10 && l->done[2] > 10, "hardly ran");
	CHECK(l->points > 10, "hardly stopped");
	CHECK(l->events > 1000, "hardly peeked");
	CHECK(!l->ring.lost, "%llu lost", (unsigned long long)l->ring.lost);
}

static void run_workers(u32 sub_size, u32 nr_subs)
{
	u32 i;

	stop = false;
	for (i = 0; i < NR_THREADS; i++) {
		workers[i] = (struct worker){ .load = load_new(sub_size, nr_subs) };
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			abort();
	}
	peek_until_the_end(sub_size);
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(workers[i].thread, NULL);
}

static bool all_were_stopped(void)
{
	u32 i;

	for (i = 0; i < NR_THREADS; i++)
		if (!has_been_stopped(workers[i].load, ~0ULL))
			return false;
	return true;
}

/* It was seen once that ThreadSanitizer hands a thread no more signals: then others are begun. */
static void stress(u32 sub_size, u32 nr_subs)
{
	u32 tries, i;

	for (tries = 1; tries <= TRIES; tries++) {
		run_workers(sub_size, nr_subs);
		if (all_were_stopped() || tries == TRIES)
			break;
		for (i = 0; i < NR_THREADS; i++) {
			CHECK(!workers[i].load->why[0], "%s", workers[i].load->why);
			CHECK(!workers[i].load->peek_why[0], "%s", workers[i].load->peek_why);
			load_free(workers[i].load);
		}
		printf("# a thread got no signals: once more\n");
	}
	for (i = 0; i < NR_THREADS; i++) {
		check_worker(&workers[i]);
		load_free(workers[i].load);
	}
}

static void ring__small_sub_buffers_survive_threads_and_signals(void)
{
	stress(512, EPITAPH_MIN_SUBS);
}

static void ring__usual_sub_buffers_survive_threads_and_signals(void)
{
	stress(4096, 32);
}

int main(void)
{
	handle(SIGUSR1, on_write);
	handle(SIGUSR2, on_write);
	handle(SIGRTMIN, on_stop);
	TAP_RUN(ring__small_sub_buffers_survive_threads_and_signals);
	TAP_RUN(ring__usual_sub_buffers_survive_threads_and_signals);
	return tap_done();
}
