// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What reads a trace on a machine where each allocation fails in turn, and then where all further ones do: it ends
 * with an error that has words, or with something printed; nothing is used that is not there, and nothing is leaked.
 * The files are a recorder's region, and dumps of small kernels that have traced.
 *
 * build: tests/fuzz/kernel_seed.c tests/fuzz/ftrace_seed.c tests/fuzz/types_seed.c tests/fuzz/persistent_seed.c
 * build: -I tests/fuzz
 * build: tests/lib/region_image.c kernel/core/ring.c @extractor
 * build: -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=formats_add
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "export/export.h"
#include "redact/redact.h"
#include "report/report.h"
#include "timeline/postmortem.h"
#include "ftrace_seed.h"
#include "html_with_why.h"
#include "kernel_head.h"
#include "persistent_seed.h"
#include "region_image.h"
#include "tap.h"

/* --- allocations --------------------------------------------------------- */

/* The one that fails, counted down; @for_good: so do all behind it; @hit: one did. */
static struct {
	int nr;
	bool for_good, hit;
} fault = { .nr = -1 };

static bool fails(void)
{
	if (fault.nr < 0 || fault.nr-- > 0)
		return false;
	fault.hit = true;
	if (fault.for_good)
		fault.nr = 0;
	errno = ENOMEM;
	return true;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size)
{
	return fails() ? NULL : __real_calloc(nr, size);
}

void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

void *__real_reallocarray(void *p, size_t nr, size_t size);
void *__wrap_reallocarray(void *p, size_t nr, size_t size);
void *__wrap_reallocarray(void *p, size_t nr, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, nr, size);
}

/* --- what is done with a file -------------------------------------------- */

static FILE *nowhere;

static int print_it(struct postmortem *pm, struct err *err)
{
	struct window window = WINDOW_INIT;
	int ret = window_choose(&window, pm, err);

	if (ret)
		return ret;
	print_head(nowhere, pm);
	ret = print_end(nowhere, pm, false, "", err);
	if (ret)
		return ret;
	print_summary(nowhere, pm, &window);
	ret = print_events(nowhere, pm, &window, false, err);
	return ret ? ret : print_json(nowhere, pm, &window, err);
}

static int export_it(struct postmortem *pm, struct err *err)
{
	static int (* const to[])(FILE *f, struct postmortem *pm, const struct window *window, struct err *err) = {
		export_trace_dat, export_perfetto, html_with_why,
	};
	struct window window = WINDOW_INIT;
	FILE *f = tmpfile();
	int ret;

	window.kind = WINDOW_ALL;
	ret = window_choose(&window, pm, err);
	for (size_t i = 0; i < ARRAY_SIZE(to) && !ret; i++)
		ret = to[i](f, pm, &window, err);
	fclose(f);
	return ret;
}

static int redact_it(struct postmortem *pm, struct err *err)
{
	static const u8 key[PSEUDONYM_KEY] = "a known key";
	struct redacted done = { 0 };
	int fd = memfd_create("redacted", MFD_CLOEXEC), ret;

	ret = redact(&done, pm->recording, key, NULL, fd, err);
	close(fd);
	return ret;
}

typedef int act_fn(struct postmortem *pm, struct err *err);

/* The whole of it. */
static int run(int fd, act_fn *act, struct err *err)
{
	struct postmortem pm;
	struct dump *in = NULL;
	int ret = dump_open_fd(&in, dup(fd), err);

	if (ret)
		return ret;
	ret = pm_open_dump(&pm, in, POSTMORTEM_BEST, GENERATION_NEWEST, err);
	if (!ret)
		ret = pm_scan(&pm, err);
	if (!ret)
		ret = act(&pm, err);
	pm_close(&pm);
	return ret;
}

static void try_all(int fd, act_fn *act, bool for_good)
{
	bool hit = true;

	for (int nr = 0; hit; nr++) {
		struct err err = ERR_INIT;
		int ret;

		fault.nr = nr;
		fault.for_good = for_good;
		fault.hit = false;
		ret = run(fd, act, &err);
		hit = fault.hit;
		fault.nr = -1;
		CHECK(hit || !ret, "without a fault: %s", err.msg);
		if (!CHECK(!ret || *err.msg, "%d without words, allocation %d", ret, nr))
			return;
	}
}

static void try_file(int fd, act_fn *act)
{
	try_all(fd, act, false);
	try_all(fd, act, true);
	close(fd);
}

/* --- files --------------------------------------------------------------- */

static int region_fd(void)
{
	struct image *image = image_make(1);
	int fd = memfd_create("region", MFD_CLOEXEC);

	CHECK(write(fd, image->data, image->size) == (ssize_t)image->size, "write");
	image_free(image);
	return fd;
}

static int kernel_fd(void (*change)(unsigned char *memory))
{
	static unsigned char memory[SEED_ALL];
	int fd = memfd_create("vmcore", MFD_CLOEXEC);

	kernel_seed(memory, SEED_6_12);
	change(memory);
	CHECK(write(fd, kernel_head(), MEMORY) == MEMORY, "write");
	CHECK(write(fd, memory, sizeof(memory)) == sizeof(memory), "write");
	return fd;
}

