// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's symbol table out of a dump.
 *
 * build: tests/lib/kmem_image.c @extractor
 */
#include <string.h>

#include "linux_kernel/kallsyms.h"
#include "kmem_image.h"
#include "tap.h"

enum encoding { PERCPU, RELATIVE, PLACE };

#define STEXT (KMEM_TEXT + 0x10000)

/* By address; the type is in front of the name. */
static const struct { u64 addr; const char *name; } symbols[] = {
	{ 0, "Afixed_percpu" }, { 0x1000, "Acpu_number" },
	{ STEXT, "T_stext" }, { STEXT, "T_text" }, { STEXT + 0x10, "tfirst" },
	{ STEXT + 0x40, "Tsame" }, { STEXT + 0x40, "tsame_again" }, { STEXT + 0x80, "tlong" },
	{ STEXT + 0x100, "Ttwice" }, { STEXT + 0x200, "ttwice" }, { STEXT + 0x300, "B_end" },
};
#define NR ARRAY_SIZE(symbols)

/* How a table is to be written; all zero is whole. */
struct make {
	enum encoding encoding;
	u32 nr;			/* written instead of the right number */
	u64 stext;		/* the same */
	bool cut;		/* names end with the text */
	bool disorder;
};

static char long_name[301];

static const char *name_of(size_t i)
{
	if (strcmp(symbols[i].name, "tlong"))
		return symbols[i].name;
	memset(long_name, 'x', 300);
	long_name[0] = 't';
	return long_name;
}

/* Each character is a token of its own, but for "st": token 1. */
static size_t put_name(u8 *out, const char *name)
{
	u8 tokens[512];
	size_t n = 0, head = 0;

	for (; *name; name++) {
		if (name[0] == 's' && name[1] == 't') {
			tokens[n++] = 1;
			name++;
		} else {
			tokens[n++] = *name;
		}
	}
	if (n < 128) {
		out[head++] = n;
	} else {
		out[head++] = (n & 0x7f) | 0x80;
		out[head++] = n >> 7;
	}
	memcpy(out + head, tokens, n);
	return head + n;
}

static void put_tokens(struct kmem *k)
{
	char table[1024];
	uint16_t index[256];
	size_t at = 0;

	for (int i = 0; i < 256; i++) {
		index[i] = at;
		if (i == 1)
			at += sprintf(table + at, "st") + 1;
		else if (i > ' ' && i < 127)
			at += sprintf(table + at, "%c", i) + 1;
		else
			table[at++] = '\0';
	}
	kmem_info(k, "SYMBOL(kallsyms_token_table)=%llx", (u64)kmem_put(k, table, at));
	kmem_info(k, "SYMBOL(kallsyms_token_index)=%llx", (u64)kmem_put(k, index, sizeof(index)));
}

static void put_offsets(struct kmem *k, const struct make *make)
{
	int32_t offsets[NR];
	u64 va = kmem_put(k, offsets, sizeof(offsets)), base = KMEM_TEXT;

	for (size_t i = 0; i < NR; i++) {
		u64 addr = symbols[make->disorder && i > 3 ? NR + 3 - i : i].addr;

		if (make->encoding == PERCPU)
			offsets[i] = addr < KMEM_TEXT ? (int32_t)addr : (int32_t)(base - 1 - addr);
		else if (make->encoding == RELATIVE)
			offsets[i] = addr - base;
		else
			offsets[i] = addr - (va + 4 * i);
	}
	memcpy(kmem_at(k, va), offsets, sizeof(offsets));
	kmem_info(k, "SYMBOL(kallsyms_offsets)=%llx", va);
	if (make->encoding != PLACE)
		kmem_info(k, "SYMBOL(kallsyms_relative_base)=%llx", (u64)kmem_put(k, &base, 8));
}

static struct kmem make_kernel(const struct make *make)
{
	struct kmem k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
	u32 nr = make->nr ? make->nr : NR;
	u8 names[4096];
	size_t n = 0;

	for (size_t i = 0; i < NR; i++)
		n += put_name(names + n, name_of(i));
	put_tokens(&k);
	put_offsets(&k, make);
	kmem_info(&k, "SYMBOL(kallsyms_num_syms)=%llx", (u64)kmem_put(&k, &nr, 4));
	kmem_info(&k, "SYMBOL(_stext)=%llx", make->stext ? make->stext : STEXT);
	if (make->cut) {
		k.used = 0x300000 - 64;
		n = 64;
	}
	kmem_info(&k, "SYMBOL(kallsyms_names)=%llx", (u64)kmem_put(&k, names, n));
	return k;
}

struct opened {
	struct dump *in;
	struct vmem *vmem;
	struct kallsyms *kallsyms;
};

static int open_kernel(struct opened *o, const struct make *make, struct err *err)
{
	struct kmem k = make_kernel(make);
	int ret;

	*o = (struct opened){ 0 };
	ret = dump_open_fd(&o->in, kmem_fd(&k), err);
	if (!ret)
		ret = vmem_open(&o->vmem, o->in, err);
	if (!ret)
		ret = kallsyms_open(&o->kallsyms, o->vmem, NULL, err);
	kmem_free(&k);
	return ret;
}

static void close_kernel(struct opened *o)
{
	kallsyms_close(o->kallsyms);
	vmem_close(o->vmem);
	dump_close(o->in);
}

