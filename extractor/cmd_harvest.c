// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cmd.h"
#include "harvest.h"
#include "json.h"
#include "copy.h"
#include "print_mces.h"
#include "text.h"

#define DEVICE	"/dev/epitaph"
#define SYSFS	"/sys/kernel/epitaph"
#define DIR	"/var/lib/epitaph"

#define MAX_WHERE	87	/* characters that the recorder keeps */

struct options {
	const char *device;
	const char *sysfs;
	const char *dir;
	bool force;
	bool json;
};

/* In the directory of the saved region, and in a process of its own. */
static int make_trace(void)
{
	char *argv[] = { "report", "--all", HARVEST_REGION, NULL };

	optind = 0;
	return cmd_report(3, argv);
}

static int make_of_region(int argc, char **argv, void *arg)
{
	struct input_files files = cmd_take_files(argc, argv);
	int (*put)(const struct trace *trace) = *(int (**)(const struct trace *))arg;
	struct err err = ERR_INIT;
	struct account account;
	int status;

	if (account_open(&account, &files, ACCOUNT_REGION, GENERATION_NEWEST, &err))
		status = cmd_fail("harvest", &err);
	else
		status = put(account.trace);
	account_close(&account);
	return cmd_worse(status, cmd_flush("harvest"));
}

static int with_region(int (*put)(const struct trace *trace))
{
	char *argv[] = { "harvest", HARVEST_REGION, NULL };
	struct cmd_work work = { make_of_region, &put, -1, false };

	optind = 1;
	return cmd_run(&work, 2, argv);
}

static int put_mce(const struct trace *trace)
{
	if (mces_count(&trace->mces))
		print_mces(stdout, trace);
	return ERR_OK;
}

static int put_dmesg(const struct trace *trace)
{
	records_print(stdout, &trace->records);
	return ERR_OK;
}

static int make_mce(void)
{
	return with_region(put_mce);
}

static int make_dmesg(void)
{
	return with_region(put_dmesg);
}

static const struct harvest_text texts[] = {
	{ "trace.txt", make_trace },
	{ "mce.txt", make_mce },
	{ "dmesg.txt", make_dmesg },
	{ 0 },
};

static int open_device(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? err_sys(err, "%s", path) : fd;
}

/* One at a time: what another has begun looks like what was left over. */
static int open_locked(const char *path, struct err *err)
{
	int fd = copy_open_dir(AT_FDCWD, path, err);

	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	if (errno == EWOULDBLOCK)
		err_set(err, ERR_IO, ERR_NO_OFF, "%s: another harvest is under way", path);
	else
		err_sys(err, "%s: cannot lock", path);
	close(fd);
	return -ERR_IO;
}

static void tell_text(const struct options *opt, const struct earlier *gen,
		      const struct harvested *out, bool marked)
{
	char size[32];

	text_size(size, sizeof(size), gen->size);
	printf("%s generation %llu %s ", marked ? "harvested" : "saved", gen->number,
	       out->was_there ? "before, in" : "to");
	text_put(stdout, opt->dir, strlen(opt->dir));
	printf("/%s: %s, %s\n", out->name, size,
	       *out->words ? out->words : "which this version cannot read");
}

static void tell_json(const struct options *opt, const struct earlier *gen,
		      const struct harvested *out, bool marked)
{
	struct json j = { .f = stdout };

	json_open(&j, NULL, '{');
	json_u64(&j, "generation", gen->number);
	json_str(&j, "dir", opt->dir);
	json_str(&j, "name", out->name);
	json_u64(&j, "size", gen->size);
	json_bool(&j, "was_there", out->was_there);
	json_bool(&j, "damaged", out->damaged);
	json_str(&j, "lacks", out->lacks);
	json_bool(&j, "marked", marked);
	json_close(&j, '}');
	json_end(&j);
}

/* The whole path if the recorder can keep it. */
static int mark(const struct options *opt, const struct earlier *gen,
		const struct harvested *out, struct err *err)
{
	char where[4400];
	size_t i;

	snprintf(where, sizeof(where), "%.4096s/%s", opt->dir, out->name);
	for (i = 0; where[i] > ' ' && where[i] < 127; i++)
		;
	if (where[i] || i > MAX_WHERE)
		strcpy(where, out->name);
	return earlier_mark(opt->sysfs, gen, where, err);
}

static int harvest_one(const struct options *opt, const struct harvest *h,
		       const struct earlier *gen)
{
	struct err err = ERR_INIT;
	struct harvested out;
	int status = ERR_OK;

	if (harvest_generation(h, gen, texts, &out, &err)) {
		err_while(&err, "generation %llu is not harvested: %s", gen->number, opt->dir);
		return cmd_fail("harvest", &err);
	}
	if (mark(opt, gen, &out, &err))
		status = cmd_fail("harvest", &err);
	if (opt->json)
		tell_json(opt, gen, &out, !status);
	else
		tell_text(opt, gen, &out, !status);
	if (out.lacks) {
		fprintf(stderr, "epitaph harvest: generation %llu: %s could not be written; the region is there, and it can be made of it\n",
			gen->number, out.lacks);
		status = ERR_IO;
	}
	return cmd_worse(status, out.damaged ? ERR_DAMAGED : ERR_OK);
}

static int harvest_list(const struct options *opt, const struct harvest *h,
			const struct earlier_list *list)
{
	int status = ERR_OK;
	u32 i, n = 0;

	if (list->lost)
		fprintf(stderr, "epitaph harvest: %llu generation%s overwritten before anybody had %s, the last of number %llu\n",
			list->lost, list->lost == 1 ? " was" : "s were",
			list->lost == 1 ? "it" : "them", list->lost_number);
	harvest_clean(h->dir, texts);
	for (i = 0; i < list->nr; i++) {
		if (!list->list[i].wanted && !opt->force)
			continue;
		n++;
		status = cmd_worse(status, harvest_one(opt, h, &list->list[i]));
	}
	if (!n && !opt->json)
		puts("nothing to harvest");
	return cmd_worse(status, cmd_flush("harvest"));
}

static int harvest(const struct options *opt)
{
	static struct earlier_list list;
	struct err err = ERR_INIT;
	struct harvest h = { -1, -1 };
	int status;

	if (earlier_read(&list, opt->sysfs, &err))
		return cmd_fail("harvest", &err);
	h.device = open_device(opt->device, &err);
	if (h.device >= 0)
		h.dir = open_locked(opt->dir, &err);
	if (h.device < 0 || h.dir < 0)
		status = cmd_fail("harvest", &err);
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
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "force", no_argument, NULL, 'f' },
		{ "json", no_argument, NULL, 'j' },
		{ "device", required_argument, NULL, 'd' },
		{ "sysfs", required_argument, NULL, 's' },
		{ 0 },
	};
	struct options opt = { DEVICE, SYSFS, DIR, false, false };
	int c;

	while ((c = cmd_getopt(argc, argv, "o:", options)) != -1) {
		if (c == 'o')
			opt.dir = optarg;
		else if (c == 'f')
			opt.force = true;
		else if (c == 'j')
			opt.json = true;
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
	return harvest(&opt);
}
