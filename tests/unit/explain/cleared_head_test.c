// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The head of a list that was cleared with what lies in front of it, and the function whose row of zeros ends where those in memory do.
 * And heads that only look so.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/panic/cleared_head.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define ROOM	64
#define OBJECT	0xffff888000002000ULL
#define HEAD	(OBJECT + 0x20)
#define LINE	"list_add corruption. prev->next should be next (ffff888000002020), but was f000ff53f000ff53. (prev=ffff888000000000)."

enum { SUBMIT, WIPE, OTHER, NR_FUNCTIONS };

#define MODULE	"cry"

static const char *const module_functions[] = { "cry_submit", "cry_wipe", "cry_other" };

#include "module_functions.h"

static u64 first, second;

bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame)
{
	(void)frame;
	return function_code_read_function(code, kernel, CODE);
}

bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret)
{
	(void)kernel;
	*ret = (struct kernel_object){ .start = OBJECT, .size = 64, .state = KOBJECT_IN_USE, .cache = "kmalloc-64" };
	return va - OBJECT < 64;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	*ret = va == HEAD ? first : second;
	return size == 8 && (va == HEAD || va == HEAD + 8);
}

/* "add rdi, FROM", and as many "mov qword ptr [rdi + ...], 0" */
static void clear(u32 which, u8 from, u32 nr)
{
	struct function *of = &functions[which];

	memcpy(of->bytes, (const u8 []){ 0x48, 0x83, 0xc7, from }, 4);
	of->len = 4;
	for (u32 i = 0; i < nr; i++) {
		memcpy(of->bytes + of->len, (const u8 []){ 0x48, 0xc7, 0x47, (u8)(8 * i), 0, 0, 0, 0 }, 8);
		of->len += 8;
	}
	of->bytes[of->len++] = 0xc3;
}

static void begin(void)
{
	memset(functions, 0, sizeof(functions));
	functions[SUBMIT].bytes[functions[SUBMIT].len++] = 0xc3;
	clear(WIPE, 0xc, 4);
	first = 0;
	second = 0xffff888000000000ULL;
}

static struct finding finding;

static bool is_cleared(const char *line)
{
	static struct kernel_modules modules;
	static struct kernel dump = { .modules = &modules };
	static struct postmortem pm = { .kernel = &dump };
	static const struct kernel_report report = { .place = { "cry_submit+0x1/0x2 [cry]", 24 } };
	struct explain *explain = calloc(1, sizeof(*explain));
	bool is;

	memset(&finding, 0, sizeof(finding));
	explain->pm = &pm;
	explain->kernel = pm.kernel;
	explain->finding = &finding;
	explain->cause = &report;
	is = cleared_head_claim(explain, "cry_submit() of module cry", (struct report_text){ line, strlen(line) });
	free(explain);
	CHECK(is == !!*finding.claim && (!is || finding.strength == FINDING_LIKELY), "%s", finding.claim);
	return is;
}

static bool is_by_wipe(void)
{
	return is_cleared(LINE) && strstr(finding.claim, "probably by cry_wipe() of module cry: that clears 0x20 bytes from 0xc");
}

static void cleared__the_row_that_ends_with_the_zeros_is_named(void)
{
	begin();
	CHECK(is_by_wipe(), "%s", finding.claim);
}

static void cleared__a_row_elsewhere_is_innocent(void)
{
	begin();
	clear(WIPE, 0xc, 3);
	CHECK(is_cleared(LINE) && !is_by_wipe(), "it ends in front of the second pointer");
	clear(WIPE, 0x14, 4);
	CHECK(is_cleared(LINE) && !is_by_wipe(), "it goes on where memory has none");
	clear(WIPE, 0x24, 3);
	CHECK(is_cleared(LINE) && !is_by_wipe(), "it begins behind the head");
	begin();
	clear(OTHER, 0xc, 4);
	CHECK(is_cleared(LINE) && !is_by_wipe(), "two may have done it");
}

static void cleared__another_head_is_none(void)
{
	begin();
	first = 0xffff888000004000ULL;
	CHECK(!is_cleared(LINE), "its first pointer is there");
	first = 0;
	second = HEAD;
	CHECK(!is_cleared(LINE), "its second one is whole");
	second = 0;
	CHECK(!is_cleared(LINE), "it was never set up, as it seems");
	second = 0xffff888000000000ULL;
	CHECK(!is_cleared("list_del corruption. prev->next should be ffff888000002020, but was 0000000000000000. (prev=ffff888000000000)."), "no list_add()");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(cleared__the_row_that_ends_with_the_zeros_is_named);
	TAP_RUN(cleared__a_row_elsewhere_is_innocent);
	TAP_RUN(cleared__another_head_is_none);
	instruction_finish();
	return tap_done();
}
