// SPDX-License-Identifier: GPL-2.0-or-later
#include "side_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/new_file.h"


/* What reads the bytes of a dead kernel may die of them; this process does not. */
static int run_maker(const struct side_file *text, int dir, int fd)
{
	int status;
	pid_t pid;

	fflush(stdout);
	fflush(stderr);
	pid = fork();
	if (pid < 0)
		return ERR_IO;
	if (!pid) {
		if (fchdir(dir) || dup2(fd, STDOUT_FILENO) < 0)
			_exit(ERR_IO);
		status = text->make();
		if (fflush(stdout) || ferror(stdout))
			status = ERR_IO;
		_exit(status);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return ERR_IO;
	return WIFEXITED(status) ? WEXITSTATUS(status) : ERR_IO;
}

static bool is_empty(int fd)
{
	struct stat st;

	return fstat(fd, &st) || !st.st_size;
}

static int make_temporary(const struct side_file *text, int dir, const char *temporary)
{
	int fd = new_file_create(dir, temporary, NULL);
	int status = fd < 0 ? ERR_IO : run_maker(text, dir, fd);

	if (status <= ERR_DAMAGED && fsync(fd))
		status = ERR_IO;
	if (status <= ERR_DAMAGED && !is_empty(fd) &&
	    new_file_place(dir, temporary, text->name, NULL))
		status = ERR_IO;
	if (fd >= 0)
		close(fd);
	return status;
}

int side_file_make(const struct side_file *text, int dir)
{
	char temporary[64];
	int status;

	snprintf(temporary, sizeof(temporary), ".%s", text->name);
	unlinkat(dir, temporary, 0);
	status = make_temporary(text, dir, temporary);
	unlinkat(dir, temporary, 0);
	return status;
}
