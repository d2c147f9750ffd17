/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DOC: dump
 *
 * n bytes at a physical address, whatever container holds them.
 *
 * The content of a file decides which container it is, never its name. A damaged file is read as
 * far as it goes: truncation, pages that do not decompress and the like end a read early and are
 * listed by dump_damage(); only a failing system call is an error.
 *
 *	if (dump_open(&dump, path, &err))
 *		return -err.code;
 *	n = dump_read(dump, paddr, buf, sizeof(buf), &err);
 *	dump_close(dump);
 *
 * Strings that a function returns belong to the dump. One thread at a time uses a dump.
 */
#ifndef EPITAPH_DUMP_DUMP_H
#define EPITAPH_DUMP_DUMP_H

#include "base/err.h"
#include "base/types.h"

#define DUMP_PAGE	4096	/* what dump_next_data() counts in, on every architecture */

struct dump;

/**
 * struct dump_segment - a stretch of physical memory in the container
 * @paddr: physical address of its first byte; 0 for a raw file
 * @size: bytes, of which some may be holes
 *
 * A PT_LOAD of an ELF file, a run of RAM of a kdump file, all of a raw file:
 * where a region may start and end.  By address, not overlapping.
 */
struct dump_segment {
	u64 paddr;
	u64 size;
};

/**
 * dump_open() - open a dump or a raw region
 * @ret: the input, for dump_close(); set only on success
 * @path: a file, a device, a directory of parts, a FIFO, "-" for standard input, or what
 *	callback.h offers; a stream is copied to an unlinked temporary file in $TMPDIR or /var/tmp
 * @err: what is wrong, with @path in front
 *
 * Return: 0; -ERR_IO if a system call fails; -ERR_NOT_OURS for what cannot
 *	hold a region (a directory without parts of one, an empty file, a
 *	program) or must be converted first (gzip: the message says how);
 *	-ERR_CORRUPT for a container whose header is unusable.
 */
int dump_open(struct dump **ret, const char *path, struct err *err);

/**
 * dump_open_fd() - the same for a descriptor that can seek
 *
 * @fd is the input's afterwards, closed by dump_close() and on failure.
 */
int dump_open_fd(struct dump **ret, int fd, struct err *err);

/**
 * struct dump_files - what is one input: a file, or parts of one split dump
 * @path: the caller's; the first one stands for all
 */
struct dump_files {
	char *const *path;
	size_t nr;
};

/**
 * dump_take_files() - the first of @nr files, and what belongs to it
 * @paths: reordered, so that other parts of the first one's dump follow it
 *
 * Parts of one dump have the same headers but for the pages that each has.  Directories of
 * "epitaph record" belong to the file that follows them.
 */
struct dump_files dump_take_files(char **paths, size_t nr);

/**
 * dump_open_files() - the same as dump_open(), for what is one input
 *
 * Parts that were not given are damage.  Return: as dump_open(), and
 * -ERR_USAGE if two parts have the same pages: they are not of one dump.
 */
int dump_open_files(struct dump **ret, const struct dump_files *files, struct err *err);

/**
 * dump_open_live() - the running recorder's region, as it is at each read
 * @fd: can be sought; the input's then, also on failure
 */
int dump_open_live(struct dump **ret, int fd, struct err *err);

/**
 * dump_hold() - copy a stretch of a raw file, and read that from now on
 *
 * For a file that may be written to meanwhile: a value that was checked stays as it is. What is
 * outside of [@start, @start + @size) is still read from the file. One stretch is held.
 *
 * Return: 1; 0: nothing is held, because it is no raw file or the stretch is larger than 128 MiB;
 *	-ERR_IO.
 */
int dump_hold(struct dump *in, u64 start, u64 size, struct err *err);

/* NULL is fine. */
void dump_close(struct dump *in);

/* "ELF vmcore", "kdump-compressed dump (lzo)", "raw file"; the input's. */
const char *dump_kind(const struct dump *in);

/* Are its segments generations of regions, and not memory? */
bool dump_is_collection(const struct dump *in);

/**
 * dump_nr_archives() - directories of "epitaph record" that belong to the dump
 *
 * Named in front of it on the command line, or itself one.
 */
size_t dump_nr_archives(const struct dump *in);

/* One of them, which lives as long as @in; what was read out lies from dump_archive_start() on. */
struct dump *dump_archive(const struct dump *in, size_t i);
u64 dump_archive_start(const struct dump *archive);

/* Are its addresses those of a machine's memory? Not of a raw file, a collection, a process' core. */
bool dump_has_addresses(const struct dump *in);

