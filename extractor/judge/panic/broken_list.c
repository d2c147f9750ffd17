// SPDX-License-Identifier: GPL-2.0-or-later
#include "broken_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "cleared_head.h"
#include "fault/address_kind.h"
#include "judge/words.h"
#include "kernel_state/kernel_text.h"
#include "kernel_state/tasks.h"
#include "kernel_state/unwind.h"

/* "prev->next should be X, but was @was. (prev=@entry)", and the same of next: a neighbour that leads elsewhere. */
static bool read_neighbour(struct report_text line, u64 *entry, u64 *was)
{
	const char *word = line.text ? memmem(line.text, line.len, " but was ", 9) : NULL;
	size_t left = word ? line.text + line.len - word : 0;
	const char *at = word ? memmem(word, left, "(next=", 6) ?: memmem(word, left, "(prev=", 6) : NULL;

	if (!at)
		return false;
	*entry = report_text_number(line, at + 6, 16);
	*was = report_text_number(line, word + 9, 16);
	return in_kernel_half(*entry);
}

#define IMAGE	(~0ULL << 31)	/* of x86-64: here begin the variables of the kernel and of modules, which are not given out anew */

/* It points to itself, as one that is in no list. */
static void claim_alone(struct explain *explain, const char *place, u64 entry)
{
	char name[KERNEL_SYMBOL_MAX] = "";

	if (words_symbol(explain, entry, name, sizeof(name)))
		finding_evidence_timeless(explain->finding, "that entry is %.120s", name);
	finding_claim(explain->finding, "list-corruption", FINDING_SHOWN,
		      "%s found a list in which an entry, %016llx, points to itself: it was set up again (INIT_LIST_HEAD(), INIT_WORK() and the like)%s, or taken out without the lock, while it was in the list.",
		      place, entry, entry < IMAGE ? ", freed and given out anew" : "");
}

/* "f+0x0/0x10 [module]", if code is there. By a dump alone. */
static bool is_code(const struct explain *explain, u64 address, char name[KERNEL_SYMBOL_MAX])
{
	struct kernel_text text;

	return explain->kernel && kernel_text_find(&text, explain->kernel) && kernel_text_has(&text, address) &&
	       words_symbol(explain, address, name, KERNEL_SYMBOL_MAX) && strchr(name, '+');
}

/* Whose stack it is on. False: on none of a task that is there. */
static bool is_on_stack_of(const struct explain *explain, u64 address, char whose[80])
{
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;
	bool is = false;

	if (!explain->kernel || kernel_tasks_open(&tasks, explain->kernel, &err))
		return false;
	for (u32 i = 0; i < tasks->nr && !is; i++) {
		is = tasks->list[i].stack && address - tasks->list[i].stack < tasks->stack_size;
		if (is)
			snprintf(whose, 80, "%.16s-%d", tasks->list[i].comm, tasks->list[i].pid);
	}
	kernel_tasks_close(tasks);
	return is;
}

/* list_del() leaves its poison in what it took out, and something in the list still leads there. */
static void claim_poisoned_neighbour(struct explain *explain, const char *place, u64 entry)
{
	finding_claim(explain->finding, "list-corruption", FINDING_SHOWN,
		      "%s found a list that leads to an entry which list_del() took out, %016llx: it has the poison of that.", place, entry);
	finding_open(explain->finding, "How the list still leads there: list_splice() without _init left the old head as it was, the entry was in two lists, or two changed the list at once. What noticed it need not be to blame.");
}

/* A return address is there, which the CPU wrote at a call: that part of the stack was given back, and is used anew. */
static void claim_left_frame(struct explain *explain, const char *place, u64 entry, const char *whose, const char *name)
{
	finding_claim(explain->finding, "list-corruption", FINDING_LIKELY,
		      "%s found a list with an entry on the stack of %s, %016llx, of a function that has come back: a return address is there now.", place, whose, entry);
	finding_open(explain->finding, "Which function of that task left its variable in a list, as a work item, a timer or a waiter: on a way out after a time-out, or an error. Who noticed it need not be to blame.");
	finding_evidence_timeless(explain->finding, "the entry has %.120s for its neighbour", name);
}

