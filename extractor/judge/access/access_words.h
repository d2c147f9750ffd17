/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access that faulted, as the sentences of a finding need it. */
#ifndef EPITAPH_JUDGE_ACCESS_WORDS_H
#define EPITAPH_JUDGE_ACCESS_WORDS_H

#include "judge/judge.h"

#define ACCESS_WORDS	96
#define ACCESS_DOING	(ACCESS_WORDS + 80)
#define REGISTERS_WORDS	48
#define HOLDER_WORDS	8
#define ACCESS_NAMES	(2 * ACCESS_PATH + 40)

/* Does the instruction say which pointer it was? */
bool access_is_traced(const struct explain *explain);

/* Is there memory, which only may not be written or executed? */
bool access_is_forbidden(const struct explain *explain);

/* "read", "wrote", "jumped", as the kernel said it. */
const char *access_words_verb(enum fault_access access);

/* The same, and where the kernel did not say it, as the instruction does it. */
const char *access_words_traced_verb(const struct faulting_access *access, enum fault_access said);

/* "RAX", "RAX + RDX * 8 + 0x10" */
void access_words_registers(char text[REGISTERS_WORDS], const struct faulting_access *access);

/* "8 bytes at 0x18 of" the pointer, with what an index adds; "8 bytes at". */
void access_words_field(char text[ACCESS_WORDS], const struct faulting_access *access);

/* The register that has the pointer; "": it has what was added as well. */
const char *access_words_register(const struct faulting_access *access);

/* " (RAX)" of that register, or nothing */
void access_words_holder(char text[HOLDER_WORDS], const struct faulting_access *access);

/* ": dev->netdev_ops, of which dev was NULL", or ", which dev_get() had returned" */
void access_words_names(char text[ACCESS_NAMES], const struct faulting_access *access, const char *was);

/* "ENOENT" of -2, also of the numbers that the kernel has for itself; "": none. */
const char *access_words_error(s64 number);

/* In front of an address: "read 8 bytes at 0x8 of the pointer in RAX:", "read 8 bytes at RAX + RDX:", or "read at". */
void access_words_doing(char text[ACCESS_DOING], const struct explain *explain);

#endif
