// SPDX-License-Identifier: GPL-2.0-or-later
#include "callback.h"

#include <stdio.h>
#include <string.h>

#include "dump_impl.h"

/* By a thread, for what it opens. */
static _Thread_local const struct epitaph_memory_reader *offered;

void dump_offer_callback(const struct epitaph_memory_reader *memory)
{
	offered = memory;
}

const struct epitaph_memory_reader *dump_offered_callback(const char *name)
{
	return offered && !strcmp(offered->name, name) ? offered : NULL;
}

static u64 end_of(const struct dump_segment *seg)
{
	return seg->paddr + seg->size;
}

/* The first segment that ends behind @paddr, or NULL. */
static const struct dump_segment *segment_behind(const struct dump *in, u64 paddr)
{
	size_t low = 0, high = in->nr_segments;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (end_of(&in->segments[mid]) <= paddr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < in->nr_segments ? &in->segments[low] : NULL;
}

/* Nothing outside the segments is asked for: on a live machine it may be a device. */
static size_t read_in_page_of_segment(struct dump *in, u64 paddr, void *buf, size_t size)
{
	const struct epitaph_memory_reader *memory = in->container;
	const struct dump_segment *seg = segment_behind(in, paddr);

	if (!seg || seg->paddr > paddr)
		return 0;
	size = min_u64(size, DUMP_PAGE - paddr % DUMP_PAGE);
	size = min_u64(size, end_of(seg) - paddr);
	return memory->read(memory->arg, paddr, buf, size) ? size : 0;
}

static ssize_t callback_read(struct dump *in, u64 paddr, void *buf, size_t size,
			   struct err *err)
{
	size_t done = 0, n = 1;

	(void)err;
	for (; n && done < size; done += n)
		n = read_in_page_of_segment(in, paddr + done, (u8 *)buf + done, size - done);
	return done;
}

static bool callback_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	return read_in_page_of_segment(in, paddr, bytes, 8) == 8;
}

static bool callback_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	const struct dump_segment *seg = segment_behind(in, paddr);

	if (!seg)
		return false;
	*next = paddr > seg->paddr ? paddr : seg->paddr;
	*len = end_of(seg) - *next;
	return true;
}

static int callback_open(struct dump *in, struct err *err)
{
	const struct epitaph_memory_reader *memory = in->container;
	int ret = 0;

	snprintf(in->kind, sizeof(in->kind), "%s", memory->kind);
	in->order = memory->big_endian ? ORDER_BIG : ORDER_LITTLE;
	for (size_t i = 0; i < memory->nr_segments && !ret; i++) {
		ret = dump_add_segment(in, memory->segments[i].address, memory->segments[i].size,
				       err);
		in->file_size += memory->segments[i].size;
	}
	if (!ret && !in->nr_segments)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "has no memory that is known of");
	if (ret || !memory->vmcoreinfo)
		return ret;
	in->vmcoreinfo = strdup(memory->vmcoreinfo);
	if (!in->vmcoreinfo)
		return err_sys(err, "no memory");
	in->vmcoreinfo_len = strlen(in->vmcoreinfo);
	return 0;
}

static void callback_close(struct dump *in)
{
	(void)in;
}

static const struct dump_ops callback_ops = {
	.open = callback_open,
	.close = callback_close,
	.read = callback_read,
	.peek = callback_peek,
	.next_data = callback_next_data,
};

int dump_attach_callback(struct dump *in, const struct epitaph_memory_reader *memory,
			 struct err *err)
{
	in->ops = &callback_ops;
	in->container = (void *)memory;
	return in->ops->open(in, err);
}

int dump_open_callback(struct dump **ret, const struct epitaph_memory_reader *memory,
		       struct err *err)
{
	struct dump *in = dump_create(err);
	int res = in ? dump_attach_callback(in, memory, err) : -ERR_IO;

	if (res)
		dump_close(in);
	else
		*ret = in;
	return res;
}
