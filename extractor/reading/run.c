// SPDX-License-Identifier: GPL-2.0-or-later
#include "reading.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "debuginfo/debuginfo_path.h"
#include "debuginfo/debuginfod_client.h"
#include "dump/callback.h"
#include "dump/preopened.h"
#include "os/pager.h"
#include "os/progress.h"
#include "os/sandboxed_child.h"
#include "debuginfod.h"
#include "status.h"

#define MAX_DIRS	64	/* of parts, in one command line */
#define ALL_DIRS	(MAX_DIRS + DEBUG_PLACES_MAX)
#define SIZE_OF_JOBS	(2U << 20)	/* bytes of FILEs that are worth several processes */

static struct reading_settings settings;

struct reading_settings *reading_settings(void)
{
	return &settings;
}

struct reading_job {
	const struct reading *reading;
	struct file_list files;
};

static int run_job(void *arg)
{
	struct reading_job *job = arg;
	const struct turns *turns = job->reading->turns;
	int status;

	if (!turns_is_writer(turns)) {
		progress_leave();
		if (!turns_wait(turns))
			return ERR_OK;
	}
	status = job->reading->run(&job->files, job->reading->arg);
	progress_end();
	return status;
}

void reading_offer(const struct epitaph_memory_reader *memory)
{
	dump_offer_callback(memory);
}

/* Files that options name. */
static struct {
	char **path;
	size_t nr;
} also;

bool reading_also(const char *path)
{
	char **more = reallocarray(also.path, also.nr + 1, sizeof(*more));

	if (!more)
		return false;
	also.path = more;
	also.path[also.nr++] = (char *)path;
	return true;
}

static int open_all_ahead(const struct file_list *files, struct err *err)
{
	char **all = reallocarray(NULL, files->nr + also.nr + 1, sizeof(*all));
	int ret;

	if (!all)
		return err_sys(err, "no memory");
	for (size_t i = 0; i < files->nr + also.nr; i++)
		all[i] = i < files->nr ? files->path[i] : also.path[i - files->nr];
	ret = preopened_open(all, files->nr + also.nr, err);
	free(all);
	return ret;
}

/* What the process that reads may look at. */
static size_t list_dirs(int dirs[ALL_DIRS])
{
	size_t nr = preopened_dirs(dirs, MAX_DIRS);

	return nr + debug_places_dirs(dirs + nr, ALL_DIRS - nr);
}

/* Before there is a pager, which stderr may go to as well. */
static int open_terminal(void)
{
	return terminal_obeys(STDERR_FILENO) ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
}

/* A pager waits for the first line, and leaves the terminal alone till then. */
static void choose_output(const struct reading *reading, int terminal)
{
	bool prints = reading->paged && isatty(STDOUT_FILENO);

	if (reading->paged) {
		color_choose(settings.color);
		if (!settings.no_pager && terminal_obeys(STDOUT_FILENO))
			pager_start();
	}
	if (terminal >= 0)
		progress_choose(terminal, !prints);
}

/* What was fetched is among the places then. */
static int open_places(struct sandboxed_child *child, int dirs[ALL_DIRS],
		       const struct file_list *files)
{
	struct err err = ERR_INIT;
	int status = 0;

	if (debuginfod_is_wanted())
		status = reading_debuginfod(child, files);
	if (!status && debug_places_open(&err))
		status = status_fail(child->name, &err);
	child->sandbox.nr_read_dir = list_dirs(dirs);
	return status;
}

/* What is soon read, and what may change while it is read, is for one process. */
static int open_turns(struct sandboxed_child *child, const struct reading *reading, struct err *err)
{
	if (reading->jobs < 2 || preopened_size() < SIZE_OF_JOBS)
		return 0;
	child->turns = reading->turns;
	return turns_open(child->turns, reading->jobs, err);
}

int reading_run(const struct reading *reading, struct file_list files)
{
	struct reading_job job = { reading, files };
	int dirs[ALL_DIRS], terminal = open_terminal(), status;
	struct err err = ERR_INIT;
	struct sandboxed_child child = {
		.name = reading->name,
		.verbose = settings.verbose,
		.run = run_job,
		.arg = &job,
	};

	if (open_all_ahead(&files, &err))
		return status_fail(reading->name, &err);
	if (terminal >= 0)
		progress_choose(terminal, true);
	child.sandbox = (struct sandbox){ dirs, list_dirs(dirs), reading->make_dir };
	status = open_places(&child, dirs, &files);
	if (status)
		return status;
	if (open_turns(&child, reading, &err))
		return status_fail(reading->name, &err);
	choose_output(reading, terminal);
	status = sandboxed_child_run(&child);
	pager_finish();
	return status;
}
