// SPDX-License-Identifier: GPL-2.0-or-later
#include "harvest_sealed.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "common.h"

int harvest_sealed_put(struct sealing *s, const struct harvest *h, const struct sysfs_generation *gen,
		       bool ended, bool json, struct harvested *out, struct err *err)
{
	int fd = memfd_create("region", MFD_CLOEXEC), ret;
	struct sealed_file file = { .ended = ended };

	memset(out, 0, sizeof(*out));
	if (fd < 0)
		return err_sys(err, "no memory");
	ret = harvest_region(h, gen, fd, s->place.conf.quota, out, err);
	snprintf(file.boot, sizeof(file.boot), "%.*s", (int)sizeof(file.boot) - 1, out->name);
	if (!ret)
		ret = sealing_put(s, &file, fd, json, err);
	if (!ret)
		snprintf(out->name, sizeof(out->name), "%.*s", (int)sizeof(out->name) - 1, file.boot);
	close(fd);
	return ret;
}

/* "epitaph-BOOT-TIME.1" and "BOOT-TIME" are of the same boot. */
static bool is_of_boot(const char *name, const char *boot)
{
	size_t n = strlen(boot);

	if (!strncmp(name, SPOOL_CAPTURE, strlen(SPOOL_CAPTURE)))
		name += strlen(SPOOL_CAPTURE);
	return !strncmp(name, boot, n) && (!name[n] || name[n] == '.');
}

static void drop_file(const struct seal_place *place, int dir, const char *name, bool json)
{
	struct err err = ERR_INIT;

	if (sealed_file_remove(dir, name, &err)) {
		err_while(&err, "the sealed copy stays: %s", place->dir);
		status_fail("harvest", &err);
		return;
	}
	if (json)
		return;
	fputs("its sealed copy is not needed any more and is removed: ", stdout);
	text_put(stdout, place->dir, strlen(place->dir));
	printf("/%s\n", name);
}

void harvest_sealed_drop(const char *name, bool json)
{
	static struct seal_place place;
	struct err ignored = ERR_INIT;
	struct sealed_files all = { 0 };
	int dir = -1;
	size_t i;

	if (!seal_place_find(&place, "", &ignored) && *place.dir && place.conf.when != SEAL_WHEN_ALWAYS)
		dir = sealed_place_open(place.dir, true, &ignored);
	if (dir < 0)
		return;
	if (!sealed_files_read(&all, dir, &ignored))
		for (i = 0; i < all.nr; i++)
			if (is_of_boot(name, all.list[i].boot))
				drop_file(&place, dir, all.list[i].name, json);
	sealed_files_free(&all);
	close(dir);
}
