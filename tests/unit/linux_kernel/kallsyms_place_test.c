// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The symbol table of a kernel before 6.0, whose VMCOREINFO does not say where it lies.
 *
 * build: tests/lib/kmem_image.c @extractor
 */
#include <stdio.h>
#include <string.h>

#include "linux_kernel/kallsyms.h"
#include "kmem_image.h"
#include "tap.h"

#define STEXT	(KMEM_TEXT + 0x10000)
#define NR	600

/* A part with a wrong byte; the tables are as scripts/kallsyms.c writes them. */
enum wrong { NOTHING, TOKENS, INDEX, MARKERS, LAST_MARKER, NAMES, NUMBER };

struct table {
	struct kmem k;
	u32 width;		/* of a marker */
	enum wrong wrong;
	u8 names[NR * 16];
	size_t size;
	u64 markers[(NR + 255) / 256];
};

static u64 addr_of(u32 i)
{
	return STEXT + 16 * i;
}

static void name_of(u32 i, char *name)
{
	strcpy(name, "t_stext");
	if (i)
		sprintf(name, "tfunction_%u", i);
}

/* Each character is a token of its own. */
static void make_names(struct table *t)
{
	char name[32];

	for (u32 i = 0; i < NR; i++) {
		if (i % 256 == 0)
			t->markers[i / 256] = t->size;
		name_of(i, name);
		t->names[t->size++] = strlen(name);
		memcpy(t->names + t->size, name, strlen(name));
		t->size += strlen(name);
	}
}

static void put_addresses(struct table *t)
{
	u64 base = KMEM_TEXT;
	s32 offsets[NR];
	u32 nr = t->wrong == NUMBER ? NR + 256 : NR;

	for (u32 i = 0; i < NR; i++)
		offsets[i] = base - 1 - addr_of(i);
	kmem_put(&t->k, offsets, sizeof(offsets));
	kmem_put(&t->k, &base, 8);
	kmem_put(&t->k, &nr, 4);
}

static void put_names(struct table *t)
{
	u32 narrow[ARRAY_SIZE(t->markers)];

	t->names[0] += t->wrong == NAMES;
	kmem_put(&t->k, t->names, t->size);
	t->markers[1] += t->wrong == MARKERS;
	if (t->wrong == LAST_MARKER)
		t->markers[2] = 0xfffffff0;
	for (size_t i = 0; i < ARRAY_SIZE(t->markers); i++)
		narrow[i] = t->markers[i];
	if (t->width == 8)
		kmem_put(&t->k, t->markers, sizeof(t->markers));
	else
		kmem_put(&t->k, narrow, sizeof(narrow));
}

static void put_tokens(struct table *t)
{
	char table[1024];
	u16 index[256];
	size_t at = 0;

	for (int i = 0; i < 256; i++) {
		index[i] = at;
		if (i > ' ' && i < 127)
			table[at++] = i;
		table[at++] = '\0';
	}
	if (t->wrong == TOKENS)
		table[index['x'] + 1] = 'y';
	if (t->wrong == INDEX)
		index['x']++;
	kmem_put(&t->k, table, at);
	kmem_put(&t->k, index, sizeof(index));
}

static struct table make_table(u32 width, enum wrong wrong)
{
	struct table t = { .width = width, .wrong = wrong };
	/* What looks like the beginning of an index is none. */
	u16 ascending[256];

	t.k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
	kmem_info(&t.k, "SYMBOL(_stext)=%llx", STEXT);
	t.k.used = 0x30000;
	for (u32 i = 0; i < 256; i++)
		ascending[i] = i;
	kmem_put(&t.k, ascending, sizeof(ascending));
	make_names(&t);
	put_addresses(&t);
	put_names(&t);
	put_tokens(&t);
	return t;
}

struct opened {
	struct dump *in;
	struct vmem *vmem;
	struct kallsyms *kallsyms;
};

static int open_table(struct opened *o, struct table *t, struct err *err)
{
	int ret;

	*o = (struct opened){ 0 };
	ret = dump_open_fd(&o->in, kmem_fd(&t->k), err);
	if (!ret)
		ret = vmem_open(&o->vmem, o->in, err);
	return ret ? ret : kallsyms_open(&o->kallsyms, o->vmem, NULL, err);
}

static void close_table(struct opened *o, struct table *t)
{
	kallsyms_close(o->kallsyms);
	vmem_close(o->vmem);
	dump_close(o->in);
	kmem_free(&t->k);
}

static void check_found(u32 width)
{
	static struct table t;
	struct opened o;
	struct err err = ERR_INIT;
	struct ksym sym;
	char name[32];

	t = make_table(width, NOTHING);
	if (CHECK(!open_table(&o, &t, &err), "markers of %u: %s", width, err.msg)) {
		CHECK(kallsyms_nr(o.kallsyms) == NR, "%u", kallsyms_nr(o.kallsyms));
		for (u32 i = 0; i < NR - 1; i++) {
			name_of(i, name);
			CHECK(kallsyms_find(o.kallsyms, addr_of(i) + 5, &sym) && !strcmp(sym.name, name + 1) &&
			      sym.start == addr_of(i) && sym.size == 16, "%u: %s", i, sym.name);
		}
	}
	close_table(&o, &t);
}

static void kallsyms_place__a_table_is_found_by_its_shape(void)
{
	check_found(4);
	check_found(8);
}

/* What looks like a table may be there many times, and each takes time: one that is behind too many is not found. */
static void kallsyms_place__many_that_are_none_end(void)
{
	static struct table t;
	struct opened o;
	struct err err = ERR_INIT;
	u16 index[256];

	for (u32 i = 0; i < 256; i++)
		index[i] = i;
	t = make_table(4, NOTHING);
	for (u64 va = STEXT; va < KMEM_TEXT + 0x30000; va += sizeof(index))
		memcpy(kmem_at(&t.k, va), index, sizeof(index));
	CHECK(!open_table(&o, &t, &err), "%s", err.msg);
	close_table(&o, &t);
	t = make_table(4, NOTHING);
	t.k.used = 0x200000;
	kmem_info(&t.k, "%s", "NUMBER(of_nothing)=0");
	memmove(kmem_at(&t.k, KMEM_TEXT + 0x100000), kmem_at(&t.k, KMEM_TEXT + 0x30000), 0x20000);
	for (u64 va = STEXT; va < KMEM_TEXT + 0x100000; va += sizeof(index))
		memcpy(kmem_at(&t.k, va), index, sizeof(index));
	CHECK(open_table(&o, &t, &err) == -ERR_NOT_OURS, "it is found behind %u others", 0xf0000 / 512);
	close_table(&o, &t);
}

/* Anything that does not agree with the rest is no table. */
static void kallsyms_place__what_does_not_agree_is_none(void)
{
	static struct table t;
	struct opened o;

	for (enum wrong wrong = TOKENS; wrong <= NUMBER; wrong++) {
		struct err err = ERR_INIT;

		t = make_table(4, wrong);
		CHECK(open_table(&o, &t, &err) == -ERR_NOT_OURS && strstr(err.msg, "no table of symbols was found"),
		      "%d: %s", wrong, err.msg);
		close_table(&o, &t);
	}
}

int main(void)
{
	TAP_RUN(kallsyms_place__a_table_is_found_by_its_shape);
	TAP_RUN(kallsyms_place__many_that_are_none_end);
	TAP_RUN(kallsyms_place__what_does_not_agree_is_none);
	return tap_done();
}
