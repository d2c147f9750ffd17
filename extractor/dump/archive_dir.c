// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory of "epitaph record": the file channel.region, a generation without rings, and pieces,
 * 000001.sub and so on.  The region is at its start; behind ARCHIVE_BASE are the bytes of all
 * pieces, one behind the other.  What is in them, region/archive.c knows.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <epitaph/format.h>

#include "dump_impl.h"

#define ARCHIVE_BASE	(1ULL << 44)
#define MAX_PIECES	65536

/* @base: where its bytes begin, from ARCHIVE_BASE on; they are whole pages apart */
struct piece {
	u32 number;
	u64 base;
	u64 size;
};

/*
 * @region: channel.region
 * @pieces: nr of them, by number
 * @fd: of the piece that was read last, @open; -1: none
 */
struct archive_dir {
	struct dump *region;
	struct piece *pieces;
	u32 nr;
	u32 open;
	int fd;
};

static void piece_name(char name[32], u32 number)
{
	snprintf(name, 32, "%06u.sub", number);
}

/* Sets @number; false: it is another file. */
static bool is_piece(const char *name, u32 *number)
{
	char again[32];

	*number = strtoul(name, NULL, 10);
	piece_name(again, *number);
	return *number && !strcmp(name, again);
}

static int compare_piece_number(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static int add_piece(struct dump *in, u32 number, u64 size, struct err *err)
{
	struct archive_dir *dir = in->container;

	if (dir->nr == MAX_PIECES) {
		dump_note_damage(in, "the directory has more than %u pieces", MAX_PIECES);
		return 0;
	}
	if (!(dir->nr & (dir->nr - 1))) {
		void *more = reallocarray(dir->pieces, dir->nr ? 2 * dir->nr : 1, sizeof(*dir->pieces));

		if (!more)
			return err_sys(err, "memory for %u pieces", dir->nr);
		dir->pieces = more;
	}
	dir->pieces[dir->nr++] = (struct piece){ .number = number, .size = size };
	return 0;
}

static int list_pieces(struct dump *in, struct err *err)
{
	struct archive_dir *dir = in->container;
	int fd = openat(in->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat st;
	u32 number, i;
	u64 base = 0;

	if (!entries) {
		ret = err_sys(err, "cannot look into the directory");
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while (!ret && (entry = readdir(entries)))
		if (is_piece(entry->d_name, &number) &&
		    !fstatat(in->fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) &&
		    st.st_size > 0 && st.st_size < 1LL << 42)
			ret = add_piece(in, number, st.st_size, err);
	closedir(entries);
	if (dir->nr)
		qsort(dir->pieces, dir->nr, sizeof(*dir->pieces), compare_piece_number);
	for (i = 0; i < dir->nr; i++) {
		dir->pieces[i].base = base;
		base += page_up(dir->pieces[i].size);
	}
	return ret;
}

bool dump_is_archive_dir(int fd)
{
	struct stat st;

	return !fstatat(fd, EPITAPH_ARCHIVE_REGION, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode);
}

static int open_archive_region(struct archive_dir *dir, int at, struct err *err)
{
	int fd = openat(at, EPITAPH_ARCHIVE_REGION,
			O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int ret;

	if (fd < 0)
		return err_sys(err, EPITAPH_ARCHIVE_REGION);
	ret = dump_open_fd(&dir->region, fd, err);
	if (ret)
		return err_while(err, EPITAPH_ARCHIVE_REGION);
	if (dump_is_raw(dir->region))
		return 0;
	dump_close(dir->region);
	dir->region = NULL;
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF, EPITAPH_ARCHIVE_REGION " is no region");
}

static int archive_dir_open(struct dump *in, struct err *err)
{
	struct archive_dir *dir = calloc(1, sizeof(*dir));
	struct err bad = ERR_INIT;
	int ret;
	size_t i;

	in->container = dir;
	if (!dir)
		return err_sys(err, "no memory");
	dir->fd = -1;
	ret = open_archive_region(dir, in->fd, in->whole ? &bad : err);
	if (ret && !in->whole)
		return ret;
	/* A dump beside it has the same, and newer. */
	if (ret)
		dump_note_damage(in, "%s", bad.msg);
	ret = list_pieces(in, err);
	for (i = 0; dir->region && i < dump_nr_segments(dir->region) && !ret; i++)
		ret = dump_add_segment(in, dir->region->segments[i].paddr, dir->region->segments[i].size,
				       err);
	in->file_size = dir->region ? dir->region->file_size : 0;
	in->archives[0] = in;
	in->nr_archives = 1;
	snprintf(in->kind, sizeof(in->kind), "archive of a channel, %u piece%s", dir->nr,
		 dir->nr == 1 ? "" : "s");
	return ret;
}

static void archive_dir_close(struct dump *in)
{
	struct archive_dir *dir = in->container;

	in->nr_archives = 0;
	if (!dir)
		return;
	dump_close(dir->region);
	if (dir->fd >= 0)
		close(dir->fd);
	free(dir->pieces);
	free(dir);
}

/* The first piece that ends behind @at. */
static u32 find_piece(const struct archive_dir *dir, u64 at)
{
	u32 lo = 0, hi = dir->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (dir->pieces[mid].base + dir->pieces[mid].size > at)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static bool open_piece(struct dump *in, u32 i)
{
	struct archive_dir *dir = in->container;
	char name[32];

	if (dir->fd >= 0 && dir->open == i)
		return true;
	if (dir->fd >= 0)
		close(dir->fd);
	piece_name(name, dir->pieces[i].number);
	dir->fd = openat(in->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	dir->open = i;
	if (dir->fd < 0)
		dump_note_damage(in, "%s: %s", name, strerror(errno));
	return dir->fd >= 0;
}

/* Up to the end of the piece in which @at lies. */
static ssize_t read_piece(struct dump *in, u64 at, void *buf, size_t size)
{
	struct archive_dir *dir = in->container;
	u32 i = find_piece(dir, at);
	ssize_t n;

	if (i == dir->nr || dir->pieces[i].base > at || !open_piece(in, i))
		return 0;
	at -= dir->pieces[i].base;
	size = min_u64(size, dir->pieces[i].size - at);
	do {
		n = pread(dir->fd, buf, size, at);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		dump_note_damage(in, "%06u.sub: %s", dir->pieces[i].number,
				 n ? strerror(errno) : "it shrank while it was read");
	return n < 0 ? 0 : n;
}

static ssize_t archive_dir_read(struct dump *in, u64 paddr, void *buf, size_t size, struct err *err)
{
	const struct archive_dir *dir = in->container;

	if (paddr >= ARCHIVE_BASE)
		return read_piece(in, paddr - ARCHIVE_BASE, buf, size);
	return dir->region ? dump_read(dir->region, paddr, buf, size, err) : 0;
}

static bool archive_dir_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	return archive_dir_read(in, paddr, bytes, 8, NULL) == 8;
}

static bool archive_dir_next(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	const struct archive_dir *dir = in->container;
	u32 i;

	if (paddr < ARCHIVE_BASE && dir->region)
		return dump_next_data(dir->region, paddr, next, len);
	i = paddr < ARCHIVE_BASE ? 0 : find_piece(dir, paddr - ARCHIVE_BASE);
	if (i == dir->nr)
		return false;
	*next = ARCHIVE_BASE + dir->pieces[i].base;
	if (*next < paddr)
		*next = paddr;
	*len = ARCHIVE_BASE + dir->pieces[i].base + dir->pieces[i].size - *next;
	return true;
}

const struct dump_ops dump_archive_ops = {
	.open = archive_dir_open,
	.close = archive_dir_close,
	.read = archive_dir_read,
	.peek = archive_dir_peek,
	.next_data = archive_dir_next,
};

size_t dump_nr_archives(const struct dump *in)
{
	return in->nr_archives;
}

struct dump *dump_archive(const struct dump *in, size_t i)
{
	return in->archives[i];
}

u64 dump_archive_start(const struct dump *archive)
{
	(void)archive;
	return ARCHIVE_BASE;
}
