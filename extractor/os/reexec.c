// SPDX-License-Identifier: GPL-2.0-or-later
#include "reexec.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGS	15

static void exec_self(const char *const *argv, unsigned int seconds, bool errors, int out)
{
	char *args[MAX_ARGS + 2] = { (char *)"epitaph" };
	int null = open("/dev/null", O_RDWR);
	unsigned int i;

	for (i = 0; i < MAX_ARGS && argv[i]; i++)
		args[i + 1] = (char *)argv[i];
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(errors ? out : null, STDERR_FILENO);
	/* The timer stays over exec, where its signal has the default action. */
	alarm(seconds);
	execv("/proc/self/exe", args);
	_exit(127);
}

struct self reexec_run(const char *const *argv, unsigned int seconds, bool errors)
{
	struct self self = { NULL, -1 };
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return self;
	fflush(stdout);
	self.pid = fork();
	if (!self.pid)
		exec_self(argv, seconds, errors, ends[1]);
	close(ends[1]);
	if (self.pid > 0)
		self.out = fdopen(ends[0], "r");
	if (!self.out)
		close(ends[0]);
	return self;
}

int reexec_wait(struct self *self)
{
	int status;

	if (self->out)
		fclose(self->out);
	if (self->pid <= 0 || waitpid(self->pid, &status, 0) != self->pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

void reexec_beside(char *path, size_t size, const char *name)
{
	static const char *const places[] = { "", "/../lib/epitaph" };
	char dir[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	size_t i;

	dir[n > 0 ? n : 0] = 0;
	if (strrchr(dir, '/'))
		*strrchr(dir, '/') = 0;
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(path, size, "%s%s/%s", dir, places[i], name);
		if (!access(path, R_OK))
			break;
	}
}
