// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a collector keeps of many hosts: where it has room, what it removes, what others
 * do there at the same time.
 *
 * build: tests/lib/peer.c @extractor
 */
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"
#include "tap.h"

/* ms that the next lock takes, and that the clock is ahead. */
static unsigned int lock_takes;
static unsigned int ahead;

/* Something that another process does just before a lock is taken, and before which one. */
static void (*other_does)(void);
static unsigned int other_waits;

int flock(int fd, int how)
{
	ahead += lock_takes;
	lock_takes = 0;
	if (other_does && !other_waits--) {
		other_does();
		other_does = NULL;
	}
	return syscall(SYS_flock, fd, how);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int ret = syscall(SYS_clock_gettime, clock, now);

	now->tv_sec += ahead / 1000;
	return ret;
}

static void collect__what_is_too_large_is_refused_before_a_byte(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	peer_fresh();
	m = peer_manifest();
	peer_depot.max_trace = 1 << 20;
	m.files[1].size = (1 << 20) + 1;
	n = peer_script(script, sizeof(script), &m);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT && !strstr(peer_answer, "\nsend"),
	      "%s", peer_answer);
	peer_depot.max_host = 1 << 20;
	m.files[1].size = (1 << 20) - m.files[0].size;
	mkdir(peer_path("depot/web1"), 0700);
	mkdir(peer_path("depot/web1/earlier"), 0700);
	peer_put("depot/web1/earlier/region", "y");
	n = peer_script(script, sizeof(script), &m);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_IO && !strstr(peer_answer, "\nsend"),
	      "%s", peer_answer);
	m.files[1].size = 1ULL << 59;
	peer_depot.max_trace = 0;
	peer_depot.max_host = 0;
	n = peer_script(script, sizeof(script), &m);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) && !strstr(peer_answer, "stored"), "%s", peer_answer);
	CHECK(peer_left(3) == 0, "%u entries", peer_left(3));
	peer_depot.keep_free = 1ULL << 60;
	m = peer_manifest();
	n = peer_script(script, sizeof(script), &m);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_IO && !strstr(peer_answer, "\nsend"),
	      "%s", peer_answer);
}

static void collect__another_trace_of_that_name_lies_beside(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	n = peer_fresh_script(script, sizeof(script), &m);
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
	m.nr = 1;
	n = peer_script(script, sizeof(script), &m);
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
	CHECK(peer_has(PEER_NAME ".1", "region", PEER_REGION) && peer_has(PEER_NAME, "trace.txt", PEER_TRACE), "both");
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err) && strstr(peer_answer, "\nhave "), "%s", peer_answer);
}

/* Its bytes would be for nothing, and for nothing again at each try. */
static void collect__the_101st_of_a_name_is_refused_before_a_byte(void)
{
	struct manifest m;
	char script[4096], name[160];
	struct err err;
	size_t n;
	int i;

	peer_fresh();
	m = peer_manifest();
	mkdir(peer_path("depot/web1"), 0700);
	mkdir(peer_path("depot/web1/" PEER_NAME), 0700);
	for (i = 1; i < 99; i++) {
		snprintf(name, sizeof(name), "depot/web1/" PEER_NAME ".%d", i);
		mkdir(peer_path(name), 0700);
	}
	n = peer_script(script, sizeof(script), &m);
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "the hundredth: %s", peer_answer);
	CHECK(peer_has(PEER_NAME ".99", "region", PEER_REGION), "it is not there");
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err) && strstr(peer_answer, "\nhave "), "%s", peer_answer);
	m.nr = 1;
	n = peer_script(script, sizeof(script), &m);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT && !strstr(peer_answer, "\nsend") &&
	      strstr(peer_answer, "\nrefused there are 100 traces of this name"), "%s", peer_answer);
}

/* 4096 of them, and there would be no place for another host. */
static void collect__a_trace_that_is_not_taken_makes_no_host(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	n = peer_fresh_script(script, sizeof(script), &m);
	peer_depot.max_trace = 1;
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT, "%s", peer_answer);
	CHECK(peer_left(0) == 0, "too large: %u entries", peer_left(0));
	peer_depot.max_trace = 0;
	peer_depot.keep_free = 1ULL << 60;
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_IO, "%s", peer_answer);
	CHECK(peer_left(0) == 0, "a full disk: %u entries", peer_left(0));
	peer_depot.keep_free = 0;
	CHECK(peer_collect(&peer_no_key, "", script, n - 1, &err) == -ERR_IO, "%s", peer_answer);
	CHECK(peer_left(0) == 0, "cut: %u entries", peer_left(0));
	script[n - 2] ^= 1;
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_IO, "%s", peer_answer);
	CHECK(peer_left(0) == 0, "other bytes: %u entries", peer_left(0));
}

static void other_removes_host(void)
{
	rmdir(peer_path("depot/web1"));
}

