/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a function gives to another one. */
#ifndef EPITAPH_FAULT_ARGUMENT_H
#define EPITAPH_FAULT_ARGUMENT_H

#include "function_code.h"

/**
 * struct argument - where a function has its argument, as far as one instruction says
 * @base: a register; INSTRUCTION_NO_REGISTER: @offset is the address
 */
struct argument {
	s32 base;
	s64 offset;
};

/* What the register of the first argument has at @end of the code, in the order of the instructions; false: it is not seen. */
bool argument_read(struct argument *argument, const struct function_code *code, u32 end);

#endif