static void check_all(struct opened *o, bool percpu)
{
	char type, name[KALLSYMS_NAME_MAX];
	u64 addr;

	for (u32 i = percpu ? 0 : 2; i < NR; i++) {
		if (!CHECK(kallsyms_symbol(o->kallsyms, i, &addr, &type, name), "%u", i))
			continue;
		CHECK(addr == symbols[i].addr && type == name_of(i)[0] &&
		      !strcmp(name, name_of(i) + 1), "%u: %#llx %c %s", i, addr, type, name);
	}
}

static void check_encoding(enum encoding encoding, const char *name)
{
	struct opened o;
	struct err err = ERR_INIT;

	if (CHECK(!open_kernel(&o, &(struct make){ .encoding = encoding }, &err), "%s", err.msg)) {
		CHECK(!strcmp(kallsyms_encoding(o.kallsyms), name), "%s",
		      kallsyms_encoding(o.kallsyms));
		check_all(&o, encoding == PERCPU);
	}
	close_kernel(&o);
}

static void kallsyms__each_encoding_is_found_out(void)
{
	check_encoding(PERCPU, "absolute-percpu");
	check_encoding(RELATIVE, "relative");
	check_encoding(PLACE, "place-relative");
}

static void check_find(struct opened *o, u64 addr, const char *name, u64 start, u64 size)
{
	struct ksym sym;

	CHECK(kallsyms_find(o->kallsyms, addr, &sym) && !strcmp(sym.name, name) &&
	      sym.start == start && sym.size == size, "%#llx: %s %#llx %#llx", addr, sym.name,
	      sym.start, sym.size);
}

static void kallsyms__an_address_has_the_name_the_kernel_gives_it(void)
{
	struct opened o;
	struct ksym sym;
	u64 addr = 0;

	open_kernel(&o, &(struct make){ .encoding = PERCPU }, NULL);
	check_find(&o, STEXT, "_stext", STEXT, 0x10);
	check_find(&o, STEXT + 0x3f, "first", STEXT + 0x10, 0x30);
	check_find(&o, STEXT + 0x41, "same", STEXT + 0x40, 0x40);
	CHECK(!kallsyms_find(o.kallsyms, STEXT - 1, &sym), "%s", sym.name);
	CHECK(!kallsyms_find(o.kallsyms, 0x1000, &sym), "%s", sym.name);
	CHECK(!kallsyms_find(o.kallsyms, STEXT + 0x300, &sym), "%s", sym.name);
	CHECK(kallsyms_address(o.kallsyms, "twice", &addr) && addr == STEXT + 0x100, "%#llx", addr);
	CHECK(kallsyms_address(o.kallsyms, name_of(7) + 1, &addr) && addr == STEXT + 0x80, "%#llx",
	      addr);
	CHECK(!kallsyms_address(o.kallsyms, "twic", &addr), "%#llx", addr);
	CHECK(!kallsyms_address(NULL, "twice", &addr), "%#llx", addr);
	close_kernel(&o);
}

static void check_refused(const struct make *make, const char *words)
{
	struct opened o;
	struct err err = ERR_INIT;

	CHECK(open_kernel(&o, make, &err) == -ERR_CORRUPT && strstr(err.msg, words), "%s", err.msg);
	close_kernel(&o);
}

static void kallsyms__a_table_that_cannot_be_is_refused_in_words(void)
{
	check_refused(&(struct make){ .stext = STEXT + 0x1000 }, "does not have _stext at");
	check_refused(&(struct make){ .nr = KALLSYMS_MAX + 1 }, "1048577 symbols");
	check_refused(&(struct make){ .cut = true, .nr = 1000 }, "lacks its names: nothing is mapped");
	check_refused(&(struct make){ .nr = KALLSYMS_MAX }, "lacks its names");
}

/* Names are still good then; what an address is called would be anybody's guess. */
static void kallsyms__addresses_in_disorder_name_nothing(void)
{
	struct opened o;
	struct ksym sym;
	u64 addr;

	open_kernel(&o, &(struct make){ .disorder = true }, NULL);
	CHECK(o.kallsyms && kallsyms_address(o.kallsyms, "first", &addr), "lost");
	CHECK(!kallsyms_find(o.kallsyms, STEXT + 0x20, &sym), "%s", sym.name);
	close_kernel(&o);
}

static void kallsyms__a_kernel_before_6_0_does_not_tell(void)
{
	struct kmem k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
	struct opened o = { 0 };
	struct err err = ERR_INIT;

	CHECK(!dump_open_fd(&o.in, kmem_fd(&k), NULL) && !vmem_open(&o.vmem, o.in, NULL), "no");
	CHECK(kallsyms_open(&o.kallsyms, o.vmem, NULL, &err) == -ERR_NOT_OURS && strstr(err.msg, "6.0"),
	      "%s", err.msg);
	close_kernel(&o);
	kmem_free(&k);
}

int main(void)
{
	TAP_RUN(kallsyms__each_encoding_is_found_out);
	TAP_RUN(kallsyms__an_address_has_the_name_the_kernel_gives_it);
	TAP_RUN(kallsyms__a_table_that_cannot_be_is_refused_in_words);
	TAP_RUN(kallsyms__addresses_in_disorder_name_nothing);
	TAP_RUN(kallsyms__a_kernel_before_6_0_does_not_tell);
	return tap_done();
}
