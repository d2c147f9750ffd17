/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the containers; private to the room. */
#ifndef EPITAPH_DUMP_DUMP_IMPL_H
#define EPITAPH_DUMP_DUMP_IMPL_H

#include "base/byte_reader.h"
#include "dump.h"

#define MAX_SEGMENTS	(1U << 18)	/* the last one spans what is beyond */
#define MAX_ARCHIVES	16	/* directories of "epitaph record" for one dump */
#define MAX_DAMAGE	16		/* notes; then "and more" */
#define MAX_VMCOREINFO	(128U << 10)	/* the kernel's is a page of at most 64 KiB */

/**
 * struct dump_ops - one container
 * @open: read the headers; the file is at least a byte long.  On failure
 *	@close is called as well.
 * @close: free in->container, which may be NULL
 * @read, @peek, @next_data: see dump.h; but @next need not be at a page's start
 * @is_zero_by_size: see dump_is_zero_by_size(); NULL: nothing is
 * @cpu_regs: see dump_cpu_regs(); NULL: in ELF notes, if there are any
 */
struct dump_ops {
	int (*open)(struct dump *in, struct err *err);
	void (*close)(struct dump *in);
	ssize_t (*read)(struct dump *in, u64 paddr, void *buf, size_t size,
			struct err *err);
	bool (*peek)(struct dump *in, u64 paddr, u8 bytes[8]);
	bool (*next_data)(struct dump *in, u64 paddr, u64 *next, u64 *len);
	bool (*is_zero_by_size)(const struct dump *in, u64 paddr);
	bool (*cpu_regs)(struct dump *in, u32 cpu, u64 *regs, u32 nr);
};

extern const struct dump_ops dump_elf_ops;
extern const struct dump_ops dump_kdump_ops;
extern const struct dump_ops dump_lime_ops;
extern const struct dump_ops dump_raw_ops;
extern const struct dump_ops dump_s390_ops;
extern const struct dump_ops dump_split_ops;
extern const struct dump_ops dump_parts_ops;
extern const struct dump_ops dump_archive_ops;
extern const struct dump_ops dump_zstd_ops;

struct flat;
struct view;

/**
 * struct held - a copy of a stretch of the file
 * @start: its place in the file
 * @len: bytes that were copied
 * @size: of the mapping at @data; @data is NULL if nothing is held
 */
struct held {
	u64 start;
	u64 len;
	u64 size;
	u8 *data;
};

/**
 * struct peek - of file_peek()
 * @next: the page that follows the last one
 * @run: pages before it in a row
 * @heads: of @nr pages from @off of the file on
 * @is_refused: the file cannot be mapped
 */
struct peek {
	u64 next;
	u32 run;
	u64 off;
	u64 nr;
	u8 heads[512][8];
	bool is_refused;
};

struct dump {
	int fd;
	u64 file_size;			/* when it was opened; it may shrink */
	u64 changed_ns;			/* the file, since 1970; 0: it is none */
	u64 stored_size;		/* without holes; 0: not known */
	u64 data;			/* from there to @hole the file has data: what was asked last */
	u64 hole;
	bool changes;			/* it is written meanwhile: a cached byte may be old */
	struct view *view;		/* of file_view() */
	struct peek peek;
	struct held held;		/* of dump_hold() */
	struct flat *flat;		/* how a flattened dump is to be rearranged; NULL: as it is */
	enum byte_order order;
	enum byte_order kernel_order;	/* 0: the same; see dump_set_byte_order() */
	const struct dump_ops *ops;
	void *container;		/* of @ops */
	char kind[96];
	int dump_level;			/* see dump_dump_level() */
	struct dump *whole;		/* of which this is a part, or the host; NULL: of nothing */
	const char *name;		/* of a part, the last component of its path */
	bool is_collection;		/* see dump_is_collection() */
	bool is_unplaced;		/* see dump_has_addresses() */

	struct heads *heads;		/* of heads_next(); NULL before the first call */
	struct dump_segment *segments;
	size_t nr_segments;
	size_t room_segments;

	char *vmcoreinfo;
	size_t vmcoreinfo_len;
	struct dump_types types;	/* see dump_set_types() */
	u64 notes_off, notes_size;	/* the file's ELF notes; size 0: it has none */
	u64 *cpu_notes;			/* nr_cpu_notes of them, by CPU; NULL before dump_cpu_regs() */
	u32 nr_cpu_notes;

	char damage[MAX_DAMAGE + 1][192];
	size_t nr_damage;
	bool is_cut;			/* see dump_is_cut() */
	struct dump *archives[MAX_ARCHIVES];	/* see dump_archive() */
	size_t nr_archives;
};

/* --- dump.c ------------------------------------------------------------- */

/* An input that reads nothing yet, or NULL and an error. */
struct dump *dump_create(struct err *err);

