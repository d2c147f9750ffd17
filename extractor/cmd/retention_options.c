// SPDX-License-Identifier: GPL-2.0-or-later
#include "retention_options.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/parse_number.h"
#include "base/text.h"
#include "os/conf_file.h"
#include "spool/spool.h"
#include "transfer/send_conf.h"
#include "common.h"

/* Defaults. */
#define COUNT	30
#define SIZE	(4ULL << 30)	/* and no more than a quarter of the file system */

struct teller {
	const char *path;
	bool json;
	const char *why;
};

/* The other directory of the same budget. */
struct also {
	struct retention_place place;
	struct teller teller;
};

int cmd_keep_take(struct cmd_keep *keep, const char *name, int opt, const char *arg)
{
	switch (opt) {
	case 'K':
		keep->has_count = parse_number(arg, ~0ULL, &keep->limit.count);
		break;
	case 'Z':
		keep->has_size = conf_file_size(arg, &keep->limit.size);
		break;
	case 'E':
		keep->etc = arg;
		return 1;
	default:
		return 0;
	}
	if (opt == 'K' ? keep->has_count : keep->has_size)
		return 1;
	cmd_misuse(name, opt == 'K' ? "--keep: no number: %s" : "--keep-size: no size, as 512M: %s", arg);
	return -1;
}

static const char *take_limit(void *arg, const char *name, char *value)
{
	struct retention *limit = arg;

	if (!strcmp(name, "COUNT"))
		return parse_number(value, ~0ULL, &limit->count) ? NULL : "no number";
	if (!strcmp(name, "SIZE"))
		return conf_file_size(value, &limit->size) ? NULL : "no size, as 512M";
	return SETTINGS_UNKNOWN;
}

static u64 default_size(int store)
{
	struct statvfs fs;
	u64 quarter;

	if (fstatvfs(store, &fs))
		return SIZE;
	quarter = (u64)fs.f_blocks * fs.f_frsize / 4;
	return quarter && quarter < SIZE ? quarter : SIZE;
}

static int read_limit(const struct cmd_keep *keep, int store, struct retention *limit,
		      struct err *err)
{
	char path[4400], text[4096];
	int ret;

	*limit = (struct retention){ COUNT, default_size(store) };
	snprintf(path, sizeof(path), "%.4096s/retention.conf", keep->etc);
	ret = conf_file_read(path, false, text, sizeof(text), take_limit, limit, err);
	if (keep->has_count)
		limit->count = keep->limit.count;
	if (keep->has_size)
		limit->size = keep->limit.size;
	return ret;
}

/* Who sends traces has the old ones sent before they go. */
static int read_target(const struct cmd_keep *keep, struct send_conf *s,
		       struct retention_place *place, struct err *err)
{
	char path[4400];
	int ret;

	snprintf(path, sizeof(path), "%.4096s/send.conf", keep->etc);
	ret = send_conf_read(s, path, false, err);
	place->target = s->value[SEND_TO];
	return ret;
}

static void tell_removed(void *arg, const char *name, u64 size)
{
	const struct teller *teller = arg;
	struct json j = { .f = stdout };
	char bytes[32];

	if (teller->json) {
		json_open(&j, NULL, '{');
		json_str(&j, "removed", name);
		json_str(&j, "dir", teller->path);
		json_u64(&j, "size", size);
		json_close(&j, '}');
		json_end(&j);
		return;
	}
	text_size(bytes, sizeof(bytes), size);
	fputs("removed ", stdout);
	text_put(stdout, teller->path, strlen(teller->path));
	printf("/%s: %s, %s\n", name, bytes, teller->why);
}

static bool is_of_same_disk(int store, int fd)
{
	struct stat a, b;

	return !fstat(store, &a) && !fstat(fd, &b) && a.st_dev == b.st_dev && a.st_ino != b.st_ino;
}

/* Who is at work there has a budget of its own to keep. */
static void join(const struct cmd_keep *keep, struct retention_place *place, struct also *also)
{
	int fd = keep->also ? open(keep->also, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	if (!is_of_same_disk(place->store, fd) || faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) ||
	    flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return;
	}
	spool_clean(fd, keep->also_temporary);
	also->teller = *(const struct teller *)place->arg;
	also->teller.path = keep->also;
	also->place = (struct retention_place){
		.store = fd, .prefix = keep->also_prefix, .temporary = keep->also_temporary,
		.on_removed = place->on_removed, .arg = &also->teller,
	};
	place->also = &also->place;
}

static void leave(struct retention_place *place)
{
	if (place->also)
		close(place->also->store);
	place->also = NULL;
}

static void tell_unsent(const char *name, u32 nr, const char *beyond, const char *target)
{
	char escaped[1024];

	if (!nr)
		return;
	escape_text(escaped, sizeof(escaped), target, strlen(target));
	fprintf(stderr, "epitaph %s: %u old trace%s kept%s: not sent to %s yet\n",
		name, nr, nr == 1 ? " is" : "s are", beyond, escaped);
}

int cmd_keep_apply(const struct cmd_keep *keep, const char *name, const char *path, bool json,
		   struct retention_place *place)
{
	static struct send_conf send;
	struct teller teller = { path, json, "the oldest of too many" };
	struct err err = ERR_INIT;
	struct retention limit;
	struct also also;
	u32 unsent = 0;
	int ret;

	place->on_removed = tell_removed;
	place->arg = &teller;
	ret = read_limit(keep, place->store, &limit, &err);
	if (!ret)
		ret = read_target(keep, &send, place, &err);
	if (!ret) {
		join(keep, place, &also);
		ret = retention_apply(&limit, place, &unsent, &err);
		leave(place);
	}
	tell_unsent(name, unsent, " beyond what retention.conf says", place->target);
	if (ret)
		err_while(&err, "old traces are not removed");
	return ret ? status_fail(name, &err) : ERR_OK;
}

static void tell_lack_of_room(const char *name, const char *path, int store, u64 bytes)
{
	char needed[32], room[32], escaped[1024];
	u64 there = retention_free_bytes(store);

	text_size(needed, sizeof(needed), bytes);
	text_size(room, sizeof(room), there);
	escape_text(escaped, sizeof(escaped), path, strlen(path));
	if (bytes > there)
		fprintf(stderr, "epitaph %s: %s are needed in %s and %s are free, also without older traces, of which the newest stays; make room, and run it again\n",
			name, needed, escaped, room);
	else
		fprintf(stderr, "epitaph %s: in %s a quota or the number of files allows no more, also without older traces, of which the newest stays; %s are free; make room, and run it again\n",
			name, escaped, room);
}

bool cmd_keep_make_room(const struct cmd_keep *keep, const char *name, const char *path, bool json,
			struct retention_place *place, u64 bytes)
{
	static struct send_conf send;
	struct teller teller = { path, json, "the oldest, to make room" };
	struct err err = ERR_INIT;
	struct retention limit;
	struct also also;
	u32 unsent = 0;
	int ret;

	place->on_removed = tell_removed;
	place->arg = &teller;
	/* Who wrote a limit that is wrong meant one: nothing is removed then. */
	ret = read_limit(keep, place->store, &limit, &err);
	if (!ret)
		ret = read_target(keep, &send, place, &err);
	if (!ret) {
		join(keep, place, &also);
		ret = retention_make_room(place, bytes, &unsent, &err);
		leave(place);
	}
	if (ret == 1)
		return true;
	tell_unsent(name, unsent, " on a full disk", place->target);
	if (ret) {
		err_while(&err, "old traces are not removed to make room");
		status_fail(name, &err);
	} else {
		tell_lack_of_room(name, path, place->store, bytes);
	}
	return false;
}
