// SPDX-License-Identifier: GPL-2.0-or-later
/* Faults that KASAN, KFENCE, KMSAN, KCSAN or UBSAN saw: what was done, and who had the memory before. */
#include "access.h"
#include "sanitizer.h"

#include <stdio.h>
#include <string.h>

#include "fault/sanitizer_text.h"
#include "judge/words.h"

#define MOST_FRAMES	4

/* Functions of the sanitizer, and others that do it for their caller; docs/signature.md has them as well. */
static bool is_of_caller(const char *function)
{
	static const char *const words[] = {
		"__asan_", "__hwasan_", "do_tag_check_fault", "__kmsan_", "__msan_", "__tsan_", "__ubsan_", "kfence_",
		"kmsan_", "kcsan_", "ubsan_", "check_memory_region", "check_region_inline", "instrument_", "mem", "__mem", "str", "copy_", "__copy_", "_copy_",
		"kfree", "kvfree", "vfree", "kmem_cache_", "__kmem_cache_", "kmalloc", "__kmalloc", "kzalloc", "krealloc", "slab_",
		"__slab_", "___slab_", "____kasan_", "save_stack", "set_track", "stack_trace_save", NULL,
	};

	return plumbing_begins(function, words) || plumbing_has(function);
}

/* Who did what @stack is of; a text of NULL: it has no such frame. */
static struct report_text actor(const struct sanitizer_stack *stack)
{
	return words_frame(&stack->report, is_of_caller);
}

/* Where it happened: in the caller of what only copies. */
static struct report_text sanitizer_place(const struct sanitizer_text *text)
{
	char function[WORDS_FUNCTION];
	struct report_text frame = actor(&text->stacks[SANITIZER_ACCESS]);

	words_function(function, text->place);
	if (text->sanitizer == SANITIZER_UBSAN || !*function || is_of_caller(function))
		return frame.text ? frame : text->place;
	return text->place;
}

void sanitizer_complete(struct kernel_report *report, const struct death *death)
{
	struct sanitizer_text text;
	const struct kernel_report *stack = &text.stacks[SANITIZER_ACCESS].report;
	char function[WORDS_FUNCTION], place[WORDS_FUNCTION];

	if (!sanitizer_text_read(&text, death, report))
		return;
	report->place = sanitizer_place(&text);
	if (!stack->nr_frames)
		return;
	words_function(place, report->place);
	report->nr_frames = 0;
	for (u32 i = 0; i < stack->nr_frames; i++) {
		words_function(function, stack->frames[i]);
		/* The place is no caller of itself. */
		if (!is_of_caller(function) && (report->nr_frames || strcmp(function, place)))
			report->frames[report->nr_frames++] = stack->frames[i];
	}
}

/* "read 8 bytes of", "wrote 1 byte of", "freed", "used" */
static void put_done(char done[40], const struct sanitizer_text *text)
{
	bool is_write = report_text_has(text->access, "Write of size ") || report_text_has(text->fault, "write");
	bool is_read = report_text_has(text->access, "Read of size ") || report_text_has(text->fault, "read");
	const char *at = text->access.text ? memmem(text->access.text, text->access.len, " of size ", 9) : NULL;
	u64 size = at ? report_text_number(text->access, at + 9, 10) : 0;

	if (!is_write && !is_read)
		snprintf(done, 40, "used");
	else if (!size)
		snprintf(done, 40, "%s", is_write ? "wrote to" : "read from");
	else
		snprintf(done, 40, "%s %llu byte%s %s", is_write ? "wrote" : "read", size, size == 1 ? "" : "s", is_write ? "to" : "of");
}

/* RCU frees for others, who had asked for that. */
static bool is_of_rcu(const char *function)
{
	static const char *const words[] = { "rcu_do_batch", "rcu_core", "rcu_nocb", "srcu_invoke_callbacks", "kfree_rcu_", "kvfree_rcu_", "rcu_free_", "__rcu_free_", NULL };

	return plumbing_begins(function, words);
}

static bool is_of_giving(const char *function)
{
	static const char *const words[] = { "call_rcu", "__call_rcu", "kvfree_call_rcu", "kasan_record_aux_stack", "insert_work", "__queue_work", "queue_work", NULL };

	return plumbing_begins(function, words) || is_of_caller(function);
}

