/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The access that faulted: by which registers the instruction made its address, where these came
 * from, and which field that is, as far as the kernel's types say so.
 */
#ifndef EPITAPH_FAULT_FAULTING_ACCESS_H
#define EPITAPH_FAULT_FAULTING_ACCESS_H

#include "fault_text.h"
#include "function_code.h"
#include "instruction/instruction.h"
#include "linux_kernel/linux_kernel.h"
#include "origins.h"

#define ACCESS_PATH	80
#define ACCESS_PLACE	(FUNCTION_CODE_NAME + KMODULE_NAME_MAX + 32)

/**
 * struct faulting_access - of one report
 * @is_decoded: @instruction is what died; else all else is unset
 * @has_memory: @memory is what it used; its registers are known, and give @address
 * @agrees: @address is what the kernel names, or it names none
 * @base: the value of @memory.base
 * @pointer_value: @base, without what the function itself added to it, if that is certain
 * @index: the value of @memory.index
 * @is_call: @instruction calls or jumps by a pointer; there is no @memory but its register as the base, and
 *	@pointer is what was called
 * @jumped_at: of @is_call, "function+0x1/0x20 [module]": the jump at the end of a function, which left no frame;
 *	"": it was a call
 * @is_sure_jump: of @jumped_at, no other function may have been the one
 * @tail: the function that was called by its name, and that did not jump there as far as is seen: one that it called
 *	at its end did; "": there is none
 * @has_object: the pointer was read @object_offset behind @object, which register @object_register has
 * @nr_hops: not 0: the dump's memory still has the pointer there, and that register has @start: @object is what
 *	was read, so many times one behind the other, from @start_offset behind it on
 * @variable: not 0: no register has it; that way begins at this variable. Without @has_object the variable itself
 *	has the pointer
 * @called_since: behind the read of the pointer another function may have run
 * @is_certain: of @has_object, @pointer and @field
 * @pointer: the pointer as in the source, "dev->netdev_ops"; "": not known
 * @field: what was accessed, "dev->netdev_ops->ndo_open"; "": not known
 * @type: of the struct that it points to; "": not known
 * @returned_by: "function+0x0/0x20 [module]": the pointer is what that had returned, by the code; "": it is not, or that is not known
 * @has_member: the pointer was read @member behind another one by the function that begins at @reader: the one that died, or with
 *	@is_given_null or an error number @giver; @member_at: the address of that place, by the registers of @reader
 * @is_given_null: the function was given @pointer_value, which is so far behind a NULL pointer of its caller's, by the code of both
 * @is_given_pointer: of that, the types say that the caller has a pointer there; false: it may be a number
 * @giver: of that, "function+0x1/0x20 [module]": the caller
 * @given: of that, the caller's pointer as in the source, "current->mm"; "": not known
 */
struct faulting_access {
	bool is_decoded;
	struct instruction instruction;
	bool has_memory;
	struct instruction_access memory;
	u64 base;
	u64 pointer_value;
	u64 index;
	u64 address;
	bool agrees;
	bool is_call;
	char jumped_at[ACCESS_PLACE];
	bool is_sure_jump;
	char tail[FUNCTION_CODE_NAME];
	bool has_object;
	s32 object_register;
	u64 object;
	s64 object_offset;
	u32 nr_hops;
	u64 start;
	s64 start_offset;
	u64 variable;
	bool called_since;
	bool is_certain;
	char pointer[ACCESS_PATH];
	char field[ACCESS_PATH];
	char type[64];
	char returned_by[ACCESS_PLACE];
	bool has_member;
	s64 member;
	struct origin member_at;
	u64 reader;
	bool is_given_null;
	bool is_given_pointer;
	char giver[ACCESS_PLACE];
	char given[ACCESS_PATH];
};

/**
 * faulting_access_read() - decode it
 * @kernel: NULL: there is no dump; then the log's own line of code must do
 * @caller: of its frames the one that called to where no code is; a text of NULL: @report has none for sure
 * @fault: of @report
 *
 * Return: 0, also if nothing is known; -ERR_IO without memory.
 */
int faulting_access_read(struct faulting_access *access, const struct kernel *kernel, const struct death *death,
			 const struct kernel_report *report, struct report_text caller, const struct fault_text *fault,
			 struct err *err);

#endif
