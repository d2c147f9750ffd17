// SPDX-License-Identifier: GPL-2.0-only
/*
 * churn ROUNDS TASKS: on each CPU two tasks wait for each other so often, two switches a
 * round; then so many tasks come and go.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void play(int from, int to, int rounds)
{
	char ball = 0;

	while (rounds--)
		if (write(to, &ball, 1) != 1 || read(from, &ball, 1) != 1)
			_exit(1);
	_exit(0);
}

static void run_on(int cpu, int rounds)
{
	int there[2], back[2];
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	if (sched_setaffinity(0, sizeof(here), &here) || pipe(there) || pipe(back)) {
		perror("churn");
		exit(1);
	}
	if (fork() == 0)
		play(there[0], back[1], rounds);
	if (fork() == 0)
		play(back[0], there[1], rounds);
}

static int await(int nr)
{
	int status, failures = 0;

	while (nr--)
		if (wait(&status) < 0 || status)
			failures++;
	return failures;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 0, tasks = argc > 2 ? atoi(argv[2]) : 0;
	int cpu, nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), failures;

	for (cpu = 0; cpu < nr_cpus; cpu++)
		run_on(cpu, rounds);
	failures = await(2 * nr_cpus);
	while (tasks--) {
		if (fork() == 0)
			_exit(0);
		failures += await(1);
	}
	return !!failures;
}
