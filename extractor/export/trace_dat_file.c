// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_dat_file.h"

#define OPTIONS_AT	(3 + 7 + 2 + 1 + 1 + 4 + 5 + 1)	/* where the head says where they are */

/* Names of sections, for readers to show. A section holds the offset of its name. */
static const struct {
	enum trace_dat_section id;
	const char *name;
} names[] = {
	{ TRACEDAT_OPTIONS, "options" },
	{ TRACEDAT_BUFFER, "buffer flyrecord" },
	{ TRACEDAT_STRINGS, "strings" },
	{ TRACEDAT_HEADER_INFO, "headers" },
	{ TRACEDAT_FTRACE_EVENTS, "ftrace events" },
	{ TRACEDAT_EVENTS, "events format" },
	{ TRACEDAT_KALLSYMS, "kallsyms" },
	{ TRACEDAT_PRINTK, "printk" },
	{ TRACEDAT_CMDLINES, "saved cmdlines" },
};

static u32 section_name(enum trace_dat_section id)
{
	u32 i, off = 0;

	for (i = 0; names[i].id != id; i++)
		off += strlen(names[i].name) + 1;
	return off;
}

static void put_strings(struct trace_dat *t)
{
	size_t i;

	trace_dat_open(t, TRACEDAT_STRINGS);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		pack_str(&t->bytes, names[i].name);
	trace_dat_close(t, TRACEDAT_STRINGS);
}

void trace_dat_begin(struct trace_dat *t, enum byte_order order, u32 long_size, u32 page_size)
{
	*t = (struct trace_dat){ .bytes.order = order, .options.order = order };
	pack_bytes(&t->bytes, "\x17\x08\x44tracing", 10);
	pack_str(&t->bytes, "7");
	pack_u8(&t->bytes, order == ORDER_BIG);
	pack_u8(&t->bytes, long_size);
	pack_u32(&t->bytes, page_size);
	pack_str(&t->bytes, "none");
	pack_str(&t->bytes, "");
	pack_u64(&t->bytes, 0);
	put_strings(t);
}

void trace_dat_pack_head(struct pack *p, enum trace_dat_section id, u64 size)
{
	pack_u16(p, id);
	pack_u16(p, 0);
	pack_u32(p, section_name(id));
	pack_u64(p, size);
}

void trace_dat_open(struct trace_dat *t, enum trace_dat_section id)
{
	t->section = t->bytes.size;
	trace_dat_pack_head(&t->bytes, id, 0);
}

void trace_dat_close(struct trace_dat *t, enum trace_dat_section id)
{
	u64 where = pack_order64(t->bytes.order, t->section);

	pack_set_u64(&t->bytes, t->section + TRACEDAT_SECTION_HEAD - 8,
		     t->bytes.size - t->section - TRACEDAT_SECTION_HEAD);
	if (id >= TRACEDAT_HEADER_INFO)
		trace_dat_option(t, (enum trace_dat_option)id, &where, sizeof(where));
}

void trace_dat_option(struct trace_dat *t, enum trace_dat_option id, const void *data, size_t size)
{
	pack_u16(&t->options, id);
	pack_u32(&t->options, size);
	pack_bytes(&t->options, data, size);
}

void trace_dat_end(struct trace_dat *t, u64 off)
{
	struct pack p = { .order = t->options.order };
	u64 none = 0;

	trace_dat_option(t, TRACEDAT_DONE, &none, sizeof(none));
	trace_dat_pack_head(&p, TRACEDAT_OPTIONS, t->options.size);
	pack_bytes(&p, t->options.data, t->options.size);
	p.failed |= t->options.failed;
	pack_free(&t->options);
	t->options = p;
	pack_set_u64(&t->bytes, OPTIONS_AT, off);
}

void trace_dat_free(struct trace_dat *t)
{
	pack_free(&t->bytes);
	pack_free(&t->options);
}
