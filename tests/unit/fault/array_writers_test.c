// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that write by an index: which numbers, how far behind a pointer, and a 0 behind a text.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "fault/array_writers.h"
#include "instruction/instruction.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define ROOM	32
#define NR	2

static u8 functions[NR][ROOM];

bool kernel_modules_symbol(const struct kernel_modules *modules, const struct kernel_module *module, u32 i, u64 *addr, char *type, char *name)
{
	(void)modules;
	(void)module;
	*addr = CODE + ROOM * i;
	*type = 't';
	strcpy(name, "name");
	return i < NR;
}

bool function_code_read_function(struct function_code *code, const struct kernel *kernel, u64 target)
{
	(void)kernel;
	memset(code, 0, sizeof(*code));
	snprintf(code->name, sizeof(code->name), "f%llu", (target - CODE) / ROOM);
	code->set = &instruction_set_x86_64;
	code->start = target;
	code->size = code->len = ROOM;
	memcpy(code->bytes, functions[(target - CODE) / ROOM], ROOM);
	return true;
}

static void put(u32 nr, const u8 *bytes, u32 len)
{
	memset(functions[nr], 0x90, ROOM);
	memcpy(functions[nr], bytes, len);
}

#define PUT(nr, ...)	put(nr, (const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))
#define NOTHING		0xc3
#define WORD_AT_8	0x66, 0x89, 0x4c, 0x57, 0x08	/* mov [rdi + rdx * 2 + 8], cx */
#define WORD_READ	0x66, 0x8b, 0x4c, 0x57, 0x08	/* mov cx, [rdi + rdx * 2 + 8] */
#define WORD_ON_STACK	0x66, 0x89, 0x4c, 0x54, 0x08	/* mov [rsp + rdx * 2 + 8], cx */
#define ZERO		0xc6, 0x04, 0x1f, 0x00		/* mov byte [rdi + rbx], 0 */
#define ONE		0xc6, 0x04, 0x1f, 0x01		/* mov byte [rdi + rbx], 1 */
#define ZERO_AT_START	0xc6, 0x07, 0x00		/* mov byte [rdi], 0 */

static const struct kernel dump = { .machine = EM_X86_64 };
static const struct kernel_module module;

static u32 nr_of(u32 size, s64 offset)
{
	struct array_writers writers;

	array_writers_find(&writers, &dump, &module, size, offset);
	return writers.nr;
}

static u32 nr_of_zero(void)
{
	struct array_writers writers;

	array_writers_of_zero(&writers, &dump, &module);
	return writers.nr;
}

static void writers__of_numbers_by_an_index(void)
{
	PUT(0, WORD_AT_8);
	PUT(1, NOTHING);
	CHECK(nr_of(2, 8) == 1, "of two bytes");
	CHECK(!nr_of(2, 0) && !nr_of(4, 8), "elsewhere, and of another size, none");
	PUT(1, WORD_AT_8);
	CHECK(nr_of(2, 8) == 2, "both");
}

static void writers__what_reads_or_writes_its_own_stack_is_none(void)
{
	PUT(0, WORD_READ);
	PUT(1, WORD_ON_STACK);
	CHECK(!nr_of(2, 8), "neither");
}

static void writers__of_a_zero_behind_a_text(void)
{
	PUT(0, ZERO);
	PUT(1, ONE);
	CHECK(nr_of_zero() == 1, "a 1 is no end of a text");
	PUT(0, ZERO_AT_START);
	CHECK(!nr_of_zero(), "one without an index empties it");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(writers__of_numbers_by_an_index);
	TAP_RUN(writers__what_reads_or_writes_its_own_stack_is_none);
	TAP_RUN(writers__of_a_zero_behind_a_text);
	instruction_finish();
	return tap_done();
}