/* Read what is at @path, for @in that dump_create() made. */
int dump_attach(struct dump *in, const char *path, struct err *err);

/* Another stretch of memory, in ascending order.  Return: 0, or -ERR_IO without memory. */
int dump_add_segment(struct dump *in, u64 paddr, u64 size, struct err *err);

/* Note what is missing or damaged; the same words are noted once. */
__attribute__((format(printf, 2, 3)))
void dump_note_damage(struct dump *in, const char *fmt, ...);

/* Is the directory one of "epitaph record"? */
bool dump_is_archive_dir(int fd);

/* Note that the file should have @need bytes, if it has less. */
void dump_note_size(struct dump *in, u64 need);

/* The file ends before its format says so, which is noted as damage. */
void dump_note_cut(struct dump *in);

/* A header of @size bytes of which only @n could be read.  Return: an error that says why. */
int dump_short_header(struct dump *in, size_t n, size_t size, struct err *err);

/* --- file.c: bytes at an offset of the file ------------------------ */

int file_open(const char *path, struct err *err);

/* A descriptor that can seek, for one that cannot: @fd itself or a copy; closes @fd on failure. */
int file_seekable(int fd, u64 *size, struct err *err);

/*
 * Return: bytes there, less than @size at the end or at a bad sector, which is
 * noted; -ERR_IO. Without an err, every failure is noted as damage.
 */
ssize_t file_read(struct dump *in, u64 off, void *buf, size_t size, struct err *err);

/* The next bytes that are not a hole, at or behind @off: [*data, *hole). */
bool file_next_data(struct dump *in, u64 off, u64 *data, u64 *hole);

/* --- readahead.c: the same for reads in the order of the file ------------- */

#define VIEW_SIZE	(256U << 10)	/* stays in a cache of the CPU */

/* For free(); NULL without memory. */
struct view *view_new(void);

/**
 * file_view() - as file_read(), without a place of the caller's
 * @size: at most VIEW_SIZE
 * @ret: the bytes, until the next call
 */
ssize_t file_view(struct dump *in, u64 off, size_t size, const u8 **ret, struct err *err);

/* file_read(), of less than a page by a view. */
ssize_t file_fetch(struct dump *in, u64 off, void *buf, size_t size, struct err *err);

/* --- page_peek.c: the first bytes of pages ------------------------------- */

/* The 8 bytes at @off of the file, mostly the start of a page; false: they are not all there. */
bool file_peek(struct dump *in, u64 off, u8 bytes[8]);

/* --- held.c: a stretch of the file that is read once ----------------------- */

/* The copy of the bytes at @off, or NULL; it is so for @len bytes. */
const u8 *held_find(const struct held *held, u64 off, u64 *len);
void held_close(struct held *held);

/* --- flattened.c: a flattened dump as the file it stands for ------------- */

/*
 * Find the pieces.  From then on, offsets, in->file_size, file_read() and
 * file_next_data() are those of the file that "makedumpfile -R" would write.
 */
int flat_open(struct dump *in, struct err *err);
void flat_close(struct flat *flat);

/**
 * flat_find() - where the bytes at @off are
 * @at: where, in the flattened file; undefined in a hole
 * @len: bytes from there on, or of the hole; not 0
 *
 * Return: false for a hole.
 */
bool flat_find(const struct flat *flat, u64 off, u64 *at, u64 *len);

/* Are holes zeroes?  If the end is missing, they may be what is missing. */
bool flat_is_whole(const struct flat *flat);

/* --- stretches.c: bytes where in->container is a struct extents ------------ */

#define STRETCH_OF_ZEROES	(~0ULL)	/* instead of a place in the file */

/* Sort them, and make a segment of each; those of zeroes must not overlap others. */
int stretches_place(struct dump *in, struct err *err);
void stretches_close(struct dump *in);
ssize_t stretches_read(struct dump *in, u64 paddr, void *buf, size_t size, struct err *err);
bool stretches_peek(struct dump *in, u64 paddr, u8 bytes[8]);
bool stretches_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len);

/* --- elf_note.c -------------------------------------------------------- */

/* Take VMCOREINFO from the ELF notes in @size bytes at @off of the file, if it is there. */
void note_find_vmcoreinfo(struct dump *in, u64 off, u64 size);

/* Where the notes at @off end, by their names; takes VMCOREINFO on the way. */
u64 note_end(struct dump *in, u64 off);

/* Take @size bytes at @off of the file as VMCOREINFO. */
void note_take_vmcoreinfo(struct dump *in, u64 off, u64 size);

static inline u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

static inline u64 page_down(u64 a)
{
	return a & ~(u64)(DUMP_PAGE - 1);
}

/* @a must not be within the last page there is. */
static inline u64 page_up(u64 a)
{
	return page_down(a + DUMP_PAGE - 1);
}

#endif
