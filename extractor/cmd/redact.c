// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <stdio.h>
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

struct redact_options {
	const char *key_file;
	bool json;
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

static int prepare_redact(struct redact_options *r, struct err *err)
{
	struct redact_request *q = &r->request;

	if (r->key_file && read_key(r, err))
		return -(int)err->code;
	if (!r->key_file && getrandom(q->key, sizeof(q->key), 0) != sizeof(q->key))
		return err_sys(err, "no random numbers for a key");
	q->done = mmap(NULL, sizeof(*q->done), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (q->done == MAP_FAILED)
		return err_sys(err, "no memory");
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
		json_close(&j, '}');
		json_end(&j);
		return;
	}
	fputs("redacted: ", stdout);
	text_put(stdout, r->request.out, strlen(r->request.out));
	printf(": %llu event%s", done->events, done->events == 1 ? "" : "s");
	if (done->dropped == 1)
		fputs("; 1 thing is left out, because it is damaged, not in the file or of no known kind", stdout);
	else if (done->dropped)
		printf("; %llu things are left out, because they are damaged, not in the file or of no known kind",
		       done->dropped);
	putchar('\n');
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
	status = reading_run(&reading, cmd_files(argc, argv));
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
	return status_worse(r->request.done->dropped ? ERR_DAMAGED : ERR_OK,
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
		else if (cmd_take_choice(&r.request.choice, "redact", opt))
			return ERR_USAGE;
	}
	if (!*out)
		return cmd_misuse("redact", "-o OUT is missing");
	if (!strcmp(*out, "-"))
		return cmd_misuse("redact", "-o -: a copy cannot be written as a stream: its header comes last");
	if (optind == argc)
		return cmd_misuse("redact", "no FILE: name a vmcore or a region");
	return redact_to(&r, argc, argv);
}
