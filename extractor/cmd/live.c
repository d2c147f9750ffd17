// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "export/export.h"
#include "live/live.h"
#include "report/report.h"
#include "common.h"
#include "window_options.h"

#define DEVICE	"/dev/epitaph"

/**
 * struct follower - the command under way
 * @fd: of the region
 * @ctf_path: NULL: text, or @json
 * @dir: of @ctf_path; -1: none
 */
struct follower {
	struct window window;
	u64 last_ns;
	u64 for_ns;
	const char *device;
	const char *ctf_path;
	bool json;
	int fd;
	int dir;
	struct postmortem pm;
	struct printer *printer;
	struct ctf_growing *ctf;
};

static volatile int stop;
static bool is_alone;		/* the reader of our output is gone */

static void on_stop(int sig)
{
	(void)sig;
	stop = 1;
}

/* In the process that reads: who ends it wants to know what came of it. */
static void stop_in_order(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_stop }, old;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
	}
}

/* poll() notices a closed pipe at once, even when no event is written to it. */
static bool wait_for(u64 ns)
{
	struct timespec ts = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
	struct pollfd out = { .fd = STDOUT_FILENO };

	is_alone = ppoll(&out, 1, &ts, NULL) > 0;
	return !is_alone;
}

static int text_entry(void *priv, const struct item *item, struct err *err)
{
	(void)err;
	printer_item(((struct follower *)priv)->printer, item);
	return 0;
}

static int json_entry(void *priv, const struct item *item, struct err *err)
{
	(void)err;
	print_json_item(stdout, &((struct follower *)priv)->pm, item);
	return 0;
}

static int flush_output(void *priv, struct err *err)
{
	(void)priv;
	return fflush(stdout) || ferror(stdout) ? err_sys(err, "cannot write") : 0;
}

static int ctf_entry(void *priv, const struct item *item, struct err *err)
{
	return ctf_growing_entry(((struct follower *)priv)->ctf, item, err);
}

static int ctf_flush(void *priv, struct err *err)
{
	return ctf_growing_flush(((struct follower *)priv)->ctf, err);
}

static void text_head(const struct postmortem *pm)
{
	const struct epitaph_header *hdr = &pm->recording->generation->hdr;

	fputs("# kernel: ", stdout);
	text_put(stdout, hdr->release, sizeof(hdr->release));
	printf(", generation %llu, live; times are CLOCK_MONOTONIC\n", (u64)hdr->number);
	puts("#           TASK-PID     [CPU] FLAGS    TIMESTAMP: EVENT");
}

static u64 utc_offset(const struct postmortem *pm)
{
	const struct clock *clock = &pm->recording->clock;
	u64 value = clock_of_mono(clock, live_now()), real = clock_real(clock, value);
	u64 mono = clock_mono(clock, value);

	return real > mono ? real - mono : 0;
}

static int text_begin(void *priv, struct err *err)
{
	struct follower *f = priv;

	text_head(&f->pm);
	return printer_new(&f->printer, stdout, &f->pm, err);
}

static int json_begin(void *priv, struct err *err)
{
	(void)err;
	print_json_live(stdout, &((struct follower *)priv)->pm);
	return 0;
}

static int ctf_begin(void *priv, struct err *err)
{
	struct follower *f = priv;

	return ctf_growing_open(&f->ctf, f->dir, &f->pm, utc_offset(&f->pm), err);
}

static struct live_sink sink_of(struct follower *f)
{
	if (f->ctf_path)
		return (struct live_sink){ ctf_begin, ctf_entry, ctf_flush, f };
	if (f->json)
		return (struct live_sink){ json_begin, json_entry, flush_output, f };
	return (struct live_sink){ text_begin, text_entry, flush_output, f };
}

static void report_live(u64 n, const char *what)
{
	if (n)
		fprintf(stderr, ", %llu %s", n, what);
}

static int tell_counts(const struct live_counts *counts)
{
	fprintf(stderr, "epitaph live: %llu events", counts->events);
	if (counts->laps)
		fprintf(stderr, ", lapped %llu time%s: %llu sub-buffers were not read, or in part",
			counts->laps, counts->laps == 1 ? "" : "s", counts->lapped);
	report_live(counts->late, "of them late");
	report_live(counts->lost, "dropped by the recorder");
	report_live(counts->torn, "left unfinished");
	report_live(counts->damaged, "damaged sub-buffers");
	putc('\n', stderr);
	return counts->laps || counts->lost || counts->damaged ? ERR_DAMAGED : ERR_OK;
}

static int follow_recorder(struct follower *f, struct err *err)
{
	struct live_request request = {
		.window = &f->window, .last_ns = f->last_ns, .for_ns = f->for_ns,
		.stop = &stop, .wait = wait_for,
	};
	struct live_sink sink = sink_of(f);
	struct live_counts counts;
	int ret = live_follow(&f->pm, &request, &sink, &counts, err);

	ctf_growing_close(f->ctf);
	printer_free(f->printer);
	if (ret ? err->errnum == EPIPE : is_alone && !f->ctf_path)
		return ERR_OK;
	return ret ? cmd_fail_file("live", f->device, err) : tell_counts(&counts);
}

static int run_live(int argc, char **argv, void *arg)
{
	struct follower *f = arg;
	struct err err = ERR_INIT;
	struct dump *in;
	int status;

	(void)argc;
	(void)argv;
	stop_in_order();
	if (dump_open_live(&in, f->fd, &err))
		return cmd_fail_file("live", f->device, &err);
	if (pm_open_dump(&f->pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err))
		status = cmd_fail_file("live", f->device, &err);
	else
		status = follow_recorder(f, &err);
	pm_close(&f->pm);
	return status;
}

static int make_dir(struct follower *f, struct err *err)
{
	if (mkdir(f->ctf_path, 0700))
		return err_sys(err, "%s", f->ctf_path);
	f->dir = open(f->ctf_path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return f->dir < 0 ? err_sys(err, "%s", f->ctf_path) : 0;
}

static int start(struct follower *f, int argc, char **argv)
{
	struct cmd_work work = { .run = run_live, .arg = f };
	struct err err = ERR_INIT;

	f->fd = open(f->device, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (f->fd < 0) {
		cmd_no_device(&err, f->device);
		return cmd_fail("live", &err);
	}
	if (f->ctf_path && make_dir(f, &err))
		return cmd_fail("live", &err);
	work.make_dir = f->dir;
	return cmd_run(&work, argc, argv);
}

static bool take_live_option(struct follower *f, int opt)
{
	switch (opt) {
	case 'j':
		f->json = true;
		return true;
	case 't':
		f->ctf_path = optarg;
		return true;
	case 'd':
		f->device = optarg;
		return true;
	case 'l':
		if (cmd_seconds(optarg, &f->last_ns))
			return true;
		cmd_misuse("live", "--last: not a possible number: %s", optarg);
		return false;
	case 'f':
		if (cmd_seconds(optarg, &f->for_ns) && f->for_ns)
			return true;
		cmd_misuse("live", "--for: not a possible number: %s", optarg);
		return false;
	case '?':
		cmd_usage("live");
		return false;
	}
	return options_take(&f->window, "live", opt, optarg) == 1;
}

int cmd_live(int argc, char **argv)
{
	struct follower f = { .window = WINDOW_INIT, .device = DEVICE, .dir = -1 };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1)
		if (!take_live_option(&f, opt))
			return ERR_USAGE;
	if (optind < argc)
		return cmd_misuse("live", "it takes no FILE: %s", argv[optind]);
	if (f.json && f.ctf_path)
		return cmd_misuse("live", "only one of --json and --ctf");
	return start(&f, argc, argv);
}
