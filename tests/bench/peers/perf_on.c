// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf_on SYSTEM:EVENT... -- COMMAND...: runs it while perf records those events on CPU 0 into a
 * ring each that overwrites its oldest, as "perf record --overwrite" has it; of an event only the
 * time and its fields, which is the least that perf can do.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES	64

/* Its number, from tracefs. */
static long id_of(const char *event)
{
	char path[256];
	long id = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", event);
	if (strchr(path, ':'))
		*strchr(path, ':') = '/';
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%ld", &id) != 1)
		id = -1;
	fclose(f);
	return id;
}

/* A read-only mapping: perf then overwrites the oldest events. */
static int record(const char *event)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = id_of(event),
		.sample_period = 1, .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
		.write_backward = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 || mmap(NULL, (1 + PAGES) * 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED) {
		perror(event);
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int i, status;
	pid_t pid;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (record(argv[i]))
			return 1;
	if (i + 1 >= argc)
		return 2;
	pid = fork();
	if (!pid) {
		execvp(argv[i + 1], argv + i + 1);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status ? 0 : 1;
}
