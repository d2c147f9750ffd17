/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pointers that were NULL or an error number, or that were made of one by an offset. */
#ifndef EPITAPH_JUDGE_NULL_POINTER_H
#define EPITAPH_JUDGE_NULL_POINTER_H

#include "fault/address_kind.h"
#include "judge/judge.h"

/* Was the pointer NULL? In front of a NULL pointer is NULL as well. */
bool is_null_pointer(const struct explain *explain, enum address_kind kind);

/* Had the pointer an error number? The instruction knows; without it, any register may. */
bool is_error_pointer(const struct explain *explain, enum address_kind kind);

/* @place: what a sentence begins with */
void null_pointer_claim(struct explain *explain, const char *place);
void error_pointer_claim(struct explain *explain, const char *place);

#endif
