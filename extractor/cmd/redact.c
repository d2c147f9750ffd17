// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "os/new_file.h"
#include "os/remove_on_signal.h"
#include "redact/redact_files.h"
#include "common.h"

#define OWN_CLASSES	"/etc/epitaph/redact.classes"

/* @classes_file: NULL: none; @classes: what it is made of, with the built-in table */
struct redact_options {
	const char *key_file;
	const char *profile;
	const char *classes_file;
	bool json;
	bool is_dry;
	struct classes *classes;
	struct redact_request request;
};

static int read_key(struct redact_options *r, struct err *err)
{
	int fd = open(r->key_file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t n = fd < 0 ? -1 : read(fd, r->request.key, sizeof(r->request.key));

	if (n < 0)
		err_sys(err, "%s", r->key_file);
	else if (n < (ssize_t)sizeof(r->request.key))
		err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: a key has %u bytes: head -c %u /dev/urandom >FILE",
			r->key_file, PSEUDONYM_KEY, PSEUDONYM_KEY);
	if (fd >= 0)
		close(fd);
	return -(int)err->code;
}

/* The whole file, from malloc(). */
static int read_classes_file(const char *path, char **ret, size_t *ret_size, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char *text = malloc(CLASSES_FILE_MAX + 1);
	ssize_t n = 0;
	size_t size = 0;

	if (fd < 0 || !text) {
		err_sys(err, "%s", path);
	} else {
		while (size <= CLASSES_FILE_MAX &&
		       (n = read(fd, text + size, CLASSES_FILE_MAX + 1 - size)) > 0)
			size += n;
		if (n < 0)
			err_sys(err, "%s", path);
		else if (size > CLASSES_FILE_MAX)
			err_set(err, ERR_USAGE, ERR_NO_OFF,
				"%s: a table of classes has at most %u bytes", path, CLASSES_FILE_MAX);
	}
	if (fd >= 0)
		close(fd);
	if (err->code) {
		free(text);
		return -(int)err->code;
	}
	*ret = text;
	*ret_size = size;
	return 0;
}

/* The built-in table, with the file that the user names, or the machine's if there is one. */
static int read_classes(struct redact_options *r, struct err *err)
{
	char *text = NULL;
	size_t size = 0;
	int ret = 0;

	if (!r->profile)
		return 0;
	r->request.policy.profile = profile_named(r->profile, err);
	if (!r->request.policy.profile)
		return -(int)err->code;
	if (!r->classes_file && !access(OWN_CLASSES, F_OK))
		r->classes_file = OWN_CLASSES;
	if (r->classes_file)
		ret = read_classes_file(r->classes_file, &text, &size, err);
	if (!ret)
		ret = classes_new(&r->classes, text, size, r->classes_file, err);
	free(text);
	r->request.policy.classes = r->classes;
	r->request.policy.is_json = r->json;
	return ret;
}

