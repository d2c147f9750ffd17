/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers in what a kernel printed of a fault: address, kind of access, registers.
 *
 * The words are those of arch/x86/mm/fault.c, arch/x86/kernel/dumpstack.c and process_64.c,
 * arch/arm64/mm/fault.c and kernel/process.c, arch/s390/mm/fault.c.
 */
#ifndef EPITAPH_FAULT_FAULT_TEXT_H
#define EPITAPH_FAULT_FAULT_TEXT_H

#include "address_kind.h"
#include "timeline/death.h"

#define FAULT_REGISTERS	40

enum fault_access { FAULT_UNKNOWN, FAULT_READ, FAULT_WRITE, FAULT_CALL };

struct fault_register {
	char name[8];
	u64 value;
};

/**
 * struct fault_text - of one report
 * @has_address: @address is what was accessed
 * @is_by_pointer: of FAULT_CALL: @address was a function pointer; no return went there
 * @is_32bit: addresses of that machine have 32 bits
 * @is_page: @address is that of the page alone
 * @module: of the place; "": the kernel itself, or not known
 */
struct fault_text {
	bool has_address;
	u64 address;
	enum fault_access access;
	bool is_by_pointer;
	bool is_32bit;
	bool is_page;
	struct fault_register registers[FAULT_REGISTERS];
	u32 nr_registers;
	char module[64];
};

/* What the lines of @report, a report of @death, have. */
void fault_text_read(struct fault_text *fault, const struct death *death, const struct kernel_report *report);

/* The value of register @name, as the kernel prints it. False: it is not in the report. */
bool fault_text_register(const struct fault_text *fault, const char *name, u64 *value);

/* What the first argument of a function is in, of x86-64 or arm64. False: the register is not in the report. */
bool fault_text_argument(const struct fault_text *fault, u64 *value);

/* Is it the stack pointer of one of these? */
bool fault_text_is_stack(const struct fault_register *reg);

/* Below that, user space may have its addresses. */
u64 fault_text_user_end(const struct fault_text *fault);

/* address_kind() of what was accessed, on that machine. */
enum address_kind fault_text_address_kind(const struct fault_text *fault);

/* Can @address be one, with page tables of four levels? Its bits 47 to 63 are the same then. */
bool fault_text_can_be(u64 address);

/* The stack pointer of the first of the report's lines "RSP: 0018:ffffc90000457f08", which is behind its segment: x86-64's. */
bool fault_text_stack(u64 *sp, const struct death *death, const struct kernel_report *report);

/* Adds the registers of a line such as "RAX: 0000000000000001 RBX: ..." or "x29: ffff80000b5abd50 x28: ...". */
void fault_text_add_registers(struct fault_text *fault, struct report_text line);

/*
 * The first line from @from on, within the lines of @report, that has @word; a text of NULL: there is
 * none. @from goes behind it.
 */
struct report_text fault_text_line(const struct death *death, const struct kernel_report *report,
			     const char *word, u32 *from);

/* Sets the module to that of "function+0x1/0x20 [module]". */
void fault_text_take_module(struct fault_text *fault, struct report_text place);

#endif
