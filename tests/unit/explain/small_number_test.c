// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers that memory has where pointers were to be, in an object or behind the end of a table: code by hand, and a few words of memory. And
 * pointers that only look so.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "judge/access/pointer_bytes.h"
#include "fault/function_code.h"
#include "instruction/instruction.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define OBJECT	0xffff888000002000ULL
#define RAX	0
#define NUMBER	24000

static u64 words[16];
static u8 bytes[32];
static u32 at;
static bool is_percpu;
static u64 sp;

bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret)
{
	(void)kernel;
	*ret = (struct kernel_object){ .start = OBJECT, .size = sizeof(words), .state = KOBJECT_IN_USE, .cache = "kmalloc-128" };
	return va - OBJECT < sizeof(words);
}

bool kallsyms_address(struct kallsyms *kallsyms, const char *name, u64 *ret)
{
	(void)kallsyms;
	*ret = 0x20000;
	return !strcmp(name, "__per_cpu_end");
}

/* One per-CPU variable of the kernel's own. */
bool kallsyms_find(const struct kallsyms *kallsyms, u64 addr, struct ksym *ret)
{
	(void)kallsyms;
	*ret = (struct ksym){ .start = 0x7000, .size = 0x100 };
	return addr - ret->start < ret->size;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	if (size != 8 || va - OBJECT >= sizeof(words) || va % 8)
		return false;
	*ret = words[(va - OBJECT) / 8];
	return true;
}

bool function_code_read(struct function_code *code, const struct kernel *kernel, const struct death *death, const struct kernel_report *report)
{
	(void)kernel;
	(void)death;
	(void)report;
	memset(code, 0, sizeof(*code));
	code->set = &instruction_set_x86_64;
	code->start = CODE;
	code->size = code->len = sizeof(bytes);
	code->at = at;
	code->is_whole = true;
	memcpy(code->bytes, bytes, sizeof(bytes));
	return true;
}

bool fault_text_register(const struct fault_text *fault, const char *name, u64 *ret)
{
	(void)fault;
	*ret = !strcmp(name, "RDI") ? OBJECT : !strcmp(name, "RSP") ? sp : 8;
	return true;
}

/* mov rax, [rdi + rax * 8 + 0x18]; and with rcx as the index */
#define OF_TABLE	0x48, 0x8b, 0x44, 0xc7, 0x18
#define BY_RCX		0x48, 0x8b, 0x44, 0xcf, 0x18

static void begin(const u8 *code, u32 len)
{
	memset(words, 0, sizeof(words));
	memset(bytes, 0x90, sizeof(bytes));
	memcpy(bytes, code, len);
	at = len;
	sp = OBJECT - 0x10000;
	words[3 + 8] = NUMBER;
	is_percpu = false;
}

#define BEGIN(...) begin((const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

static struct finding finding;

static bool is_number(u64 pointer, bool has_object, u16 machine)
{
	static struct kernel dump;
	static struct postmortem pm = { .kernel = &dump };
	struct explain *explain = calloc(1, sizeof(*explain));
	bool is;

	memset(&finding, 0, sizeof(finding));
	dump.machine = machine;
	dump.kallsyms = (struct kallsyms *)&dump;
	explain->pm = &pm;
	explain->kernel = pm.kernel;
	explain->finding = &finding;
	explain->fault.address = pointer + 4;
	explain->access.has_memory = explain->access.agrees = true;
	explain->access.has_object = has_object;
	explain->access.object = OBJECT;
	explain->access.object_offset = 0x58;
	explain->access.instruction.set = &instruction_set_x86_64;
	explain->access.memory = (struct instruction_access){ .base = RAX, .index = INSTRUCTION_NO_REGISTER };
	explain->access.pointer_value = pointer;
	is = pointer_bytes_claim_number(explain, "slot_get() of module slots", "read at", is_percpu);
	free(explain);
	CHECK(is == (finding.strength == FINDING_LIKELY) && is == !!*finding.claim, "%s", finding.claim);
	return is;
}

static void number__an_object_has_it(void)
{
	BEGIN(0x90);
	CHECK(is_number(NUMBER, true, EM_X86_64) && strstr(finding.claim, "took the number 24000 (0x5dc0) for a pointer, which memory has at 0x58 of"), "%s",
	      finding.claim);
	words[11] = 120000;
	CHECK(is_number(120000, true, EM_X86_64) && !strcmp(finding.kind, "user-pointer"), "%s", finding.kind);
}

