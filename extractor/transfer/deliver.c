// SPDX-License-Identifier: GPL-2.0-or-later
#include "deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "spool/sent.h"
#include "contents.h"
#include "depot.h"
#include "dial.h"
#include "transmit.h"

#define LONGEST_PAUSE	60000	/* ms */

/* A share that is not mounted is a directory like any other. */
static int check_elsewhere(const struct delivery *d, int depot, int dir, struct err *err)
{
	struct stat there, here;

	if (d->same_filesystem)
		return 0;
	if (fstat(depot, &there) || fstat(dir, &here))
		return err_sys(err, "%s", d->target.path);
	if (there.st_dev != here.st_dev)
		return 0;
	return err_set(err, ERR_IO, ERR_NO_OFF,
		       "it is on the file system of the trace: mount the share there, or say --same-filesystem");
}

static int put(void *arg, const void *data, size_t size, struct err *err)
{
	return deposit_write(arg, data, size, err);
}

/* What the share gives back, not what was given to it. */
static int read_again(const struct manifest *m, int host, const char *name, struct err *err)
{
	int dir = openat(host, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct manifest again;
	char ours[DIGEST_TEXT], theirs[DIGEST_TEXT];
	int ret = dir < 0 ? err_sys(err, "%s", name) : manifest_of_dir(&again, dir, m->name, m->nr == 1, err);

	if (dir >= 0)
		close(dir);
	if (ret)
		return ret;
	manifest_digest(m, ours);
	manifest_digest(&again, theirs);
	return strcmp(ours, theirs) ?
	       err_set(err, ERR_IO, ERR_NO_OFF, "read again, its digest is another: %s", theirs) : 0;
}

static int put_dir(const struct delivery *d, const struct depot *depot, const struct manifest *m,
		   int dir, struct placed *placed, struct err *err)
{
	struct deposit dep;
	int host, ret = deposit_begin(&dep, depot, m, err);
	char from[128];

	if (ret < 0)
		return ret;
	deposit_tell(&dep, ret, placed);
	if (placed->was_there)
		return 0;
	host = dup(dep.host);
	snprintf(from, sizeof(from), "by %s, into a directory\n", m->host);
	ret = manifest_feed(m, dir, put, &dep, err);
	if (!ret)
		ret = deposit_finish(&dep, from, err);
	deposit_abort(&dep);
	if (!ret)
		ret = read_again(m, host, dep.name, err);
	close(host);
	return ret ? err_while(err, "%s", d->target.path) : 0;
}

static int to_dir(const struct delivery *d, const struct manifest *m, int dir, struct placed *placed,
		  struct err *err)
{
	struct depot depot;
	int ret = depot_open(&depot, d->target.path, err);

	if (ret)
		return ret;
	if (dir < 0)
		ret = faccessat(depot.fd, ".", W_OK, AT_EACCESS) ? err_sys(err, "it cannot be written to") : 0;
	else
		ret = check_elsewhere(d, depot.fd, dir, err);
	if (!ret && dir >= 0)
		ret = put_dir(d, &depot, m, dir, placed, err);
	close(depot.fd);
	return ret;
}

static int try_once(const struct delivery *d, const struct manifest *m, int dir, struct placed *placed,
		    struct err *err)
{
	struct dial dial;
	int ret;

	*placed = (struct placed){ false, "" };
	if (d->target.kind == TARGET_DIR)
		return to_dir(d, m, dir, placed, err);
	ret = dial_open(&dial, &d->target, d->settings, d->deadline, err);
	if (ret)
		return ret;
	ret = transmit(&dial.wire, m, dir, &d->key, placed, err);
	dial_close(&dial);
	return ret;
}

static void pause_ms(u64 ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

int deliver(const struct delivery *d, const char *path, int dir, struct manifest *m,
	    struct placed *placed, struct err *err)
{
	u64 pause = 1000;
	int ret;

	contents_read(m, dir, d->verbose);
	for (;;) {
		/* Anew for each try: a text may just have been made. */
		ret = manifest_of_dir(m, dir, path, d->region_only, err);
		if (ret)
			return ret;
		ret = try_once(d, m, dir, placed, err);
		if (!ret)
			return sent_mark(dir, d->target.text, m, placed, err);
		if (ret != -ERR_IO || wire_now() + pause >= d->deadline)
			return err_while(err, "%s", d->target.text);
		pause_ms(pause);
		pause = pause * 2 < LONGEST_PAUSE ? pause * 2 : LONGEST_PAUSE;
	}
}

int deliver_check(const struct delivery *d, struct manifest *m, struct err *err)
{
	struct placed placed;
	int ret;

	*m->name = 0;
	m->nr = 0;
	ret = try_once(d, m, -1, &placed, err);
	return ret ? err_while(err, "%s", d->target.text) : 0;
}
