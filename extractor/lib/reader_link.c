// SPDX-License-Identifier: GPL-2.0-or-later
#include "reader_link.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "os/descriptor.h"

#define STACK		(64U << 10)	/* of each of the two that only make system calls */
#define NR_PASSED	3
#define WAIT_MS		100	/* then the caller is asked whether to go on */

extern char **environ;

/* --- where it is --------------------------------------------------------- */

static const char *const beside[] = { "", "/epitaph", "/../epitaph", "/../lib/epitaph" };

/* The program, at @path; @looked gets the places in words. */
static bool find_reader(char *path, size_t size, char *looked, size_t looked_size)
{
	const char *configured = secure_getenv("EPITAPH_READER");
	char dir[PATH_MAX] = "/usr/lib";
	Dl_info info;
	size_t i;

	if (configured && *configured) {
		snprintf(path, size, "%s", configured);
		snprintf(looked, looked_size, "$EPITAPH_READER: %s", configured);
		return !access(path, X_OK);
	}
	if (dladdr((void *)&epitaph_version, &info) && info.dli_fname &&
	    strchr(info.dli_fname, '/')) {
		snprintf(dir, sizeof(dir), "%s", info.dli_fname);
		*strrchr(dir, '/') = 0;
	}
	snprintf(looked, looked_size, "%.200s and epitaph/, ../epitaph/, ../lib/epitaph/ below it",
		 dir);
	for (i = 0; i < ARRAY_SIZE(beside); i++) {
		if (snprintf(path, size, "%s%s/epitaph-reader", dir, beside[i]) < (int)size &&
		    !access(path, X_OK))
			return true;
	}
	return false;
}

/* --- starting it --------------------------------------------------------- */

/*
 * The arguments of both children of reader_start(). The children share the caller's memory and
 * run while the caller waits, so they make system calls only.
 * @fds: they become descriptor 3 and those behind it
 */
struct reader_launch {
	char *argv[2];
	const char *path;
	int fds[NR_PASSED];
	char *stack;
	int errnum;
};

/* They never return, so ASan would take their stacks for used ones when the memory is mapped again. */
#define NEVER_RETURNS	__attribute__((no_sanitize_address))

NEVER_RETURNS
static int exec_reader(void *arg)
{
	struct reader_launch *launch = arg;
	int moved[NR_PASSED], i, null;

	/* Out of the way of those that they are moved to. */
	for (i = 0; i < NR_PASSED; i++)
		moved[i] = launch->fds[i] < 0 ? -1 : fcntl(launch->fds[i], F_DUPFD, 10);
	for (i = 0; i < NR_PASSED; i++)
		if (moved[i] < 0 || dup2(moved[i], WIRE_FD_SOCKET + i) < 0)
			close(WIRE_FD_SOCKET + i);
	null = open("/dev/null", O_RDWR);
	for (i = 0; i <= STDERR_FILENO; i++)
		dup2(null, i);
	execve(launch->path, launch->argv, environ);
	launch->errnum = errno;
	_exit(127);
}

/*
 * In between, so that the reader is no child of the caller's: exec gives a child SIGCHLD as its
 * signal, whatever it had.
 */
NEVER_RETURNS
static int start_reader(void *arg)
{
	struct reader_launch *launch = arg;

	if (clone(exec_reader, launch->stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, launch) < 0)
		launch->errnum = errno;
	_exit(0);
}

