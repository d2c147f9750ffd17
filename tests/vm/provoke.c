// SPDX-License-Identifier: GPL-2.0-only
/*
 * provoke WHAT: timers | memory | exit | hang
 *
 * What a task does for the kernel to emit events that a shell cannot have it emit: timers of
 * setitimer(), a page that is said to be bad, and memory of a task that does not die at once.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PAGE	4096

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* Signals come of both; and a sleep that ended before it began. */
static int timers(void)
{
	const struct timespec past = { .tv_nsec = 1 };
	struct itimerval soon = { .it_value.tv_usec = 20000 };

	signal(SIGALRM, SIG_IGN);
	signal(SIGVTALRM, SIG_IGN);
	if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL))
		return fail("clock_nanosleep");
	if (setitimer(ITIMER_REAL, &soon, NULL) || setitimer(ITIMER_VIRTUAL, &soon, NULL))
		return fail("setitimer");
	for (;;) {
		if (getitimer(ITIMER_VIRTUAL, &soon))
			return fail("getitimer");
		if (!soon.it_value.tv_usec && !soon.it_value.tv_sec)
			return 0;
		for (volatile int i = 0; i < 100000; i++)
			;
	}
}

static int memory(void)
{
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return fail("mmap");
	memset(page, 1, PAGE);
	return madvise(page, PAGE, MADV_HWPOISON) ? fail("madvise") : 0;
}

/* Chosen when the kernel kills for memory. */
static int be_chosen(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY);

	if (fd < 0 || write(fd, "1000", 4) != 4)
		return fail("oom_score_adj");
	return close(fd);
}

static int wait_to_exit(void)
{
	if (be_chosen())
		return 1;
	pause();
	return 0;
}

/* Killed while it sleeps so that nothing wakes it, with memory. */
static int hang(void)
{
	char *all = mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("/sys/kernel/debug/provoker/hang", O_WRONLY);

	if (all == MAP_FAILED || fd < 0 || be_chosen())
		return fail("hang");
	memset(all, 1, 64 * PAGE);
	return write(fd, "5", 1) == 1 ? 0 : fail("write");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "timers"))
		return timers();
	if (!strcmp(what, "memory"))
		return memory();
	if (!strcmp(what, "exit"))
		return wait_to_exit();
	return hang();
}
