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
#include "redact/redact.h"
#include "common.h"

/*
 * One redaction.
 * @done: filled in by the process that reads
 */
struct redact_options {
	const char *out;
	const char *key_file;
	u64 generation;
	bool json;
	u8 key[PSEUDONYM_KEY];
	int fd;
	struct redacted *done;
};

static int redact_file(struct redact_options *opt, const struct dump_files *files)
{
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status = ERR_OK;

	if (pm_open(&pm, files, POSTMORTEM_REGION, opt->generation, &err))
		status = cmd_fail("redact", &err);
	else if (!pm.recording)
		status = cmd_misuse("redact", "nothing that Epitaph recorded is in it");
	else if (redact(opt->done, pm.recording, opt->key, opt->fd, &err))
		status = cmd_fail_file("redact", opt->out, &err);
	pm_close(&pm);
	return status;
}

/* In the process that reads. */
static int redact_files(int argc, char **argv, void *arg)
{
	struct dump_files files = cmd_take_files(argc, argv);

	if (optind < argc)
		return cmd_misuse("redact", "one file at a time: the other is %s", argv[optind]);
	return redact_file(arg, &files);
}

static int read_key(struct redact_options *opt, struct err *err)
{
	int fd = open(opt->key_file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t n = fd < 0 ? -1 : read(fd, opt->key, sizeof(opt->key));

	if (n < 0)
		err_sys(err, "%s", opt->key_file);
	else if (n < (ssize_t)sizeof(opt->key))
		err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: a key has %u bytes: head -c %u /dev/urandom >FILE",
			opt->key_file, PSEUDONYM_KEY, PSEUDONYM_KEY);
	if (fd >= 0)
		close(fd);
	return -(int)err->code;
}

static int prepare_redact(struct redact_options *opt, struct err *err)
{
	if (opt->key_file && read_key(opt, err))
		return -(int)err->code;
	if (!opt->key_file && getrandom(opt->key, sizeof(opt->key), 0) != sizeof(opt->key))
		return err_sys(err, "no random numbers for a key");
	opt->done = mmap(NULL, sizeof(*opt->done), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (opt->done == MAP_FAILED)
		return err_sys(err, "no memory");
	remove_on_signal_begin();
	opt->fd = new_file_create(AT_FDCWD, opt->out, err);
	if (opt->fd < 0) {
		remove_on_signal_end();
		return opt->fd;
	}
	remove_on_signal_is(AT_FDCWD, opt->out, false);
	return 0;
}

static void report_redacted(const struct redact_options *opt)
{
	const struct redacted *done = opt->done;
	struct json j = { .f = stdout };

	if (opt->json) {
		json_open(&j, NULL, '{');
		json_str(&j, "file", opt->out);
		json_u64(&j, "size", done->size);
		json_u64(&j, "events", done->events);
		json_u64(&j, "left_out", done->dropped);
		json_close(&j, '}');
		json_end(&j);
		return;
	}
	fputs("redacted: ", stdout);
	text_put(stdout, opt->out, strlen(opt->out));
	printf(": %llu event%s", done->events, done->events == 1 ? "" : "s");
	if (done->dropped == 1)
		fputs("; 1 thing is left out, because it is damaged, not in the file or of no known kind", stdout);
	else if (done->dropped)
		printf("; %llu things are left out, because they are damaged, not in the file or of no known kind",
		       done->dropped);
	putchar('\n');
}

static int redact_to(struct redact_options *opt, int argc, char **argv)
{
	struct cmd_work work = { redact_files, opt, -1, false };
	struct err err = ERR_INIT;
	int status;

	if (prepare_redact(opt, &err))
		return cmd_fail("redact", &err);
	status = cmd_run(&work, argc, argv);
	if (status == ERR_OK && fsync(opt->fd)) {
		err_sys(&err, "%s", opt->out);
		status = cmd_fail("redact", &err);
	}
	remove_on_signal_end();
	if (status != ERR_OK) {
		unlink(opt->out);
		return status;
	}
	report_redacted(opt);
	return cmd_worse(opt->done->dropped ? ERR_DAMAGED : ERR_OK, cmd_flush("redact"));
}

int cmd_redact(int argc, char **argv)
{
	struct redact_options opt = { .generation = GENERATION_NEWEST, .fd = -1 };
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'o')
			opt.out = optarg;
		else if (c == 'k')
			opt.key_file = optarg;
		else if (c == 'j')
			opt.json = true;
		else if (c != 'g')
			return cmd_usage("redact");
		else if (!cmd_generation("redact", optarg, false, &opt.generation))
			return ERR_USAGE;
	}
	if (!opt.out)
		return cmd_misuse("redact", "-o OUT is missing");
	if (!strcmp(opt.out, "-"))
		return cmd_misuse("redact", "-o -: a copy cannot be written as a stream: its header comes last");
	if (optind == argc)
		return cmd_misuse("redact", "no FILE: name a vmcore or a region");
	return redact_to(&opt, argc, argv);
}
