/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls of an arm64 module, whose kernel is further away than a call reaches: arch/arm64/kernel/module-plts.c */
#ifndef EPITAPH_FAULT_VENEER_H
#define EPITAPH_FAULT_VENEER_H

#include "linux_kernel/linux_kernel.h"

/* Where a call of @target comes to: behind the veneer that is there, or @target. @kernel: NULL: no dump says. */
u64 veneer_end(const struct kernel *kernel, u64 target);

#endif
