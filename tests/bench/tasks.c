// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What processes do, as real.c has what a kernel does: prints, for each, hundredths of a tick of
 * the CPU's counter a round.  The least of some parts, because the kernel, and a recorder, work at other
 * things in between.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

#define PASSES	1024
#define FORKS	512

static void must(int good, const char *what)
{
	if (!good) {
		perror(what);
		exit(1);
	}
}

static unsigned long long ticks(void)
{
#ifdef __x86_64__
	return __rdtsc();
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
#endif
}

static unsigned long long least_of(unsigned int parts, unsigned long long (*part)(void), unsigned int rounds)
{
	unsigned long long least = -1ULL;
	unsigned int i;

	for (i = 0; i < parts; i++) {
		unsigned long long took = part();

		if (took < least)
			least = took;
	}
	return least * 100 / rounds;
}

/* One byte to the other and back; each of both sleeps until it comes. */
static unsigned long long time_pipe(void)
{
	int there[2], back[2], i;
	unsigned long long begin;
	char byte = 0;
	pid_t other;

	must(!pipe(there) && !pipe(back), "pipe");
	other = fork();
	must(other >= 0, "fork");
	if (!other) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1)
			must(write(back[1], &byte, 1) == 1, "write");
		_exit(0);
	}
	begin = ticks();
	for (i = 0; i < PASSES; i++)
		must(write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1, "pass");
	begin = ticks() - begin;
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);
	must(waitpid(other, NULL, 0) == other, "waitpid");
	return begin;
}

/*
 * Without a copy of its memory: that costs a hundred times what a recorder adds, and never twice the
 * same.  Nor do forks in a row: some find the stack of one that ended, others allocate theirs.
 */
static unsigned long long time_fork(void)
{
	unsigned long long begin = ticks();
	pid_t child = vfork();

	must(child >= 0, "fork");
	if (!child)
		_exit(0);
	must(waitpid(child, NULL, 0) == child, "waitpid");
	return ticks() - begin;
}

int main(void)
{
	printf("pipe %llu\n", least_of(4, time_pipe, PASSES));
	printf("fork %llu\n", least_of(FORKS, time_fork, 1));
	return 0;
}