/* ": function() had freed it"; "": that is not in the report */
static void put_freed(char who[3 * WORDS_FUNCTION], const struct sanitizer_text *text)
{
	struct report_text frame = actor(&text->stacks[SANITIZER_FREED]), giver = words_frame(&text->stacks[SANITIZER_GIVEN].report, is_of_giving);
	char place[2 * WORDS_FUNCTION], function[WORDS_FUNCTION];

	*who = '\0';
	if (!frame.text)
		return;
	words_place(place, frame);
	words_function(function, frame);
	if (is_of_rcu(function)) {
		words_place(place, giver);
		snprintf(who, 3 * WORDS_FUNCTION, ": RCU had freed it%s%s", giver.text ? ", probably for " : "", giver.text ? place : "");
		return;
	}
	snprintf(who, 3 * WORDS_FUNCTION, ": %s had freed it", place);
}

/* Before 6.0 one report is of both: "double-free or invalid-free". Who freed the memory is kept while it is free. */
static void claim_free(struct explain *explain, const struct sanitizer_text *text, const char *place, const char *freed)
{
	if (report_text_has(text->fault, "double-free") && (*freed || !report_text_has(text->fault, "invalid-free")))
		finding_claim(explain->finding, "double-free", FINDING_SHOWN, "%s freed memory that was free already%s.", place, freed);
	else
		finding_claim(explain->finding, "double-free", FINDING_SHOWN,
			      "%s freed what is no object that is in use: memory that was free already, or a pointer into its middle.", place);
}

static void claim_outside(struct explain *explain, const struct sanitizer_text *text, const char *place, const char *done)
{
	const char *of = report_text_has(text->fault, "stack") ? "a variable on the stack" :
			 report_text_has(text->fault, "global") ? "a global variable" : "an object";

	if (text->sanitizer == SANITIZER_UBSAN)
		finding_claim(explain->finding, "out-of-bounds", FINDING_SHOWN, "%s used an index that its array does not have%s%.*s.", place,
			      text->access.text ? ": " : "", WORDS(text->access));
	/* Both have KASAN_VMALLOC_INVALID for their shadow. */
	else if (report_text_has(text->fault, "vmalloc"))
		finding_claim(explain->finding, "out-of-bounds", FINDING_SHOWN, "%s %s memory beside what vmalloc() gave, or that was given back to it.", place, done);
	else
		finding_claim(explain->finding, "out-of-bounds", FINDING_SHOWN, "%s %s memory beside %s.", place, done, of);
	/* All of a new slab has the shadow of what lies between objects. */
	if (text->sanitizer == SANITIZER_KASAN && report_text_has(text->fault, "slab") && !text->stacks[SANITIZER_ALLOCATED].head.text)
		finding_open(explain->finding, "Which length or index is wrong; or whose pointer was left of an object that was freed before, with its page.");
}

static void claim_corruption(struct explain *explain, const char *place)
{
	finding_claim(explain->finding, "out-of-bounds", FINDING_SHOWN,
		      "Memory beside an object was overwritten: %s noticed it as it freed the object.", place);
	finding_open(explain->finding, "Who wrote there: KFENCE looks at these bytes only when the object is freed.");
}

static void claim_uninitialized(struct explain *explain, const struct sanitizer_text *text, const char *place)
{
	struct report_text frame = actor(&text->stacks[SANITIZER_CREATED]);
	char created[2 * WORDS_FUNCTION], of[3 * WORDS_FUNCTION] = "";

	words_place(created, frame);
	if (frame.text)
		snprintf(of, sizeof(of), ", in memory of %s", created);
	finding_claim(explain->finding, "uninitialized", FINDING_SHOWN, "%s %s%s.", place,
		      report_text_has(text->fault, "infoleak") ? "gave bytes away that were never written" : "used a value that was never written",
		      of);
}

static void claim_race(struct explain *explain, const struct sanitizer_text *text, const char *place)
{
	struct report_text frame = actor(&text->stacks[SANITIZER_OTHER]);
	char other[2 * WORDS_FUNCTION];

	words_place(other, frame);
	finding_claim(explain->finding, "data-race", FINDING_SHOWN, "%s and %s accessed the same memory at the same time, and one of them wrote.",
		      place, frame.text ? other : "another CPU");
	finding_open(explain->finding, "Whether that does harm: KCSAN reports each access that is not marked as meant so.");
}

