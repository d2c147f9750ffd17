// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory of parts, as pstore shows it or as systemd-pstore moved it: the
 * generations in it, one behind the other, each from a multiple of a page on.
 * Names say nothing; what is in a file decides.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump_impl.h"
#include "pstore_record.h"

#define MAX_FILES	4096		/* looked at, directories among them */
#define MAX_DEPTH	3		/* of directories in the one given */
#define MAX_GENERATIONS	64		/* generations */
#define MAX_NAMED	3		/* names of files that are something else */

/*
 * A good part.
 * @addr: of its bytes in the input
 * @path: below the directory; owned
 */
struct placed_record {
	struct pstore_record part;
	u32 owner;
	u64 addr;
	char *path;
};

struct record_generation {
	struct part_of of;
	u64 base;
	u32 nr_parts;
};

/*
 * @piece: by address, and not overlapping, once they are arranged
 * @open: the file that was read last
 */
struct parts {
	struct record_generation owner[MAX_GENERATIONS];
	u32 nr_owners;
	struct placed_record *piece;
	u32 nr;
	u32 nr_files;
	u32 nr_others;
	char others[200];
	const struct placed_record *open;
	int fd;
};

/* --- looking ------------------------------------------------------------- */

static bool is_same_generation(const struct part_of *a, const struct part_of *b)
{
	return a->number == b->number && a->salt == b->salt && a->gen_size == b->gen_size &&
	       !memcmp(a->boot_id, b->boot_id, sizeof(a->boot_id));
}

static bool find_record_generation(struct parts *parts, const struct pstore_record *part, u32 *ret)
{
	for (*ret = 0; *ret < parts->nr_owners; ++*ret)
		if (is_same_generation(&parts->owner[*ret].of, &part->of))
			return true;
	if (parts->nr_owners == MAX_GENERATIONS)
		return false;
	parts->owner[parts->nr_owners++].of = part->of;
	return true;
}

static int add_pstore_record(struct dump *in, const struct pstore_record *part, const char *path,
		      struct err *err)
{
	struct parts *parts = in->container;
	struct placed_record *piece = &parts->piece[parts->nr];
	u32 owner;

	if (!find_record_generation(parts, part, &owner)) {
		dump_note_damage(in, "%s: more than %u generations", path, MAX_GENERATIONS);
		return 0;
	}
	*piece = (struct placed_record){ .part = *part, .owner = owner, .path = strdup(path) };
	if (!piece->path)
		return err_sys(err, "no memory");
	parts->nr++;
	if (part->nr_parts > parts->owner[owner].nr_parts)
		parts->owner[owner].nr_parts = part->nr_parts;
	return 0;
}

static void count_other_file(struct parts *parts, const char *path)
{
	size_t n = strlen(parts->others);

	if (parts->nr_others++ < MAX_NAMED)
		snprintf(parts->others + n, sizeof(parts->others) - n, "%s%.50s",
			 n ? ", " : "", path);
}

static int take_pstore_file(struct dump *in, int fd, const char *path, struct err *err)
{
	struct pstore_record part;
	char why[160];

	switch (pstore_record_read(&part, fd, why)) {
	case PART_GOOD:
		return add_pstore_record(in, &part, path, err);
	case PART_BAD:
		dump_note_damage(in, "%s: a part that cannot be used: %s", path, why);
		return 0;
	case PART_NOT_OURS:
		break;
	}
	count_other_file(in->container, path);
	return 0;
}

static int walk_pstore_dir(struct dump *in, int at, const char *prefix, u32 depth, struct err *err);

