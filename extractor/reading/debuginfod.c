// SPDX-License-Identifier: GPL-2.0-or-later
#include "debuginfod.h"

#include <stdio.h>
#include <sys/mman.h>

#include "base/text.h"
#include "debuginfo/debuginfod_client.h"
#include "timeline/postmortem.h"
#include "files.h"
#include "status.h"

struct debuginfod_job {
	struct file_list files;
	struct debuginfod_list *list;
};

/* Of a region, the generations of a crash loop may be of several kernels. */
static void add_regions(struct debuginfod_list *list, const struct generation_set *generations)
{
	char id[65];
	u32 i;

	for (i = 0; generations && i < generations->nr; i++) {
		const struct epitaph_header *hdr = &generations->gen[i].hdr;

		if (hdr->build_id_size > sizeof(hdr->build_id))
			continue;
		text_hex(id, sizeof(id), hdr->build_id, hdr->build_id_size);
		debuginfod_add(list, id, true);
	}
}

static void add_kernel(struct debuginfod_list *list, struct dump *in)
{
	struct kernel *kernel = NULL;
	char id[KMODULE_ID_MAX];
	u32 i;

	if (kernel_open(&kernel, in, NULL))
		return;
	debuginfod_add(list, kernel->build_id, true);
	for (i = 0; kernel->modules && i < kernel->modules->nr; i++) {
		kernel_modules_build_id(kernel->modules, &kernel->modules->list[i], id);
		debuginfod_add(list, id, false);
	}
	kernel_close(kernel);
}

/* Errors are ignored here: the command reads the file again and reports them. */
static void add_debug_file(struct debuginfod_list *list, const struct dump_files *files)
{
	struct generation_set *generations = NULL;
	struct dump *in;

	if (dump_open_files(&in, files, NULL))
		return;
	if (!generation_set_find(&generations, in, NULL))
		add_regions(list, generations);
	add_kernel(list, in);
	generation_set_free(generations);
	dump_close(in);
}

/* In the process that reads. */
static int list_ids(void *arg)
{
	struct debuginfod_job *job = arg;

	while (job->files.nr) {
		struct dump_files files = files_take(&job->files);

		add_debug_file(job->list, &files);
	}
	return ERR_OK;
}

int reading_debuginfod(const struct sandboxed_child *child, const struct file_list *files)
{
	struct debuginfod_job job = { *files, mmap(NULL, sizeof(*job.list), PROT_READ | PROT_WRITE,
						   MAP_SHARED | MAP_ANONYMOUS, -1, 0) };
	struct sandboxed_child lister = *child;
	struct err err = ERR_INIT;
	int status;

	if (job.list == MAP_FAILED) {
		err_sys(&err, "no memory");
		return status_fail(child->name, &err);
	}
	lister.run = list_ids;
	lister.arg = &job;
	lister.verbose = false;
	status = sandboxed_child_run(&lister);
	if (!status && debuginfod_fetch(job.list, &err))
		status = status_fail(child->name, &err);
	munmap(job.list, sizeof(*job.list));
	return status;
}
