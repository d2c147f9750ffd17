/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bad pointer that was read from an entry which a list of the module still has, and which is none any more. */
#ifndef EPITAPH_JUDGE_ACCESS_LIST_ENTRY_H
#define EPITAPH_JUDGE_ACCESS_LIST_ENTRY_H

#include "judge/judge.h"

/*
 * The claim, of a module's function: a list that begins in a variable of the module leads to the object from which the pointer was read
 * last, and the link back of that leads elsewhere. An entry whose links agree is innocent.
 */
void list_entry_claim(struct explain *explain, const char *place);

/*
 * The claim where it is not seen from which entry the bad pointer was read: a list that begins in a variable of the module, or in an
 * object to which a register points, leads to one whose next one is that.
 */
void wild_entry_claim(struct explain *explain, const char *place);

/* The module whose function died; NULL: it is of none, or not known. */
const struct kernel_module *list_entry_module(const struct explain *explain);

/* How many words the variable at @at of @module has, by its kind @type; 0: that is none. */
u64 list_entry_words(const struct kernel *kernel, const struct kernel_module *module, u64 at, char type);

/* The object that the bad pointer was read from: which variables of the module have its address, as evidence. One of them may be its next owner's. */
void object_variables_add(struct explain *explain);

#endif
