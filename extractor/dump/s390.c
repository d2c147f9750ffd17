// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dumps of s390x's stand-alone dumpers, as zgetdump writes them: a page of header, the memory, and a
 * mark of the end.  In the extended form each stretch of memory has a page of header, and memory of
 * which there is no stretch is zeroes.  Big-endian.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "dump_impl.h"

#define S390_HEADER	0x1000	/* of the file, and of a stretch */
#define S390_END	16	/* "DUMP_END", and the time */
#define MAX_STRETCHES	(1U << 18)

/* In the file's header. */
#define HEADER_LAST_BYTE_OF_MAGIC	7
#define HEADER_MEM_SIZE			0x18
#define HEADER_ARCH			0x48
#define HEADER_IS_VOLUME		0x5c
#define HEADER_NR_CPUS			0x5d
#define HEADER_LOWCORES			0x800	/* u32 address of each CPU's */
#define MAGIC_EXTENDED			0xfe
#define ARCH_64				2

/* In a stretch's header. */
#define STRETCH_LEN		8
#define STRETCH_IS_LAST		0x10
#define STRETCH_BLOCKS		0x18	/* if it is compressed */

/* Where a CPU stores its state, in its lowcore. */
#define LOWCORE_GPRS		0x1280
#define LOWCORE_PSW		0x1300
#define NR_REGS			18	/* of elf_gregset_t: the PSW, then r0 to r15 */

static int add_stretch(struct dump *in, u64 paddr, u64 size, u64 off, struct err *err)
{
	struct extents *stretches = in->container;

	return extents_add(stretches, paddr, size, off) ? 0 : err_sys(err, "no memory for %zu stretches", stretches->nr);
}

/* Return: where the end mark is, or an error. */
static s64 read_stretches(struct dump *in, u64 mem_size, struct err *err)
{
	u8 buf[S390_HEADER];
	struct bytes header = bytes_of(buf, sizeof(buf), ORDER_BIG);
	u64 off = S390_HEADER, end = 0;
	bool is_last = false;
	int ret = 0;

	for (u32 nr = 0; !is_last && !ret && nr < MAX_STRETCHES; nr++) {
		u64 start, len;

		if (off > in->file_size || file_read(in, off, buf, sizeof(buf), NULL) < (ssize_t)sizeof(buf)) {
			dump_note_damage(in, "the file ends at byte %llu, where a stretch of memory should begin", in->file_size);
			dump_note_cut(in);
			return off;
		}
		start = bytes_u64(&header, 0);
		len = bytes_u64(&header, STRETCH_LEN);
		is_last = bytes_u64(&header, STRETCH_IS_LAST);
		off += S390_HEADER;
		if (bytes_u32(&header, STRETCH_BLOCKS))
			return err_set(err, ERR_NOT_OURS, off, "has compressed memory, which is not read; expected what this writes: zgetdump DEVICE -f elf");
		if (start < end || start > mem_size || len > mem_size - start) {
			dump_note_damage(in, "byte %llu: memory from %#llx, %#llx bytes of it, is not behind %#llx and within %#llx: what lies behind is not read",
					 off - S390_HEADER, start, len, end, mem_size);
			return off;
		}
		ret = add_stretch(in, end, start - end, STRETCH_OF_ZEROES, err);
		if (!ret)
			ret = add_stretch(in, start, min_u64(len, in->file_size - off), off, err);
		off += len;
		end = start + len;
	}
	if (!ret)
		ret = add_stretch(in, end, mem_size - end, STRETCH_OF_ZEROES, err);
	return ret ? ret : (s64)off;
}

static void check_end(struct dump *in, u64 off)
{
	u8 mark[8];

	dump_note_size(in, off + S390_END);
	if (!dump_is_cut(in) && (file_read(in, off, mark, sizeof(mark), NULL) < (ssize_t)sizeof(mark) ||
				 memcmp(mark, "DUMP_END", sizeof(mark))))
		dump_note_damage(in, "no end mark at byte %llu: the dump was not finished", off);
}

static int s390_open(struct dump *in, struct err *err)
{
	u8 buf[S390_HEADER];
	struct bytes header = bytes_of(buf, sizeof(buf), ORDER_BIG);
	ssize_t n = file_read(in, 0, buf, sizeof(buf), err);
	bool is_extended = buf[HEADER_LAST_BYTE_OF_MAGIC] == MAGIC_EXTENDED;
	u64 mem_size;
	s64 end;

	if (n < (ssize_t)sizeof(buf))
		return n < 0 ? (int)n : dump_short_header(in, n, sizeof(buf), err);
	in->order = ORDER_BIG;
	in->container = calloc(1, sizeof(struct extents));
	if (!in->container)
		return err_sys(err, "no memory");
	mem_size = bytes_u64(&header, HEADER_MEM_SIZE);
	if (bytes_u32(&header, HEADER_ARCH) != ARCH_64 || !mem_size || mem_size > 1ULL << 62)
		return err_set(err, ERR_NOT_OURS, HEADER_ARCH, "is a dump of s390 with %#llx bytes of memory and architecture %u: expected 2, 64 bits",
			       mem_size, bytes_u32(&header, HEADER_ARCH));
	if (buf[HEADER_IS_VOLUME])
		return err_set(err, ERR_NOT_OURS, HEADER_IS_VOLUME, "is one volume of a dump; make one file of all: zgetdump DEVICE -f elf");
	snprintf(in->kind, sizeof(in->kind), "s390 dump%s (big-endian)", is_extended ? ", extended" : "");
	if (is_extended) {
		end = read_stretches(in, mem_size, err);
	} else {
		end = add_stretch(in, 0, min_u64(mem_size, in->file_size - S390_HEADER), S390_HEADER, err);
		end = end ? end : (s64)(S390_HEADER + mem_size);
	}
	if (end < 0)
		return end;
	check_end(in, end);
	return stretches_place(in, err);
}

static bool s390_cpu_regs(struct dump *in, u32 cpu, u64 *regs, u32 nr)
{
	u8 buf[8 * NR_REGS];
	struct bytes b = bytes_of(buf, sizeof(buf), ORDER_BIG);
	u64 lowcore;

	if (nr > NR_REGS || file_read(in, HEADER_NR_CPUS, buf, 2, NULL) < 2 || cpu >= bytes_u16(&b, 0) ||
	    cpu >= (S390_HEADER - HEADER_LOWCORES) / 4 ||
	    file_read(in, HEADER_LOWCORES + 4 * cpu, buf, 4, NULL) < 4)
		return false;
	lowcore = bytes_u32(&b, 0);
	if (stretches_read(in, lowcore + LOWCORE_PSW, buf, 16, NULL) < 16 ||
	    stretches_read(in, lowcore + LOWCORE_GPRS, buf + 16, 128, NULL) < 128)
		return false;
	for (u32 i = 0; i < nr; i++)
		regs[i] = bytes_u64(&b, 8 * i);
	return true;
}

const struct dump_ops dump_s390_ops = {
	.open = s390_open,
	.close = stretches_close,
	.read = stretches_read,
	.peek = stretches_peek,
	.next_data = stretches_next_data,
	.cpu_regs = s390_cpu_regs,
};
