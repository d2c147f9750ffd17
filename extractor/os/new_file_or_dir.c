// SPDX-License-Identifier: GPL-2.0-or-later
#include "new_file_or_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"

#include "remove_on_signal.h"

/* Not 4 KiB at a time, as stdio would. */
#define BUFFER_SIZE	(64U << 10)

int output_file(struct output *out, const char *path, struct err *err)
{
	int fd, ret;

	*out = (struct output){ .path = path, .file = stdout, .dir = -1 };
	if (!strcmp(path, "-"))
		return 0;
	remove_on_signal_begin();
	/* Readable too: an export may look up what it has written. */
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);
	out->file = fd < 0 ? NULL : fdopen(fd, "w+");
	if (out->file) {
		out->buffer = malloc(BUFFER_SIZE);
		if (out->buffer)
			setvbuf(out->file, out->buffer, _IOFBF, BUFFER_SIZE);
		remove_on_signal_is(AT_FDCWD, path, false);
		return 0;
	}
	ret = err_sys(err, "%s", path);
	remove_on_signal_end();
	return ret;
}

int output_dir(struct output *out, const char *path, struct err *err)
{
	int ret;

	*out = (struct output){ .path = path, .dir = -1 };
	remove_on_signal_begin();
	if (mkdir(path, 0700)) {
		ret = err_sys(err, "%s", path);
		remove_on_signal_end();
		return ret;
	}
	remove_on_signal_is(AT_FDCWD, path, true);
	out->dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return out->dir < 0 ? err_sys(err, "%s", path) : 0;
}

static int close_output_file(struct output *out)
{
	int ret = fclose(out->file);

	out->file = NULL;
	free(out->buffer);
	out->buffer = NULL;
	return ret;
}

int output_flush(struct output *out, struct err *err)
{
	bool bad = out->file && (fflush(out->file) || ferror(out->file));

	return bad ? err_sys(err, "%s: cannot write", out->path) : 0;
}

int output_finish(struct output *out, struct err *err)
{
	if (output_flush(out, err)) {
		output_discard(out);
		return -ERR_IO;
	}
	if (out->file && out->file != stdout && close_output_file(out)) {
		unlink(out->path);
		return err_sys(err, "%s: cannot write", out->path);
	}
	if (out->dir >= 0)
		close(out->dir);
	remove_on_signal_end();
	return 0;
}

/* The directory is new, so all files in it are of this process. */
static bool remove_files_in(int fd)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;

	if (!dir)
		return false;
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	return true;
}

void output_discard(struct output *out)
{
	char path[1024];
	int failed = 0;

	remove_on_signal_end();
	if (out->dir >= 0) {
		failed = !remove_files_in(out->dir) || rmdir(out->path);
	} else if (out->file && out->file != stdout) {
		close_output_file(out);
		failed = unlink(out->path);
	}
	if (!failed)
		return;
	escape_text(path, sizeof(path), out->path, strlen(out->path));
	fprintf(stderr, "epitaph export: %s is incomplete, and cannot be removed: %s\n", path,
		strerror(errno));
}
