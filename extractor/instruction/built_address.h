/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses that code has as numbers, by one instruction, or by two as arm64 needs them: that of a page, and what
 * is added to it. They are followed along the instructions in their order, up to a jump.
 */
#ifndef EPITAPH_INSTRUCTION_BUILT_ADDRESS_H
#define EPITAPH_INSTRUCTION_BUILT_ADDRESS_H

#include "instruction.h"

/**
 * struct built_addresses - what registers have
 * @known: a bit for each register that has one
 * @pages: of these, that of a page
 */
struct built_addresses {
	u64 of[INSTRUCTION_REGISTERS];
	u32 known;
	u32 pages;
};

/*
 * @one is the next. Behind a jump only what register @keep has is still believed; INSTRUCTION_NO_REGISTER:
 * nothing.
 */
void built_addresses_step(struct built_addresses *built, const struct instruction *one, s32 keep);

/* Does @one, before its step, read 8 bytes at an address that is known, into register @reg? */
bool built_addresses_load(u64 *ret, const struct built_addresses *built, const struct instruction *one, s32 reg);

/* The address of memory that is used before the step of its instruction. False: it is not known. */
bool built_addresses_access(u64 *ret, const struct built_addresses *built, const struct instruction_access *access);

/* Does @one, before its step, make the address @from or one of the @size bytes behind it, or use memory there? */
bool built_addresses_names(const struct built_addresses *built, const struct instruction *one, u64 from, u64 size);

/* Is @one, before its step, a jump behind which the page of @address may be used, and is not followed? */
bool built_addresses_lose(const struct built_addresses *built, const struct instruction *one, u64 address);

#endif