/* Links are not followed, as they may lead anywhere; devices are not opened. */
static int take_dir_entry(struct dump *in, int at, const char *prefix, const char *name,
		      u32 depth, struct err *err)
{
	struct parts *parts = in->container;
	char path[1024];
	struct stat st = { 0 };
	int fd, ret = 0;

	if (snprintf(path, sizeof(path), "%s%s", prefix, name) >= (int)sizeof(path) - 1)
		return 0;
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) ||
	    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return 0;
	fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		count_other_file(parts, path);
		return 0;
	}
	if (S_ISREG(st.st_mode)) {
		ret = take_pstore_file(in, fd, path, err);
	} else if (depth < MAX_DEPTH) {
		strcat(path, "/");
		ret = walk_pstore_dir(in, fd, path, depth + 1, err);
	}
	close(fd);
	return ret;
}

static int walk_pstore_dir(struct dump *in, int at, const char *prefix, u32 depth, struct err *err)
{
	struct parts *parts = in->container;
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int ret = 0;

	if (!dir) {
		ret = err_sys(err, "cannot look into the directory %s", prefix);
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while (!ret && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    parts->nr_files++ < MAX_FILES)
			ret = take_dir_entry(in, at, prefix, entry->d_name, depth, err);
	closedir(dir);
	return ret;
}

/* --- arranging ----------------------------------------------------------- */

/* False: so much is not there. */
static bool place_generations(struct parts *parts)
{
	u64 at = 0;
	u32 i;

	for (i = 0; i < parts->nr_owners; i++) {
		parts->owner[i].base = at;
		if (parts->owner[i].of.gen_size > 1ULL << 40)
			return false;
		at = page_up(at + parts->owner[i].of.gen_size);
	}
	for (i = 0; i < parts->nr; i++)
		parts->piece[i].addr = parts->owner[parts->piece[i].owner].base +
				       parts->piece[i].part.off;
	return true;
}

static int by_record_addr(const void *a, const void *b)
{
	const struct placed_record *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->part.size == y->part.size ? strcmp(x->path, y->path) :
	       x->part.size > y->part.size ? -1 : 1;
}

/* Each byte once: a directory may have been copied into itself. */
static void drop_overlaps(struct parts *parts)
{
	u64 end = 0;
	u32 i, nr = 0;

	for (i = 0; i < parts->nr; i++) {
		struct placed_record piece = parts->piece[i];
		u64 cut = piece.addr < end ? end - piece.addr : 0;

		if (cut >= piece.part.size) {
			free(piece.path);
			continue;
		}
		piece.addr += cut;
		piece.part.skip += cut;
		piece.part.size -= cut;
		end = piece.addr + piece.part.size;
		parts->piece[nr++] = piece;
	}
	parts->nr = nr;
}

static void note_missing(struct dump *in, const struct parts *parts, u32 owner)
{
	const struct record_generation *o = &parts->owner[owner];
	u64 at = o->base, end = o->base + o->of.gen_size, missing = 0;
	u32 i, n = 0;

	for (i = 0; i < parts->nr; i++) {
		if (parts->piece[i].owner != owner)
			continue;
		missing += parts->piece[i].addr - at;
		at = parts->piece[i].addr + parts->piece[i].part.size;
		n++;
	}
	missing += end - at;
	if (missing)
		dump_note_damage(in, "generation %llu: %u of %u parts are there; %llu of %llu bytes are missing",
				 o->of.number, n, o->nr_parts, missing, (u64)o->of.gen_size);
}

static int arrange_records(struct dump *in, struct err *err)
{
	struct parts *parts = in->container;
	int ret = 0;
	u32 i;

	if (!place_generations(parts))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "a generation is larger than can be");
	qsort(parts->piece, parts->nr, sizeof(*parts->piece), by_record_addr);
	drop_overlaps(parts);
	for (i = 0; i < parts->nr_owners && !ret; i++) {
		note_missing(in, parts, i);
		ret = dump_add_segment(in, parts->owner[i].base,
				       parts->owner[i].of.gen_size, err);
	}
	return ret;
}

/* --- the container ------------------------------------------------------- */

