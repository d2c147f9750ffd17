// SPDX-License-Identifier: GPL-2.0-or-later
#include "files.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "status.h"

struct dump_files files_take(struct file_list *files)
{
	struct dump_files taken = dump_take_files(files->path, files->nr);

	files->path += taken.nr;
	files->nr -= taken.nr;
	return taken;
}

int files_each(struct file_list *files, const char *name, bool titled,
	       int (*read)(const struct dump_files *files, void *arg), void *arg)
{
	int status = ERR_OK;

	titled = titled && dump_take_files(files->path, files->nr).nr < files->nr;
	while (files->nr) {
		struct dump_files taken = files_take(files);

		if (titled) {
			char title[1024];

			escape_text(title, sizeof(title), taken.path[0], strlen(taken.path[0]));
			printf("# file: %s\n", title);
		}
		status = status_worse(status, read(&taken, arg));
	}
	return status_worse(status, status_flush(name));
}

int files_one(struct file_list *files, const char *name,
	      int (*read)(const struct dump_files *files, void *arg), void *arg)
{
	struct dump_files taken = files_take(files);
	struct err err = ERR_INIT;

	if (!files->nr)
		return read(&taken, arg);
	err_set(&err, ERR_USAGE, ERR_NO_OFF,
		"%s and %s: they are not of one dump; name the files of one dump at a time",
		taken.path[0], files->path[0]);
	return status_fail(name, &err);
}