static int persistent_fd(void)
{
	static unsigned char memory[PERSISTENT_MEMORY];
	unsigned char seed[PERSISTENT_SEED];
	int fd = memfd_create("persistent", MFD_CLOEXEC);

	persistent_seed(seed, true);
	persistent_spread(memory, seed, sizeof(seed));
	CHECK(write(fd, memory, sizeof(memory)) == sizeof(memory), "write");
	return fd;
}

static void region__is_printed_or_it_is_said_why_not(void)
{
	try_file(region_fd(), print_it);
}

static void region__is_exported_or_it_is_said_why_not(void)
{
	try_file(region_fd(), export_it);
}

static void region__is_redacted_or_it_is_said_why_not(void)
{
	try_file(region_fd(), redact_it);
}

static void kernel__is_printed_or_it_is_said_why_not(void)
{
	try_file(kernel_fd(ftrace_seed_probes), print_it);
	try_file(kernel_fd(ftrace_seed_large), print_it);
	try_file(kernel_fd(ftrace_seed_lost), print_it);
}

static void persistent__is_printed_or_it_is_said_why_not(void)
{
	try_file(persistent_fd(), print_it);
}

static void kernel__is_exported_or_it_is_said_why_not(void)
{
	try_file(kernel_fd(ftrace_seed_snapshot), export_it);
}

/* Of pages that lead to each other for ever, each is looked at a few times. */
static void kernel__a_ring_that_never_ends_is_left(void)
{
	int fd = kernel_fd(ftrace_seed_endless);
	struct postmortem pm;
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	u32 looks;

	CHECK(!dump_open_fd(&in, fd, &err), "%s", err.msg);
	CHECK(!pm_open_dump(&pm, in, POSTMORTEM_BEST, GENERATION_NEWEST, &err) && !pm_scan(&pm, &err),
	      "%s", err.msg);
	looks = pm.ftrace ? FTRACE_MAX_SUBS - pm.ftrace->left : 0;
	CHECK(looks > 1 && looks < 20, "%u looks at sub-buffers", looks);
	pm_close(&pm);
}

static u32 nr_formats;

bool __real_formats_add(struct formats *formats, u32 id, const char *system, const char *name, size_t len,
			const char *text);
bool __wrap_formats_add(struct formats *formats, u32 id, const char *system, const char *name, size_t len,
			const char *text);
bool __wrap_formats_add(struct formats *formats, u32 id, const char *system, const char *name, size_t len,
			const char *text)
{
	nr_formats++;
	return __real_formats_add(formats, id, system, name, len, text);
}

static void kernel__a_list_of_events_that_never_ends_is_left(void)
{
	struct err err = ERR_INIT;
	struct postmortem pm;
	struct dump *in = NULL;

	nr_formats = 0;
	CHECK(!dump_open_fd(&in, kernel_fd(ftrace_seed_events_again), &err), "%s", err.msg);
	CHECK(!pm_open_dump(&pm, in, POSTMORTEM_BEST, GENERATION_NEWEST, &err) && !pm_scan(&pm, &err),
	      "%s", err.msg);
	CHECK(nr_formats > 1 && nr_formats < 100, "%u formats", nr_formats);
	pm_close(&pm);
}

static void kernel__a_list_of_instances_that_never_ends_is_left(void)
{
	struct err err = ERR_INIT;
	struct postmortem pm;
	struct dump *in = NULL;

	alarm(20);
	CHECK(!dump_open_fd(&in, kernel_fd(ftrace_seed_instances_again), &err), "%s", err.msg);
	CHECK(!pm_open_dump(&pm, in, POSTMORTEM_BEST, GENERATION_NEWEST, &err) && !pm_scan(&pm, &err),
	      "%s", err.msg);
	CHECK(pm.ftrace && pm.ftrace->notes.nr, "nothing is noted of it");
	pm_close(&pm);
	alarm(0);
}

int main(void)
{
	nowhere = fopen("/dev/null", "w");
	/* The notes have what is left out. */
	stderr = nowhere;
	TAP_RUN(region__is_printed_or_it_is_said_why_not);
	TAP_RUN(region__is_exported_or_it_is_said_why_not);
	TAP_RUN(region__is_redacted_or_it_is_said_why_not);
	TAP_RUN(kernel__is_printed_or_it_is_said_why_not);
	TAP_RUN(persistent__is_printed_or_it_is_said_why_not);
	TAP_RUN(kernel__is_exported_or_it_is_said_why_not);
	TAP_RUN(kernel__a_ring_that_never_ends_is_left);
	TAP_RUN(kernel__a_list_of_events_that_never_ends_is_left);
	TAP_RUN(kernel__a_list_of_instances_that_never_ends_is_left);
	return tap_done();
}
