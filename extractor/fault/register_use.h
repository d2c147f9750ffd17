/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a function still needs what a register has. */
#ifndef EPITAPH_FAULT_REGISTER_USE_H
#define EPITAPH_FAULT_REGISTER_USE_H

#include "function_code.h"

/* May a way from @at on, an instruction's start, read the register before it writes it? True also where that is not seen. */
bool register_is_needed(const struct function_code *code, u32 at, s32 reg);

#endif
