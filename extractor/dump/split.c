// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Split dumps: makedumpfile --split, which divides the pages of one
 * kdump-compressed dump between several files, by ranges of memory.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preopened.h"
#include "kdump.h"

#define MAX_PARTS	32	/* each has a cache and bitmaps of its own, 4 MiB */
#define STATUS_OFF	424	/* what may differ: a part may be incomplete */
#define SUBBUF_COMMON	12	/* bytes of the sub-header up to "split" */

/* --- which files are parts of one dump ----------------------------------- */

/* The bytes that are the same in all parts of a dump. */
struct identity {
	u8 header[HEADER_SIZE];
	u8 sub[SUBBUF_COMMON];
};

static bool parse_identity(int fd, struct identity *id)
{
	struct bytes header = bytes_of(id->header, HEADER_SIZE, ORDER_LITTLE);
	u8 subbuf_header[SUBBUF_SIZE];
	struct bytes sub = bytes_of(subbuf_header, SUBBUF_SIZE, ORDER_LITTLE);
	u32 block_size;

	if (pread(fd, id->header, HEADER_SIZE, 0) != HEADER_SIZE ||
	    memcmp(id->header, "KDUMP   ", 8))
		return false;
	header.order = sub.order = kdump_order(id->header);
	block_size = bytes_u32(&header, 428);
	if (bytes_u32(&header, 8) < 2 || !kdump_is_block_size(block_size) ||
	    pread(fd, subbuf_header, SUBBUF_SIZE, block_size) != SUBBUF_SIZE || !bytes_u32(&sub, 12))
		return false;
	memset(id->header + STATUS_OFF, 0, 4);
	memcpy(id->sub, subbuf_header, SUBBUF_COMMON);
	return true;
}

/* Is the file a part of a split dump? A pipe is not read. */
static bool is_split_part(const char *path, struct identity *id)
{
	int fd = preopened_find(path) ? file_open(path, NULL) :
		 open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	bool is_part;

	if (fd < 0)
		return false;
	is_part = !fstat(fd, &st) && S_ISREG(st.st_mode) && parse_identity(fd, id);
	close(fd);
	return is_part;
}

static bool is_archive(const char *path)
{
	int fd = preopened_find(path) ? file_open(path, NULL) :
		 open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;
	bool is;

	if (fd < 0)
		return false;
	is = !fstat(fd, &st) && S_ISDIR(st.st_mode) && dump_is_archive_dir(fd);
	close(fd);
	return is;
}

/* The archives in front of another file, which they belong to; without one they are files themselves. */
static size_t leading_archives(char *const *paths, size_t nr)
{
	size_t i;

	for (i = 0; i < nr && is_archive(paths[i]); i++)
		;
	return i < nr ? i : 0;
}

static struct dump_files take_split_files(char **paths, size_t nr)
{
	struct dump_files files = { .path = paths, .nr = 1 };
	struct identity first, other;

	if (!nr || !is_split_part(paths[0], &first))
		return files;
	for (size_t i = 1; i < nr; i++) {
		char *path = paths[i], **to = paths + files.nr;

		if (!is_split_part(path, &other) || memcmp(&first, &other, sizeof(first)))
			continue;
		memmove(to + 1, to, (paths + i - to) * sizeof(*paths));
		*to = path;
		files.nr++;
	}
	return files;
}

struct dump_files dump_take_files(char **paths, size_t nr)
{
	size_t n = leading_archives(paths, nr);
	struct dump_files files = take_split_files(paths + n, nr - n);

	return (struct dump_files){ .path = paths, .nr = n + files.nr };
}

/* --- the parts ----------------------------------------------------------- */

/* By the pages they have. */
struct split {
	struct dump *part[MAX_PARTS];
	size_t nr;
};

static const struct kdump *kdump_of(const struct dump *part)
{
	return part->container;
}

static u64 part_start(const struct dump *part)
{
	return kdump_of(part)->first * kdump_of(part)->block_size;
}

