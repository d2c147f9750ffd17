// SPDX-License-Identifier: GPL-2.0-or-later
#include "null_pointer.h"

#include <stdio.h>
#include <string.h>

#include "access_words.h"
#include "bad_call.h"
#include "judge/words.h"
#include "member_writer.h"

static bool is_error(u64 value)
{
	return value >= -4095ULL;
}

/* container_of() of NULL, or of an entry near it, has the value of an error number. */
static bool is_around_null(const struct faulting_access *access)
{
	return access->memory.index < 0 && is_error(access->pointer_value) && (!access->base || !access->address);
}

/* A register that has an error number, to which the address is a field behind: its place; -1: none. */
static s64 error_register(const struct fault_text *fault)
{
	for (u32 i = 0; i < fault->nr_registers; i++)
		if (strcmp(fault->registers[i].name, "CR2") && fault->registers[i].value >= -4095ULL &&
		    fault->address - fault->registers[i].value < ADDRESS_PAGE)
			return i;
	return -1;
}

/* Has one of the registers that a pointer is in a value from which NULL plus an offset gets to the address? */
static bool has_null_register(const struct fault_text *fault)
{
	for (u32 i = 0; i < fault->nr_registers; i++)
		if ((*fault->registers[i].name == 'R' || *fault->registers[i].name == 'x') &&
		    fault->registers[i].value <= fault->address)
			return true;
	return false;
}

/* Has a register a number, but 0, of which the address may be a field? It need not be the pointer. */
static bool has_small_register(const struct fault_text *fault)
{
	for (u32 i = 0; i < fault->nr_registers; i++) {
		const struct fault_register *reg = &fault->registers[i];

		if ((*reg->name == 'R' || *reg->name == 'x') && reg->value && reg->value < fault->address && !((fault->address - reg->value) % 4))
			return true;
	}
	return false;
}

/* The number of an error that base or index has, if the address is a field or an element behind it; 0: none. */
static u64 indexed_error(const struct faulting_access *access)
{
	if (is_error(access->base) && access->address - access->base < ADDRESS_PAGE)
		return access->base;
	if (access->memory.scale == 1 && is_error(access->index) && access->address - access->index < ADDRESS_PAGE)
		return access->index;
	return 0;
}

bool is_null_pointer(const struct explain *explain, enum address_kind kind)
{
	const struct faulting_access *access = &explain->access;

	return kind == ADDRESS_NULL || (access_is_traced(explain) && kind == ADDRESS_ERROR &&
					(access->pointer_value < ADDRESS_PAGE || is_around_null(access)));
}

bool is_error_pointer(const struct explain *explain, enum address_kind kind)
{
	const struct faulting_access *access = &explain->access;

	if (access_is_traced(explain) && explain->fault.access != FAULT_CALL)
		return access->memory.index >= 0 ? indexed_error(access) :
						   is_error(access->pointer_value) && !is_around_null(access);
	return kind == ADDRESS_ERROR ||
	       (kind == ADDRESS_NULL && explain->fault.address && error_register(&explain->fault) >= 0 &&
		!has_null_register(&explain->fault));
}

/* What was read out of memory that is another's by now need not be what was written. */
static void open_hands(struct explain *explain)
{
	char hands[OBJECT_HANDS];

	if (explain->access.has_object && object_changed_hands(explain, hands))
		finding_open(explain->finding, "Perhaps %s.", hands);
}

/* Of a member that was NULL: which functions of the module can have set it, or cleared it. */
static void open_writers(struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	char place[2 * WORDS_FUNCTION];
	struct member_writers writers;
	char where[WORDS_FUNCTION];
	u64 offset;

	if (access->pointer_value || !member_writer_find(&writers, &offset, explain))
		return;
	words_behind_start(where, offset);
	if (writers.nr_clearing == 1) {
		snprintf(explain->clearing, sizeof(explain->clearing), "%s", writers.clearing);
		explain->clearing_at = offset;
		explain->cleared_by = writers.cleared_at;
		words_place(place, (struct report_text){ writers.clearing, strlen(writers.clearing) });
		finding_open(explain->finding, "Whether %s cleared it: that alone, of what this module has, writes NULL %s. If it did not, look at what sets it.", place,
			     where);
		return;
	}
	if (writers.nr != 1 || writers.nr_clearing)
		return;
	words_place(place, (struct report_text){ writers.name, strlen(writers.name) });
	finding_open(explain->finding, "Whether %s had not set it yet, or it was lost since, as in memory that was freed or cleared: that alone, of what this module has, writes 8 bytes %s.", place, where);
}

