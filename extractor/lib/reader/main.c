// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * epitaph-reader: parses one dump for a program that uses libepitaph, in a process that is locked
 * in.  The library starts it; it speaks wire.h on descriptor 3 and is of no use by itself.
 *
 * Two processes: this one opens the files and waits; its child has the engine.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debuginfo/debuginfo_path.h"
#include "dump/preopened.h"
#include "instruction/instruction.h"
#include "lib/engine.h"
#include "os/progress.h"
#include "os/sandbox.h"

#define MAX_DIRS	(64 + DEBUG_PLACES_MAX)

static bool read_question(void *data, size_t size)
{
	u8 *to = data;
	ssize_t n;

	for (; size; to += n, size -= n) {
		n = read(WIRE_FD_SOCKET, to, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return false;
	}
	return true;
}

/* The library is gone: there is nothing left to do. */
static void give_bytes(const void *data, size_t size)
{
	const u8 *from = data;
	ssize_t n;

	for (; size; from += n, size -= n) {
		n = write(WIRE_FD_SOCKET, from, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			_exit(0);
	}
}

static bool take_question(struct wire_head *head, struct pack *body)
{
	u8 *to;

	body->size = 0;
	if (!read_question(head, sizeof(*head)) || head->size > WIRE_MAX)
		return false;
	to = pack_room(body, head->size ? head->size : 1);
	if (!to || !read_question(to, head->size))
		return false;
	body->size = head->size;
	return true;
}

static void give_answer(u32 type, const struct pack *body, int ret, const struct err *err)
{
	struct wire_head head = { .size = body->size, .type = type, .version = WIRE_VERSION };

	if (ret) {
		head.status = err->code ? err->code : ERR_CORRUPT;
		head.errnum = err->errnum;
		head.size = strlen(err->msg);
	} else if (head.size > WIRE_MAX) {
		head.status = ERR_CORRUPT;
		head.size = 0;
	}
	give_bytes(&head, sizeof(head));
	give_bytes(ret ? (const void *)err->msg : body->data, head.size);
}

static void send_progress(void *arg, const char *what, u64 done, u64 total)
{
	struct pack p = { .order = ORDER_HOST };
	struct err none = ERR_INIT;

	(void)arg;
	pack_u64(&p, done);
	pack_u64(&p, total);
	wire_text(&p, what, strlen(what));
	if (!p.failed)
		give_answer(WIRE_PROGRESS, &p, 0, &none);
	pack_free(&p);
}

/* Questions until the library closes the socket. */
static void serve_questions(struct engine *engine, u32 type, struct pack *question)
{
	struct wire_head head = { .type = type };

	progress_call(send_progress, NULL);
	do {
		struct bytes b = bytes_of(question->data, question->size, ORDER_HOST);
		struct pack answer = { .order = ORDER_HOST };
		struct err err = ERR_INIT;
		int ret = engine_answer(engine, head.type, &b, &answer, &err);

		give_answer(head.type, &answer, ret, &err);
		pack_free(&answer);
	} while (take_question(&head, question));
}

/* The child: it never returns. */
static void run_parser(struct engine *engine, u32 type, struct pack *question)
{
	close(WIRE_FD_DEATH);
#ifndef EPITAPH_NO_SANDBOX
	struct sandbox_state state;
	int dirs[MAX_DIRS];
	size_t nr = preopened_dirs(dirs, 64);

	nr += debug_places_dirs(dirs + nr, MAX_DIRS - nr);
	sandbox_enter(&(struct sandbox){ dirs, nr, -1 }, &state);
#endif
	serve_questions(engine, type, question);
	_exit(0);
}

/*
 * Waits for the child; ends it if the library is gone: the socket is shut down, or has no other end.  The
 * library sees the end of the socket as soon as the child is gone.
 */
static void supervise(pid_t pid, int alive)
{
	struct pollfd fds[] = { { .fd = alive, .events = POLLIN }, { .fd = WIRE_FD_SOCKET } };
	struct wire_death death = { 0 };
	struct rusage usage = { 0 };
	int status = 0;

	while (poll(fds, 2, -1) < 0 && errno == EINTR)
		;
	if (fds[1].revents)
		kill(pid, SIGKILL);
	close(WIRE_FD_SOCKET);
	while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	death.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	death.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	death.used_kib = usage.ru_maxrss;
	if (write(WIRE_FD_DEATH, &death, sizeof(death)) < 0)
		_exit(1);
}

/*
 * From now on this process ends when the library is gone, whatever it waits for: a pipe, a disk.  The kernel
 * sends SIGIO then.  Nothing else comes on the socket, for the library waits for its answer.
 */
static void end_with_library(bool shall)
{
	struct pollfd socket = { .fd = WIRE_FD_SOCKET };

	fcntl(WIRE_FD_SOCKET, F_SETOWN, getpid());
	fcntl(WIRE_FD_SOCKET, F_SETFL, shall ? O_ASYNC : 0);
	if (poll(&socket, 1, 0) > 0)
		_exit(0);
}

/* As the library's host has them, they are no concern of this program. */
static void forget_host(void)
{
	sigset_t none;
	int sig, fd;

	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* The host may have left descriptors open that the file must not get. */
	if (syscall(SYS_close_range, WIRE_FD_DUMP + 1, ~0U, 0))
		for (fd = WIRE_FD_DUMP + 1; fd < sysconf(_SC_OPEN_MAX); fd++)
			close(fd);
	for (fd = WIRE_FD_SOCKET; fd <= WIRE_FD_DUMP; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Return: the child, and in *@alive what is closed when it ends; -1: none. */
static pid_t start_child(struct engine *engine, u32 type, struct pack *question, int *alive)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		close(ends[0]);
		run_parser(engine, type, question);
	}
	close(ends[1]);
	*alive = ends[0];
	return pid;
}

int main(void)
{
	struct pack question = { .order = ORDER_HOST };
	struct engine *engine = engine_new();
	struct err err = ERR_INIT;
	struct wire_head head;
	struct bytes b;
	int ret, alive;
	char **paths;
	pid_t pid;
	u32 nr;

	forget_host();
	if (!engine || !take_question(&head, &question) || head.type != WIRE_OPEN)
		return 2;
	/* The answer has this program's version, which the library does not accept. */
	if (head.version != WIRE_VERSION)
		ret = err_set(&err, ERR_USAGE, ERR_NO_OFF, "the reader is of another version");
	else {
		b = bytes_of(question.data, question.size, ORDER_HOST);
		ret = engine_prepare(engine, &b, &err);
		paths = engine_paths(engine, &nr);
		end_with_library(true);
		if (!ret)
			ret = preopened_open(paths, nr, &err);
		end_with_library(false);
	}
	if (ret) {
		give_answer(WIRE_OPEN, &question, ret, &err);
		return 0;
	}
	/* It opens a file, and is for the child. */
	instruction_prepare();
	pid = start_child(engine, head.type, &question, &alive);
	if (pid < 0) {
		ret = err_sys(&err, "a process for reading the dump");
		give_answer(WIRE_OPEN, &question, ret, &err);
		return 0;
	}
	supervise(pid, alive);
	return 0;
}
