// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "host/kdump_dir.h"
#include "os/new_file.h"
#include "os/sd_notify.h"
#include "spool/harvest.h"
#include "spool/spool.h"
#include "common.h"
#include "harvest_sealed.h"
#include "retention_options.h"

#define DEVICE	"/dev/epitaph"
#define SYSFS	"/sys/kernel/epitaph"
#define DIR	"/var/lib/epitaph"

#define MAX_WHERE	87	/* characters that the recorder keeps */

struct harvest_options {
	const char *device;
	const char *sysfs;
	const char *dir;
	const char *captures;
	bool force;
	bool json;
	bool notify;
	struct sealing *sealing;	/* NULL: what is saved lies in the clear */
	struct cmd_keep keep;
};

/* So far: @newest is the directory that was made last, or "". */
struct progress {
	int status;
	u32 nr;
	char newest[SPOOL_NAME];
};

static const struct side_file texts[] = {
	/* The summary has it. */
	{ SAVED_WHY, side_file_why },
	{ "summary.txt", side_file_summary },
	{ "mce.txt", side_file_mce },
	{ "dmesg.txt", side_file_dmesg },
	{ 0 },
};

static int open_device(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? cmd_no_device(err, path) : fd;
}

/* One at a time: what another has begun looks like what was left over. */
static int open_locked(const char *path, struct err *err)
{
	int fd = new_file_open_dir(AT_FDCWD, path, err);

	if (fd < 0)
		return cmd_no_store(err, path);
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	if (errno == EWOULDBLOCK)
		err_set(err, ERR_IO, ERR_NO_OFF, "%s: another harvest is under way", path);
	else
		err_sys(err, "%s: cannot lock", path);
	close(fd);
	return -ERR_IO;
}

static void tell_text(const char *dir, const struct sysfs_generation *gen,
		      const struct harvested *out, bool marked)
{
	char size[32];

	text_size(size, sizeof(size), gen->size);
	printf("%s generation %llu %s ", marked ? "harvested" : "saved", gen->number,
	       out->was_there ? "before, in" : "to");
	text_put(stdout, dir, strlen(dir));
	printf("/%s: %s, %s\n", out->name, size,
	       *out->words ? out->words : "which this version cannot read");
}

static void tell_json(const char *dir, const struct sysfs_generation *gen,
		      const struct harvested *out, bool marked)
{
	struct json j = { .f = stdout };

	json_open(&j, NULL, '{');
	json_u64(&j, "generation", gen->number);
	json_str(&j, "dir", dir);
	json_str(&j, "name", out->name);
	json_u64(&j, "size", gen->size);
	json_bool(&j, "was_there", out->was_there);
	json_bool(&j, "damaged", out->damaged);
	json_u64(&j, "unreadable_pages", out->unreadable.nr);
	json_str(&j, "lacks", out->lacks);
	json_bool(&j, "marked", marked);
	json_close(&j, '}');
	json_end(&j);
}

/* The whole path if the recorder can keep it. */
static int mark_harvested(const struct harvest_options *opt, const char *dir,
			  const struct sysfs_generation *gen, const struct harvested *out,
			  struct err *err)
{
	char where[4400];
	size_t i;

	snprintf(where, sizeof(where), "%.4096s/%s", dir, out->name);
	for (i = 0; where[i] > ' ' && where[i] < 127; i++)
		;
	if (where[i] || i > MAX_WHERE)
		strcpy(where, out->name);
	return sysfs_generation_mark(opt->sysfs, gen, where, err);
}