/* What the function was given is what its caller had read, and is NULL. */
static void claim_given_member(struct explain *explain, const char *place, const char *verb, const char *giver)
{
	const struct faulting_access *access = &explain->access;
	char words[ACCESS_WORDS];

	access_words_field(words, access);
	finding_claim(explain->finding, "null-pointer", FINDING_SHOWN, "%s %s %s a NULL pointer, which %s had read 0x%llx behind another one and gave it%s%s.", place, verb,
		      words, giver, access->member, *access->given ? ": " : "", access->given);
	if (*access->given)
		finding_open(explain->finding, "Why %s was NULL.", access->given);
	else
		finding_open(explain->finding, "Why that was NULL. The source at this place says which member it is.");
}

/* What the function was given is a member of an object that its caller has not: by the code of both. */
static void claim_given_null(struct explain *explain, const char *place, const char *verb)
{
	const struct faulting_access *access = &explain->access;
	const char *member = *access->given ? strrchr(access->given, '>') : NULL;
	char giver[2 * WORDS_FUNCTION];

	words_place(giver, (struct report_text){ access->giver, strlen(access->giver) });
	if (!access->pointer_value) {
		claim_given_member(explain, place, verb, giver);
		return;
	}
	if (!access->is_given_pointer) {
		finding_claim(explain->finding, "null-pointer", FINDING_LIKELY,
			      "%s %s address 0x%llx: %s gave it that, by its code 0x%llx and what was 0%s%s: a NULL pointer, or a number that is no pointer, as an offset.", place,
			      verb, access->address, giver, access->pointer_value, *access->given ? ", " : "", access->given);
		finding_open(explain->finding, "Which of the two. The source of the caller says what it is.");
		return;
	}
	finding_claim(explain->finding, "null-pointer", FINDING_SHOWN,
		      "%s %s address 0x%llx: %s gave it what is 0x%llx behind a NULL pointer%s%s.", place, verb, access->address, giver, access->pointer_value,
		      *access->given ? ", which is " : "", access->given);
	if (!strncmp(access->given, "current->", 9) && member && !strcmp(member, ">mm"))
		finding_open(explain->finding, "Why a thread of the kernel comes there: it has no current->mm, and so have tasks that end. kthread_use_mm() borrows one.");
	else if (*access->given)
		finding_open(explain->finding, "Why %s was NULL.", access->given);
	else
		finding_open(explain->finding, "Why that pointer was NULL. The source at this place says which one it is.");
}

/* Of what was used as a pointer, as a function had returned it. */
static void open_result(struct explain *explain, const char *did)
{
	const char *by = explain->access.returned_by;
	char function[WORDS_FUNCTION];

	words_function(function, (struct report_text){ by, strlen(by) });
	finding_open(explain->finding, "Why %.100s() %s. If it may do so, what it returns has to be looked at.", function, did);
}

/* A pointer below a page: NULL, or nearly. */
static void claim_traced_null(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	const char *verb = access_words_traced_verb(access, explain->fault.access);
	struct finding *finding = explain->finding;
	char words[ACCESS_WORDS], names[ACCESS_NAMES], reg[HOLDER_WORDS], registers[REGISTERS_WORDS];

	access_words_field(words, access);
	access_words_names(names, access, "NULL");
	access_words_holder(reg, access);
	access_words_registers(registers, access);
	if (is_around_null(access))
		finding_claim(finding, "null-pointer", FINDING_POSSIBLE,
			      "%s %s %s a pointer that was %lld%s: NULL, of which an offset was taken away (container_of()), or an error number that was taken for a pointer.",
			      place, verb, words, (s64)access->pointer_value, reg);
	else if (access->memory.scale == 1 && access->index && access->index < ADDRESS_PAGE)
		finding_claim(finding, "null-pointer", FINDING_LIKELY,
			      "%s %s address 0x%llx, which is %s: NULL plus an index or an offset, or a small number taken for a pointer.",
			      place, verb, access->address, registers);
	else if (access->pointer_value >= ADDRESS_PAGE)
		finding_claim(finding, "null-pointer", FINDING_POSSIBLE,
			      "%s %s address 0x%llx, which is %s: NULL, or a pointer and an index that do not fit.",
			      place, verb, access->address, registers);
	else if (access->is_given_null)
		claim_given_null(explain, place, verb);
	else if (access->pointer_value)
		finding_claim(finding, "null-pointer", FINDING_LIKELY,
			      "%s %s %s a pointer that was 0x%llx%s: NULL plus an offset, or a small number taken for a pointer.",
			      place, verb, words, access->pointer_value, reg);
	else
		finding_claim(finding, "null-pointer", FINDING_SHOWN, "%s %s %s a NULL pointer%s%s.", place, verb, words,
			      reg, names);
	if (*access->returned_by && !access->pointer_value)
		open_result(explain, "returned NULL");
	else if (*access->pointer && access->is_certain && !access->pointer_value)
		finding_open(finding, "Why %s was NULL.", access->pointer);
	else if (!access->is_given_null)
		finding_open(finding, "Where the pointer got this value. The source at this place says which pointer it is.");
	open_writers(explain);
	open_hands(explain);
}

