// SPDX-License-Identifier: GPL-2.0-or-later
/* Saved traces off the machine: docs/send.md. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/parse_number.h"
#include "base/text.h"
#include "host/kdump_dir.h"
#include "os/program.h"
#include "spool/saved_captures.h"
#include "spool/sent_marker.h"
#include "spool/side_files.h"
#include "transfer/send.h"
#include "common.h"

#define HARVESTS	"/var/lib/epitaph"
#define WITHIN		120	/* seconds */
#define MAX_WITHIN	86400
#define LATE		".late"	/* beside a region: the time was over before it was sent, when this was written last */

/**
 * struct to_send - a capture
 * @order: how new it is
 * @late: when the time was over last; 0: never
 * @is_given: on the command line, so it may be a link, and anybody's
 */
struct to_send {
	char *path;
	struct timespec order;
	struct timespec late;
	bool is_given;
};

/**
 * struct send - one command
 * @again: also what is marked
 * @list: captures to be sent, @nr of them
 */
struct send {
	struct send_conf conf;
	struct delivery delivery;
	struct manifest m;
	const char *conf_path;
	bool check;
	bool again;
	struct to_send *list;
	size_t nr;
};

static int add_trace(struct send *s, const char *path, int dir, bool is_given)
{
	struct to_send *more, one = { .is_given = is_given };
	struct stat st;

	if (!s->again && sent_marker_has(dir, s->delivery.target.text))
		return ERR_OK;
	if (!fstatat(dir, SAVED_REGION, &st, AT_SYMLINK_NOFOLLOW))
		one.order = saved_capture_order(strrchr(path, '/') ? strrchr(path, '/') + 1 : path, &st.st_mtim);
	if (!fstatat(dir, LATE, &st, AT_SYMLINK_NOFOLLOW))
		one.late = st.st_mtim;
	one.path = strdup(path);
	more = reallocarray(s->list, s->nr + 1, sizeof(*more));
	if (more)
		s->list = more;
	if (!more || !one.path) {
		fprintf(stderr, "epitaph send: no memory\n");
		free(one.path);
		return ERR_IO;
	}
	s->list[s->nr++] = one;
	return ERR_OK;
}

static int compare_times(const struct timespec *a, const struct timespec *b)
{
	if (a->tv_sec != b->tv_sec)
		return a->tv_sec < b->tv_sec ? -1 : 1;
	return a->tv_nsec < b->tv_nsec ? -1 : a->tv_nsec > b->tv_nsec;
}

/* The newest first.  What the time was too short for is last: all others have their turn before. */
static int by_turn(const void *a, const void *b)
{
	const struct to_send *x = a, *y = b;
	int ret = compare_times(&x->late, &y->late);

	if (!ret)
		ret = compare_times(&y->order, &x->order);
	return ret ? ret : strcmp(x->path, y->path);
}

/* Is there no time for another try? */
static bool is_time_over(const struct send *s)
{
	return monotonic_ms() + FIRST_PAUSE >= s->delivery.deadline;
}

