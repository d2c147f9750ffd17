// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_words.h"
#include "bad_call.h"
#include "base/kernel_half.h"
#include "fault/address_kind.h"
#include "fault/function_code.h"
#include "free_link.h"
#include "judge/called_table.h"
#include "judge/words.h"
#include "kernel_state/tasks.h"
#include "left_stack.h"
#include "linux_kernel/vmem.h"
#include "module_area.h"
#include "pointer_bytes.h"

/*
 * What calls by a pointer of what others gave it, and what that is. @either: with what such entries are in, where that may have been
 * freed as well; NULL: it is the kernel's own. @took_function: it clears that pointer when it calls. @is_of_sleepers: the kernel's
 * functions that wait have one on their own stack
 */
static const struct called_entry {
	const char *caller;
	const char *entry;
	const char *remove;
	const char *either;
	bool took_function;
	bool is_of_sleepers;
} called_entries[] = {
	{ "__wake_up_common", "An entry of a wait queue", "finish_wait() or remove_wait_queue()", "A wait queue, or an entry of it", false, true },
	{ "notifier_call_chain", "An entry of a chain of notifiers", "the function that unregisters it", "A chain of notifiers, or an entry of it", false, false },
	{ "raw_notifier_call_chain", "An entry of a chain of notifiers", "the function that unregisters it", "A chain of notifiers, or an entry of it", false, false },
	{ "atomic_notifier_call_chain", "An entry of a chain of notifiers", "the function that unregisters it", "A chain of notifiers, or an entry of it", false, false },
	{ "blocking_notifier_call_chain", "An entry of a chain of notifiers", "the function that unregisters it", "A chain of notifiers, or an entry of it", false, false },
	{ "srcu_notifier_call_chain", "An entry of a chain of notifiers", "the function that unregisters it", "A chain of notifiers, or an entry of it", false, false },
	{ "rcu_do_batch", "An object given to call_rcu()", "rcu_barrier()", NULL, true, false },
	{ "tasklet_action_common", "A tasklet", "tasklet_kill()", NULL, false, false },
	{ "call_timer_fn", "A timer", "del_timer_sync()", NULL, false, true },
	{ "__hrtimer_run_queues", "A timer of high resolution", "hrtimer_cancel()", NULL, false, true },
	{ "process_one_work", "A work item", "cancel_work_sync()", NULL, false, false },
};

/* The task on whose stack @va is; its name. */
static bool is_on_stack(const struct explain *explain, u64 va, char name[WORDS_TASK])
{
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;
	bool is = false;

	if (kernel_tasks_open(&tasks, explain->kernel, &err))
		return false;
	for (u32 i = 0; i < tasks->nr && !is; i++) {
		is = tasks->list[i].stack && va - tasks->list[i].stack < tasks->stack_size;
		if (is)
			snprintf(name, WORDS_TASK, "%s-%d", tasks->list[i].comm, tasks->list[i].pid);
	}
	kernel_tasks_close(tasks);
	return is;
}

/* The caller is innocent; the entry is the first argument of what it calls. */
static void open_called_entry(struct explain *explain, const char *caller)
{
	char task[WORDS_TASK];
	u64 entry;

	for (size_t i = 0; i < ARRAY_SIZE(called_entries); i++) {
		const struct called_entry *called = &called_entries[i];

		if (strcmp(caller, called->caller))
			continue;
		if (explain->kernel && fault_text_argument(&explain->fault, &entry) && is_on_stack(explain, entry, task))
			finding_open(explain->finding, "Who left %c%s, on the stack of %s: a function that returned without %s.", called->entry[0] | ' ', called->entry + 1, task,
				     called->remove);
		else if (called->either)
			finding_open(explain->finding, "Whether the object that holds this queue or chain was freed or overwritten too early; or an entry was left in it: look for where %s is missing.",
				     called->remove);
		else
			finding_open(explain->finding, "Who gave %c%s that is overwritten or freed by now: look for where %s is missing.", called->entry[0] | ' ', called->entry + 1,
				     called->remove);
	}
}

/* What kernels call through and return through, against speculation: arch/x86/lib/retpoline.S */
static bool is_thunk(struct report_text place)
{
	static const char *const words[] = {
		"__x86_indirect_", "__pi___x86_indirect_", "__x86_retpoline_", "__x86_return_thunk", "__pi___x86_return_thunk", "srso_", "retbleed_",
		"its_return_thunk", NULL,
	};
	char function[WORDS_FUNCTION];

	words_function(function, place);
	return plumbing_begins(function, words);
}

bool bad_address_is_none(const struct fault_text *fault)
{
	return fault->address >= fault_text_user_end(fault) && !in_kernel_half(fault->address);
}