static u64 part_end(const struct dump *part)
{
	return kdump_of(part)->end * kdump_of(part)->block_size;
}

static int part_cmp(const void *a, const void *b)
{
	const struct dump *x = *(struct dump *const *)a, *y = *(struct dump *const *)b;

	if (part_start(x) != part_start(y))
		return part_start(x) < part_start(y) ? -1 : 1;
	return part_end(x) == part_end(y) ? 0 : part_end(x) < part_end(y) ? -1 : 1;
}

/* A file may have become another since it was looked at. */
static int add_part(struct dump *in, const char *path, struct err *err)
{
	struct split *split = in->container;
	const char *slash = strrchr(path, '/');
	struct dump *part = dump_create(err);
	int ret;

	if (!part)
		return -ERR_IO;
	split->part[split->nr++] = part;
	part->whole = in;
	part->name = slash ? slash + 1 : path;
	ret = dump_attach(part, path, err);
	if (!ret && (part->ops != &dump_kdump_ops || !kdump_of(part)->is_split))
		ret = err_set(err, ERR_CORRUPT, 0, "%s: is no part of a split dump any more", path);
	return ret;
}

/* The part that knows of the most pages: all of the same number, unless one is damaged. */
static struct dump *widest(const struct split *split)
{
	struct dump *best = split->part[0];

	for (size_t i = 1; i < split->nr; i++)
		if (kdump_of(split->part[i])->dumped.nr_bits > kdump_of(best)->dumped.nr_bits)
			best = split->part[i];
	return best;
}

/* Ranges must not overlap; gaps between them are noted. */
static int check_ranges(const struct split *split, struct err *err)
{
	size_t last = 0;
	u64 pfn = 0;

	for (size_t i = 0; i < split->nr; i++) {
		const struct kdump *kd = kdump_of(split->part[i]);

		if (kd->first == kd->end)
			continue;
		if (kd->first < pfn)
			return err_set(err, ERR_USAGE, ERR_NO_OFF,
				       "%s and %s both have memory from %#llx on: not parts of one dump, or one given twice",
				       split->part[last]->name, split->part[i]->name,
				       part_start(split->part[i]));
		if (kd->first > pfn)
			kdump_note_absent(split->part[i], pfn, kd->first);
		pfn = kd->end;
		last = i;
	}
	kdump_note_absent(widest(split), pfn, kdump_of(widest(split))->dumped.nr_bits);
	return 0;
}

/* What the parts say of all of the dump; VMCOREINFO passes over to it. */
static void take_facts(struct dump *in)
{
	const struct split *split = in->container;

	in->order = split->part[0]->order;
	in->dump_level = split->part[0]->dump_level;
	for (size_t i = 0; i < split->nr; i++) {
		struct dump *part = split->part[i];

		in->file_size += part->file_size;
		in->stored_size += dump_stored_size(part);
		if (in->vmcoreinfo || !part->vmcoreinfo)
			continue;
		in->vmcoreinfo = part->vmcoreinfo;
		in->vmcoreinfo_len = part->vmcoreinfo_len;
		part->vmcoreinfo = NULL;
	}
	snprintf(in->kind, sizeof(in->kind), "split %.60s, %zu parts", split->part[0]->kind,
		 split->nr);
}

static int open_parts(struct dump *in, const struct dump_files *files, struct err *err)
{
	struct split *split = calloc(1, sizeof(*split));
	const struct dump *best;
	int ret = 0;

	if (!split)
		return err_sys(err, "no memory");
	in->container = split;
	in->ops = &dump_split_ops;
	for (size_t i = 0; i < files->nr && !ret; i++)
		ret = add_part(in, files->path[i], err);
	if (ret)
		return ret;
	qsort(split->part, split->nr, sizeof(split->part[0]), part_cmp);
	best = split->part[0];
	ret = check_ranges(split, err);
	if (ret)
		return ret;
	take_facts(in);
	/* All parts know all of memory, unless they are cut short. */
	for (size_t i = 1; i < split->nr; i++)
		if (kdump_of(split->part[i])->ram.nr_set > kdump_of(best)->ram.nr_set)
			best = split->part[i];
	for (size_t i = 0; i < best->nr_segments && !ret; i++)
		ret = dump_add_segment(in, best->segments[i].paddr, best->segments[i].size, err);
	return ret;
}

