/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a register was read from last, in the order of the instructions. Another way through the function may have
 * come by it: that is one step of conclusion, where origins.h knows nothing.
 */
#ifndef EPITAPH_FAULT_LAST_LOAD_H
#define EPITAPH_FAULT_LAST_LOAD_H

#include "function_code.h"

/**
 * last_load_find() - what the register was read from
 * @from: the register that has the address still; @offset: behind that
 *
 * Return: false: the code is not there from the function's start, or something else wrote the register.
 */
bool last_load_find(const struct function_code *code, s32 reg, s32 *from, s64 *offset);

#endif
