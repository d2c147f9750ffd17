// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which traces go when there are too many, and that a process that is stopped while it
 * removes them leaves each of them whole or gone.
 *
 * build: @extractor
 * build: -Wl,--wrap=renameat,--wrap=unlinkat,--wrap=fsync
 * only: plain
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spool/retention.h"
#include "spool/spool.h"
#include "tap.h"

#define ID		"00010203-0405-0607-0809-0a0b0c0d0e0f-"
#define TEMPORARY	".harvest-"
#define KIB		1024

static int steps, stop;
static bool names_synced;

static void step(void)
{
	if (++steps == stop)
		kill(getpid(), SIGKILL);
}

int __real_renameat(int a, const char *from, int b, const char *to);
int __wrap_renameat(int a, const char *from, int b, const char *to);
int __wrap_renameat(int a, const char *from, int b, const char *to)
{
	step();
	names_synced = false;
	return __real_renameat(a, from, b, to);
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	step();
	names_synced = true;
	return __real_fsync(fd);
}

int __real_unlinkat(int dir, const char *path, int flags);
int __wrap_unlinkat(int dir, const char *path, int flags);
int __wrap_unlinkat(int dir, const char *path, int flags)
{
	step();
	CHECK(names_synced, "%s is unlinked before its name is known to be gone", path);
	return __real_unlinkat(dir, path, flags);
}

static void put(const char *dir, const char *name, size_t size)
{
	static char bytes[64 * KIB];
	char path[300];
	FILE *f;

	memset(bytes, 'x', sizeof(bytes));
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
		abort();
}

/* Later than the names say; in February 2026 */
#define SAVED	1770000000

/* A trace of 24 KiB, saved at @when, or so many seconds behind SAVED. */
static void recording(const char *name, time_t when)
{
	struct timespec times[2] = { { 0, UTIME_OMIT }, { when < SAVED ? SAVED + when : when, 0 } };
	char path[300];

	if (mkdir(name, 0700))
		abort();
	put(name, "region", 16 * KIB);
	put(name, "summary.txt", 8 * KIB);
	snprintf(path, sizeof(path), "%s/region", name);
	utimensat(AT_FDCWD, path, times, 0);
}

static void run(const char *command)
{
	if (system(command))
		abort();
}

/* Five; their names are in another order than their age. */
static void fresh(void)
{
	run("rm -rf ../store/* ../store/.h*");
	recording(ID "20260105T000000Z", 1000);
	recording(ID "20260104T000000Z", 2000);
	recording("generation-7-20260103T000000Z", 3000);
	recording(ID "20260102T000000Z.1", 4000);
	recording(ID "20260101T000000Z", 5000);
	names_synced = false;
	steps = 0;
}

static bool exists(const char *name)
{
	return !access(name, F_OK);
}

/* Which of the five are there: "11111". */
static const char *there(void)
{
	static char ret[6];

	snprintf(ret, sizeof(ret), "%d%d%d%d%d", exists(ID "20260105T000000Z"),
		 exists(ID "20260104T000000Z"), exists("generation-7-20260103T000000Z"),
		 exists(ID "20260102T000000Z.1"), exists(ID "20260101T000000Z"));
	return ret;
}

static void on_removed(void *arg, const char *name, u64 size)
{
	CHECK(!exists(name), "%s is reported, and there", name);
	CHECK(size >= 24 * KIB && size <= 28 * KIB, "%s is %llu bytes", name, size);
	++*(u32 *)arg;
}

static u32 unsent, removed;

static int apply(u64 count, u64 size, const char *newest, const char *target)
{
	struct retention limit = { count, size };
	struct retention_place place = {
		.prefix = "", .temporary = TEMPORARY, .newest = newest, .target = target,
		.on_removed = on_removed, .arg = &removed,
	};
	int ret;

	removed = unsent = 0;
	place.store = open(".", O_RDONLY | O_DIRECTORY);
	ret = retention_apply(&limit, &place, &unsent, NULL);
	close(place.store);
	return ret;
}

static void is(const char *wanted, const char *words)
{
	CHECK(!strcmp(there(), wanted), "%s: %s are there, not %s", words, there(), wanted);
}

static void retention__the_oldest_go_first(void)
{
	fresh();
	CHECK(!apply(3, 0, NULL, NULL) && removed == 2, "%u removed", removed);
	is("00111", "three of five");
	apply(3, 0, NULL, NULL);
	CHECK(!removed, "%u removed of three", removed);
}

static void retention__bytes_count_as_well(void)
{
	fresh();
	apply(0, 100 * KIB, NULL, NULL);
	is("01111", "four times 24 KiB of 100");
	apply(0, 95 * KIB, NULL, NULL);
	is("00111", "three times 24 KiB of 95");
}

static void retention__no_limit_removes_nothing(void)
{
	fresh();
	apply(0, 0, NULL, NULL);
	is("11111", "no limit");
}

static void retention__the_only_one_stays(void)
{
	fresh();
	apply(1, 1, NULL, NULL);
	is("00001", "one byte");
}

