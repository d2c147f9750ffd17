// SPDX-License-Identifier: GPL-2.0-or-later
#include "follow.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/text.h"
#include "export/export.h"
#include "reading/chosen.h"
#include "reading/status.h"
#include "report/report.h"
#include "live.h"

/* struct follower - the command under way */
struct follower {
	const struct follow_request *request;
	struct window window;
	struct postmortem pm;
	struct printer *printer;
	struct ctf_growing *ctf;
};

static volatile int stop;

/* What poll() says of standard output, which is watched if it is what is written to. */
static struct pollfd output;

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

	return ppoll(&output, 1, &ts, NULL) <= 0;
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

	return ctf_growing_open(&f->ctf, f->request->dir, &f->pm, utc_offset(&f->pm), err);
}

static struct live_sink sink_of(struct follower *f)
{
	if (f->request->dir >= 0)
		return (struct live_sink){ ctf_begin, ctf_entry, ctf_flush, f };
	if (f->request->json)
		return (struct live_sink){ json_begin, json_entry, flush_output, f };
	return (struct live_sink){ text_begin, text_entry, flush_output, f };
}

static void report_live(u64 n, const char *what)
{
	if (n)
		fprintf(stderr, ", %llu %s", n, what);
}

/* poll() noticed it, or a write. */
static bool output_ended(int ret, const struct err *err)
{
	return ret ? err->errnum == EPIPE : output.revents;
}

static int tell_counts(const struct live_counts *counts, bool ended)
{
	fprintf(stderr, "epitaph live: %llu events", counts->events);
	if (counts->laps)
		fprintf(stderr, ", lapped %llu time%s: %llu sub-buffers were not read, or in part",
			counts->laps, counts->laps == 1 ? "" : "s", counts->lapped);
	report_live(counts->late, "of them late");
	report_live(counts->lost, "dropped by the recorder");
	report_live(counts->torn, "left unfinished");
	report_live(counts->damaged, "damaged sub-buffers");
	fputs(ended ? "; the reader of standard output went\n" : "\n", stderr);
	return counts->laps || counts->lost || counts->damaged ? ERR_DAMAGED : ERR_OK;
}

static int follow_recorder(struct follower *f, struct err *err)
{
	struct live_request request = {
		.window = &f->window, .last_ns = f->request->last_ns,
		.for_ns = f->request->for_ns,
		.stop = &stop, .wait = wait_for,
	};
	struct live_sink sink = sink_of(f);
	struct live_counts counts = { 0 };
	bool ended;
	int ret;

	output = (struct pollfd){ .fd = f->request->dir < 0 ? STDOUT_FILENO : -1 };
	ret = live_follow(&f->pm, &request, &sink, &counts, err);

	ctf_growing_close(f->ctf);
	printer_free(f->printer);
	ended = output_ended(ret, err);
	if (ret && !ended)
		return status_fail_file("live", f->request->device, err);
	ret = tell_counts(&counts, ended);
	return ended ? ERR_OK : ret;
}

int follow_device(struct file_list *files, void *arg)
{
	const struct follow_request *request = arg;
	struct follower f = { .request = request, .window = chosen_window(&request->choice) };
	struct err err = ERR_INIT;
	struct dump *in;
	int status;

	(void)files;
	stop_in_order();
	if (dump_open_live(&in, request->fd, &err))
		return status_fail_file("live", request->device, &err);
	if (pm_open_dump(&f.pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err))
		status = status_fail_file("live", request->device, &err);
	else
		status = follow_recorder(&f, &err);
	pm_close(&f.pm);
	return status;
}