/* A call at a function's end: ", by f() at its end; g() had called that" */
static void put_jump(char text[5 * WORDS_FUNCTION], const struct faulting_access *access, const char *caller)
{
	char place[2 * WORDS_FUNCTION];

	words_place(place, (struct report_text){ access->jumped_at, strlen(access->jumped_at) });
	snprintf(text, 5 * WORDS_FUNCTION, ", by %s, at its end; %.250s had called that", place, caller);
}

/* Only the dump knows whether what lies on top of the stack is a call of that address. */
static void claim_called(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	struct report_text guess = explain->cause->guess, frame = words_frame(explain->cause, plumbing_is_of_dying);
	char caller[2 * WORDS_FUNCTION], function[WORDS_FUNCTION], by[5 * WORDS_FUNCTION] = "", was[24] = "NULL";
	u64 address = explain->fault.address;
	bool is_sure;
	u32 from = 0;

	if (is_return_of_arm64(explain)) {
		return_of_arm64_claim(explain);
		return;
	}
	words_place(caller, guess);
	if (address)
		snprintf(was, sizeof(was), "0x%llx", address);
	if (*access->jumped_at)
		put_jump(by, access, frame.text ? place : caller);
	else if (*access->tail && (frame.text || guess.text))
		snprintf(by, sizeof(by), ", at the end of %s() or of what that called; %s had called that", access->tail, frame.text ? place : caller);
	else if (frame.text)
		snprintf(by, sizeof(by), ", by %s%s", place, access->is_call ? "" : " or at the end of what that called");
	else if (guess.text && access->is_call)
		snprintf(by, sizeof(by), ", by %s", caller);
	else if (guess.text)
		finding_evidence_timeless(explain->finding, "possible: %s called it; that lies on top of the stack, perhaps from earlier", caller);
	/* A return to an address that was overwritten with zeros is no call. */
	if (!*by) {
		finding_claim(explain->finding, "null-pointer", FINDING_SHOWN,
			      "The CPU jumped to 0x%llx, where no code is: a function pointer that was %s was called, or a return address on the stack was overwritten.",
			      address, was);
		finding_open(explain->finding, "Which of the two. Neither the call trace nor code in this file shows a call.");
		return;
	}
	/* x86 takes what lies on top of the stack for the caller. */
	is_sure = *access->jumped_at ? access->is_sure_jump : access->is_call || *access->tail || !fault_text_line(explain->death, explain->cause, "RIP: 0010:", &from).text;
	finding_claim(explain->finding, "null-pointer", address || !is_sure ? FINDING_LIKELY : FINDING_SHOWN,
		      "A function pointer was %s%s and was called%s%s%s%s%s.", was, address ? ", which is no address," : "", by,
		      *access->pointer ? ": " : "", *access->pointer && !access->is_certain ? "probably " : "", access->pointer,
		      address ? "; its memory was overwritten, freed or never set up, or it was NULL plus that" : "");
	finding_open(explain->finding, "Why it was %s. The source at this place says which pointer it is.", was);
	open_hands(explain);
	words_function(function, frame.text ? frame : guess);
	if (!address && access->is_call && !*access->jumped_at && !*access->tail)
		null_entry_claim(explain, function);
}

void null_pointer_claim(struct explain *explain, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	struct finding *finding = explain->finding;

	if (access_is_traced(explain) && fault->access != FAULT_CALL) {
		claim_traced_null(explain, place);
		return;
	}
	if (fault->access == FAULT_CALL) {
		claim_called(explain, place);
		return;
	}
	if (fault->address && error_register(fault) >= 0)
		finding_claim(finding, "null-pointer", FINDING_POSSIBLE,
			      "%s %s address 0x%llx: a NULL pointer plus that, or an error number that was taken for a pointer, such as %lld in %s.",
			      place, access_words_verb(fault->access), fault->address,
			      (s64)fault->registers[error_register(fault)].value, fault->registers[error_register(fault)].name);
	else if (fault->address && has_small_register(fault))
		finding_claim(finding, "null-pointer", FINDING_LIKELY,
			      "%s %s address 0x%llx: a NULL pointer plus that, probably a field of a structure; or a small number that was taken for a pointer.",
			      place, access_words_verb(fault->access), fault->address);
	else if (fault->address)
		finding_claim(finding, "null-pointer", FINDING_SHOWN,
			      "%s %s address 0x%llx: a NULL pointer plus that, probably a field of a structure.",
			      place, access_words_verb(fault->access), fault->address);
	else if (fault->is_page)
		finding_claim(finding, "null-pointer", FINDING_LIKELY, "%s %s in the first page: through a NULL pointer, or a small number that was taken for a pointer.", place,
			      access_words_verb(fault->access));
	else
		finding_claim(finding, "null-pointer", FINDING_SHOWN, "%s %s through a NULL pointer.", place,
			      access_words_verb(fault->access));
	if (finding->strength == FINDING_POSSIBLE)
		finding_open(finding, "Which of the two. The source at this place says which pointer it is.");
	else if (finding->strength == FINDING_LIKELY)
		finding_open(finding, "Where the pointer got this value. The source at this place says which pointer it is.");
	else
		finding_open(finding, "Why it was NULL. The source at this place says which pointer it is.");
}

