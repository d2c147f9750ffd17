// SPDX-License-Identifier: GPL-2.0-only
/*
 * subuids OWNER NAMESPACE COUNT MARKS SIZE: in a user namespace that user OWNER made, COUNT users
 * leave MARKS marks of SIZE bytes each, as fast as they can; without one (NAMESPACE is 0) as users
 * of the machine.  Root maps the numbers, as newuidmap does.  Says how many went through.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST	100000

static int put(pid_t pid, const char *file, const char *text)
{
	char path[64];
	int fd, n;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fd = open(path, O_WRONLY);
	n = fd < 0 ? -1 : write(fd, text, strlen(text));
	if (n < 0)
		perror(path);
	close(fd);
	return n < 0;
}

static void mark_as(int uid, int marks, int size, int to)
{
	int fd = open("/dev/epitaph-mark", O_WRONLY), written = 0, i;
	static char text[4096];

	memset(text, 'x', sizeof(text));
	if (fd < 0 || setresuid(uid, uid, uid))
		perror("mark_as");
	else
		for (i = 0; i < marks; i++)
			written += write(fd, text, size) == size;
	if (write(to, &written, sizeof(written)) < 0)
		perror("mark_as");
	_exit(0);
}

static int be_many(int first, int count, int marks, int size)
{
	int pipes[2], i, written, all = 0;

	if (pipe(pipes))
		return -1;
	for (i = 0; i < count; i++) {
		if (!fork())
			mark_as(first + i, marks, size, pipes[1]);
		if (read(pipes[0], &written, sizeof(written)) == sizeof(written))
			all += written;
		wait(NULL);
	}
	printf("written %d of %d\n", all, count * marks);
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	int owner, has_namespace, ready[2], mapped[2];
	char map[64], c = 0;
	pid_t pid;

	if (argc < 6 || pipe(ready) || pipe(mapped))
		return 2;
	owner = atoi(argv[1]);
	has_namespace = atoi(argv[2]);
	if (!has_namespace)
		return be_many(FIRST, atoi(argv[3]), atoi(argv[4]), atoi(argv[5]));
	pid = fork();
	if (!pid) {
		if (setresuid(owner, owner, owner) || unshare(CLONE_NEWUSER))
			perror("unshare");
		if (write(ready[1], &c, 1) != 1 || read(mapped[0], &c, 1) != 1)
			return 1;
		if (setresuid(0, 0, 0))
			perror("setresuid");
		_exit(be_many(1, atoi(argv[3]), atoi(argv[4]), atoi(argv[5])));
	}
	snprintf(map, sizeof(map), "0 %d 65536\n", FIRST);
	if (read(ready[0], &c, 1) != 1 || put(pid, "uid_map", map) || write(mapped[1], &c, 1) != 1)
		return 1;
	wait(NULL);
	return 0;
}