/* KASAN by tags: memory that is in use, or was, and by a pointer that is not of it. */
static void claim_tag(struct explain *explain, const char *place, const char *done)
{
	finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN, "%s %s memory by a pointer whose tag is not that of the memory.",
		      place, done);
	finding_open(explain->finding, "Whether the memory was freed, lies beside the object, or the pointer is broken: all have another tag.");
}

static void claim(struct explain *explain, const struct sanitizer_text *text)
{
	char place[2 * WORDS_FUNCTION], freed[3 * WORDS_FUNCTION], done[40];
	struct finding *finding = explain->finding;

	words_place(place, sanitizer_place(text));
	put_freed(freed, text);
	put_done(done, text);
	if (text->sanitizer == SANITIZER_KMSAN)
		claim_uninitialized(explain, text, place);
	else if (text->sanitizer == SANITIZER_KCSAN)
		claim_race(explain, text, place);
	else if (report_text_has(text->fault, "double-free") || report_text_has(text->fault, "invalid-free") ||
		 report_text_has(text->fault, "invalid free"))
		claim_free(explain, text, place, freed);
	else if (report_text_has(text->fault, "use-after-scope") || report_text_has(text->fault, "use-after-return"))
		finding_claim(finding, "freed-memory", FINDING_SHOWN, "%s %s a variable on the stack that was gone already.", place, done);
	else if (report_text_has(text->fault, "use-after-"))
		finding_claim(finding, "freed-memory", FINDING_SHOWN, "%s %s memory that was free%s.", place, done, freed);
	else if (report_text_has(text->fault, "memory corruption"))
		claim_corruption(explain, place);
	else if (report_text_has(text->fault, "index-out-of-bounds") ||
		 (text->sanitizer != SANITIZER_UBSAN && report_text_has(text->fault, "out-of-bounds")))
		claim_outside(explain, text, place, done);
	else if (text->sanitizer == SANITIZER_UBSAN)
		finding_claim(finding, "undefined", FINDING_SHOWN, "%s did what C does not define (%.*s)%s%.*s.", place, WORDS(text->fault),
			      text->access.text ? ": " : "", WORDS(text->access));
	else if (report_text_has(text->fault, "null-ptr"))
		finding_claim(finding, "null-pointer", FINDING_SHOWN, "%s %s a NULL pointer.", place, done);
	else if (report_text_has(text->fault, "user-memory"))
		finding_claim(finding, "user-pointer", FINDING_SHOWN, "%s %s an address of user space.", place, done);
	else if (report_text_has(text->fault, "invalid-access"))
		claim_tag(explain, place, done);
	else
		finding_claim(finding, "wild-pointer", FINDING_SHOWN, "%s %s an address that is no memory of the kernel's (%.*s).", place, done,
			      WORDS(text->fault));
}

/* "freed by task 5310: f < g < h" */
static void add_owner_stack(struct finding *finding, const struct sanitizer_stack *stack)
{
	char list[FINDING_TEXT] = "", function[WORDS_FUNCTION];
	struct report_text head = stack->head;
	size_t len = 0;
	u32 nr = 0;

	for (u32 i = 0; i < stack->report.nr_frames && nr < MOST_FRAMES && len < sizeof(list) / 2; i++) {
		words_function(function, stack->report.frames[i]);
		if (*function && !is_of_caller(function))
			len += snprintf(list + len, sizeof(list) - len, "%s%s", nr++ ? " < " : "", function);
	}
	while (head.len && head.text[head.len - 1] == ':')
		head.len--;
	if (nr)
		finding_evidence_timeless(finding, "%.*s: %s", WORDS(head), list);
}

bool judge_sanitizer(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct sanitizer_text text;

	if (!sanitizer_text_read(&text, explain->death, report))
		return false;
	claim(explain, &text);
	words_line_evidence(explain, "", report->title);
	if (text.access.text)
		words_line_evidence(explain, "", text.access);
	for (u32 i = SANITIZER_ALLOCATED; i < SANITIZER_STACKS; i++)
		add_owner_stack(explain->finding, &text.stacks[i]);
	if (text.object.text)
		words_line_evidence(explain, "", text.object);
	if (text.where.text)
		words_line_evidence(explain, "", text.where);
	if (text.region.text)
		words_line_evidence(explain, "", text.region);
	words_callers_evidence(explain, report);
	return true;
}
