// SPDX-License-Identifier: GPL-2.0-or-later
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

u64 monotonic_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void program_add(struct program *p, const char *option, const char *value)
{
	if (!value || !*value || p->nr_args + 2 > PROGRAM_MAX_ARGS)
		return;
	if (option)
		p->argv[p->nr_args++] = option;
	p->argv[p->nr_args++] = value;
}

static pid_t spawn_program(const struct program *p, int out, struct err *err)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int ret;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, p->in, STDIN_FILENO);
	if (p->out)
		posix_spawn_file_actions_adddup2(&actions, p->out, STDOUT_FILENO);
	else
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
	ret = posix_spawnp(&pid, p->argv[0], &actions, NULL, (char *const *)p->argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	errno = ret;
	return ret ? (pid_t)err_sys(err, "cannot run %s", p->argv[0]) : pid;
}

/* The last line says what the matter was in the end; but sftp and age end with one that does not. */
static void keep_line(struct program *p, const char *line)
{
	if (*line && !(*p->said && (!strncmp(line, "Connection closed", 17) || !strncmp(line, "age: report ", 12))))
		snprintf(p->said, sizeof(p->said), "%s", line);
}

/* false: @deadline came before its end */
static bool read_lines(struct program *p, int out, u64 deadline)
{
	struct pollfd poll_out = { .fd = out, .events = POLLIN };
	char buf[1024], line[sizeof(p->said)];
	size_t used = 0;
	ssize_t n, i;
	u64 now;

	*p->said = 0;
	while ((now = monotonic_ms()) < deadline) {
		if (poll(&poll_out, 1, deadline - now < 1000000 ? (int)(deadline - now) : 1000000) <= 0)
			continue;
		n = read(out, buf, sizeof(buf));
		for (i = 0; i < n; i++) {
			if (buf[i] != '\n' && buf[i] != '\r' && used < sizeof(line) - 1) {
				line[used++] = buf[i];
				continue;
			}
			line[used] = 0;
			used = 0;
			keep_line(p, line);
		}
		if (!n) {
			line[used] = 0;
			keep_line(p, line);
			return true;
		}
	}
	return false;
}

int program_run(struct program *p, u64 deadline, struct err *err)
{
	int ends[2], status;
	bool ended;
	pid_t pid;

	p->argv[p->nr_args] = NULL;
	if (pipe2(ends, O_CLOEXEC))
		return err_sys(err, "pipe");
	pid = spawn_program(p, ends[1], err);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return pid;
	}
	ended = read_lines(p, ends[0], deadline);
	close(ends[0]);
	if (!ended)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!ended)
		return err_set(err, ERR_IO, ERR_NO_OFF, "%s: not done in time, and was ended%s%s",
			       p->argv[0], *p->said ? "; it said: " : "", p->said);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
