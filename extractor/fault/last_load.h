/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a register was read from last, in the order of the instructions. Another way through the function may have
 * come by it: that is one step of conclusion, where origins.h knows nothing.
 */
#ifndef EPITAPH_FAULT_LAST_LOAD_H
#define EPITAPH_FAULT_LAST_LOAD_H

#include "function_code.h"
#include "instruction/instruction.h"

/**
 * last_load_find() - what the register was read from
 * @from: the register that has the address still; @offset: behind that
 *
 * Return: false: the code is not there from the function's start, or something else wrote the register.
 */
bool last_load_find(const struct function_code *code, s32 reg, s32 *from, s64 *offset);

/*
 * The same of a register that was read from a table: "mov rax, [rdi + rdx * 8 + 0x18]". The index may have been in @reg itself.
 *
 * Return: false: as above, or what else made the place was changed since.
 */
bool last_load_of_table(struct instruction_access *ret, const struct function_code *code, s32 reg);

#endif
