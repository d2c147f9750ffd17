// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file of a guest that writes while we read: what is printed is of one copy, and true.
 *
 * build: tests/lib/region_image.c kernel/core/ring.c @extractor
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/report.h"
#include "region_image.h"
#include "tap.h"

#define READS	400

static struct image *image;
static u8 *guest;	/* the file, as the guest sees it */
static int fd;

struct outcome_of_read {
	u64 nr_events;
	u64 nr_false;
};

static void judge_item(struct outcome_of_read *out, const struct item *item)
{
	const struct image_event *e;
	u32 nr = 0;

	if (item->kind != ITEM_EVENT || item->marks & ITEM_UNPROVEN)
		return;
	out->nr_events++;
	if (item->size >= 4)
		memcpy(&nr, item->payload, 4);
	if (item->cpu >= IMAGE_CPUS || nr >= image->rings[item->cpu].nr) {
		out->nr_false++;
		return;
	}
	e = &image->rings[item->cpu].events[nr];
	if (item->id != e->id || item->size != e->size || memcmp(item->payload, e->payload, e->size))
		out->nr_false++;
}

static void walk_events(struct outcome_of_read *out, struct postmortem *pm)
{
	const struct item *item;
	struct timeline *tl;

	if (timeline_open(&tl, pm, 0, false, NULL))
		return;
	while ((item = timeline_next(tl)))
		judge_item(out, item);
	timeline_close(tl);
}

/* @meanwhile runs between the first look at the file and the use of what it holds. */
static int read_file(struct outcome_of_read *out, void (*meanwhile)(void))
{
	struct postmortem pm = { 0 };
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	int ret;

	memset(out, 0, sizeof(*out));
	ret = dump_open_fd(&in, dup(fd), &err);
	if (!ret)
		ret = pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err);
	if (meanwhile)
		meanwhile();
	if (!ret)
		ret = pm_scan(&pm, &err);
	if (!ret)
		walk_events(out, &pm);
	pm_close(&pm);
	return ret;
}

static void scribble(void)
{
	memset(guest, 0xff, image->size);
}

static void restore_file(void)
{
	memcpy(guest, image->data, image->size);
}

static void changing_file__what_was_checked_is_what_is_printed(void)
{
	struct outcome_of_read quiet, changed;

	restore_file();
	CHECK(!read_file(&quiet, NULL), "cannot be read");
	CHECK(!read_file(&changed, scribble), "cannot be read while it changes");
	CHECK(quiet.nr_events > 200, "%llu", quiet.nr_events);
	CHECK(changed.nr_events == quiet.nr_events, "%llu of %llu", changed.nr_events, quiet.nr_events);
	CHECK(!changed.nr_false, "%llu", changed.nr_false);
}

/* Bytes, words and pages, back and forth. */
static void be_a_hostile_guest(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		size_t at = image_random(image->size), len = 1U << image_random(13);

		if (!image_random(4))
			at = image_random(512);
		if (len > image->size - at)
			len = image->size - at;
		memset(guest + at, image_random(3) - 1, len);
		memcpy(guest + at, image->data + at, len);
	}
}

static void changing_file__a_hostile_guest_makes_no_event(void)
{
	u32 i, nr_read = 0, nr_changed = 0;
	struct outcome_of_read out;
	pid_t pid;

	restore_file();
	pid = fork();
	if (!pid)
		be_a_hostile_guest();
	for (i = 0; i < READS; i++) {
		if (read_file(&out, NULL))
			continue;
		nr_read++;
		nr_changed += out.nr_events < 200;
		CHECK(!out.nr_false, "%llu false events", out.nr_false);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	CHECK(nr_read, "it could never be read");
	printf("# of %d reads %u gave events, %u of these fewer than there are\n", READS, nr_read, nr_changed);
}

int main(void)
{
	image = image_make(11);
	fd = memfd_create("guest", 0);
	if (fd < 0 || ftruncate(fd, image->size))
		return 1;
	guest = mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (guest == MAP_FAILED)
		return 1;
	TAP_RUN(changing_file__what_was_checked_is_what_is_printed);
	TAP_RUN(changing_file__a_hostile_guest_makes_no_event);
	image_free(image);
	return tap_done();
}
