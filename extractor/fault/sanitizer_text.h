/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What KASAN, KFENCE, KMSAN, KCSAN and UBSAN say of a fault: what was accessed, where, and who had it before.
 *
 * The words are those of mm/kasan/report.c and report_generic.c, mm/kfence/report.c, mm/kmsan/report.c,
 * kernel/kcsan/report.c and lib/ubsan.c, 5.10 to 6.12.
 */
#ifndef EPITAPH_FAULT_SANITIZER_TEXT_H
#define EPITAPH_FAULT_SANITIZER_TEXT_H

#include "timeline/death.h"

/* Of what a stack is. */
enum sanitizer_stack_kind {
	SANITIZER_ACCESS,
	SANITIZER_ALLOCATED,
	SANITIZER_FREED,
	SANITIZER_GIVEN,	/* to RCU, or to a workqueue, and last */
	SANITIZER_CREATED,	/* the memory that was never written */
	SANITIZER_OTHER,	/* the second access of a race */
	SANITIZER_STACKS,
};

/**
 * struct sanitizer_stack - who did it
 * @head: the line above the frames; a text of NULL: there is none
 * @report: its frames alone count
 */
struct sanitizer_stack {
	struct report_text head;
	struct kernel_report report;
};

/**
 * struct sanitizer_text - one report
 * @fault: "slab-use-after-free", "use-after-free read", "array-index-out-of-bounds"
 * @place: "function+0x1/0x20 [module]", "file:line:column" of UBSAN
 * @access: "Read of size 8 at addr ...", "index 8 is out of range for type 'int [4]'"; a text of NULL: none
 * @object: "which belongs to the cache ..." or "kfence-#3: ..."; a text of NULL: none
 * @where: "The buggy address is located 24 bytes inside of"; a text of NULL: none
 * @region: "freed 96-byte region [...)", the line below it
 */
struct sanitizer_text {
	enum sanitizer sanitizer;
	struct report_text fault;
	struct report_text place;
	struct report_text access;
	struct report_text object;
	struct report_text where;
	struct report_text region;
	struct sanitizer_stack stacks[SANITIZER_STACKS];
};

/* Return: false: @report is none of them, or NULL. */
bool sanitizer_text_read(struct sanitizer_text *text, const struct death *death, const struct kernel_report *report);

#endif
