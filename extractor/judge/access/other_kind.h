/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An object that is of another kind than the function takes it for: freed with a user left, and given out again. */
#ifndef EPITAPH_JUDGE_ACCESS_OTHER_KIND_H
#define EPITAPH_JUDGE_ACCESS_OTHER_KIND_H

#include "judge/judge.h"

/**
 * other_kind_claim() - are others like this object, which have no pointer where this function reads one?
 * @at: address of the bad pointer in the object
 * @list: that has the object for an entry; "": none is known
 *
 * Like it are objects of its cache that begin in the same words, in slabs near it, or that stand in the same table of a module's variable.
 * One that has a pointer there is of the kind that the function reads, and the text or numbers may have been written over this one.
 *
 * Return: false: there are none; nothing is claimed.
 */
bool other_kind_claim(struct explain *explain, const char *place, const struct kernel_object *object, u64 at, const char *list);

/* The same of the object that the bad pointer was read from, where the code says which that is. */
bool other_kind_claim_read(struct explain *explain, const char *place);

#endif