static void retention__what_was_just_saved_stays_though_the_clock_was_set_back(void)
{
	fresh();
	apply(2, 0, ID "20260105T000000Z", NULL);
	is("10001", "the oldest was just saved");
	apply(1, 0, ID "20260105T000000Z", NULL);
	is("10000", "and is the one that stays");
}

static void set_saved(const char *name, time_t when)
{
	struct timespec times[2] = { { 0, UTIME_OMIT }, { when, 0 } };
	char path[300];

	snprintf(path, sizeof(path), "%s/region", name);
	if (utimensat(AT_FDCWD, path, times, 0))
		abort();
}

/* A capture kernel whose clock was not set, of a boot whose clock was. */
static void retention__a_clock_in_the_past_makes_nothing_old(void)
{
	fresh();
	recording(ID "20260301T000000Z", 6000);
	set_saved(ID "20260301T000000Z", 100);
	apply(1, 0, NULL, NULL);
	is("00000", "the boot of March is newer");
	CHECK(exists(ID "20260301T000000Z/region"), "the newest is gone");
	run("rm -r " ID "20260301T000000Z");
}

/* In a boot, or while one was saved. */
static void retention__a_clock_in_the_future_makes_nothing_new(void)
{
	fresh();
	recording(ID "20990101T000000Z", 2500);
	apply(3, 0, NULL, NULL);
	is("00111", "a boot of 2099, saved behind the second");
	fresh();
	set_saved(ID "20260105T000000Z", 4070908800);
	set_saved(ID "20260104T000000Z", 4070908801);
	apply(3, 0, NULL, NULL);
	is("00111", "two that were saved in 2099");
}

static void retention__what_is_not_ours_is_not_counted(void)
{
	fresh();
	recording("mine", 1);
	recording("epitaph-" ID "20260101T000000Z", 1);
	recording(ID "20260101T000000Z.x", 1);
	recording(ID "20260199", 1);
	run("rm " ID "20260199/region");
	recording(ID "20260198", 1);
	if (mkdir(ID "20260198/notes", 0700) ||
	    symlink(ID "20260101T000000Z", ID "20260197"))
		abort();
	apply(5, 0, NULL, NULL);
	is("11111", "five of five");
	apply(1, 0, NULL, NULL);
	is("00001", "one of five");
	CHECK(exists("mine/region") && exists("epitaph-" ID "20260101T000000Z/region"),
	      "other names are gone");
	CHECK(exists(ID "20260101T000000Z.x/region") && exists(ID "20260199/summary.txt") &&
	      exists(ID "20260198/notes") && exists(ID "20260197/region"),
	      "what only looks like ours is gone");
}

static void retention__what_somebody_else_made_is_not_ours(void)
{
	fresh();
	if (geteuid()) {
		printf("# not root\n");
		return;
	}
	recording(ID "20990101T000000Z", 9000000000);
	if (chown(ID "20990101T000000Z", 65534, 65534))
		abort();
	apply(1, 0, NULL, NULL);
	is("00001", "one, and one of another owner");
	CHECK(exists(ID "20990101T000000Z/region"), "the other owner's is gone");
}

static void mark_sent(const char *name)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/sent", name);
	f = fopen(path, "w");
	if (!f || fprintf(f, "dir:/mnt %064d 2 %d 2026-01-01T00:00:00Z\n", 0, 24 * KIB) < 0 || fclose(f))
		abort();
}

static void retention__what_is_not_sent_stays_where_traces_are_sent(void)
{
	fresh();
	mark_sent(ID "20260104T000000Z");
	mark_sent(ID "20260102T000000Z.1");
	apply(4, 0, NULL, "tcp://elsewhere:1");
	is("11111", "sent elsewhere");
	CHECK(unsent == 4, "%u are unsent", unsent);
	apply(3, 0, NULL, "dir:/mnt");
	is("10101", "two are sent");
	CHECK(unsent == 2 && removed == 2, "%u are unsent, %u removed", unsent, removed);
}

static struct retention_place also;

static void on_removed_there(void *arg, const char *name, u64 size)
{
	char path[300];

	(void)size;
	snprintf(path, sizeof(path), "../crash/%s", name);
	CHECK(!exists(path), "%s is reported, and there", path);
	++*(u32 *)arg;
}

static u32 removed_there;

/* Two captures in another directory: older than all, and newer than three. */
static void two_elsewhere(void)
{
	run("rm -rf ../crash && mkdir ../crash");
	recording("../crash/epitaph-" ID "20260107T000000Z", 500);
	recording("../crash/epitaph-" ID "20260106T000000Z", 3500);
	also = (struct retention_place){
		.store = open("../crash", O_RDONLY | O_DIRECTORY), .prefix = SPOOL_CAPTURE, .temporary = ".epitaph-",
		.on_removed = on_removed_there, .arg = &removed_there,
	};
	removed_there = 0;
}

