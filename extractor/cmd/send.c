// SPDX-License-Identifier: GPL-2.0-or-later
/* Saved traces off the machine: docs/send.md. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/parse_number.h"
#include "base/text.h"
#include "os/program.h"
#include "spool/sent_marker.h"
#include "transfer/send.h"
#include "common.h"

#define FROM		"/var/lib/epitaph /var/crash"
#define WITHIN		120	/* seconds */
#define MAX_WITHIN	86400

/**
 * struct send - one command
 * @again: also what is marked
 * @nr: captures that were sent, or tried
 */
struct send {
	struct send_conf conf;
	struct delivery delivery;
	struct manifest m;
	const char *conf_path;
	bool check;
	bool again;
	unsigned int nr;
};

static int send_trace(struct send *s, const char *path, int dir)
{
	struct err err = ERR_INIT;
	char name[ARCHIVE_NAME], size[32], escaped[1024];
	int ret;

	if (!s->again && sent_marker_has(dir, s->delivery.target.text))
		return ERR_OK;
	s->nr++;
	manifest_set_host(&s->m, s->conf.value[SEND_HOST]);
	manifest_add_guest(&s->m, dir);
	ret = send_capture(&s->delivery, dir, &s->m, name, &err);
	if (ret < 0) {
		err_while(&err, "%s is not sent", path);
		status_fail("send", &err);
		return ERR_IO;
	}
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

static int send_all_in(struct send *s, const char *path, int fd, unsigned int deeper);

/* @deeper: levels of directories that are searched below this one: guests have a directory each */
static int send_entry(struct send *s, const char *path, int list, const char *name, unsigned int deeper)
{
	int dir = openat(list, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int status = ERR_OK;
	char whole[4400];

	if (dir < 0)
		return ERR_OK;
	snprintf(whole, sizeof(whole), "%.4096s/%s", path, name);
	if (is_own_file(dir) && !has_region(dir) && deeper)
		return send_all_in(s, whole, dir, deeper - 1);
	if (is_own_file(dir) && has_region(dir))
		status = send_trace(s, whole, dir);
	close(dir);
	return status;
}

static int send_all_in(struct send *s, const char *path, int fd, unsigned int deeper)
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
			status = status_worse(status, send_entry(s, path, fd, entry->d_name, deeper));
	closedir(list);
	return status;
}

/* A trace, or a directory of them; one of the usual places need not be there. */
static int send_from(struct send *s, const char *path, bool must_be)
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
		return send_all_in(s, path, fd, 1);
	status = send_trace(s, path, fd);
	close(fd);
	return status;
}

static int send_words(struct send *s, const char *words)
{
	int status = ERR_OK;
	char path[4096];
	size_t n;

	for (; *words; words += n) {
		words += strspn(words, " \t");
		n = strcspn(words, " \t");
		snprintf(path, sizeof(path), "%.*s", (int)n, words);
		if (n)
			status = status_worse(status, send_from(s, path, false));
	}
	return status;
}

static int send_all(struct send *s, int argc, char **argv)
{
	const char *from = s->conf.value[SEND_FROM];
	int status = ERR_OK;

	if (optind == argc)
		status = send_words(s, from ? from : FROM);
	for (; optind < argc; optind++)
		status = status_worse(status, send_from(s, argv[optind], true));
	if (status == ERR_OK && !s->nr)
		puts("nothing to send");
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