bool bad_entry_claim(struct explain *explain, const char *doing)
{
	char function[WORDS_FUNCTION];

	words_function(function, explain->cause->place);
	if (!bad_address_is_none(&explain->fault))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(called_entries); i++) {
		const struct called_entry *called = &called_entries[i];

		if (strcmp(function, called->caller))
			continue;
		finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
			      "%s, which the kernel had been given, was freed or overwritten before the kernel was done with it: %s() %s %016llx.",
			      called->either ?: called->entry, function, doing, explain->fault.address);
		open_called_entry(explain, function);
		return true;
	}
	return false;
}

/* What is there, if not code that the kernel may run. */
static const char *what_is_at(const struct fault_text *fault)
{
	return fault->address < fault_text_user_end(fault) ? "where user space has its addresses" : "where no code is";
}

/* Does it call what others gave it? Then it is innocent of what that has become. */
static bool calls_entries(const char *caller)
{
	for (size_t i = 0; i < ARRAY_SIZE(called_entries); i++)
		if (!strcmp(caller, called_entries[i].caller))
			return true;
	return false;
}

/* No function has such an address: what it stood in is damaged. */
static void claim_called_entry(struct explain *explain, const char *caller)
{
	for (size_t i = 0; i < ARRAY_SIZE(called_entries); i++)
		if (!strcmp(caller, called_entries[i].caller) && bad_address_is_none(&explain->fault))
			finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
				      "%s, which the kernel was to call, was freed or overwritten before: %s() called %016llx, where no code is.",
				      called_entries[i].either ?: called_entries[i].entry, caller, explain->fault.address);
}

/* Whatever stands there by now: it was a variable of a function that has come back. */
static void claim_entry_on_stack(struct explain *explain, const char *caller)
{
	char whose[WORDS_TASK];
	u64 entry;

	for (size_t i = 0; i < ARRAY_SIZE(called_entries); i++)
		if (!strcmp(caller, called_entries[i].caller) && !called_entries[i].is_of_sleepers && fault_text_argument(&explain->fault, &entry) &&
		    left_stack_has(whose, explain, entry))
			finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
				      "%s, which the kernel was to call, lies on the stack of %s, %016llx, of a function that has come back: %s() called what stands there now, %016llx, %s.",
				      called_entries[i].entry, whose, entry, caller, explain->fault.address, what_is_at(&explain->fault));
}

/* The kernel names a function of a loaded module there, and no page is mapped: what is freed of one that stays is its start. */
static bool claim_init_code(struct explain *explain)
{
	struct report_text at = explain->cause->place;
	struct fault_text in = { 0 };
	char place[2 * WORDS_FUNCTION];

	fault_text_take_module(&in, at);
	if (!*in.module || access_is_forbidden(explain))
		return false;
	words_place(place, at);
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "The CPU jumped to %s, at %016llx, whose code is there no more although the module is loaded: code of its start (__init), which the kernel frees when a module has started.",
		      place, explain->fault.address);
	finding_open(explain->finding, "What called it so late: a timer, a work item or a callback that must not be __init.");
	return true;
}

/* Was the pointer read from an object that had been freed? What is NULL there need not have been read so. */
static bool claim_freed_pointer(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	char when[80];

	if (!object_is_freed(explain, when) || access->called_since)
		return false;
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s called a function by a pointer that it had read from freed memory: %016llx + 0x%llx%s%s, freed%s. That was %016llx, %s.",
		      place, access->object, access->object_offset, explain->has_slab ? ", in cache " : "",
		      explain->has_slab ? explain->slab.cache : "", when, explain->fault.address, what_is_at(&explain->fault));
	finding_open(explain->finding, "Why it was used after that: who else had the object's address.");
	return true;
}

/* A function came to its end by a jump to there. */
static void claim_jump(struct explain *explain, const char *caller)
{
	const struct faulting_access *access = &explain->access;
	char place[2 * WORDS_FUNCTION], filling[FILLING_WORDS], letters[LETTERS_WORDS], hands[OBJECT_HANDS];
	u64 address = explain->fault.address;

	words_place(place, (struct report_text){ access->jumped_at, strlen(access->jumped_at) });
	pointer_bytes_filling(filling, explain);
	pointer_bytes_letters(letters, explain);
	if (access->is_sure_jump && (free_link_claim(explain, place) || claim_freed_pointer(explain, place)))
		return;
	finding_claim(explain->finding, "wild-pointer", access->is_sure_jump ? FINDING_SHOWN : FINDING_LIKELY,
		      "%s called a function pointer at its end: %016llx, %s%s. It had been called by %s.", place, address, what_is_at(&explain->fault),
		      *letters ? letters : filling, caller);
	finding_open(explain->finding, "Who overwrote or freed the memory of that pointer, or never set it.");
	if (object_changed_hands(explain, hands))
		finding_open(explain->finding, "Perhaps %s.", hands);
}