/* Bytes in the file when it was opened; of a flattened one, in what it stands for. */
u64 dump_file_size(const struct dump *in);

/* The same without what is a hole of the file on its disk. */
u64 dump_stored_size(const struct dump *in);

/*
 * When it was made at the latest, in ns since 1970: when its file was written, or now, if that may be
 * the memory of a machine that runs.
 */
u64 dump_made_ns(const struct dump *in);

/* Byte order of the dumped machine, ORDER_LITTLE for a raw file. */
int dump_byte_order(const struct dump *in);

/* Corrects the byte order: QEMU 7.2 calls dumps of ppc64le big-endian. */
void dump_set_byte_order(struct dump *in, int order);

size_t dump_nr_segments(const struct dump *in);
struct dump_segment dump_segment(const struct dump *in, size_t i);

/* The address behind the last segment; 0 without one. */
u64 dump_end(const struct dump *in);

/**
 * dump_read() - read physical memory
 * @buf: room for @size bytes; what is not read is left as it was
 *
 * Return: how many bytes from @paddr on are there: less than @size where a
 *	hole, an excluded or damaged page or the end of the file comes first.
 *	-ERR_IO only if a system call fails for another reason than a bad disk.
 */
ssize_t dump_read(struct dump *in, u64 paddr, void *buf, size_t size,
		  struct err *err);

/**
 * dump_peek() - the 8 bytes at the start of the page at @paddr, cheaply
 * @paddr: a multiple of INPUT_PAGE
 *
 * For a search through all pages. A compressed page is decompressed only as far as its first
 * bytes and is not checked: find a magic with dump_peek(), then dump_read() the page.
 *
 * Return: were the bytes read?
 */
bool dump_peek(struct dump *in, u64 paddr, u8 bytes[8]);

/**
 * dump_next_data() - where to look next for something
 * @next: a multiple of INPUT_PAGE, >= @paddr, where there are bytes
 * @len: how many there are from there on, at least; not 0
 *
 * Steps over holes of memory, of sparse files and over excluded pages.
 *
 * Return: false if there is nothing from @paddr on.
 */
bool dump_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len);

/*
 * Are the bytes at @paddr zeroes because an ELF segment is longer in memory than in the file? The
 * page was one of zeroes then, or was left out: the file does not tell.
 */
bool dump_is_zero_by_size(const struct dump *in, u64 paddr);

/* The pages that makedumpfile left out: its option -d, a sum of 1 to 16; -1: not known. */
int dump_dump_level(const struct dump *in);

/* Is it of no known kind, and so taken for memory? */
bool dump_is_raw(const struct dump *in);

/* Is it written to while it is read? */
bool dump_changes(const struct dump *in);

/* Is damage noted? Reading more pages may note more. */
bool dump_incomplete(const struct dump *in);

/* Does the file end before its format says so?  Perhaps behind all that was read of it. */
bool dump_is_cut(const struct dump *in);

/* The @i-th damage note, or NULL past the last one. */
const char *dump_damage(const struct dump *in, size_t i);

/* The crashed kernel's VMCOREINFO, terminated, or NULL; the input's. */
const char *dump_vmcoreinfo(const struct dump *in, size_t *len);

#define DUMP_CPU_REGS	48	/* the most that a machine has here; ppc64 has them */

/**
 * dump_cpu_regs() - the registers of a CPU when QEMU, or what else runs guests, dumped the machine
 * @cpu: its number
 * @regs: the first @nr, at most DUMP_CPU_REGS, in the order of the machine's elf_gregset_t
 *
 * They are in the file's ELF notes (NT_PRSTATUS), one for each CPU, as pr_pid says: its number and
 * one (QEMU, target/.../arch_dump.c). A dying kernel's notes have the pid of a task there instead;
 * which CPU each is of is in that kernel's memory alone. A dump in a format of s390 has them in what
 * each CPU stored.
 *
 * Return: false: the file does not have them.
 */
bool dump_cpu_regs(struct dump *in, u32 cpu, u64 *regs, u32 nr);

/**
 * struct dump_types - types (BTF) of the dumped kernel, besides those that it may have itself
 * @va: virtual, in the kernel's memory
 * @size: bytes; 0: there are none
 * @check: checksum() of them, seed 0
 */
struct dump_types {
	u64 va;
	u64 size;
	u64 check;
};

/* What else is in the dump says where they are. */
void dump_set_types(struct dump *in, const struct dump_types *types);
const struct dump_types *dump_types(const struct dump *in);

/* Replaces VMCOREINFO by a copy of @text; NULL: there is none. Return: false without memory. */
bool dump_set_vmcoreinfo(struct dump *in, const char *text);

#endif
