// SPDX-License-Identifier: GPL-2.0-or-later
/* Saved traces off the machine: docs/send.md. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "spool/sent.h"
#include "transfer/deliver.h"
#include "transfer/wire.h"
#include "common.h"

#define FROM		"/var/lib/epitaph /var/crash"
#define WITHIN		120	/* seconds */
#define MAX_WITHIN	86400

enum { OPT_CONF = NR_SEND_SETTINGS + 1, OPT_CHECK, OPT_SAME, OPT_AGAIN, OPT_REGION, OPT_SETTING = 0x100 };

/**
 * struct send - one command
 * @again: also what is marked
 * @nr: traces that were sent, or there before
 */
struct send {
	struct send_settings settings;
	struct delivery delivery;
	struct manifest m;
	const char *conf;
	bool check;
	bool again;
	unsigned int nr;
};

static void tell(const struct send *s, const char *path, const struct placed *placed)
{
	char digest[DIGEST_TEXT], size[32];

	manifest_digest(&s->m, digest);
	text_size(size, sizeof(size), manifest_bytes(&s->m));
	fputs(placed->was_there ? "was there: " : "sent ", stdout);
	text_put(stdout, path, strlen(path));
	fputs(" to ", stdout);
	text_put(stdout, s->delivery.target.text, strlen(s->delivery.target.text));
	if (*placed->within)
		printf(": its generations are in %s\n", placed->within);
	else
		printf(": %zu file%s, %s, digest %s\n", s->m.nr, s->m.nr == 1 ? "" : "s", size, digest);
	fflush(stdout);
}

static int send_trace(struct send *s, const char *path, int dir)
{
	struct err err = ERR_INIT;
	struct placed placed;

	if (!s->again && sent_is(dir, s->delivery.target.text))
		return ERR_OK;
	s->nr++;
	if (deliver(&s->delivery, path, dir, &s->m, &placed, &err)) {
		err_while(&err, "%s is not sent", path);
		cmd_fail("send", &err);
		return ERR_IO;
	}
	tell(s, path, &placed);
	return ERR_OK;
}

static bool has_region(int dir)
{
	size_t nr;
	u64 bytes;

	return !manifest_weigh(dir, &nr, &bytes);
}

/* In a directory where everybody may make some, it must be of who has saved it: us. */
static bool is_ours(int dir)
{
	struct stat st;

	return !fstat(dir, &st) && st.st_uid == geteuid();
}

static int send_entry(struct send *s, const char *path, int list, const char *name)
{
	int dir = openat(list, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int status = ERR_OK;
	char whole[4400];

	if (dir < 0)
		return ERR_OK;
	snprintf(whole, sizeof(whole), "%.4096s/%s", path, name);
	if (is_ours(dir) && has_region(dir))
		status = send_trace(s, whole, dir);
	close(dir);
	return status;
}

static int send_all_in(struct send *s, const char *path, int fd)
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
			status = cmd_worse(status, send_entry(s, path, fd, entry->d_name));
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
		err_sys(&err, "%s", path);
		return cmd_fail("send", &err);
	}
	if (!has_region(fd))
		return send_all_in(s, path, fd);
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
			status = cmd_worse(status, send_from(s, path, false));
	}
	return status;
}

static int send_all(struct send *s, int argc, char **argv)
{
	const char *from = s->settings.value[SEND_FROM];
	int status = ERR_OK;

	if (optind == argc)
		status = send_words(s, from ? from : FROM);
	for (; optind < argc; optind++)
		status = cmd_worse(status, send_from(s, argv[optind], true));
	if (status == ERR_OK && !s->nr)
		puts("nothing to send");
	return cmd_worse(status, cmd_flush("send"));
}

static int check(struct send *s)
{
	struct err err = ERR_INIT;

	if (deliver_check(&s->delivery, &s->m, &err)) {
		cmd_fail("send", &err);
		return ERR_IO;
	}
	text_put(stdout, s->delivery.target.text, strlen(s->delivery.target.text));
	printf(" takes traces of %s\n", s->m.host);
	return cmd_flush("send");
}

static int take_key(struct send *s, struct err *err)
{
	const char *key = s->settings.value[SEND_KEY];
	enum target_kind kind = s->delivery.target.kind;

	if (key)
		return secret_read(&s->delivery.key, key, err);
	if (kind == TARGET_TCP)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s: without a key anybody on the way could say that it is stored: KEY or --key, or tls://",
			       s->delivery.target.text);
	return 0;
}

static int prepare(struct send *s, struct err *err)
{
	const char *to, *within;
	u64 seconds = WITHIN;
	int ret = send_settings_read(&s->settings, s->conf ? s->conf : SEND_CONF, s->conf, err);

	if (ret)
		return ret;
	to = s->settings.value[SEND_TO];
	within = s->settings.value[SEND_WITHIN];
	if (!to)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "no target: --to, or TO= in " SEND_CONF);
	if (within && !cmd_number(within, MAX_WITHIN, &seconds))
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: not a number of seconds", within);
	ret = target_parse(&s->delivery.target, to, err);
	if (!ret)
		ret = take_key(s, err);
	s->delivery.settings = &s->settings;
	s->delivery.verbose = cmd_is_verbose();
	s->delivery.deadline = wire_now() + seconds * 1000;
	manifest_set_host(&s->m, s->settings.value[SEND_HOST]);
	return ret;
}

static bool take_option(struct send *s, int opt)
{
	if (opt >= OPT_SETTING)
		s->settings.value[opt - OPT_SETTING] = optarg;
	else if (opt == OPT_CONF)
		s->conf = optarg;
	else if (opt == OPT_CHECK)
		s->check = true;
	else if (opt == OPT_SAME)
		s->delivery.same_filesystem = true;
	else if (opt == OPT_AGAIN)
		s->again = true;
	else if (opt == OPT_REGION)
		s->delivery.region_only = true;
	else
		return false;
	return true;
}

int cmd_send(int argc, char **argv)
{
	struct option options[NR_SEND_SETTINGS + 6] = {
		[NR_SEND_SETTINGS] = { "conf", required_argument, NULL, OPT_CONF },
		{ "check", no_argument, NULL, OPT_CHECK },
		{ "same-filesystem", no_argument, NULL, OPT_SAME },
		{ "again", no_argument, NULL, OPT_AGAIN },
		{ "region-only", no_argument, NULL, OPT_REGION },
	};
	static struct send s;
	struct err err = ERR_INIT;
	int opt, i;

	for (i = 0; i < NR_SEND_SETTINGS; i++)
		options[i] = (struct option){ send_setting_option(i), required_argument, NULL,
					      OPT_SETTING + i };
	while ((opt = cmd_getopt(argc, argv, options)) != -1)
		if (!take_option(&s, opt))
			return cmd_usage("send");
	if (s.check && optind < argc)
		return cmd_misuse("send", "--check sends nothing: %s", argv[optind]);
	if (prepare(&s, &err))
		return cmd_fail("send", &err);
	return s.check ? check(&s) : send_all(&s, argc, argv);
}
