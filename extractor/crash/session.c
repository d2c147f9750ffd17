// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <string.h>

#include "crash_abi.h"

#define NAME		"this session"
#define MAX_SEGMENTS	1024
#define MAX_RESOURCES	65536	/* a damaged list may be a circle */
#define MAX_DEPTH	16
#define MAX_VMCOREINFO	65536

/* Offsets in the kernel's struct resource. */
struct resource_layout {
	long start;
	long end;
	long name;
	long sibling;
	long child;
};

static struct {
	struct resource_layout layout;
	struct epitaph_segment segments[MAX_SEGMENTS];
	size_t nr;
	u32 nr_resources;
	char vmcoreinfo[MAX_VMCOREINFO + 1];
	struct epitaph_memory_reader memory;
} session;

static bool read_session(u64 addr, int memtype, void *buf, size_t size)
{
	return readmem(addr, memtype, buf, size, (char *)"epitaph",
		       CRASH_RETURN_ON_ERROR | CRASH_QUIET);
}

static int read_physical(void *arg, uint64_t paddr, void *buf, size_t size)
{
	(void)arg;
	return read_session(paddr, CRASH_PHYSADDR, buf, size);
}

/* A pointer or a number of 64 bits; 0: cannot be read. */
static u64 read_u64(u64 addr)
{
	uint64_t value = 0;

	return read_session(addr, CRASH_KVADDR, &value, sizeof(value)) ? value : 0;
}

static void append_segment(u64 start, u64 end)
{
	if (session.nr < MAX_SEGMENTS && start < end)
		session.segments[session.nr++] = (struct epitaph_segment){ start, end - start };
}

/* Splits the last segment at a resource inside it: a region then begins a segment. */
static void add_ram(u64 start, u64 end)
{
	struct epitaph_segment *last = session.segments + session.nr - 1;
	u64 last_end;

	if (!session.nr || start >= last->address + last->size)
		return append_segment(start, end);
	last_end = last->address + last->size;
	if (start < last->address || end > last_end)
		return;
	last->size = start - last->address;
	session.nr -= !last->size;
	append_segment(start, end);
	append_segment(end, last_end);
}

/* "System RAM", "System RAM (epitaph)": the names that every dump tool takes. */
static bool is_ram(u64 resource)
{
	static const char ram[] = "System RAM";
	char name[sizeof(ram) - 1];
	u64 text = read_u64(resource + session.layout.name);

	return text && read_session(text, CRASH_KVADDR, name, sizeof(name)) &&
	       !memcmp(name, ram, sizeof(name));
}

static void walk_resources(u64 parent, u32 depth)
{
	const struct resource_layout *l = &session.layout;
	u64 child = read_u64(parent + l->child);

	for (; child; child = read_u64(child + l->sibling)) {
		if (session.nr_resources++ >= MAX_RESOURCES)
			return;
		if (is_ram(child))
			add_ram(read_u64(child + l->start), read_u64(child + l->end) + 1);
		if (depth < MAX_DEPTH)
			walk_resources(child, depth + 1);
	}
}

static void find_segments(void)
{
	char *root = (char *)"iomem_resource", *type = (char *)"resource";
	struct resource_layout *l = &session.layout;

	session.nr = session.nr_resources = 0;
	if (!symbol_exists(root))
		return;
	l->start = datatype_info(type, (char *)"start", NULL);
	l->end = datatype_info(type, (char *)"end", NULL);
	l->name = datatype_info(type, (char *)"name", NULL);
	l->sibling = datatype_info(type, (char *)"sibling", NULL);
	l->child = datatype_info(type, (char *)"child", NULL);
	if (l->start >= 0 && l->end >= 0 && l->name >= 0 && l->sibling >= 0 && l->child >= 0)
		walk_resources(symbol_value(root), 0);
}

/* Reads the VMCOREINFO of the dumped kernel, which crash itself does not keep. */
static void find_vmcoreinfo(void)
{
	char *data = (char *)"vmcoreinfo_data", *size = (char *)"vmcoreinfo_size";
	u64 n;

	session.vmcoreinfo[0] = '\0';
	if (!symbol_exists(data) || !symbol_exists(size))
		return;
	n = read_u64(symbol_value(size));
	if (n > MAX_VMCOREINFO)
		return;
	if (!read_session(read_u64(symbol_value(data)), CRASH_KVADDR, session.vmcoreinfo, n))
		n = 0;
	session.vmcoreinfo[n] = '\0';
}

const struct epitaph_memory_reader *session_memory(void)
{
	find_segments();
	find_vmcoreinfo();
	session.memory = (struct epitaph_memory_reader){
		.name = NAME,
		.kind = "memory of a crash session",
		.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
		.segments = session.segments,
		.nr_segments = session.nr,
		.vmcoreinfo = session.vmcoreinfo[0] ? session.vmcoreinfo : NULL,
		.read = read_physical,
	};
	return &session.memory;
}