bool null_entry_claim(struct explain *explain, const char *caller)
{
	for (size_t i = 0; i < ARRAY_SIZE(called_entries); i++) {
		const struct called_entry *called = &called_entries[i];

		if (strcmp(caller, called->caller))
			continue;
		finding_claim(explain->finding, "null-pointer", FINDING_LIKELY, "%s had no function when %s() was to call it (NULL): it %s, or was freed or overwritten before.",
			      called->entry, caller, called->took_function ? "was given twice, and the first call had cleared that" : "never had one, was set up again");
		open_called_entry(explain, caller);
		return true;
	}
	return false;
}

#define SHORTEST_TEXT	6
#define LONGEST_TEXT	40

/* Is a text there, where code should be? */
static bool read_called_text(char text[LONGEST_TEXT + 1], const struct explain *explain)
{
	const struct kernel *kernel = explain->kernel;
	u32 nr = 0, nr_letters = 0;

	if (!kernel || !vmem_get(kernel->vmem, explain->fault.address, text, LONGEST_TEXT))
		return false;
	for (; nr < LONGEST_TEXT && isprint((u8)text[nr]); nr++)
		nr_letters += isalpha((u8)text[nr]) != 0;
	if (nr < LONGEST_TEXT && text[nr])
		return false;
	text[nr] = '\0';
	return nr_letters >= SHORTEST_TEXT;
}

/* What is there may say how it came to be called. */
static void add_target(struct explain *explain)
{
	char text[LONGEST_TEXT + 1];

	if (!read_called_text(text, explain))
		return;
	finding_evidence_timeless(explain->finding, "what was called is the text \"%s\"", text);
	finding_open(explain->finding, "Whether an index went past the end of a table of functions, behind which a pointer to that text stands; or who wrote it over a function's.");
}

/* A return of arm64 goes to where the link register says. A call has left there where its caller goes on: "lr : finish+0x20/0x38". */
static bool is_no_return(const struct explain *explain)
{
	u32 from = 0;
	struct report_text link = report_text_behind(fault_text_line(explain->death, explain->cause, "lr : ", &from), "lr : ");

	return report_text_has(link, "+0x") && !report_text_same(link, explain->cause->place);
}

#define UNSIGNED	(~0ULL >> 16)	/* bits of an address that a signature of it never changes */

bool is_return_of_arm64(const struct explain *explain)
{
	u32 from = 0;
	struct report_text link = report_text_behind(fault_text_line(explain->death, explain->cause, "lr : 0x", &from), "lr : 0x");

	u64 to = link.len ? report_text_number(link, link.text, 16) : 0;

	/* A return leaves the address in the register. The CPU, and the kernel that prints them, change upper bits of both. */
	return link.len && !in_kernel_half(to) && (to & UNSIGNED) == (explain->fault.address & UNSIGNED);
}

void return_of_arm64_claim(struct explain *explain)
{
	finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN,
		      "The CPU returned to %llx, %s: the return address on the stack was overwritten.", explain->fault.address, what_is_at(&explain->fault));
	finding_open(explain->finding, "Who wrote there: the function that returned, beyond an array of its own, one that it called, or another user of the stack. A CPU that checks return addresses has changed some bits of it.");
}

/* Only the dump knows whether what lies on top of the stack is a call of that address. */
void bad_call_claim(struct explain *explain)
{
	struct report_text frame = words_frame(explain->cause, plumbing_is_of_dying);
	const struct report_text guess = explain->cause->guess;
	u64 address = explain->fault.address;
	char caller[2 * WORDS_FUNCTION], function[WORDS_FUNCTION], filling[FILLING_WORDS], letters[LETTERS_WORDS];

	words_place(caller, frame.text ? frame : guess);
	pointer_bytes_filling(filling, explain);
	pointer_bytes_letters(letters, explain);
	if (!explain->fault.is_by_pointer && claim_init_code(explain))
		return;
	if (is_return_of_arm64(explain)) {
		return_of_arm64_claim(explain);
		return;
	}
	if (*explain->access.jumped_at) {
		claim_jump(explain, caller);
		add_target(explain);
		return;
	}
	if (explain->access.is_call) {
		finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN,
			      "The CPU jumped to %016llx, %s%s; %s called it.", address, what_is_at(&explain->fault), *letters ? letters : filling, caller);
		words_function(function, frame.text ? frame : guess);
		if (called_table_claim(explain, frame.text ? frame : guess, caller))
			return;
		if (!calls_entries(function) && (free_link_claim(explain, caller) || claim_freed_pointer(explain, caller)))
			return;
		claim_called_entry(explain, function);
		claim_entry_on_stack(explain, function);
		open_called_entry(explain, function);
		add_target(explain);
		return;
	}
	if ((explain->fault.is_by_pointer && (frame.text || explain->cause->place.text)) || (frame.text && is_no_return(explain))) {
		bool is_place = explain->fault.is_by_pointer && explain->cause->place.text && !is_thunk(explain->cause->place);

		if (is_place)
			words_place(caller, explain->cause->place);
		/* A call at a function's end is a jump, and leaves no frame. */
		finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN, "A function pointer was %016llx, %s%s, and was called, by %s%s.",
			      address, what_is_at(&explain->fault), *letters ? letters : filling, caller, is_place ? "" : " or at the end of what that called");
		words_function(function, is_place ? explain->cause->place : frame);
		claim_called_entry(explain, function);
		claim_entry_on_stack(explain, function);
		open_called_entry(explain, function);
		return;
	}
	finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN, "The CPU jumped to %016llx, %s%s.", address,
		      what_is_at(&explain->fault), *letters ? letters : filling);
	finding_open(explain->finding, "Whether a bad function pointer was called, or a return address on the stack was overwritten.");
	if (!access_is_forbidden(explain))
		module_area_add(explain);
	if (frame.text || guess.text)
		finding_evidence_timeless(explain->finding, "possible: %s called it; %s", caller,
					  frame.text ? "it is the next of the call trace" : "that lies on top of the stack, perhaps from earlier");
}

