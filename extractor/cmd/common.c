// SPDX-License-Identifier: GPL-2.0-or-later
#include "common.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "os/progress.h"
#include "timeline/empty_window.h"

int cmd_fail(const char *name, const struct err *err)
{
	progress_end();
	fflush(stdout);
	/* Who closes a pipe early has seen enough. */
	if (err->errnum != EPIPE)
		fprintf(stderr, "epitaph %s: %s\n", name, err->msg);
	return err->code;
}

int cmd_fail_file(const char *name, const char *path, struct err *err)
{
	err_while(err, "%s", strcmp(path, "-") ? path : "standard input");
	return cmd_fail(name, err);
}

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

struct dump_files cmd_take_files(int argc, char **argv)
{
	struct dump_files files = dump_take_files(argv + optind, argc - optind);

	optind += files.nr;
	return files;
}

int cmd_run_one(const char *name, int argc, char **argv,
		int (*read)(void *arg, struct dump *in, struct err *err), void *arg)
{
	struct dump_files files = cmd_take_files(argc, argv);
	struct err err = ERR_INIT;
	struct dump *in;
	int ret;

	if (optind < argc)
		return cmd_misuse(name, "%s and others: files of one dump at a time", *files.path);
	ret = dump_open_files(&in, &files, &err);
	if (ret)
		return cmd_fail(name, &err);
	ret = read(arg, in, &err);
	dump_close(in);
	return ret ? cmd_fail_file(name, files.path[0], &err) : ERR_OK;
}

bool cmd_several(int argc, char **argv)
{
	size_t nr = argc - optind;

	return dump_take_files(argv + optind, nr).nr < nr;
}

bool cmd_number(const char *text, u64 max, u64 *ret)
{
	char *end;
	u64 n;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || *end || n > max)
		return false;
	*ret = n;
	return true;
}

bool cmd_seconds(const char *text, u64 *ret_ns)
{
	u64 whole = 0, part = 0, unit = 1000000000;

	if (!((*text >= '0' && *text <= '9') || (*text == '.' && text[1])))
		return false;
	for (; *text >= '0' && *text <= '9' && whole < 10000000000; text++)
		whole = whole * 10 + (*text - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
			part = part * 10 + (*text - '0');
			unit /= 10;
		}
	if (*text || whole >= 10000000000)
		return false;
	*ret_ns = whole * 1000000000 + part * unit;
	return true;
}

bool cmd_generation(const char *name, const char *text, bool all_too, u64 *ret)
{
	if (all_too && !strcmp(text, "all")) {
		*ret = GENERATION_ALL;
		return true;
	}
	if (cmd_number(text, GENERATION_ALL - 1, ret) && *ret)
		return true;
	if (!strcmp(text, "all"))
		cmd_misuse(name, "--generation all: epitaph info tells all of them; here it is one at a time");
	else
		cmd_misuse(name, "--generation: not a number from 1%s: %s",
			   all_too ? ", nor \"all\"" : "", text);
	return false;
}

bool cmd_sources(const char *name, const char *text, u32 *ret)
{
	static const struct {
		const char *name;
		u32 sources;
	} all[] = {
		{ "region", POSTMORTEM_REGION }, { "ftrace", POSTMORTEM_FTRACE },
		{ "log", POSTMORTEM_LOG }, { "all", POSTMORTEM_ALL },
	};
	const char *word;
	size_t i, len;

	for (word = text; *word; word += len + !!word[len]) {
		len = strcspn(word, ",");
		for (i = 0; i < ARRAY_SIZE(all); i++)
			if (strlen(all[i].name) == len && !strncmp(word, all[i].name, len))
				break;
		if (i == ARRAY_SIZE(all))
			break;
		*ret |= all[i].sources;
	}
	if (!*word && *text)
		return true;
	cmd_misuse(name, "--source: not some of region, ftrace, log, or all: %s", text);
	return false;
}

/*
 * A dump that lacks pages elsewhere is not our concern; one that lacks some of
 * ours has been noted where they were missed.
 */
void cmd_note_input(struct postmortem *pm)
{
	struct damage_notes *notes = pm->recording ? &pm->recording->generation->notes : &pm->notes;
	const char *words;
	size_t i;

	if (!pm_damage(pm))
		return;
	for (i = 0; (words = dump_damage(pm->dump, i)); i++)
		damage_notes_add(notes, NOTE_NOWHERE, "the file: %s", words);
}

int cmd_explain_empty_window(const char *name, const char *path, struct postmortem *pm,
			     const struct window *window, struct err *err)
{
	struct damage_notes notes = { 0 };
	int ret = window_explain_empty(&notes, window, pm, err);
	char escaped[1024];
	u64 i;

	if (notes.kept)
		fflush(stdout);
	escape_text(escaped, sizeof(escaped), path, strlen(path));
	for (i = 0; i < notes.kept; i++)
		fprintf(stderr, "epitaph %s: %s: %s\n", name, escaped, notes.list[i].text);
	damage_notes_free(&notes);
	return ret;
}

int cmd_account_status(const struct postmortem *pm, const char *name, const char *path)
{
	u64 damage = pm_damage(pm), lost = pm_lost(pm);
	int status = pm_status(pm);
	char escaped[1024];

	progress_end();
	if (status == ERR_OK)
		return status;
	fflush(stdout);
	escape_text(escaped, sizeof(escaped), path, strlen(path));
	fprintf(stderr, "epitaph %s: %s: recovered, with", name, escaped);
	if (damage)
		fprintf(stderr, " damage in %llu place%s", damage, damage == 1 ? "" : "s");
	if (lost)
		fprintf(stderr, "%s at least %llu event%s lost", damage ? " and" : "", lost,
			lost == 1 ? "" : "s");
	putc('\n', stderr);
	return status;
}

int cmd_flush(const char *name)
{
	if (!fflush(stdout) && !ferror(stdout))
		return ERR_OK;
	if (errno != EPIPE)
		fprintf(stderr, "epitaph %s: cannot write: %s\n", name, strerror(errno));
	return ERR_IO;
}
