// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A seal that is stopped before any system call that changes something: under a final name there is
 * all of a trace, synced, or nothing; an older one goes only when the new one has its name; and the
 * next seal ends as if nothing had happened.
 *
 * build: @extractor
 * build: -Wl,--wrap=fsync,--wrap=renameat2,--wrap=openat64,--wrap=mkdirat,--wrap=unlinkat
 * only: plain
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seal/age.h"
#include "seal/sealed_files.h"
#include "tap.h"

#define BOOT	"00010203-0405-0607-0809-0a0b0c0d0e0f-20261126T183107Z"
#define OLDER	"place/epitaph-00010203-0405-0607-0809-0a0b0c0d0e0f-20200101T000000Z.web1.age"

/* Shared with the processes that are stopped. */
static struct shared {
	int step;
	int stop;
	bool file_synced;
	bool named_too_early;
	bool named;
	bool dir_synced;
} *shared;

static struct recipients keys;

/* What a seal without a stop makes. */
static char sealed_name[sizeof("place/") + SEALED_NAME];

static void step(void)
{
	if (++shared->step == shared->stop)
		kill(getpid(), SIGKILL);
}

#include "stopped_calls.h"

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	struct stat st;

	step();
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		shared->file_synced = true;
	else
		shared->dir_synced = shared->named;
	return __real_fsync(fd);
}

int __real_renameat2(int a, const char *from, int b, const char *to, unsigned int flags);
int __wrap_renameat2(int a, const char *from, int b, const char *to, unsigned int flags);
int __wrap_renameat2(int a, const char *from, int b, const char *to, unsigned int flags)
{
	step();
	shared->named_too_early |= !shared->file_synced;
	shared->named = true;
	return __real_renameat2(a, from, b, to, flags);
}

static int seal_once(void)
{
	struct seal_conf conf = { .quota = 300000, .host = "web1" };
	struct sealed_file file = { .boot = BOOT };
	struct err err = ERR_INIT;
	int in = memfd_create("in", MFD_CLOEXEC);
	char page[4096] = "the trace";
	int ret, i;

	for (i = 0; i < 50; i++) {
		if (write(in, page, sizeof(page)) != sizeof(page))
			return -ERR_IO;
		memset(page, 0, sizeof(page));
	}
	ret = sealed_file_put(&file, in, "place", &keys, &conf, &err);
	snprintf(sealed_name, sizeof(sealed_name), "place/%s", file.name);
	if (ret < 0)
		fprintf(stderr, "# %s\n", err.msg);
	close(in);
	return ret;
}

/* Is the process stopped before its @stop-th change?  What it returned is *@ret. */
static bool is_stopped(int stop, int *ret)
{
	pid_t pid;
	int status;

	*shared = (struct shared){ .stop = stop };
	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(seal_once() & 0x7f);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*ret = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return WIFSIGNALED(status);
}

/* Sealed by age; whole if it has the size of a whole one. */
static bool is_whole(const char *path)
{
	char command[512];

	snprintf(command, sizeof(command), "age -d -i key '%s' 2>/dev/null | tail -c +4097 | cmp -s - zeroes", path);
	return !system(command);
}

static void fresh(void)
{
	int ignored = system("rm -rf place && mkdir place && head -c 204800 /dev/zero | age -R recipients -o " OLDER
			     " && touch -d 2020-01-01 " OLDER " && echo half >place/.epitaph-seal-1");

	CHECK(!ignored, "the place is made");
}

static void seal__a_stop_leaves_a_whole_trace_or_none(void)
{
	int stop, ret, nr = 0;

	fresh();
	CHECK(!seal_once(), "it can be sealed");
	for (stop = 1; ; stop++) {
		fresh();
		if (!is_stopped(stop, &ret))
			break;
		nr++;
		CHECK(!shared->named_too_early, "step %d: named before it was on disk", stop);
		CHECK(access(sealed_name, F_OK) || is_whole(sealed_name), "step %d: half a trace has a name", stop);
		CHECK(!access(sealed_name, F_OK) || !access(OLDER, F_OK), "step %d: neither the old one nor the new one", stop);
		CHECK(!is_stopped(0, &ret), "step %d: and again", stop);
		CHECK(ret == 0 || ret == 1, "step %d: the next one returns %d", stop, ret);
		CHECK(is_whole(sealed_name), "step %d: the next one has it", stop);
		CHECK(!system("! ls -A place | grep -v '^epitaph-'") || ret == 1, "step %d: nothing is left over", stop);
	}
	CHECK(ret == 0, "without a stop it returns %d", ret);
	CHECK(shared->dir_synced, "the name is synced");
	CHECK(access(OLDER, F_OK) != 0, "the older one went by the quota");
	CHECK(nr >= 6, "%d steps", nr);
}

static void prepare(void)
{
	struct err err = ERR_INIT;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED ||
	    system("age-keygen -o key 2>/dev/null && age-keygen -y key >recipients && head -c 200704 /dev/zero >zeroes") ||
	    recipients_read(&keys, "recipients", &err))
		exit(99);
}

int main(void)
{
	char dir[] = "/tmp/seal_stop.XXXXXX", command[64];
	int status;

	if (!age_is_there()) {
		puts("ok 1 - seal__a_stop_leaves_a_whole_trace_or_none # SKIP there is no age\n1..1");
		return 77;
	}
	if (!mkdtemp(dir) || chdir(dir))
		return 99;
	prepare();
	TAP_RUN(seal__a_stop_leaves_a_whole_trace_or_none);
	status = tap_done();
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command) ? 99 : status;
}