static int prepare_redact(struct redact_options *r, struct err *err)
{
	struct redact_request *q = &r->request;

	if (read_classes(r, err))
		return -(int)err->code;

	if (r->key_file && read_key(r, err))
		return -(int)err->code;
	if (!r->key_file && getrandom(q->key, sizeof(q->key), 0) != sizeof(q->key))
		return err_sys(err, "no random numbers for a key");
	q->done = mmap(NULL, sizeof(*q->done), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (q->done == MAP_FAILED)
		return err_sys(err, "no memory");
	if (r->is_dry)
		return 0;
	remove_on_signal_begin();
	q->fd = new_file_create(AT_FDCWD, q->out, err);
	if (q->fd < 0) {
		remove_on_signal_end();
		return q->fd;
	}
	remove_on_signal_is(AT_FDCWD, q->out, false);
	return 0;
}

static void report_redacted(const struct redact_options *r)
{
	const struct redacted *done = r->request.done;
	struct json j = { .f = stdout };

	if (r->json) {
		json_open(&j, NULL, '{');
		json_str(&j, "file", r->request.out);
		json_u64(&j, "size", done->size);
		json_u64(&j, "events", done->events);
		json_u64(&j, "left_out", done->dropped);
		json_u64(&j, "damage", done->damage);
		json_str(&j, "lacks", *done->left_out ? done->left_out : NULL);
		if (done->has_kernel) {
			json_u64(&j, "log_lines", done->lines);
			json_u64(&j, "stacks", done->stacks);
		}
		if (r->profile)
			json_str(&j, "profile", r->profile);
		if (r->classes_file)
			json_str(&j, "classes", r->classes_file);
		json_close(&j, '}');
		json_end(&j);
		return;
	}
	fputs("redacted: ", stdout);
	text_put(stdout, r->request.out, strlen(r->request.out));
	printf(": %llu event%s", done->events, done->events == 1 ? "" : "s");
	if (done->has_kernel)
		printf(", %u line%s of the log, and of the vmcore's memory %u stack%s", done->lines,
		       done->lines == 1 ? "" : "s", done->stacks, done->stacks == 1 ? "" : "s");
	if (r->profile)
		printf(", profile %s", r->profile);
	if (r->classes_file) {
		fputs(", classes of ", stdout);
		text_put(stdout, r->classes_file, strlen(r->classes_file));
	}
	if (done->dropped == 1)
		fputs("; 1 thing is left out, because it is damaged, not in the file or of no known kind", stdout);
	else if (done->dropped)
		printf("; %llu things are left out, because they are damaged, not in the file or of no known kind",
		       done->dropped);
	if (*done->left_out)
		printf("; without %s", done->left_out);
	if (done->damage)
		printf("; %llu damage%s of the vmcore, named above", done->damage, done->damage == 1 ? "" : "s");
	putchar('\n');
}

static bool redact_lost(const struct redacted *done)
{
	return done->dropped || done->damage;
}

static int redact_to(struct redact_options *r, int argc, char **argv)
{
	struct reading reading = {
		.name = "redact", .run = redact_files, .arg = &r->request, .make_dir = -1,
	};
	const char *out = r->request.out;
	struct err err = ERR_INIT;
	int status;

	if (prepare_redact(r, &err))
		return status_fail("redact", &err);
	if (r->is_dry && r->classes_file && !r->json) {
		fputs("# classes: those of ", stdout);
		text_put(stdout, r->classes_file, strlen(r->classes_file));
		fputs(", and the built-in ones behind them\n", stdout);
		fflush(stdout);
	}
	status = reading_run(&reading, cmd_files(argc, argv));
	classes_free(r->classes);
	if (r->is_dry)
		return status != ERR_OK ? status : redact_lost(r->request.done) ? ERR_DAMAGED : ERR_OK;
	if (status == ERR_OK && fsync(r->request.fd)) {
		err_sys(&err, "%s", out);
		status = status_fail("redact", &err);
	}
	remove_on_signal_end();
	if (status != ERR_OK) {
		unlink(out);
		return status;
	}
	report_redacted(r);
	return status_worse(redact_lost(r->request.done) ? ERR_DAMAGED : ERR_OK,
			    status_flush("redact"));
}

int cmd_redact(int argc, char **argv)
{
	struct redact_options r = { .request = { .choice = CHOICE_INIT, .fd = -1 } };
	const char **out = &r.request.out;
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'o')
			*out = optarg;
		else if (opt == 'k')
			r.key_file = optarg;
		else if (opt == 'j')
			r.json = true;
		else if (opt == 'p')
			r.profile = optarg;
		else if (opt == 'c')
			r.classes_file = optarg;
		else if (opt == 'n')
			r.is_dry = true;
		else if (cmd_take_choice(&r.request.choice, "redact", opt))
			return ERR_USAGE;
	}
	if (r.is_dry && !r.profile)
		return cmd_misuse("redact", "--dry-run shows what a profile does: --profile public, vendor or full is missing");
	if (r.classes_file && !r.profile)
		return cmd_misuse("redact", "--classes %s says what a profile keeps: --profile public, vendor or full is missing",
				  r.classes_file);
	if (r.is_dry && *out)
		return cmd_misuse("redact", "-o %s and --dry-run: a dry run writes nothing; leave out one of them", *out);
	if (!r.is_dry && !*out)
		return cmd_misuse("redact", "-o OUT is missing");
	if (!r.is_dry && !strcmp(*out, "-"))
		return cmd_misuse("redact", "-o -: a copy cannot be written as a stream: its header comes last");
	if (optind == argc)
		return cmd_misuse("redact", "no FILE: name a vmcore or a region");
	return redact_to(&r, argc, argv);
}