/* ", which is ENOENT" */
static void put_error(char text[40], s64 number)
{
	const char *name = access_words_error(number);

	snprintf(text, 40, "%s%.24s", *name ? ", which is " : "", name);
}

/* Base and index: either may be the pointer, or both are right and do not fit. */
static void claim_indexed_error(struct explain *explain, const char *place, u64 number)
{
	const struct faulting_access *access = &explain->access;
	char error[40], registers[REGISTERS_WORDS];

	put_error(error, (s64)number);
	access_words_registers(registers, access);
	finding_claim(explain->finding, "error-pointer", FINDING_POSSIBLE,
		      "%s %s %u bytes at %s, where one has %lld: an error number that was taken for a pointer%s, or a pointer and an index that do not fit.",
		      place, access_words_traced_verb(access, explain->fault.access), access->memory.size, registers, (s64)number, error);
}

/* Which function of the module wrote the error number where it was read. */
static void open_failed_call(struct explain *explain)
{
	char place[2 * WORDS_FUNCTION];
	struct member_writers writers;
	u64 offset;

	if (!member_writer_find(&writers, &offset, explain) || writers.nr != 1)
		return;
	words_place(place, (struct report_text){ writers.name, strlen(writers.name) });
	finding_open(explain->finding, "Which call of %s failed: that alone, of what this module has, writes 8 bytes 0x%llx behind the start of an object. It has to look at IS_ERR().",
		     place, offset);
}

static void claim_traced_error(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	s64 number = (s64)access->pointer_value;
	char words[ACCESS_WORDS], names[ACCESS_NAMES], error[40], reg[HOLDER_WORDS];

	put_error(error, number);
	access_words_field(words, access);
	access_words_names(names, access, "that");
	access_words_holder(reg, access);
	/* What container_of() takes away is a multiple of 8. */
	if (number % 8)
		finding_claim(explain->finding, "error-pointer", FINDING_LIKELY,
			      "%s %s %s an error number that was taken for a pointer: ERR_PTR(%lld)%s%s%s%s.", place,
			      access_words_traced_verb(access, explain->fault.access), words, number, *access_words_register(access) ? ", in " : "",
			      access_words_register(access), error, names);
	else
		finding_claim(explain->finding, "error-pointer", FINDING_POSSIBLE,
			      "%s %s %s a pointer that was %lld%s: an error number that was taken for a pointer%s, or NULL, of which an offset was taken away (container_of()).",
			      place, access_words_traced_verb(access, explain->fault.access), words, number, reg, error);
}

void error_pointer_claim(struct explain *explain, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	s64 reg = error_register(fault);
	char error[40];

	put_error(error, reg >= 0 ? (s64)fault->registers[reg].value : 0);
	if (access_is_traced(explain) && explain->access.memory.index >= 0)
		claim_indexed_error(explain, place, indexed_error(&explain->access));
	else if (access_is_traced(explain))
		claim_traced_error(explain, place);
	else if (reg >= 0 && !((s64)fault->registers[reg].value % 8))
		finding_claim(explain->finding, "error-pointer", FINDING_POSSIBLE,
			      "%s %s through a pointer that was %lld (%s): an error number that was taken for a pointer%s, or NULL, of which an offset was taken away (container_of()).",
			      place, access_words_verb(fault->access), (s64)fault->registers[reg].value,
			      fault->registers[reg].name, error);
	else if (reg >= 0)
		finding_claim(explain->finding, "error-pointer", FINDING_LIKELY,
			      "%s %s through an error number that was taken for a pointer: ERR_PTR(%lld), in %s%s.",
			      place, access_words_verb(fault->access), (s64)fault->registers[reg].value,
			      fault->registers[reg].name, error);
	else
		finding_claim(explain->finding, "error-pointer", FINDING_POSSIBLE,
			      "%s %s at %lld: through an error number that was taken for a pointer, or in front of a NULL pointer.",
			      place, access_words_verb(fault->access), (s64)fault->address);
	finding_open(explain->finding, "Which call failed: its caller did not look at IS_ERR().");
	if (access_is_traced(explain) && *explain->access.returned_by)
		open_result(explain, "failed");
	else if (access_is_traced(explain) && explain->access.memory.index < 0)
		open_failed_call(explain);
}