/* By a thunk that kernels use against speculation; or by the instruction itself, C3 or C2. */
bool is_bad_return(const struct explain *explain)
{
	struct function_code *code;
	bool is_of_call;
	u8 first = 0;

	if (explain->fault.has_address || !report_text_has(explain->cause->title, "general protection fault"))
		return false;
	is_of_call = report_text_has(explain->cause->place, "__x86_indirect_") || report_text_has(explain->cause->place, "__x86_retpoline_");
	if (is_thunk(explain->cause->place) || is_of_call)
		return !is_of_call;
	code = calloc(1, sizeof(*code));
	if (code && function_code_read(code, explain->kernel, explain->death, explain->cause) && code->at >= code->from &&
	    code->at - code->from < code->len)
		first = code->bytes[code->at - code->from];
	free(code);
	return first == 0xc3 || first == 0xc2;
}

/* Only a return address that no address can be does that: Intel's manual, volume 2, RET. */
void bad_return_claim(struct explain *explain)
{
	char place[2 * WORDS_FUNCTION];

	words_place(place, explain->cause->place);
	finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN,
		      "%s returned to an address that no memory can have: the return address on the stack was overwritten.",
		      is_thunk(explain->cause->place) ? "A function" : place);
	finding_open(explain->finding, "Who wrote there: that function beyond an array of its own, one that it called, or another user of the stack.");
}

void bad_target_take(struct explain *explain)
{
	const struct instruction *instruction = &explain->access.instruction;
	struct fault_text *fault = &explain->fault;
	u64 target;

	if (fault->has_address || !explain->access.is_decoded || !report_text_has(explain->cause->title, "general protection fault") ||
	    instruction->called == INSTRUCTION_NO_REGISTER || (!instruction->is_call && !instruction->jumps) ||
	    !fault_text_register(fault, instruction_register(instruction->set, instruction->called), &target) || fault_text_can_be(target))
		return;
	fault->address = target;
	fault->has_address = fault->is_by_pointer = true;
	fault->access = FAULT_CALL;
}

/* ", 0x18 behind the start of an object of cache kmalloc-64", and the name that the types give: "; probably req->ops->done". */
static void put_target_place(char text[FINDING_TEXT / 2], const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const char *field = *access->field ? access->field : access->pointer;
	struct kernel_object object;
	size_t len = 0;

	*text = '\0';
	if (explain->kernel && kernel_object_at(explain->kernel, access->address, &object))
		len = snprintf(text, FINDING_TEXT / 2, ", 0x%llx behind the start of an object of cache %s%s", access->address - object.start, object.cache,
			       object.state == KOBJECT_FREE ? ", which is free by now" : "");
	if (*field && len < FINDING_TEXT / 2)
		snprintf(text + len, FINDING_TEXT / 2 - len, " (%s%s)", access->is_certain ? "" : "probably ", field);
}

bool bad_target_claim(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	char where[FINDING_TEXT / 2];

	if (!access->is_decoded || (!access->instruction.is_call && !access->instruction.jumps) || !access->has_memory ||
	    !access->agrees || !fault_text_can_be(access->address))
		return false;
	put_target_place(where, explain);
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s called a function by the pointer at %016llx%s, and what stands there is no address.", place, access->address, where);
	finding_open(explain->finding, "Who overwrote or freed the memory of that pointer, or never set it.");
	return true;
}