/* Return: 0, or errno. */
static int launch_reader(struct reader_launch *launch)
{
	sigset_t all, old;
	pid_t pid;

	launch->stack = mmap(NULL, 2 * STACK, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (launch->stack == MAP_FAILED)
		return errno;
	/* A handler of the caller's must not run in a child that shares its memory. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	pid = clone(start_reader, launch->stack + 2 * STACK, CLONE_VM | CLONE_VFORK, launch);
	if (pid < 0)
		launch->errnum = errno;
	else
		while (waitpid(pid, NULL, __WCLONE) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	munmap(launch->stack, 2 * STACK);
	return launch->errnum;
}

static int fail_start(struct epitaph_error **error, const char *path, int errnum)
{
	struct error_parts parts = {
		.code = EPITAPH_ERROR_READER, .errnum = errnum, .where = path,
		.expected = "a program that starts",
		.advice = "look at the limits on processes and descriptors, or read without a sandbox",
	};

	return error_set(error, &parts, "the sandboxed reader cannot be started: %s",
			 strerror(errnum));
}

static void close_pair(int fds[2])
{
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* What the host prints must not reach the reader.  Return: 0, or errno. */
static int move_pair(int fds[2])
{
	int errnum = 0;

	for (int i = 0; i < 2; i++) {
		fds[i] = descriptor_above_standard(fds[i]);
		errnum = fds[i] < 0 ? errno : errnum;
	}
	return errnum;
}

int reader_start(struct reader_link *link, int fd, struct epitaph_error **error)
{
	struct error_parts absent = {
		.code = EPITAPH_ERROR_READER, .expected = "the program epitaph-reader",
		.advice = "install the package that has libepitaph, or name the program in "
			  "$EPITAPH_READER",
	};
	char path[PATH_MAX], looked[400];
	struct reader_launch launch = { { (char *)"epitaph-reader", NULL }, path, { 0 }, NULL, 0 };
	int sockets[2], death[2], errnum;

	if (!find_reader(path, sizeof(path), looked, sizeof(looked))) {
		absent.where = looked;
		return error_set(error, &absent, "there is no epitaph-reader");
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return fail_start(error, path, errno);
	if (pipe2(death, O_CLOEXEC)) {
		errnum = errno;
		close_pair(sockets);
		return fail_start(error, path, errnum);
	}
	errnum = move_pair(sockets);
	errnum = errnum ? errnum : move_pair(death);
	if (errnum) {
		close_pair(sockets);
		close_pair(death);
		return fail_start(error, path, errnum);
	}
	launch.fds[0] = sockets[1];
	launch.fds[1] = death[1];
	launch.fds[2] = fd;
	errnum = launch_reader(&launch);
	close(sockets[1]);
	close(death[1]);
	*link = (struct reader_link){ sockets[0], death[0], getpid() };
	if (!errnum)
		return 0;
	reader_close(link);
	return fail_start(error, path, errnum);
}

void reader_close(struct reader_link *link)
{
	/* A child of the host may have the socket as well. */
	if (link->socket >= 0 && link->pid == getpid())
		shutdown(link->socket, SHUT_RDWR);
	if (link->socket >= 0)
		close(link->socket);
	if (link->death >= 0)
		close(link->death);
	link->socket = link->death = -1;
}

/* --- messages ------------------------------------------------------------ */

/* The caller's, who may cancel while the reader is silent. */
struct link_wait {
	epitaph_progress_fn progress;
	void *arg;
};

static u64 now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

static enum link_result wait_on_link(int fd, short events, const struct link_wait *wait)
{
	struct pollfd ready = { .fd = fd, .events = events };
	u64 asked = now_ms(), now;
	int left = WAIT_MS;

	while (poll(&ready, 1, wait->progress ? left : -1) <= 0) {
		/* A signal of the caller's ends poll() early. */
		now = now_ms();
		left = now - asked < WAIT_MS ? WAIT_MS - (int)(now - asked) : WAIT_MS;
		if (!wait->progress || now - asked < WAIT_MS)
			continue;
		asked = now;
		if (wait->progress(wait->arg, "waiting for the reader", 0, 0))
			return LINK_CANCELLED;
	}
	return LINK_ANSWER;
}

static bool must_wait(ssize_t n)
{
	return n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK);
}

/* A reader that is gone is no signal for the caller. */
static enum link_result send_bytes(int fd, const void *data, size_t size, const struct link_wait *wait)
{
	enum link_result ret = LINK_ANSWER;
	const u8 *from = data;

	while (size && ret == LINK_ANSWER) {
		ssize_t n = send(fd, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n >= 0) {
			from += n;
			size -= n;
		} else {
			ret = must_wait(n) ? wait_on_link(fd, POLLOUT, wait) : LINK_DEAD;
		}
	}
	return ret;
}

static enum link_result receive_bytes(int fd, void *data, size_t size, const struct link_wait *wait)
{
	enum link_result ret = LINK_ANSWER;
	u8 *to = data;

	while (size && ret == LINK_ANSWER) {
		ssize_t n = recv(fd, to, size, MSG_DONTWAIT);

		if (n > 0) {
			to += n;
			size -= n;
		} else {
			ret = must_wait(n) ? wait_on_link(fd, POLLIN, wait) : LINK_DEAD;
		}
	}
	return ret;
}

static enum link_result receive_message(int fd, struct wire_head *head, struct pack *body,
					const struct link_wait *wait)
{
	enum link_result ret = receive_bytes(fd, head, sizeof(*head), wait);
	u8 *to;

	if (ret)
		return ret;
	if (head->size > WIRE_MAX || head->version != WIRE_VERSION)
		return LINK_DEAD;
	to = pack_room(body, head->size ? head->size : 1);
	if (!to)
		return LINK_DEAD;
	ret = receive_bytes(fd, to, head->size, wait);
	if (!ret)
		body->size += head->size;
	return ret;
}

/* False: the caller cancels. */
static bool report_progress(const struct pack *body, epitaph_progress_fn progress, void *arg)
{
	struct bytes b = bytes_of(body->data, body->size, ORDER_HOST);
	u64 off = 0, done = wire_take_u64(&b, &off), total = wire_take_u64(&b, &off);
	const char *what = wire_take_text(&b, &off, NULL);

	return b.overrun || !progress || !progress(arg, what, done, total);
}

enum link_result reader_ask(struct reader_link *link, enum wire_message_type type,
			    const struct pack *question, struct wire_head *head,
			    struct pack *answer, epitaph_progress_fn progress, void *arg)
{
	struct wire_head ask = { .size = question->size, .type = type, .version = WIRE_VERSION };
	struct link_wait wait = { progress, arg };
	enum link_result ret = send_bytes(link->socket, &ask, sizeof(ask), &wait);

	if (!ret)
		ret = send_bytes(link->socket, question->data, question->size, &wait);
	for (;;) {
		answer->size = 0;
		if (!ret)
			ret = receive_message(link->socket, head, answer, &wait);
		if (ret)
			return ret;
		if (head->type == type)
			return LINK_ANSWER;
		if (head->type != WIRE_PROGRESS)
			return LINK_DEAD;
		if (!report_progress(answer, progress, arg))
			return LINK_CANCELLED;
	}
}

void reader_death(struct reader_link *link, char *buf, size_t size)
{
	struct wire_death death;
	ssize_t n;

	/* Its parent sees that the socket is closed, and ends it if it lives. */
	shutdown(link->socket, SHUT_RDWR);
	do {
		n = read(link->death, &death, sizeof(death));
	} while (n < 0 && errno == EINTR);
	reader_close(link);
	if (n != sizeof(death))
		snprintf(buf, size, "the reader ended");
	else if (!death.signal)
		snprintf(buf, size, "the reader ended with status %u", death.status);
	else
		snprintf(buf, size, "the reader was ended by signal %u (%s), with %u MiB of memory in use",
			 death.signal, strsignal(death.signal), death.used_kib >> 10);
}