static int add_archive(struct dump *in, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	struct dump *archive;
	int res;

	if (in->nr_archives == MAX_ARCHIVES)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: at most %u archives can be read with one dump; leave this one out", path,
			       MAX_ARCHIVES);
	archive = dump_create(err);
	if (!archive)
		return -ERR_IO;
	archive->whole = in;
	archive->name = slash && slash[1] ? slash + 1 : path;
	res = dump_attach(archive, path, err);
	if (res)
		dump_close(archive);
	else
		in->archives[in->nr_archives++] = archive;
	return res;
}

/* @n archives, and the dump. */
static int open_with_archives(struct dump **ret, const struct dump_files *files, size_t n,
			      struct err *err)
{
	struct dump_files rest = { files->path + n, files->nr - n };
	int res = dump_open_files(ret, &rest, err);
	size_t i;

	for (i = 0; i < n && !res; i++) {
		res = add_archive(*ret, files->path[i], err);
		if (res)
			dump_close(*ret);
	}
	return res;
}

int dump_open_files(struct dump **ret, const struct dump_files *files, struct err *err)
{
	size_t n = leading_archives(files->path, files->nr);
	struct dump *in;
	int res;

	if (n)
		return open_with_archives(ret, files, n, err);
	if (files->nr == 1)
		return dump_open(ret, files->path[0], err);
	if (files->nr > MAX_PARTS)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s: %zu parts of a split dump, of which %u are read at once; put it together first: makedumpfile --reassemble PART... DUMP",
			       files->path[0], files->nr, MAX_PARTS);
	in = dump_create(err);
	if (!in)
		return -ERR_IO;
	res = open_parts(in, files, err);
	if (res)
		dump_close(in);
	else
		*ret = in;
	return res;
}

static void split_close(struct dump *in)
{
	struct split *split = in->container;

	for (size_t i = 0; split && i < split->nr; i++)
		dump_close(split->part[i]);
	free(split);
}

/* --- bytes --------------------------------------------------------------- */

/* The first part that ends behind @paddr, or NULL. */
static struct dump *part_at(const struct dump *in, u64 paddr)
{
	const struct split *split = in->container;

	for (size_t i = 0; i < split->nr; i++)
		if (part_end(split->part[i]) > paddr)
			return split->part[i];
	return NULL;
}

static ssize_t split_read(struct dump *in, u64 paddr, void *buf, size_t size,
			  struct err *err)
{
	size_t done = 0;

	while (done < size) {
		u64 at = paddr + done;
		struct dump *part = part_at(in, at);
		size_t want = part ? min_u64(size - done, part_end(part) - at) : 0;
		ssize_t n = want ? kpage_read(part, at, (u8 *)buf + done, want, err) : 0;

		if (n < 0)
			return err_while(err, "%s", part->name);
		done += n;
		if (!n || (size_t)n < want)
			break;
	}
	return done;
}

static bool split_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	struct dump *part = part_at(in, paddr);

	return part && kpage_peek(part, paddr, bytes);
}

static bool split_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	const struct split *split = in->container;

	for (size_t i = 0; i < split->nr; i++)
		if (part_end(split->part[i]) > paddr &&
		    kpage_next_data(split->part[i], paddr, next, len))
			return true;
	return false;
}

const struct dump_ops dump_split_ops = {
	.close = split_close,
	.read = split_read,
	.peek = split_peek,
	.next_data = split_next_data,
};
