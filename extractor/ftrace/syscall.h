/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls as the kernel's trace file has them, which is not by their formats. */
#ifndef EPITAPH_FTRACE_SYSCALL_H
#define EPITAPH_FTRACE_SYSCALL_H

#include <stdio.h>

#include "kernel_layout.h"

/*
 * "sys_openat(dfd: ffffff9c, ...)" and "sys_openat -> 0x3".
 * @call: address of the event's trace_event_call
 * @b: the event behind the common fields
 *
 * Return: false, and nothing was written, if the kernel's tables do not tell.
 */
bool ftrace_syscall_enter(const struct ftrace_memory *mem, FILE *f, u64 call, struct bytes *b);
bool ftrace_syscall_exit(const struct ftrace_memory *mem, FILE *f, u64 call, struct bytes *b);

#endif
