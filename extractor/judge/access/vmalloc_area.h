/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses behind an area of vmalloc() or ioremap(), or in one that was freed. */
#ifndef EPITAPH_JUDGE_ACCESS_VMALLOC_AREA_H
#define EPITAPH_JUDGE_ACCESS_VMALLOC_AREA_H

#include "judge/judge.h"

/* The claim, by the page tables of the dump; @doing: "read at". False: it is neither, or they are not there. */
bool vmalloc_area_claim(struct explain *explain, const char *place, const char *doing);

/* Is it the struct page of an address of vmalloc(), which has none there? */
bool vmalloc_page_claim(struct explain *explain, const char *place, const char *doing);

#endif