/* However it is written. */
static bool is_own_store(const char *dir)
{
	struct stat a, b;

	return !strcmp(dir, DIR) || (!stat(dir, &a) && !stat(DIR, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

/* One crash is stored once.  What lies elsewhere is not of this machine. */
static void drop_sealed(const struct harvest_options *opt, const char *name)
{
	if (is_own_store(opt->dir))
		harvest_sealed_drop(name, opt->json);
}

static struct retention_place harvests(const struct harvest *h)
{
	return (struct retention_place){ .store = h->dir, .prefix = "", .temporary = HARVEST_TEMPORARY };
}

/* Where older traces fill the disk, they make room for this one. */
static int save_generation(const struct harvest_options *opt, const struct harvest *h,
			   const struct sysfs_generation *gen, struct harvested *out,
			   struct err *err)
{
	struct retention_place place = harvests(h);
	int ret;

	do {
		*err = (struct err)ERR_INIT;
		ret = harvest_generation(h, gen, texts, out, err);
	} while (ret && (err->errnum == ENOSPC || err->errnum == EDQUOT) &&
		 cmd_keep_make_room(&opt->keep, "harvest", opt->dir, opt->json, &place, out->stored));
	return ret;
}

static bool ended_in_order(const struct sysfs_generation *gen)
{
	return !strcmp(gen->state, "ended");
}

/* By the policy, nothing of it ever is on disk in the clear. */
static int seal_one(const struct harvest_options *opt, const struct harvest *h,
		    const struct sysfs_generation *gen)
{
	struct err err = ERR_INIT;
	struct harvested out;

	if (harvest_sealed_put(opt->sealing, h, gen, ended_in_order(gen), opt->json, &out, &err))
		err_while(&err, "generation %llu is not harvested", gen->number);
	else
		mark_harvested(opt, opt->sealing->dir, gen, &out, &err);
	if (err.code)
		return status_fail("harvest", &err);
	return out.unreadable.nr ? ERR_DAMAGED : ERR_OK;
}

/* @out has no name if there is nothing of it on disk. */
static int harvest_one(const struct harvest_options *opt, const struct harvest *h,
		       const struct sysfs_generation *gen, struct harvested *out)
{
	struct err err = ERR_INIT;
	int status = ERR_OK;

	if (save_generation(opt, h, gen, out, &err)) {
		err_while(&err, "generation %llu is not harvested: %s", gen->number, opt->dir);
		out->name[0] = 0;
		return status_fail("harvest", &err);
	}
	if (mark_harvested(opt, opt->dir, gen, out, &err))
		status = status_fail("harvest", &err);
	out->damaged |= out->unreadable.nr != 0;
	if (opt->json)
		tell_json(opt->dir, gen, out, !status);
	else
		tell_text(opt->dir, gen, out, !status);
	if (out->unreadable.nr)
		fprintf(stderr, "epitaph harvest: generation %llu: %llu page%s of %s could not be read, the first at byte %llu: bad memory; the rest is saved\n",
			gen->number, out->unreadable.nr, out->unreadable.nr == 1 ? "" : "s",
			opt->device, out->unreadable.first);
	if (out->lacks) {
		fprintf(stderr, "epitaph harvest: generation %llu: %s could not be written; the region is there, and it can be made of it\n",
			gen->number, out->lacks);
		status = ERR_IO;
	}
	if (status == ERR_OK && !out->damaged)
		drop_sealed(opt, out->name);
	return status_worse(status, out->damaged ? ERR_DAMAGED : ERR_OK);
}

static void tell_captured(const struct harvest_options *opt, const struct sysfs_generation *gen,
			  const char *name)
{
	char size[32];

	text_size(size, sizeof(size), gen->size);
	printf("generation %llu was already captured by kdump, in ", gen->number);
	text_put(stdout, opt->captures, strlen(opt->captures));
	printf("/%s: %s\n", name, size);
}

/* What the capture kernel has saved is not saved again. */
static bool accept_capture(const struct harvest_options *opt, const struct harvest *h,
			   const struct sysfs_generation *gen, struct progress *p)
{
	struct harvested out = { .was_there = true };
	struct err err = ERR_INIT;

	if (opt->force || !opt->captures || !harvest_find_capture(h, gen, opt->captures, out.name))
		return false;
	if (mark_harvested(opt, opt->captures, gen, &out, &err))
		p->status = status_worse(p->status, status_fail("harvest", &err));
	if (opt->json)
		tell_json(opt->captures, gen, &out, !err.code);
	else
		tell_captured(opt, gen, out.name);
	if (!err.code)
		drop_sealed(opt, out.name);
	return true;
}

static int thin_out_harvests(const struct harvest_options *opt, const struct harvest *h,
			     const char *newest)
{
	struct retention_place place = harvests(h);

	place.newest = *newest ? newest : NULL;
	return cmd_keep_apply(&opt->keep, "harvest", opt->dir, opt->json, &place);
}

static void harvest_those(const struct harvest_options *opt, const struct harvest *h,
			  const struct sysfs_generations *list, bool in_order, struct progress *p)
{
	struct harvested out;
	u32 i;

	for (i = 0; i < list->nr; i++) {
		if (ended_in_order(&list->list[i]) != in_order ||
		    (!list->list[i].wanted && !opt->force))
			continue;
		p->nr++;
		if (accept_capture(opt, h, &list->list[i], p))
			continue;
		if (opt->sealing) {
			p->status = status_worse(p->status, seal_one(opt, h, &list->list[i]));
			continue;
		}
		p->status = status_worse(p->status, harvest_one(opt, h, &list->list[i], &out));
		if (*out.name)
			memcpy(p->newest, out.name, sizeof(p->newest));
	}
}

/* The boot waits for what a crash left, and for no more.  Who failed there does not say READY. */
static int tell_manager(const struct harvest_options *opt, int status)
{
	struct err err = ERR_INIT;
	struct notify notify;
	int ret;

	if (!opt->notify || status > ERR_DAMAGED)
		return ERR_OK;
	if (notify_open(&notify, &err))
		return status_fail("harvest", &err);
	ret = notify_send(&notify, "READY=1", &err);
	close(notify.fd);
	return ret ? status_fail("harvest", &err) : ERR_OK;
}

static int harvest_list(const struct harvest_options *opt, const struct harvest *h,
			const struct sysfs_generations *list)
{
	struct progress p = { .status = ERR_OK };

	if (list->lost)
		fprintf(stderr, "epitaph harvest: %llu generation%s overwritten before %s saved, the last of number %llu\n",
			list->lost, list->lost == 1 ? " was" : "s were",
			list->lost == 1 ? "it was" : "they were", list->lost_number);
	spool_clean(h->dir, HARVEST_TEMPORARY);
	harvest_those(opt, h, list, false, &p);
	p.status = status_worse(p.status, tell_manager(opt, p.status));
	harvest_those(opt, h, list, true, &p);
	if (!p.nr && !opt->json)
		puts("nothing to harvest");
	p.status = status_worse(p.status, thin_out_harvests(opt, h, p.newest));
	return status_worse(p.status, status_flush("harvest"));
}

static int harvest(const struct harvest_options *opt)
{
	static struct sysfs_generations list;
	struct err err = ERR_INIT;
	struct harvest h = { -1, -1 };
	int status;

	if (sysfs_generations_read(&list, opt->sysfs, &err))
		return status_fail("harvest", &err);
	h.device = open_device(opt->device, &err);
	if (h.device >= 0)
		h.dir = open_locked(opt->dir, &err);
	if (h.device < 0 || h.dir < 0)
		status = status_fail("harvest", &err);
	else
		status = harvest_list(opt, &h, &list);
	if (h.dir >= 0)
		close(h.dir);
	if (h.device >= 0)
		close(h.device);
	return status;
}

int cmd_harvest(int argc, char **argv)
{
	struct harvest_options opt = { .device = DEVICE, .sysfs = SYSFS, .keep = CMD_KEEP_INIT };
	static struct sealing sealing = { .recipients = RECIPIENTS };
	struct err err = ERR_INIT;
	char captures[KDUMP_DIR];
	int c, taken, ret;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		taken = cmd_keep_take(&opt.keep, "harvest", c, optarg);
		if (taken < 0)
			return ERR_USAGE;
		if (taken)
			continue;
		if (c == 'o')
			opt.dir = optarg;
		else if (c == 'b')
			opt.captures = optarg;
		else if (c == 'f')
			opt.force = true;
		else if (c == 'j')
			opt.json = true;
		else if (c == 'n')
			opt.notify = true;
		else if (c == 'd')
			opt.device = optarg;
		else if (c == 's')
			opt.sysfs = optarg;
		else
			return cmd_usage("harvest");
	}
	if (optind < argc)
		return cmd_misuse("harvest", "it takes what %s hands out, and no FILE: %s", DEVICE,
				  argv[optind]);
	/* Of this machine, if what is harvested is. */
	if (!opt.dir && !opt.captures) {
		kdump_dir("", captures, NULL);
		opt.captures = captures;
	}
	if (!opt.dir)
		opt.dir = DIR;
	opt.keep.also = opt.captures;
	opt.keep.also_prefix = SPOOL_CAPTURE;
	opt.keep.also_temporary = SPOOL_CAPTURE_TEMPORARY;
	ret = is_own_store(opt.dir) ? sealing_is_policy(&err) : 0;
	if (ret > 0)
		opt.sealing = &sealing;
	if (ret < 0 || (ret > 0 && sealing_prepare(&sealing, NULL, NULL, &err))) {
		err_while(&err, "nothing is harvested, what is in memory stays there");
		return status_fail("harvest", &err);
	}
	return harvest(&opt);
}
