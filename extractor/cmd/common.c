// SPDX-License-Identifier: GPL-2.0-or-later
#include "common.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/parse_number.h"

#define SPAN_LEAST	(100ULL * 1000 * 1000)
#define SPAN_MOST	(30ULL * 24 * 3600 * 1000000000)

int cmd_no_device(struct err *err, const char *device)
{
	int errnum = errno;

	if (errnum == ENOENT || errnum == ENXIO || errnum == ENODEV)
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "%s is not there: the recorder is not loaded; run: modprobe epitaph", device);
	if ((errnum == EACCES || errnum == EPERM) && geteuid())
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "%s: permission denied: only root may open it; run this command as root",
			       device);
	if (errnum == EPERM)
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "%s: not permitted to root: the kernel is locked down (confidentiality), or CAP_SYSLOG and CAP_SYS_ADMIN are dropped; read the recording from a vmcore or pstore",
			       device);
	errno = errnum;
	return err_sys(err, "%s: cannot open", device);
}

int cmd_no_store(struct err *err, const char *dir)
{
	if (err->errnum == EACCES && geteuid())
		err_set(err, ERR_IO, ERR_NO_OFF,
			"%s: permission denied: only root may write there; run this command as root, or say -o DIR",
			dir);
	return -ERR_IO;
}

int cmd_check_root(const char *name, const char *root)
{
	struct stat st = { 0 };
	const char *what = NULL;

	if (!*root)
		return ERR_OK;
	if (stat(root, &st))
		what = strerror(errno);
	else if (!S_ISDIR(st.st_mode))
		what = strerror(ENOTDIR);
	return what ? cmd_misuse(name, "--root: %s: %s; expected a directory with the files of a machine; name one", root, what) : ERR_OK;
}

int cmd_needs_root(const char *name, const char *why)
{
	fprintf(stderr, "epitaph %s: needs root: %s; run it as root\n", name, why);
	return ERR_USAGE;
}

/* What was typed may come from elsewhere, as the name of a file does. */
int cmd_misuse(const char *name, const char *fmt, ...)
{
	char raw[512], escaped[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	escape_text(escaped, sizeof(escaped), raw, strlen(raw));
	fprintf(stderr, "epitaph %s: %s\n", name, escaped);
	return cmd_usage(name);
}

bool cmd_take_span(const char *name, const char *option, const char *text, u64 *ret_ns)
{
	static const struct {
		char unit;
		u64 factor;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 } };
	size_t len = strlen(text), i;
	u64 factor = 1;
	char number[32];

	snprintf(number, sizeof(number), "%s", text);
	for (i = 0; i < ARRAY_SIZE(units) && len && len < sizeof(number); i++) {
		if (number[len - 1] != units[i].unit)
			continue;
		factor = units[i].factor;
		number[len - 1] = 0;
		break;
	}
	if (len < sizeof(number) && parse_seconds(number, ret_ns) && *ret_ns <= SPAN_MOST / factor &&
	    *ret_ns * factor >= SPAN_LEAST) {
		*ret_ns *= factor;
		return true;
	}
	cmd_misuse(name, "--%s: from 0.1s to 720h, such as 30s, 5m or 1h: %s", option, text);
	return false;
}

int cmd_print(const struct reading *reading, int argc, char **argv)
{
	if (optind == argc)
		return cmd_misuse(reading->name, "no FILE: name a vmcore, a region or a pstore directory");
	return reading_run(reading, cmd_files(argc, argv));
}
