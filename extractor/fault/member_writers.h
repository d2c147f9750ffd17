/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions of a module write a pointer so far behind another one: who can have set a member, or cleared it. */
#ifndef EPITAPH_FAULT_MEMBER_WRITERS_H
#define EPITAPH_FAULT_MEMBER_WRITERS_H

#include "function_code.h"

/**
 * struct member_writers - functions that write 8 bytes there; what a module needed only to start is gone
 * @nr: that write what may be a pointer
 * @name: of the last of them, "hub_load_cal+0x0/0x60 [sensor_hub]"
 * @nr_clearing: that write 0
 * @clearing: of the last of them; @cleared_at: the instruction of it that does
 */
struct member_writers {
	u32 nr;
	char name[KERNEL_SYMBOL_MAX];
	u32 nr_clearing;
	char clearing[KERNEL_SYMBOL_MAX];
	u64 cleared_at;
};

/**
 * member_writers_find() - look through a module's code
 * @within: an address of the module
 * @offset: of the member, behind the pointer by which it was read
 *
 * Return: false: it is no module's, or has more code than is looked at.
 */
bool member_writers_find(struct member_writers *ret, const struct kernel *kernel, u64 within, s64 offset);

/* The same of a number of @size bytes. */
bool member_writers_find_sized(struct member_writers *ret, const struct kernel *kernel, u64 within, s64 offset, u32 size);

/*
 * Has a call of the function of @code come by the instruction @cleared_at of it when it is at @ip, behind that? False: there is a way around it, or
 * that is not seen.
 */
bool member_writers_came_by(const struct function_code *code, u64 cleared_at, u64 ip);

#endif