/* Of a trace that was refused, while ours waited for the lock. */
static void collect__a_host_that_another_removes_is_made_again(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	n = peer_fresh_script(script, sizeof(script), &m);
	other_waits = 0;
	other_does = other_removes_host;
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
	CHECK(!other_does && peer_has(PEER_NAME, "region", PEER_REGION), "it is not there");
}

static void other_makes_host_anew(void)
{
	rmdir(peer_path("depot/web1"));
	mkdir(peer_path("depot/web1"), 0700);
}

static pthread_t other;
static int other_failed;

static void *fill_host(void *arg)
{
	int fd = *(int *)arg;

	usleep(50000);
	other_failed = mkdirat(fd, "trace", 0700);
	close(fd);
	return NULL;
}

static void other_locks_and_fills_host(void)
{
	static int fd;

	fd = peer_open("depot/web1");
	syscall(SYS_flock, fd, LOCK_EX);
	pthread_create(&other, NULL, fill_host, &fd);
}

/* It is empty as yet: the other has the lock, of that directory or of one made since. */
static void collect__a_host_that_another_fills_is_not_removed(void)
{
	static void (*const others[])(void) = { other_makes_host_anew, other_locks_and_fills_host };
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n, i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		peer_fresh();
		m = peer_manifest();
		n = peer_script(script, sizeof(script), &m);
		/* Behind the host's, our own directory's, and the end of the first. */
		other_waits = 3;
		other_does = others[i];
		CHECK(peer_collect(&peer_no_key, "", script, n - 1, &err) == -ERR_IO, "%s", peer_answer);
		CHECK(!other_does && !access(peer_path("depot/web1"), F_OK), "%zu: it is gone", i);
		other_does = NULL;
	}
	pthread_join(other, NULL);
	CHECK(!other_failed, "it was gone");
}

static void collect__leftovers_go_and_what_is_under_way_stays(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	struct stat st;
	size_t n;
	int dir;

	peer_fresh();
	mkdir(peer_path("depot/web1"), 0700);
	mkdir(peer_path("depot/web1/.receiving-dead"), 0700);
	peer_put("depot/web1/.receiving-dead/region", "half");
	mkdir(peer_path("depot/web1/.receiving-alive"), 0700);
	dir = peer_open("depot/web1/.receiving-alive");
	flock(dir, LOCK_EX);
	m = peer_manifest();
	n = peer_script(script, sizeof(script), &m);
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
	CHECK(stat(peer_path("depot/web1/.receiving-dead"), &st), "the dead one's is there");
	CHECK(!stat(peer_path("depot/web1/.receiving-alive"), &st), "the other is gone");
	close(dir);
}

/* On a share, others may make names as well; the name of a process is no secret. */
static void collect__what_is_there_already_is_not_received_into(void)
{
	struct manifest m;
	char script[4096], name[128];
	struct err err;
	size_t n;
	int dir;

	n = peer_fresh_script(script, sizeof(script), &m);
	snprintf(name, sizeof(name), "depot/web1/.receiving-%.16s.%ld", m.files[0].sum, (long)getpid());
	mkdir(peer_path("depot/web1"), 0700);
	mkdir(peer_path("elsewhere"), 0700);
	CHECK(!symlink("../../elsewhere", peer_path(name)), "no link");
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_IO, "through a link: %s", peer_answer);
	CHECK(!rmdir(peer_path("elsewhere")), "something was written there");
	unlink(peer_path(name));
	mkdir(peer_path(name), 0700);
	dir = peer_open(name);
	flock(dir, LOCK_EX);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_IO, "into another's: %s", peer_answer);
	CHECK(!access(peer_path(name), F_OK), "another's is gone");
	close(dir);
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
}

/* Behind another trace of that host, or on a slow disk: the sender has said its lines in time. */
static void collect__who_had_to_wait_for_room_still_gets_its_time(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	n = peer_fresh_script(script, sizeof(script), &m);
	lock_takes = 11000;
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err) && strstr(peer_answer, "\nstored "), "%s", err.msg);
	lock_takes = 11000;
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err) && strstr(peer_answer, "\nhave "), "%s", err.msg);
}

static u64 bytes_free(void)
{
	struct statvfs fs;

	return statvfs(peer_top, &fs) ? 0 : (u64)fs.f_bavail * fs.f_frsize;
}

/* As when another process takes room between our look and our allocation. */
static void collect__what_stays_free_is_looked_at_when_all_is_allocated(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	n = peer_fresh_script(script, sizeof(script), &m);
	/* A file takes a block at least. */
	peer_depot.keep_free = bytes_free() - manifest_bytes(&m);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_IO || bytes_free() >= peer_depot.keep_free,
	      "%s", peer_answer);
	peer_depot.keep_free = 0;
}

/* Digests of generations that only tests know. */
static void put_generations(struct manifest *m, const char *of)
{
	m->nr_generations = strlen(of);
	for (size_t i = 0; of[i]; i++)
		digest_text(m->generations[i], &of[i], 1);
}

