// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A harvest that is stopped before any system call that changes something: it
 * has marked nothing that is not there, whole and synced, and the next one ends
 * as if nothing had happened.
 *
 * build: extractor/cmd/[a-z]*.c build/extractor/cmd/command_table.c @extractor
 * build: -Wl,--wrap=fsync,--wrap=renameat2,--wrap=openat64,--wrap=mkdirat
 * build: -Wl,--wrap=unlinkat,--wrap=ftruncate64,--wrap=write,--wrap=pwrite64,--wrap=fork
 * only: plain
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/common.h"
#include "tap.h"

#define IMAGE_SIZE	20480
#define SYS		"sys/generations/3"

/* Shared with the processes that are stopped. */
struct shared {
	pid_t harvest;
	int step;
	int stop;
	bool region_synced;
	bool dir_synced;
	bool renamed;
	bool parent_synced;
	bool marked_too_early;
};

static struct shared *shared;

/* main.c has it. */
int cmd_usage(const char *name)
{
	(void)name;
	return ERR_USAGE;
}

static void step(void)
{
	if (++shared->step != shared->stop)
		return;
	kill(shared->harvest, SIGKILL);
	_exit(99);
}

#include "stopped_calls.h"

static void path_of(int fd, char path[4096])
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, 4095);
	path[n < 0 ? 0 : n] = 0;
}

static bool ends(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	char path[4096];

	step();
	path_of(fd, path);
	if (ends(path, "/region"))
		shared->region_synced = true;
	else if (strstr(path, "/out/") && !ends(path, ".txt"))
		shared->dir_synced = true;
	else if (ends(path, "/out"))
		shared->parent_synced = shared->renamed;
	return __real_fsync(fd);
}

int __real_renameat2(int a, const char *from, int b, const char *to, unsigned int flags);
int __wrap_renameat2(int a, const char *from, int b, const char *to, unsigned int flags);
int __wrap_renameat2(int a, const char *from, int b, const char *to, unsigned int flags)
{
	int ret;

	step();
	ret = __real_renameat2(a, from, b, to, flags);
	/* If it was renamed by one that was stopped then, its parent is to be synced all the same. */
	shared->renamed |= !ret || errno == EEXIST;
	return ret;
}

int __real_ftruncate64(int fd, off_t size);
int __wrap_ftruncate64(int fd, off_t size);
int __wrap_ftruncate64(int fd, off_t size)
{
	step();
	return __real_ftruncate64(fd, size);
}

ssize_t __real_pwrite64(int fd, const void *buf, size_t size, off_t off);
ssize_t __wrap_pwrite64(int fd, const void *buf, size_t size, off_t off);
ssize_t __wrap_pwrite64(int fd, const void *buf, size_t size, off_t off)
{
	step();
	return __real_pwrite64(fd, buf, size, off);
}

ssize_t __real_write(int fd, const void *buf, size_t size);
ssize_t __wrap_write(int fd, const void *buf, size_t size);
ssize_t __wrap_write(int fd, const void *buf, size_t size)
{
	char path[4096];

	step();
	path_of(fd, path);
	if (ends(path, "/harvested") &&
	    !(shared->region_synced && shared->dir_synced && shared->renamed &&
	      shared->parent_synced))
		shared->marked_too_early = true;
	return __real_write(fd, buf, size);
}

pid_t __real_fork(void);
pid_t __wrap_fork(void);
pid_t __wrap_fork(void)
{
	step();
	return __real_fork();
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) == EOF || fclose(f))
		abort();
}

static void run(const char *command)
{
	if (system(command))
		abort();
}

static void fresh(void)
{
	run("rm -rf out sys && mkdir -p " SYS);
	put(SYS "/offset", "0\n");
	put(SYS "/size", "20480\n");
	put(SYS "/start", "1700000000000000000\n");
	put(SYS "/state", "evidence\n");
	put(SYS "/harvested", "");
	put("sys/lost", "0 0\n");
}

/* What it ended with; -1: it was stopped at @stop. */
static int harvest(int stop)
{
	char *argv[] = { "harvest", "--device", "image", "--sysfs", "sys", "-o", "out", NULL };
	int status;
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	shared->stop = stop;
	pid = __real_fork();
	if (!pid) {
		shared->harvest = getpid();
		if (!freopen("/dev/null", "w", stdout))
			_exit(98);
		exit(cmd_harvest(7, argv));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	/* A child that a stopped harvest leaves behind dies with it, and has the lock until then. */
	while (wait(NULL) > 0)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static size_t load(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(buf, 1, size, f) : 0;

	if (f)
		fclose(f);
	return n;
}

/* What is saved is compressed. */
static size_t load_saved(const char *path, char *buf, size_t size)
{
	char command[300];
	size_t n = 0;
	FILE *f;

	snprintf(command, sizeof(command), "zstd -dcq '%s'", path);
	f = popen(command, "r");
	if (f)
		n = fread(buf, 1, size, f);
	return f && !pclose(f) ? n : 0;
}

static bool same_as_image(const char *path)
{
	static char a[IMAGE_SIZE + 1], b[IMAGE_SIZE + 1];

	return load_saved(path, a, sizeof(a)) == IMAGE_SIZE &&
	       load("image", b, sizeof(b)) > IMAGE_SIZE && !memcmp(a, b, IMAGE_SIZE);
}

/* Where it says that the generation is; false: it says nothing. */
static bool marked(char where[100])
{
	where[load(SYS "/harvested", where, 99)] = 0;
	return *where;
}

static int entries(void)
{
	DIR *dir = opendir("out");
	struct dirent *entry;
	int n = 0;

	while (dir && (entry = readdir(dir)))
		n += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	if (dir)
		closedir(dir);
	return n;
}

static void check_mark(int stop)
{
	char where[100], path[200];

	CHECK(!shared->marked_too_early, "stopped at %d: marked before all was synced", stop);
	if (!marked(where))
		return;
	snprintf(path, sizeof(path), "%s/region", where);
	CHECK(same_as_image(path), "stopped at %d: marked, and %s is not what it was", stop, path);
}

static void harvest__stopped_anywhere_loses_nothing_and_ends_the_next_time(void)
{
	char where[100];
	int stop, ret = -1;

	for (stop = 1; ret < 0 && stop < 500; stop++) {
		fresh();
		ret = harvest(stop);
		CHECK(ret <= 0, "stopped at %d: %d", stop, ret);
		check_mark(stop);
		if (!ret)
			break;
		ret = harvest(0);
		CHECK(!ret, "the next after a stop at %d: %d", stop, ret);
		CHECK(entries() == 1, "stopped at %d: %d entries are there", stop, entries());
		CHECK(marked(where), "the next after a stop at %d does not mark", stop);
		check_mark(stop);
		ret = -1;
	}
	CHECK(stop > 20 && stop < 500, "%d system calls", stop);
	printf("# %d system calls\n", stop - 1);
}

int main(void)
{
	char dir[] = "/tmp/epitaph-stop-XXXXXX", command[4200], top[2000];

	if (prctl(PR_SET_CHILD_SUBREAPER, 1) || !getcwd(top, sizeof(top)) || !mkdtemp(dir))
		return 99;
	snprintf(command, sizeof(command),
		 "%s/../golden/mkregion %s/../golden/generations-numbered.region %s/image",
		 top, top, dir);
	run(command);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || chdir(dir))
		return 99;
	TAP_RUN(harvest__stopped_anywhere_loses_nothing_and_ends_the_next_time);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	run(command);
	return tap_done();
}