/* No list leads to code: another member is there, of what has that memory by now, or of what begins in front and is too long. */
static void claim_function(struct explain *explain, const char *place, u64 entry, const char *name)
{
	char function[2 * WORDS_FUNCTION];

	words_place(function, (struct report_text){ name, (u32)strlen(name) });
	finding_claim(explain->finding, "list-corruption", FINDING_SHOWN,
		      "%s found a list with an entry that was written over, %016llx: where its neighbour was it has the address of the function %s.", place, entry, function);
	finding_open(explain->finding, "What keeps a pointer to that function wrote there: the entry was freed and is another's by now, or what lies in front of it reaches into it. Who noticed it need not be to blame.");
}

/* Of a neighbour that leads elsewhere, what its pointer is by now. */
static bool claim_neighbour(struct explain *explain, const char *place, struct report_text line)
{
	char name[KERNEL_SYMBOL_MAX], whose[80];
	u64 entry, was;

	if (!read_neighbour(line, &entry, &was))
		return false;
	if (was == entry) {
		claim_alone(explain, place, entry);
		finding_open(explain->finding, "Who damaged the list: this is who noticed it.");
		return true;
	}
	if (address_kind(was, ADDRESS_USER_END) == ADDRESS_DELETED) {
		claim_poisoned_neighbour(explain, place, entry);
		return true;
	}
	if (explain->kernel)
		was = kernel_return_address(explain->kernel, was);
	if (!is_code(explain, was, name))
		return false;
	if (strstr(name, "+0x0/"))
		claim_function(explain, place, entry, name);
	else if (is_on_stack_of(explain, entry, whose))
		claim_left_frame(explain, place, entry, whose, name);
	else
		return false;
	return true;
}

void broken_list_claim(struct explain *explain, const char *place, struct report_text line)
{
	struct finding *finding = explain->finding;

	if (claim_neighbour(explain, place, line) || cleared_head_claim(explain, place, line))
		return;
	if (report_text_has(line, "is LIST_POISON"))
		finding_claim(finding, "list-corruption", FINDING_SHOWN,
			      "%s took an entry out of a list that it was taken out of before.", place);
	else if (report_text_has(line, "double add"))
		finding_claim(finding, "list-corruption", FINDING_SHOWN,
			      "%s put an entry into a list in which it is already.", place);
	else if (report_text_has(line, "list_add corruption. prev is NULL") || report_text_has(line, "list_add corruption. next is NULL"))
		finding_claim(finding, "list-corruption", FINDING_SHOWN,
			      "%s put an entry into a list that has NULL where its neighbour should be: the head of the list was never set up (INIT_LIST_HEAD()), or its memory was cleared.", place);
	else if (report_text_has(line, "->next is NULL") || report_text_has(line, "->prev is NULL"))
		finding_claim(finding, "list-corruption", FINDING_SHOWN,
			      "%s took an entry out of a list that has no neighbours, but NULL: it was never in one, or its memory was cleared.", place);
	else if (report_text_has(line, "6b6b6b6b6b6b"))
		finding_claim(finding, "list-corruption", FINDING_LIKELY,
			      "%s found a list whose neighbour was freed: its pointers are the slab allocator's poison 0x6b.",
			      place);
	else
		finding_claim(finding, "list-corruption", line.text || report_text_has(explain->cause->title, "list_debug.c") ? FINDING_SHOWN : FINDING_LIKELY,
			      "%s found a list whose neighbours do not point to each other: an entry was freed, overwritten, never set up, or changed without its lock.",
			      place);
	if (report_text_has(line, "double add"))
		finding_open(finding, "Who put it there first.");
	else if (report_text_has(line, "list_add "))
		finding_open(finding, report_text_has(line, " is NULL") ? "Which of the two: look at where the memory of the list's head is from." :
							       "Who damaged the list: this is who noticed it.");
	else if (report_text_has(line, " is NULL"))
		finding_open(finding, "Whether it had been put into a list by then; list_del() may be on a way of the code on which it was not.");
	else
		finding_open(finding, "Who damaged the list: this is who noticed it.");
}
