// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prototypes out of BTF that is made here: which are those that the recorder knows, and nothing is read
 * beyond BTF that is damaged.
 *
 * build: -I kernel kernel/events/btf.c
 */
#include <linux/btf.h>
#include <stdlib.h>

#include "events/btf.h"
#include "tap.h"

enum { INT = 1, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, PROTO };

static u32 words[1024];
static size_t nr_words;
static char strings[1024];
static size_t strings_size;
static u32 next_id;

static void begin(void)
{
	nr_words = 0;
	strings_size = 1;
	next_id = 1;
}

static u32 text(const char *s)
{
	u32 at = s ? strings_size : 0;

	if (s) {
		strcpy(strings + strings_size, s);
		strings_size += strlen(s) + 1;
	}
	return at;
}

static u32 type(const char *name, u32 kind, u32 n, u32 size)
{
	words[nr_words++] = text(name);
	words[nr_words++] = kind << 24 | n;
	words[nr_words++] = size;
	return next_id++;
}

static u32 integer(const char *name, u32 size)
{
	u32 id = type(name, INT, 0, size);

	words[nr_words++] = size * 8;
	return id;
}

/* Of up to four arguments; a last one of -1 is "...". */
static void function(const char *name, int a, int b, int c, int d)
{
	int args[] = { a, b, c, d };
	u32 n = 0, i, proto;

	while (n < 4 && args[n])
		n++;
	proto = type(NULL, PROTO, n, 0);
	for (i = 0; i < n; i++) {
		words[nr_words++] = args[i] < 0 ? 0 : text("x");
		words[nr_words++] = args[i] < 0 ? 0 : args[i];
	}
	type(name, FUNC, 0, proto);
}

/* In memory of just that size. */
static char *end(size_t *size)
{
	struct btf_header head = {
		.magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(head), .type_len = nr_words * 4,
		.str_off = nr_words * 4, .str_len = strings_size,
	};
	char *btf = malloc(sizeof(head) + nr_words * 4 + strings_size);

	memcpy(btf, &head, sizeof(head));
	memcpy(btf + sizeof(head), words, nr_words * 4);
	memcpy(btf + sizeof(head) + nr_words * 4, strings, strings_size);
	*size = sizeof(head) + nr_words * 4 + strings_size;
	return btf;
}

/* unsigned long, char and const char *, struct pt_regs *, a function of each shape. */
static char *made(size_t *size)
{
	u32 lng, chr, str, regs, key;

	begin();
	lng = integer("long", 8);
	chr = integer("char", 1);
	str = type(NULL, PTR, 0, type(NULL, CONST, 0, chr));
	regs = type("pt_regs", STRUCT, 1, 8);
	words[nr_words++] = text("ip");
	words[nr_words++] = lng;
	words[nr_words++] = 0;
	regs = type("regs_t", TYPEDEF, 0, type(NULL, PTR, 0, regs));
	key = type("mode", ENUM, 1, 4);
	words[nr_words++] = text("A");
	words[nr_words++] = 0;
	function("__trace_puts", lng, str, 0, 0);
	function("panic", str, -1, 0, 0);
	function("save", regs, key, 0, 0);
	function("same_name", lng, 0, 0, 0);
	function("same_name", regs, 0, 0, 0);
	function("nothing", 0, 0, 0, 0);
	return end(size);
}

/* What is said of one function. */
static struct epitaph_prototype asked(const char *function, const char *takes)
{
	struct epitaph_prototype p = { .function = function, .takes = takes };
	size_t size, room;
	char *btf = made(&size);
	u32 *at;

	room = epitaph_btf_room(btf, size);
	at = calloc(room, sizeof(*at));
	CHECK(epitaph_btf_size(btf) == size, "its header says how large it is");
	CHECK(epitaph_btf_read(btf, size, at, &p, 1), "it is read");
	free(at);
	free(btf);
	return p;
}

static bool known(const char *function, const char *takes)
{
	struct epitaph_prototype p = asked(function, takes);

	CHECK(p.is_there, function);
	return p.is_known;
}

static void btf__a_prototype_that_begins_as_we_know_is_known(void)
{
	CHECK(known("__trace_puts", "8 char*"), "both");
	CHECK(known("__trace_puts", "8"), "the first");
	CHECK(known("panic", "char* ..."), "any number");
	CHECK(known("save", "pt_regs* 4"), "a struct and an enum");
	CHECK(known("save", "void*/pt_regs* _"), "one of two, and any");
	CHECK(known("same_name", "8"), "one of those with the name");
	CHECK(known("same_name", "pt_regs*"), "the other one");
}

static void btf__another_prototype_is_not_known(void)
{
	struct epitaph_prototype p = asked("__trace_puts", "8 char* 4");

	CHECK(p.is_there && !p.is_known, "one argument fewer");
	CHECK(!strcmp(p.found, "8 char*"), p.found);
	CHECK(!known("save", "4 pt_regs*"), "in another order");
	CHECK(!known("save", "pt_reg* 4"), "another struct");
	CHECK(!known("save", "pt_regs*/mce* 8"), "another size");
	CHECK(!known("nothing", "8"), "none");
	CHECK(!asked("vpanic", "char*").is_there, "no such function");
}

static void read_copy(const char *btf, size_t size, long at, char flip)
{
	struct epitaph_prototype p = { .function = "panic", .takes = "char*" };
	char *copy = malloc(size);
	size_t room;
	u32 *places;

	memcpy(copy, btf, size);
	if (at >= 0)
		copy[at] ^= flip;
	room = epitaph_btf_room(copy, size);
	places = calloc(room + !room, sizeof(*places));
	epitaph_btf_read(copy, size, places, &p, 1);
	free(places);
	free(copy);
}

/* Each bit changed, and each length: what is read is of no matter, ASan sees what is. */
static void btf__damage_is_not_read_beyond(void)
{
	size_t size, at;
	char *btf = made(&size);
	int bit;

	for (at = 0; at < size; at++) {
		read_copy(btf, at, -1, 0);
		for (bit = 0; bit < 8; bit++)
			read_copy(btf, size, at, 1 << bit);
	}
	CHECK(!epitaph_btf_room(btf, 4), "too short");
	free(btf);
}

int main(void)
{
	TAP_RUN(btf__a_prototype_that_begins_as_we_know_is_known);
	TAP_RUN(btf__another_prototype_is_not_known);
	TAP_RUN(btf__damage_is_not_read_beyond);
	return tap_done();
}
