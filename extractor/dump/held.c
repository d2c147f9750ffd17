// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One stretch of a raw file, copied once.  The file may be the memory of a guest that runs, and
 * writes while we read: what was checked must be what is used.
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include "dump_impl.h"

#define MAX_HELD	(128ULL << 20)

/* Of large pages, where the kernel gives them: there are a few to be made ready, and not thousands. */
static u8 *new_room(u64 size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, size, MADV_HUGEPAGE);
	return p;
}

static bool may_change(const struct dump *in)
{
	struct stat st;

	return in->ops == &dump_raw_ops && !in->changes && !fstat(in->fd, &st) && S_ISREG(st.st_mode);
}

int dump_hold(struct dump *in, u64 start, u64 size, struct err *err)
{
	ssize_t n;

	if (in->held.data || !may_change(in) || start >= in->file_size)
		return 0;
	size = min_u64(size, in->file_size - start);
	if (size > MAX_HELD)
		return 0;
	in->held.data = new_room(size);
	if (!in->held.data)
		return err_sys(err, "no memory for a copy of %llu bytes", size);
	in->held.size = size;
	n = file_read(in, start, in->held.data, size, err);
	if (n < 0)
		return n;
	/* RLIMIT_DATA is for what the process makes of it: what it cannot write does not count. */
	mprotect(in->held.data, size, PROT_READ);
	in->held.start = start;
	in->held.len = n;
	return 1;
}

void held_close(struct held *held)
{
	if (held->data)
		munmap(held->data, held->size);
}

const u8 *held_find(const struct held *held, u64 off, u64 *len)
{
	u64 end = held->start + held->len;

	if (!held->len || off >= end)
		*len = ~0ULL;
	else if (off < held->start)
		*len = held->start - off;
	else
		*len = end - off;
	return held->len && off >= held->start && off < end ? held->data + (off - held->start) : NULL;
}
