// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes that print by turns: the writer's file is what one process alone writes, or there is an
 * error.
 *
 * build: extractor/os/turns.c extractor/base/err.c extractor/base/escape.c
 */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/turns.h"
#include "tap.h"

#define PROCESSES	3
#define STEPS		(7 * TURN_STEPS + 100)

/* @large: each turn is more than a pipe holds. @odd: process @odd sees another step than the others. */
struct walk {
	u32 steps;
	bool large;
	u32 odd;
	u32 dies;
};

static void print_step(FILE *f, const struct walk *walk, u32 i)
{
	fprintf(f, "%*u\n", walk->large ? 3000 : (int)(i % 40), i);
}

static int print_walk(struct turns *turns, FILE *f, const struct walk *walk, struct err *err)
{
	int ret = 0;

	turns_begin(turns);
	for (u32 i = 0; i < walk->steps && !ret; i++) {
		if (turns && turns->own && turns->own == walk->dies && i == 2 * TURN_STEPS)
			raise(SIGKILL);
		if (turns_is_own(turns))
			print_step(f, walk, i);
		if (turns_step(turns, i + (turns && walk->odd && turns->own == walk->odd && i == 100)))
			ret = turns_end(turns, f, err);
	}
	return ret ? ret : turns_finish(turns, f, err);
}

/* As a command does: something before and behind the walks, of which there are two. */
static int print_all(struct turns *turns, FILE *f, const struct walk *walk, struct err *err)
{
	int ret;

	fputs("head\n", f);
	ret = print_walk(turns, f, walk, err);
	fputs("between\n", f);
	if (!ret)
		ret = print_walk(turns, f, walk, err);
	fputs("tail\n", f);
	return ret;
}

static bool goes_nowhere(int fd)
{
	struct stat st, null;

	return !fstat(fd, &st) && !stat("/dev/null", &null) && st.st_rdev == null.st_rdev;
}

/* The writer's output is out of its reach. */
static void be_other(struct turns *turns, u32 own, const struct walk *walk)
{
	struct err err = ERR_INIT;

	if (!turns_be(turns, own) || !turns_wait(turns))
		_exit(9);
	if (!goes_nowhere(STDOUT_FILENO) || !goes_nowhere(STDERR_FILENO))
		_exit(8);
	_exit(print_all(turns, stdout, walk, &err) != 0);
}

/* Return: of the writer. */
static int print_by_turns(FILE *f, const struct walk *walk, struct err *err)
{
	struct turns turns = { 0 };
	pid_t others[PROCESSES];
	int ret;

	fflush(NULL);
	if (turns_open(&turns, PROCESSES, err))
		return -ERR_IO;
	for (u32 i = 1; i < PROCESSES; i++) {
		others[i] = fork();
		if (!others[i])
			be_other(&turns, i, walk);
	}
	if (!turns_be(&turns, 0))
		return -ERR_IO;
	ret = print_all(&turns, f, walk, err);
	for (u32 i = 1; i < PROCESSES; i++) {
		kill(others[i], SIGKILL);
		waitpid(others[i], NULL, 0);
	}
	return ret;
}

static void check_same(const struct walk *walk)
{
	char *alone, *by_turns;
	size_t alone_size, size;
	FILE *a = open_memstream(&alone, &alone_size), *b = open_memstream(&by_turns, &size);
	struct err err = ERR_INIT;

	CHECK(!print_all(NULL, a, walk, &err), "%s", err.msg);
	CHECK(!print_by_turns(b, walk, &err), "%s", err.msg);
	fclose(a);
	fclose(b);
	CHECK(size == alone_size && !memcmp(alone, by_turns, size), "%zu bytes, alone %zu", size, alone_size);
	free(alone);
	free(by_turns);
}

static void turns__print_what_one_process_prints(void)
{
	check_same(&(struct walk){ .steps = STEPS });
}

static void turns__a_turn_may_be_larger_than_a_pipe(void)
{
	check_same(&(struct walk){ .steps = STEPS, .large = true });
}

static void turns__the_last_turn_may_be_whole_or_missing(void)
{
	check_same(&(struct walk){ .steps = 6 * TURN_STEPS });
	check_same(&(struct walk){ .steps = 1 });
	check_same(&(struct walk){ .steps = 0 });
}

static void check_fails(const struct walk *walk, const char *why)
{
	struct err err = ERR_INIT;
	FILE *f = tmpfile();

	CHECK(print_by_turns(f, walk, &err) == -ERR_IO, "it did not fail");
	CHECK(strstr(err.msg, why), "%s", err.msg);
	fclose(f);
}

static void turns__other_steps_are_an_error(void)
{
	check_fails(&(struct walk){ .steps = STEPS, .odd = 2 }, "saw different events");
}

static void turns__a_process_that_ended_is_an_error(void)
{
	check_fails(&(struct walk){ .steps = STEPS, .dies = 1 }, "ended");
}

/* Before the writer begins; nothing reads what tells them to. */
static void turns__processes_that_ended_before_are_an_error(void)
{
	const struct walk walk = { .steps = STEPS };
	struct turns turns = { 0 };
	struct err err = ERR_INIT;
	FILE *f = tmpfile();
	pid_t pid;

	CHECK(!turns_open(&turns, 2, &err), "%s", err.msg);
	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(0);
	CHECK(turns_be(&turns, 0) && waitpid(pid, NULL, 0) == pid, "no writer");
	CHECK(print_all(&turns, f, &walk, &err) == -ERR_IO && strstr(err.msg, "ended"), "%s", err.msg);
	fclose(f);
}

/* The writer never begins: who waits for it ends with it. */
static void turns__others_end_if_there_is_nothing_to_print(void)
{
	struct turns turns = { 0 };
	struct err err = ERR_INIT;
	int status;
	pid_t pid;

	CHECK(!turns_open(&turns, 2, &err), "%s", err.msg);
	fflush(NULL);
	pid = fork();
	if (!pid)
		be_other(&turns, 1, &(struct walk){ .steps = 1 });
	turns_close(&turns);
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 9,
	      "status %x", status);
}

/* As a service may be started: the pipes are not taken for its output. */
static void turns__are_no_standard_descriptors(void)
{
	struct turns turns = { 0 };
	struct err err = ERR_INIT;
	int status, least = 255;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		close_range(0, ~0U, 0);
		if (turns_open(&turns, PROCESSES, &err))
			_exit(254);
		for (u32 i = 0; i < PROCESSES; i++)
			for (u32 end = 0; end < 2; end++)
				if ((i ? turns.pipes[i] : turns.go)[end] < least)
					least = (i ? turns.pipes[i] : turns.go)[end];
		_exit(least);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == STDERR_FILENO + 1,
	      "status %x", status);
}

int main(void)
{
	TAP_RUN(turns__print_what_one_process_prints);
	TAP_RUN(turns__a_turn_may_be_larger_than_a_pipe);
	TAP_RUN(turns__the_last_turn_may_be_whole_or_missing);
	TAP_RUN(turns__other_steps_are_an_error);
	TAP_RUN(turns__a_process_that_ended_is_an_error);
	TAP_RUN(turns__processes_that_ended_before_are_an_error);
	TAP_RUN(turns__others_end_if_there_is_nothing_to_print);
	TAP_RUN(turns__are_no_standard_descriptors);
	return tap_done();
}
