// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump_oracle.h"

#include <fcntl.h>
#include <libkdumpfile/kdumpfile.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dump/dump.h"

#define PAGE 4096
#define MAX_PARTS 32

static kdump_ctx_t *open_theirs(int fd)
{
	kdump_ctx_t *ctx = kdump_new();
	kdump_num_t n = fd;

	if (!ctx)
		return NULL;
	if (kdump_set_number_attr(ctx, KDUMP_ATTR_FILE_FD, n) == KDUMP_OK)
		return ctx;
	printf("# libkdumpfile: %s\n", kdump_get_err(ctx));
	kdump_free(ctx);
	return NULL;
}

static void compare_page(struct verdict *v, struct dump *in, kdump_ctx_t *ctx,
			 unsigned long long paddr)
{
	unsigned char ours[PAGE], theirs[PAGE];
	size_t len = PAGE;
	int have_ours = dump_read(in, paddr, ours, PAGE, NULL) == PAGE;
	int have_theirs = kdump_read(ctx, KDUMP_MACHPHYSADDR, paddr, theirs, &len) == KDUMP_OK &&
			  len == PAGE;

	v->nr_pages++;
	v->nr_same += have_ours && have_theirs && !memcmp(ours, theirs, PAGE);
	v->nr_absent += !have_ours && !have_theirs;
	v->nr_ours += have_ours && !have_theirs;
	v->nr_theirs += !have_ours && have_theirs;
	v->nr_differ += have_ours && have_theirs && memcmp(ours, theirs, PAGE);
	if (!v->first && v->nr_same + v->nr_absent < v->nr_pages)
		v->first = paddr;
}

/* Every page that is wholly in a segment. */
static void compare_segments(struct verdict *v, struct dump *in, kdump_ctx_t *ctx)
{
	for (size_t i = 0; i < dump_nr_segments(in); i++) {
		struct dump_segment s = dump_segment(in, i);
		unsigned long long end = s.paddr + s.size;
		unsigned long long at = (s.paddr + PAGE - 1) & ~(PAGE - 1ULL);

		for (; at + PAGE <= end; at += PAGE)
			compare_page(v, in, ctx, at);
	}
}

static void compare(struct verdict *v, struct dump *in, kdump_ctx_t *ctx)
{
	kdump_num_t size = 0;

	/* What an ELF file leaves out within p_memsz is zero. */
	if (strstr(dump_kind(in), "ELF"))
		kdump_set_number_attr(ctx, KDUMP_ATTR_ZERO_EXCLUDED, 1);
	/* On some machines it is known only to VMCOREINFO, and without one libkdumpfile dies. */
	if (kdump_get_number_attr(ctx, KDUMP_ATTR_PAGE_SIZE, &size) != KDUMP_OK || !size)
		kdump_set_number_attr(ctx, KDUMP_ATTR_PAGE_SIZE, PAGE);
	snprintf(v->kind, sizeof(v->kind), "%s", dump_kind(in));
	compare_segments(v, in, ctx);
}

struct verdict oracle_compare(int fd)
{
	struct verdict v = { 0 };
	struct err err = ERR_INIT;
	struct dump *in;
	kdump_ctx_t *ctx = open_theirs(fd);

	if (!ctx)
		v.why = "libkdumpfile does not read it";
	else if (dump_open_fd(&in, dup(fd), &err))
		v.why = "the extractor does not read it";
	if (err.code)
		printf("# %s\n", err.msg);
	if (!v.why) {
		compare(&v, in, ctx);
		dump_close(in);
	}
	if (ctx)
		kdump_free(ctx);
	return v;
}

static kdump_ctx_t *open_their_parts(char *const *paths, unsigned int nr, int *fds)
{
	kdump_ctx_t *ctx = kdump_new();

	for (unsigned int i = 0; i < nr; i++)
		fds[i] = open(paths[i], O_RDONLY | O_CLOEXEC);
	if (!ctx || kdump_open_fdset(ctx, nr, fds) == KDUMP_OK)
		return ctx;
	printf("# libkdumpfile: %s\n", kdump_get_err(ctx));
	kdump_free(ctx);
	return NULL;
}

struct verdict oracle_compare_parts(char *const *paths, unsigned int nr)
{
	struct dump_files files = { paths, nr };
	struct verdict v = { 0 };
	struct err err = ERR_INIT;
	struct dump *in;
	int fds[MAX_PARTS];
	kdump_ctx_t *ctx = open_their_parts(paths, nr, fds);

	if (!ctx)
		v.why = "libkdumpfile does not read them";
	else if (dump_open_files(&in, &files, &err))
		v.why = "the extractor does not read them";
	if (err.code)
		printf("# %s\n", err.msg);
	if (!v.why) {
		compare(&v, in, ctx);
		dump_close(in);
	}
	if (ctx)
		kdump_free(ctx);
	for (unsigned int i = 0; i < nr; i++)
		close(fds[i]);
	return v;
}