static void note_late(int dir)
{
	int fd = openat(dir, LATE, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

	if (fd < 0)
		return;
	futimens(fd, NULL);
	close(fd);
}

static int send_trace(struct send *s, const char *path, int dir)
{
	struct err err = ERR_INIT;
	char name[ARCHIVE_NAME], size[32], escaped[1024];
	int ret;

	manifest_set_host(&s->m, s->conf.value[SEND_HOST]);
	manifest_add_guest(&s->m, dir);
	ret = send_capture(&s->delivery, dir, &s->m, name, &err);
	if (ret < 0) {
		if (ret == -ERR_IO && is_time_over(s))
			note_late(dir);
		err_while(&err, "%s is not sent", path);
		status_fail("send", &err);
		return ERR_IO;
	}
	unlinkat(dir, LATE, 0);
	text_size(size, sizeof(size), manifest_bytes(&s->m));
	fputs("sent ", stdout);
	text_put(stdout, path, strlen(path));
	fputs(" to ", stdout);
	text_put(stdout, s->delivery.target.text, strlen(s->delivery.target.text));
	printf(": %zu file%s, %s, as %s\n", s->m.nr, s->m.nr == 1 ? "" : "s", size, name);
	fflush(stdout);
	if (ret) {
		escape_text(escaped, sizeof(escaped), path, strlen(path));
		fprintf(stderr, "epitaph send: warning: %s is sent, and cannot be marked: %s; it will be sent again\n",
			escaped, err.msg);
	}
	return ERR_OK;
}

static bool has_region(int dir)
{
	struct manifest_weight weight;

	return !manifest_weigh(&weight, dir);
}

/* In a directory where everybody may make some, it must be of who has saved it: us. */
static bool is_own_file(int dir)
{
	struct stat st;

	return !fstat(dir, &st) && st.st_uid == geteuid();
}

static int find_all_in(struct send *s, const char *path, int fd, unsigned int deeper);

/* @deeper: levels of directories that are searched below this one: guests have a directory each */
static int find_in_entry(struct send *s, const char *path, int list, const char *name, unsigned int deeper)
{
	int dir = openat(list, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int status = ERR_OK;
	char whole[4400];

	if (dir < 0)
		return ERR_OK;
	snprintf(whole, sizeof(whole), "%.4096s/%s", path, name);
	if (is_own_file(dir) && !has_region(dir) && deeper)
		return find_all_in(s, whole, dir, deeper - 1);
	if (is_own_file(dir) && has_region(dir))
		status = add_trace(s, whole, dir, false);
	close(dir);
	return status;
}

static int find_all_in(struct send *s, const char *path, int fd, unsigned int deeper)
{
	DIR *list = fdopendir(fd);
	struct dirent *entry;
	int status = ERR_OK;

	if (!list) {
		close(fd);
		return ERR_IO;
	}
	/* What begins with a dot is not whole yet. */
	while ((entry = readdir(list)))
		if (*entry->d_name != '.')
			status = status_worse(status, find_in_entry(s, path, fd, entry->d_name, deeper));
	closedir(list);
	return status;
}

/* A trace, or a directory of them; one of the usual places need not be there. */
static int find_below(struct send *s, const char *path, bool must_be)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status;
	struct err err = ERR_INIT;

	if (fd < 0 && errno == ENOENT && !must_be)
		return ERR_OK;
	if (fd < 0) {
		if (errno == ENOTDIR)
			err_set(&err, ERR_IO, ERR_NO_OFF,
				"%s: found a file, expected a capture: a directory with a region", path);
		else
			err_sys(&err, "%s", path);
		return status_fail("send", &err);
	}
	if (!has_region(fd))
		return find_all_in(s, path, fd, 1);
	status = add_trace(s, path, fd, true);
	close(fd);
	return status;
}

static int find_words(struct send *s, const char *words)
{
	int status = ERR_OK;
	char path[4096];
	size_t n;

	for (; *words; words += n) {
		words += strspn(words, " \t");
		n = strcspn(words, " \t");
		snprintf(path, sizeof(path), "%.*s", (int)n, words);
		if (n)
			status = status_worse(status, find_below(s, path, false));
	}
	return status;
}

static int send_one(struct send *s, const struct to_send *one)
{
	int dir = open(one->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (one->is_given ? 0 : O_NOFOLLOW));
	int status = ERR_OK;

	/* Retention may have removed it meanwhile. */
	if (dir < 0)
		return ERR_OK;
	if (one->is_given || is_own_file(dir))
		status = send_trace(s, one->path, dir);
	close(dir);
	return status;
}

static int send_all(struct send *s, int argc, char **argv)
{
	const char *from = s->conf.value[SEND_FROM];
	char crashes[KDUMP_DIR];
	int status = ERR_OK;
	size_t i;

	if (optind == argc && from) {
		status = find_words(s, from);
	} else if (optind == argc) {
		kdump_dir("", crashes, NULL);
		status = find_below(s, HARVESTS, false);
		if (strcmp(crashes, HARVESTS))
			status = status_worse(status, find_below(s, crashes, false));
	}
	for (; optind < argc; optind++)
		status = status_worse(status, find_below(s, argv[optind], true));
	if (status == ERR_OK && !s->nr)
		puts("nothing to send");
	if (s->nr)
		qsort(s->list, s->nr, sizeof(*s->list), by_turn);
	for (i = 0; i < s->nr && (!i || monotonic_ms() < s->delivery.deadline); i++)
		status = status_worse(status, send_one(s, &s->list[i]));
	if (i < s->nr) {
		fprintf(stderr, "epitaph send: %zu more %s not tried: the time is over (WITHIN or --within); the next start begins with %s\n",
			s->nr - i, s->nr - i == 1 ? "is" : "are", s->nr - i == 1 ? "it" : "them");
		status = status_worse(status, ERR_IO);
	}
	return status_worse(status, status_flush("send"));
}

static int check(struct send *s)
{
	struct err err = ERR_INIT;

	if (send_check(&s->delivery, &err)) {
		status_fail("send", &err);
		return ERR_IO;
	}
	text_put(stdout, s->delivery.target.text, strlen(s->delivery.target.text));
	printf(" answers %s; nothing was stored\n", s->m.host);
	return status_flush("send");
}

/* The S3 endpoint is a URL as a target is one, and the same holds for it. */
static int check_endpoint(const struct send *s, struct err *err)
{
	const char *endpoint = s->conf.value[SEND_S3_ENDPOINT];
	struct target_url url;
	int ret;

	if (!endpoint || s->delivery.target.kind != TARGET_S3)
		return 0;
	ret = target_url_parse(&url, endpoint, err);
	if (!ret && url.kind != TARGET_HTTP)
		ret = err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: expected https://HOST[:PORT]", endpoint);
	return ret ? err_while(err, "S3_ENDPOINT or --s3-endpoint") : 0;
}

static int prepare_send(struct send *s, struct err *err)
{
	const char *to, *within;
	u64 seconds = WITHIN;
	int ret = send_conf_read(&s->conf, s->conf_path ? s->conf_path : SEND_CONF, s->conf_path, err);

	if (ret)
		return ret;
	to = s->conf.value[SEND_TO];
	within = s->conf.value[SEND_WITHIN];
	if (!to)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "no target: --to, or TO= in " SEND_CONF);
	if (within && !parse_number(within, MAX_WITHIN, &seconds))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "WITHIN or --within: found %s, expected seconds, as 120", within);
	ret = target_url_parse(&s->delivery.target, to, err);
	if (!ret)
		ret = send_conf_check(&s->conf, err);
	if (!ret)
		ret = check_endpoint(s, err);
	s->delivery.conf = &s->conf;
	s->delivery.verbose = reading_settings()->verbose;
	s->delivery.deadline = monotonic_ms() + seconds * 1000;
	manifest_set_host(&s->m, s->conf.value[SEND_HOST]);
	return ret;
}

int cmd_send(int argc, char **argv)
{
	static struct send s;
	struct err err = ERR_INIT;
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		switch (opt) {
		case 'f':
			s.conf_path = optarg;
			break;
		case 'x':
			s.check = true;
			break;
		case 's':
			s.delivery.same_filesystem = true;
			break;
		case 'a':
			s.again = true;
			break;
		case 'r':
			s.delivery.region_only = true;
			break;
		case '?':
			return cmd_usage("send");
		default:
			s.conf.value[opt - SEND_OPTION] = optarg;
		}
	}
	if (s.check && optind < argc)
		return cmd_misuse("send", "--check sends nothing: %s", argv[optind]);
	if (prepare_send(&s, &err))
		return status_fail("send", &err);
	return s.check ? check(&s) : send_all(&s, argc, argv);
}
