// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A check of what was counted: below zero by a little, just over the largest number of 32 bits, and what only looks so. Functions by hand.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/function_code.h"
#include "judge/panic/below_zero.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define ROOM	32
#define MOST	3
#define COUNT	0xffff888000001010ULL

static u8 functions[MOST][ROOM];
static u32 nr_functions;
static u32 checked;
static s64 memory;

static void read_code(struct function_code *code, u32 nr)
{
	memset(code, 0, sizeof(*code));
	snprintf(code->name, sizeof(code->name), "f%u", nr);
	code->set = &instruction_set_x86_64;
	code->start = CODE + nr * ROOM;
	code->size = code->len = ROOM;
	code->is_whole = true;
	memcpy(code->bytes, functions[nr], ROOM);
}

bool function_code_read(struct function_code *code, const struct kernel *kernel, const struct death *death, const struct kernel_report *report)
{
	(void)kernel;
	(void)death;
	(void)report;
	read_code(code, 0);
	code->at = checked;
	return true;
}

bool function_code_next(struct function_code *code, struct module_walk *walk)
{
	if (walk->next == nr_functions)
		return false;
	walk->bytes += ROOM;
	read_code(code, walk->next++);
	return true;
}

const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr)
{
	static struct kernel_module module;

	(void)modules;
	(void)addr;
	return &module;
}

bool fault_text_register(const struct fault_text *fault, const char *name, u64 *ret)
{
	(void)fault;
	*ret = COUNT - 0x10;
	return !strcmp(name, "RDI");
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	*ret = 0;
	memcpy(ret, &memory, size);
	return va == COUNT;
}

static struct finding finding;

/* Is it claimed with these @words? */
static bool says(const char *words)
{
	static struct kernel dump = { .modules = (struct kernel_modules *)&dump };
	static struct postmortem pm = { .kernel = &dump };
	struct explain *explain = calloc(1, sizeof(*explain));

	memset(&finding, 0, sizeof(finding));
	explain->pm = &pm;
	explain->finding = &finding;
	below_zero_claim(explain, "warning", "put()", "warned", "");
	free(explain);
	return *words ? strstr(finding.claim, words) && finding.strength == FINDING_LIKELY : !*finding.claim;
}

static void put(u32 nr, const u8 *bytes, u32 len)
{
	memset(functions[nr], 0x90, ROOM);
	memcpy(functions[nr], bytes, len);
	functions[nr][ROOM - 1] = 0xc3;
	nr_functions = nr + 1;
}

#define PUT(nr, ...) put(nr, (const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

#define LESS	0x83, 0x6f, 0x10, 1	/* sub dword ptr [rdi + 0x10], 1 */
#define JS	0x78, 1			/* js: behind the ret */
#define RET	0xc3
#define UD2	0x0f, 0x0b

static void count__a_little_below_zero(void)
{
	PUT(0, LESS, JS, RET, UD2);
	checked = 7;
	memory = -1;
	CHECK(says("what it counted down is -1 by now, below zero: more was taken from it than was added"), "%s", finding.claim);
	memory = 1;
	CHECK(says(""), "it is not, by now");
	memory = -1234567890;
	CHECK(says(""), "so far below it was overwritten: %s", finding.claim);
}

static void count__over_the_largest_number(void)
{
	PUT(0, LESS, JS, RET, UD2);
	checked = 7;
	/* mov [rdi + 0x10], eax */
	PUT(1, 0x89, 0x47, 0x10);
	memory = -(1LL << 31) + 500;
	CHECK(says("it was counted up over the largest number of 32 bits with a sign before, in f1()"), "%s", finding.claim);
	/* add [rdi + 0x10], eax */
	PUT(2, 0x01, 0x47, 0x10);
	CHECK(says("with a sign before."), "of two functions none is named: %s", finding.claim);
	/* sub dword ptr [rdi + 0x10], eax */
	PUT(0, 0x29, 0x47, 0x10, JS, RET, UD2);
	checked = 6;
	CHECK(says(""), "much may have been taken away at once: %s", finding.claim);
}

static void count__another_check_is_none(void)
{
	/* je */
	PUT(0, LESS, 0x74, 1, RET, UD2);
	checked = 7;
	memory = -1;
	CHECK(says(""), "of zero");
	/* test eax, eax between */
	PUT(0, LESS, 0x85, 0xc0, JS, RET, UD2);
	checked = 9;
	CHECK(says(""), "of a register");
	PUT(0, LESS, 0x79, 2, UD2);
	checked = 6;
	CHECK(says("below zero"), "a jump over it");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(count__a_little_below_zero);
	TAP_RUN(count__over_the_largest_number);
	TAP_RUN(count__another_check_is_none);
	return tap_done();
}