static void number__it_may_be_a_per_cpu_variable(void)
{
	BEGIN(0x90);
	is_percpu = true;
	CHECK(is_number(NUMBER, true, EM_X86_64) && strstr(finding.claim, "or that is an offset of per-CPU memory"), "%s", finding.claim);
	words[11] = 0x7010;
	CHECK(is_number(0x7010, true, EM_X86_64), "within a variable of the kernel's own");
	words[11] = 0x7000;
	CHECK(!is_number(0x7000, true, EM_X86_64), "a variable of the kernel's own");
	words[11] = 0x3a2c0;
	CHECK(!is_number(0x3a2c0, true, EM_X86_64), "as alloc_percpu() gives it");
	is_percpu = false;
	CHECK(is_number(0x3a2c0, true, EM_X86_64), "no CPU has memory there");
}

static void number__it_lies_behind_a_table(void)
{
	BEGIN(OF_TABLE);
	CHECK(is_number(NUMBER, false, EM_X86_64) && strstr(finding.claim, "at index 8 of the pointers that begin at 0x18 of"), "%s", finding.claim);
	BEGIN(BY_RCX);
	CHECK(is_number(NUMBER, false, EM_X86_64) && strstr(finding.claim, "at index 8 of the pointers"), "%s", finding.claim);
}

static void number__what_is_no_such_is_not_claimed(void)
{
	BEGIN(0x90);
	CHECK(!is_number(NUMBER + 8, true, EM_X86_64), "memory has another one by now");
	sp = OBJECT;
	CHECK(!is_number(NUMBER, true, EM_X86_64), "the function put NULL and an offset aside on its stack");
	words[11] = 0x400000;
	CHECK(!is_number(0x400000, true, EM_X86_64), "a program may be there");
	words[11] = 120000;
	CHECK(!is_number(120000, true, EM_AARCH64), "a program of 32 bits may be there");
	words[11] = 0x18;
	CHECK(!is_number(0x18, true, EM_X86_64), "NULL plus the offset of a member");
	BEGIN(0x90);
	CHECK(!is_number(NUMBER, false, EM_X86_64), "it is not seen where it was read");
	BEGIN(OF_TABLE);
	words[5] = NUMBER;
	CHECK(!is_number(NUMBER, false, EM_X86_64), "the table has it twice: which one is not known");
	/* add rax, 8 */
	BEGIN(OF_TABLE, 0x48, 0x83, 0xc0, 0x08);
	CHECK(!is_number(NUMBER, false, EM_X86_64), "something was added to it");
	/* mov rdi, rsi */
	BEGIN(OF_TABLE, 0x48, 0x89, 0xf7);
	CHECK(!is_number(NUMBER, false, EM_X86_64), "the table's register has another one by now");
}

/* An access to an array of @scale bytes each, at the start of the object. */
static bool is_signed_index(u64 index, u8 scale)
{
	static struct kernel dump;
	static struct postmortem pm = { .kernel = &dump };
	struct explain *explain = calloc(1, sizeof(*explain));
	bool is;

	memset(&finding, 0, sizeof(finding));
	explain->pm = &pm;
	explain->kernel = pm.kernel;
	explain->finding = &finding;
	explain->access = (struct faulting_access){ .has_memory = true, .agrees = true, .base = OBJECT, .index = index, .instruction.set = &instruction_set_x86_64,
						    .memory = { .base = RAX, .index = 2, .scale = scale, .offset = 8 } };
	explain->fault.address = OBJECT + index * scale + 8;
	is = pointer_bytes_claim_index(explain, "tree_split() of module tree", "wrote 4 bytes at RAX + RDX * 4:");
	free(explain);
	CHECK(is == (finding.strength == FINDING_LIKELY) && is == !!*finding.claim, "%s", finding.claim);
	return is;
}

static void index__has_the_bit_of_the_sign(void)
{
	CHECK(is_signed_index(0xffffffff80000015ULL, 4) && strstr(finding.claim, "the index in RDX has bit 31 set, the sign of an int, and is -2147483627. Without that bit it is 21"),
	      "%s", finding.claim);
	CHECK(is_signed_index(0x80000015ULL, 4), "extended with zeros");
	CHECK(!is_signed_index(0xffffffff80000025ULL, 4), "without it the index is behind the end of the object");
	CHECK(!is_signed_index(0xffffffffffffffffULL, 4), "-1 is no bit that was set");
	CHECK(!is_signed_index(0x15, 4), "it is not set");
	CHECK(!is_signed_index(0x180000015ULL, 4), "more than 32 bits");
}

int main(void)
{
	instruction_prepare();
	TAP_RUN(number__an_object_has_it);
	TAP_RUN(number__it_may_be_a_per_cpu_variable);
	TAP_RUN(number__it_lies_behind_a_table);
	TAP_RUN(number__what_is_no_such_is_not_claimed);
	TAP_RUN(index__has_the_bit_of_the_sign);
	return tap_done();
}