static int apply_to_both(u64 count, u64 size, const char *newest)
{
	struct retention limit = { count, size };
	struct retention_place place = {
		.prefix = "", .temporary = TEMPORARY, .newest = newest,
		.on_removed = on_removed, .arg = &removed, .also = &also,
	};
	int ret;

	removed = unsent = 0;
	place.store = open(".", O_RDONLY | O_DIRECTORY);
	ret = retention_apply(&limit, &place, &unsent, NULL);
	close(place.store);
	return ret;
}

static void is_elsewhere(const char *wanted, const char *words)
{
	char found[3];

	snprintf(found, sizeof(found), "%d%d", exists("../crash/epitaph-" ID "20260107T000000Z/region"),
		 exists("../crash/epitaph-" ID "20260106T000000Z/region"));
	CHECK(!strcmp(found, wanted), "%s: %s are elsewhere, not %s", words, found, wanted);
}

static void retention__two_directories_have_one_budget(void)
{
	fresh();
	two_elsewhere();
	apply_to_both(6, 0, NULL);
	is("11111", "six of seven");
	is_elsewhere("01", "six of seven");
	CHECK(removed_there == 1 && !removed, "%u and %u removed", removed_there, removed);
	apply_to_both(0, 100 * KIB, NULL);
	is("00111", "100 KiB");
	is_elsewhere("01", "100 KiB");
	apply_to_both(1, 0, NULL);
	is("00001", "one of both");
	is_elsewhere("00", "one of both");
	close(also.store);
}

static void retention__the_newest_stays_by_name_in_its_own_directory(void)
{
	fresh();
	two_elsewhere();
	recording("../crash/" ID "20260105T000000Z", 1);
	also.prefix = "";
	apply_to_both(1, 0, ID "20260105T000000Z");
	is("10000", "the newest");
	CHECK(!exists("../crash/" ID "20260105T000000Z"), "one of that name elsewhere is taken for it");
	close(also.store);
}

static void retention__in_vain_nothing_goes_in_either_directory(void)
{
	struct retention_place place = {
		.prefix = "", .temporary = TEMPORARY, .on_removed = on_removed, .arg = &removed, .also = &also,
	};

	fresh();
	two_elsewhere();
	removed = 0;
	place.store = open(".", O_RDONLY | O_DIRECTORY);
	CHECK(retention_make_room(&place, ~0ULL, &unsent, NULL) == 0, "there is room for everything");
	is("11111", "in vain");
	is_elsewhere("11", "in vain");
	close(place.store);
	close(also.store);
}

static void kill_anywhere(int at)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		stop = at;
		steps = 0;
		_exit(apply(2, 0, NULL, NULL));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	steps = WIFSIGNALED(status) ? 0 : -1;
}

static void retention__stopped_anywhere_leaves_each_whole_or_gone(void)
{
	static const char *const names[] = { ID "20260105T000000Z", ID "20260104T000000Z",
					     "generation-7-20260103T000000Z" };
	char path[300];
	int at, store;
	size_t i;

	for (at = 1; at < 100; at++) {
		fresh();
		kill_anywhere(at);
		if (steps)
			break;
		for (i = 0; i < 3; i++) {
			snprintf(path, sizeof(path), "%s/region", names[i]);
			CHECK(exists(path) == exists(names[i]), "stopped at %d: half of %s", at, names[i]);
			snprintf(path, sizeof(path), "%s/summary.txt", names[i]);
			CHECK(exists(path) == exists(names[i]), "stopped at %d: half of %s", at, names[i]);
		}
		CHECK(!strcmp(there() + 3, "11"), "stopped at %d: %s", at, there());
		store = open(".", O_RDONLY | O_DIRECTORY);
		names_synced = true;
		spool_clean(store, TEMPORARY);
		close(store);
		apply(2, 0, NULL, NULL);
		is("00011", "the next one");
		run("[ -z \"$(ls -A | grep '^\\.harvest')\" ]");
	}
	CHECK(at == 16, "%d system calls", at - 1);
}

int main(void)
{
	char dir[] = "/tmp/epitaph-keep-XXXXXX", command[300];

	if (!mkdtemp(dir) || chdir(dir) || mkdir("store", 0700) || chdir("store"))
		return 99;
	TAP_RUN(retention__the_oldest_go_first);
	TAP_RUN(retention__bytes_count_as_well);
	TAP_RUN(retention__no_limit_removes_nothing);
	TAP_RUN(retention__the_only_one_stays);
	TAP_RUN(retention__what_was_just_saved_stays_though_the_clock_was_set_back);
	TAP_RUN(retention__a_clock_in_the_past_makes_nothing_old);
	TAP_RUN(retention__a_clock_in_the_future_makes_nothing_new);
	TAP_RUN(retention__what_is_not_ours_is_not_counted);
	TAP_RUN(retention__what_somebody_else_made_is_not_ours);
	TAP_RUN(retention__what_is_not_sent_stays_where_traces_are_sent);
	TAP_RUN(retention__two_directories_have_one_budget);
	TAP_RUN(retention__the_newest_stays_by_name_in_its_own_directory);
	TAP_RUN(retention__in_vain_nothing_goes_in_either_directory);
	TAP_RUN(retention__stopped_anywhere_leaves_each_whole_or_gone);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	run(command);
	return tap_done();
}
