// SPDX-License-Identifier: GPL-2.0-or-later
#include "debuginfod.h"

#include <stdio.h>
#include <sys/mman.h>

#include "base/text.h"
#include "debuginfo/debuginfod_client.h"
#include "common.h"

struct job {
	int argc;
	char **argv;
	struct debuginfod_list *list;
};

/* Of a region, the generations of a crash loop may be of several kernels. */
static void add_regions(struct debuginfod_list *list, const struct regions *regions)
{
	char id[65];
	u32 i;

	for (i = 0; regions && i < regions->nr; i++) {
		const struct epitaph_header *hdr = &regions->gen[i].hdr;

		if (hdr->build_id_size > sizeof(hdr->build_id))
			continue;
		text_hex(id, sizeof(id), hdr->build_id, hdr->build_id_size);
		debuginfod_add(list, id, true);
	}
}

static void add_kernel(struct debuginfod_list *list, struct input *in)
{
	struct kernel *kernel = NULL;
	char id[KMODULE_ID_MAX];
	u32 i;

	if (kernel_open(&kernel, in, NULL))
		return;
	debuginfod_add(list, kernel->build_id, true);
	for (i = 0; kernel->modules && i < kernel->modules->nr; i++) {
		kmodules_build_id(kernel->modules, &kernel->modules->list[i], id);
		debuginfod_add(list, id, false);
	}
	kernel_close(kernel);
}

/* What cannot be read is told when the command reads it. */
static void add_file(struct debuginfod_list *list, const struct input_files *files)
{
	struct regions *regions = NULL;
	struct input *in;

	if (input_open_files(&in, files, NULL))
		return;
	if (!region_find(&regions, in, NULL))
		add_regions(list, regions);
	add_kernel(list, in);
	regions_free(regions);
	input_close(in);
}

/* In the process that reads. */
static int list_ids(void *arg)
{
	struct job *job = arg;

	while (optind < job->argc) {
		struct input_files files = cmd_take_files(job->argc, job->argv);

		add_file(job->list, &files);
	}
	return ERR_OK;
}

int cmd_debuginfod(const struct child *child, int argc, char **argv)
{
	struct job job = { argc, argv, mmap(NULL, sizeof(*job.list), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0) };
	struct child lister = *child;
	struct err err = ERR_INIT;
	int status, ind = optind;

	if (job.list == MAP_FAILED) {
		err_sys(&err, "no memory");
		return cmd_fail(argv[0], &err);
	}
	lister.run = list_ids;
	lister.arg = &job;
	lister.verbose = false;
	status = child_run(&lister);
	optind = ind;	/* a build without sandbox has no child */
	if (!status && debuginfod_fetch(job.list, &err))
		status = cmd_fail(argv[0], &err);
	munmap(job.list, sizeof(*job.list));
	return status;
}