static int err_no_records(struct dump *in, const struct parts *parts, struct err *err)
{
	const char *damage = dump_damage(in, 0);

	if (damage)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "is a directory without a part that can be used: %s", damage);
	if (!parts->nr_others)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "is a directory without files");
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "is a directory, and none of its %u files is a part of a generation: %s%s",
		       parts->nr_others, parts->others,
		       parts->nr_others > MAX_NAMED ? " and others" : "");
}

static int parts_open(struct dump *in, struct err *err)
{
	struct parts *parts = calloc(1, sizeof(*parts));
	int ret;

	in->container = parts;
	if (!parts)
		return err_sys(err, "no memory");
	parts->fd = -1;
	parts->piece = calloc(MAX_FILES, sizeof(*parts->piece));
	if (!parts->piece)
		return err_sys(err, "no memory");
	ret = walk_pstore_dir(in, in->fd, "", 1, err);
	if (ret)
		return ret;
	if (!parts->nr)
		return err_no_records(in, parts, err);
	if (parts->nr_files > MAX_FILES)
		dump_note_damage(in, "the directory has more than %u files; only so many were looked at",
				 MAX_FILES);
	in->is_collection = true;
	snprintf(in->kind, sizeof(in->kind), "directory of %u part%s", parts->nr,
		 parts->nr == 1 ? "" : "s");
	return arrange_records(in, err);
}

static void parts_close(struct dump *in)
{
	struct parts *parts = in->container;
	u32 i;

	if (!parts)
		return;
	for (i = 0; i < parts->nr; i++)
		free(parts->piece[i].path);
	if (parts->fd >= 0)
		close(parts->fd);
	free(parts->piece);
	free(parts);
}

/* The first that ends behind @addr. */
static u32 find_record(const struct parts *parts, u64 addr)
{
	u32 lo = 0, hi = parts->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (parts->piece[mid].addr + parts->piece[mid].part.size > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static bool open_record(struct dump *in, const struct placed_record *piece)
{
	struct parts *parts = in->container;

	if (parts->open == piece)
		return parts->fd >= 0;
	if (parts->fd >= 0)
		close(parts->fd);
	parts->fd = openat(in->fd, piece->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	parts->open = piece;
	if (parts->fd < 0)
		dump_note_damage(in, "%s: %s", piece->path, strerror(errno));
	return parts->fd >= 0;
}

static ssize_t read_pstore_record(struct dump *in, const struct placed_record *piece, u64 addr, u8 *buf,
			  size_t size)
{
	const struct parts *parts = in->container;
	u64 from = addr - piece->addr;
	ssize_t n;

	if (!open_record(in, piece))
		return 0;
	size = min_u64(size, piece->part.size - from);
	do {
		n = pread(parts->fd, buf, size, piece->part.skip + from);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		dump_note_damage(in, "%s: %s", piece->path,
				 n ? strerror(errno) : "it shrank while it was read");
	return n < 0 ? 0 : n;
}

static ssize_t parts_read(struct dump *in, u64 paddr, void *buf, size_t size,
			  struct err *err)
{
	const struct parts *parts = in->container;
	size_t done = 0;
	ssize_t n;
	u32 i;

	(void)err;
	while (done < size) {
		i = find_record(parts, paddr + done);
		if (i == parts->nr || parts->piece[i].addr > paddr + done)
			break;
		n = read_pstore_record(in, &parts->piece[i], paddr + done, (u8 *)buf + done,
			       size - done);
		if (!n)
			break;
		done += n;
	}
	return done;
}

static bool parts_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	return parts_read(in, paddr, bytes, 8, NULL) == 8;
}

static bool parts_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	const struct parts *parts = in->container;
	u32 i = find_record(parts, paddr);

	if (i == parts->nr)
		return false;
	*next = paddr > parts->piece[i].addr ? paddr : parts->piece[i].addr;
	*len = parts->piece[i].addr + parts->piece[i].part.size - *next;
	return true;
}

const struct dump_ops dump_parts_ops = {
	.open = parts_open,
	.close = parts_close,
	.read = parts_read,
	.peek = parts_peek,
	.next_data = parts_next_data,
};
