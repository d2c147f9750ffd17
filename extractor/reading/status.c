// SPDX-License-Identifier: GPL-2.0-or-later
#include "status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "os/progress.h"

int status_fail(const char *name, const struct err *err)
{
	progress_end();
	fflush(stdout);
	/* Who closes a pipe early has seen enough. */
	if (err->errnum != EPIPE)
		fprintf(stderr, "epitaph %s: %s\n", name, err->msg);
	return err->code;
}

int status_fail_file(const char *name, const char *path, struct err *err)
{
	err_while(err, "%s", strcmp(path, "-") ? path : "standard input");
	return status_fail(name, err);
}

int status_flush(const char *name)
{
	if (!fflush(stdout) && !ferror(stdout))
		return ERR_OK;
	if (errno != EPIPE)
		fprintf(stderr, "epitaph %s: cannot write: %s\n", name, strerror(errno));
	return ERR_IO;
}