/* Generations are letters; the trace is called after them. */
static int collect_generations(const char *of, struct err *err)
{
	struct manifest m = peer_manifest();
	char script[4096];
	size_t n;

	put_generations(&m, of);
	snprintf(m.name, sizeof(m.name), "of-%s", of);
	n = peer_script(script, sizeof(script), &m);
	return peer_collect(&peer_no_key, "", script, n, err);
}

/* kdump saved a region of two generations, and the next boot harvested the newer one. */
static void depot__generations_that_are_there_are_not_taken_again(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	peer_fresh();
	m = peer_manifest();
	put_generations(&m, "ab");
	n = peer_script(script, sizeof(script), &m);
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
	CHECK(!collect_generations("b", &err) && strstr(peer_answer, "\nwithin " PEER_NAME " -\n"),
	      "%s", peer_answer);
	CHECK(!collect_generations("ba", &err) && strstr(peer_answer, "\nwithin "), "%s", peer_answer);
	CHECK(peer_left(2) == 5, "%u entries", peer_left(2));
	CHECK(!collect_generations("bc", &err) && strstr(peer_answer, "\nstored "), "%s", peer_answer);
	CHECK(!collect_generations("ac", &err) && strstr(peer_answer, "\nwithin of-bc -\n"),
	      "of two: %s", peer_answer);
	CHECK(!collect_generations("", &err) && strstr(peer_answer, "\nstored "), "none: %s", peer_answer);
}

/* Nor are another host's any of this one's. */
static void depot__generations_count_for_their_host_alone(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	peer_fresh();
	m = peer_manifest();
	put_generations(&m, "a");
	strcpy(m.host, "web2");
	n = peer_script(script, sizeof(script), &m);
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
	CHECK(!collect_generations("a", &err) && strstr(peer_answer, "\nstored "), "%s", peer_answer);
}

/* Whose bytes never came, or which is under way. */
static void depot__generations_of_half_a_trace_are_not_there(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	peer_fresh();
	m = peer_manifest();
	put_generations(&m, "a");
	n = peer_script(script, sizeof(script), &m);
	CHECK(peer_collect(&peer_no_key, "", script, n - 1, &err) == -ERR_IO, "%s", peer_answer);
	mkdir(peer_path("depot/web1"), 0700);
	mkdir(peer_path("depot/web1/.receiving-x"), 0700);
	digest_text(script, "a", 1);
	peer_put("depot/web1/.receiving-x/generations", script);
	CHECK(!collect_generations("a", &err) && strstr(peer_answer, "\nstored "), "%s", peer_answer);
}

/* Of a version that wrote no generations, of others' files, and one without a list at all. */
static void depot__what_lies_beside_has_no_generations(void)
{
	struct err err;

	peer_fresh();
	mkdir(peer_path("depot/web1"), 0700);
	mkdir(peer_path("depot/web1/old"), 0700);
	mkdir(peer_path("depot/web1/empty"), 0700);
	peer_put("depot/web1/empty/generations", "");
	peer_put("depot/web1/file", "a");
	CHECK(!collect_generations("a", &err) && strstr(peer_answer, "\nstored "), "%s", peer_answer);
	CHECK(!collect_generations("a", &err) && strstr(peer_answer, "\nhave "), "%s", peer_answer);
}

static void depot__a_host_too_many_is_told_and_the_others_go_on(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	n = peer_fresh_script(script, sizeof(script), &m);
	peer_depot.max_hosts = 1;
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
	strcpy(m.host, "web2");
	n = peer_script(script, sizeof(script), &m);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_IO &&
	      strstr(peer_answer, "\nfailed there are traces of 1 hosts"), "%s", peer_answer);
	strcpy(m.host, "web1");
	strcpy(m.name, "another");
	n = peer_script(script, sizeof(script), &m);
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
	peer_depot.max_hosts = 0;
}

int main(void)
{
	if (!peer_begin("depot_test"))
		return 1;
	TAP_RUN(collect__what_is_too_large_is_refused_before_a_byte);
	TAP_RUN(collect__another_trace_of_that_name_lies_beside);
	TAP_RUN(collect__the_101st_of_a_name_is_refused_before_a_byte);
	TAP_RUN(collect__a_trace_that_is_not_taken_makes_no_host);
	TAP_RUN(collect__a_host_that_another_removes_is_made_again);
	TAP_RUN(collect__a_host_that_another_fills_is_not_removed);
	TAP_RUN(collect__leftovers_go_and_what_is_under_way_stays);
	TAP_RUN(collect__what_is_there_already_is_not_received_into);
	TAP_RUN(collect__who_had_to_wait_for_room_still_gets_its_time);
	TAP_RUN(collect__what_stays_free_is_looked_at_when_all_is_allocated);
	TAP_RUN(depot__generations_that_are_there_are_not_taken_again);
	TAP_RUN(depot__generations_count_for_their_host_alone);
	TAP_RUN(depot__generations_of_half_a_trace_are_not_there);
	TAP_RUN(depot__what_lies_beside_has_no_generations);
	TAP_RUN(depot__a_host_too_many_is_told_and_the_others_go_on);
	peer_end();
	return tap_done();
}
