// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which functions of modules take objects of a cache, and which only seem to.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/panic/alloc_sites.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define ROOM	64
#define CALLED	0xffffffff81100000ULL
#define VARIABLES	0xffffffffc0500000ULL	/* of pointers to the caches 0 and 1 */
#define CACHES	0xffff888000001000ULL

static const char *const called[] = { "kmalloc_trace", "kfree", "__kmalloc_cache_noprof", "kmem_cache_alloc" };

enum { KMALLOC, KFREE, KMALLOC_NEWER, CACHE_ALLOC };
enum { ALLOC, OTHER, NR_FUNCTIONS };

static struct function {
	u8 bytes[ROOM];
	u32 len;
} functions[NR_FUNCTIONS];

#include "called_functions.h"

bool kernel_modules_symbol(const struct kernel_modules *modules, const struct kernel_module *module, u32 i, u64 *addr, char *type, char *name)
{
	(void)modules;
	(void)module;
	*addr = CODE + ROOM * i;
	*type = 't';
	strcpy(name, "name");
	return i < NR_FUNCTIONS;
}

bool function_code_read_function(struct function_code *code, const struct kernel *kernel, u64 target)
{
	u64 which = (target - CODE) / ROOM;

	memset(code, 0, sizeof(*code));
	if (which >= NR_FUNCTIONS || !functions[which].len)
		return false;
	strcpy(code->name, which == ALLOC ? "rx_alloc" : "other");
	code->set = &instruction_set_x86_64;
	code->start = CODE + ROOM * which;
	code->size = code->len = functions[which].len;
	code->kernel = kernel;
	memcpy(code->bytes, functions[which].bytes, code->len);
	return true;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	(void)size;
	*ret = CACHES + (va - VARIABLES);
	return va - VARIABLES < 16;
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va, u64 *ret)
{
	(void)kernel;
	*ret = va;
	return !strcmp(type, "kmem_cache") && !strcmp(path, "name");
}

ssize_t vmem_string(struct vmem *vmem, u64 va, char *buf, size_t size)
{
	(void)vmem;
	return snprintf(buf, size, "%s", va == CACHES ? "kmalloc-2k" : "kmalloc-4k");
}

/* --- code -------------------------------------------------------------------------- */

static void emit(u32 which, const u8 *from, u32 nr)
{
	memcpy(functions[which].bytes + functions[which].len, from, nr);
	functions[which].len += nr;
}

static void emit_distance(u32 which, const u8 *op, u32 nr, u64 target)
{
	s32 distance = (s32)(target - (CODE + ROOM * which + functions[which].len + nr + 4));

	emit(which, op, nr);
	emit(which, (const u8 *)&distance, 4);
}

static void call(u32 which, u32 target)
{
	emit_distance(which, (const u8 []){ 0xe8 }, 1, CALLED + 16 * target);
}

/* "mov rdi, [rip + VARIABLE]; mov edx, 0x648; call NAME" */
static void take(u32 which, u32 cache, u32 target)
{
	emit_distance(which, (const u8 []){ 0x48, 0x8b, 0x3d }, 3, VARIABLES + 8 * cache);
	emit(which, (const u8 []){ 0xba, 0x48, 0x06, 0, 0 }, 5);
	call(which, target);
}

static struct alloc_sites find(const char *module_name)
{
	struct kernel_module module = { .name = "rx" };
	struct kernel_modules modules = { .list = &module, .nr = 1 };
	struct kernel dump = { .modules = &modules, .kallsyms = (struct kallsyms *)&modules };
	struct alloc_sites sites;

	strcpy(module.name, module_name);
	alloc_sites_find(&sites, &dump, "kmalloc-2k");
	return sites;
}

static void begin(void)
{
	memset(functions, 0, sizeof(functions));
	emit(OTHER, (const u8 []){ 0xc3 }, 1);
}

static void site__the_function_and_its_size(void)
{
	struct alloc_sites sites;

	begin();
	take(ALLOC, 0, KMALLOC);
	sites = find("rx");
	CHECK(sites.nr == 1 && sites.size == 0x648 && !strncmp(sites.name, "rx_alloc+0x0/", 13), "%u, %u, %s", sites.nr, sites.size, sites.name);
	begin();
	take(ALLOC, 0, KMALLOC_NEWER);
	CHECK(find("rx").nr == 1, "of 6.10 and newer");
	begin();
	take(ALLOC, 0, CACHE_ALLOC);
	sites = find("rx");
	CHECK(sites.nr == 1 && !sites.size, "a cache has a size of its own");
}

static void site__two_are_two(void)
{
	memset(functions, 0, sizeof(functions));
	take(ALLOC, 0, KMALLOC);
	take(OTHER, 0, KMALLOC);
	CHECK(find("rx").nr == 2, "both");
}

static void site__another_cache_is_none(void)
{
	begin();
	take(ALLOC, 1, KMALLOC);
	CHECK(!find("rx").nr, "kmalloc-4k");
	begin();
	take(ALLOC, 0, KFREE);
	CHECK(!find("rx").nr, "no allocation");
	begin();
	emit_distance(ALLOC, (const u8 []){ 0x48, 0x8b, 0x3d }, 3, VARIABLES);
	emit(ALLOC, (const u8 []){ 0x48, 0x89, 0xdf }, 3);
	call(ALLOC, KMALLOC);
	CHECK(!find("rx").nr, "a register that is written since");
}

static void site__the_recorder_is_none(void)
{
	begin();
	take(ALLOC, 0, KMALLOC);
	CHECK(!find("epitaph").nr, "its own");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(site__the_function_and_its_size);
	TAP_RUN(site__two_are_two);
	TAP_RUN(site__another_cache_is_none);
	TAP_RUN(site__the_recorder_is_none);
	instruction_finish();
	return tap_done();
}
