// SPDX-License-Identifier: GPL-2.0-or-later
/* Accesses by pointers that were NULL, freed, poisoned or wild. */
#include <string.h>

#include "words.h"

#define PAGE		4096
#define LIST_POISON	0xdead000000000000ULL	/* CONFIG_ILLEGAL_POINTER_VALUE */
#define USER_END	0x0000800000000000ULL
#define SMALL		0x10000ULL

/* What the address is made of. */
enum address_kind {
	ADDRESS_NULL,
	ADDRESS_FREED,		/* POISON_FREE of the slab allocator, include/linux/poison.h */
	ADDRESS_NEW,		/* POISON_INUSE */
	ADDRESS_DELETED,	/* LIST_POISON1 and 2 */
	ADDRESS_ERROR,		/* ERR_PTR() */
	ADDRESS_USER,
	ADDRESS_WILD,
};

/* Do the six middle bytes of @address repeat @byte? An offset may have changed the lowest two. */
static bool repeats(u64 address, u8 byte)
{
	for (u32 i = 2; i < 8; i++)
		if ((u8)(address >> (8 * i)) != byte)
			return false;
	return true;
}

static enum address_kind kind_of_address(u64 address)
{
	if (address < PAGE)
		return ADDRESS_NULL;
	if (address >= -(u64)PAGE)
		return ADDRESS_ERROR;
	if (repeats(address, 0x6b))
		return ADDRESS_FREED;
	if (repeats(address, 0x5a))
		return ADDRESS_NEW;
	/* 0x100 and 0x122, and what a field's offset adds to or takes from them. */
	if (address - (LIST_POISON - PAGE) < 2 * PAGE)
		return ADDRESS_DELETED;
	if (address < USER_END)
		return ADDRESS_USER;
	return ADDRESS_WILD;
}

static const char *verb_of(enum fault_access access)
{
	switch (access) {
	case FAULT_READ: return "read";
	case FAULT_WRITE: return "wrote";
	case FAULT_CALL: return "jumped";
	default: return "accessed memory";
	}
}

/* A register that has an error number, to which the address is a field behind: its place; -1: none. */
static s64 error_register(const struct fault_text *fault)
{
	for (u32 i = 0; i < fault->nr_registers; i++)
		if (strcmp(fault->registers[i].name, "CR2") && fault->registers[i].value >= -4095ULL &&
		    fault->address - fault->registers[i].value < PAGE)
			return i;
	return -1;
}

/* Registers that may have been the pointer itself: the address is a field behind their value. */
static void add_registers(struct explain *explain)
{
	const struct fault_text *fault = &explain->fault;

	for (u32 i = 0; i < fault->nr_registers; i++) {
		const struct fault_register *reg = &fault->registers[i];

		if (strcmp(reg->name, "CR2") && fault->address - reg->value < PAGE && reg->value >= PAGE)
			finding_evidence_timeless(explain->finding, "the address is %s (%016llx) + 0x%llx", reg->name,
						  reg->value, fault->address - reg->value);
	}
}

/* --- claims -------------------------------------------------------------- */

static void claim_null(struct explain *explain, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	struct finding *finding = explain->finding;

	if (fault->access == FAULT_CALL)
		finding_claim(finding, "null-pointer", FINDING_SHOWN,
			      "A function pointer was NULL and was called, by %s.", place);
	else if (fault->address)
		finding_claim(finding, "null-pointer", FINDING_SHOWN,
			      "%s %s address 0x%llx: a NULL pointer plus that, probably a field of a structure.",
			      place, verb_of(fault->access), fault->address);
	else
		finding_claim(finding, "null-pointer", FINDING_SHOWN, "%s %s through a NULL pointer.", place,
			      verb_of(fault->access));
	finding_open(finding, "Why it was NULL. The source at this place says which pointer it is.");
}

static void claim_error(struct explain *explain, const char *place)
{
	const struct fault_text *fault = &explain->fault;

	s64 reg = error_register(fault);

	if (reg >= 0)
		finding_claim(explain->finding, "error-pointer", FINDING_LIKELY,
			      "%s %s through an error number that was taken for a pointer: ERR_PTR(%lld), in %s.",
			      place, verb_of(fault->access), (s64)fault->registers[reg].value, fault->registers[reg].name);
	else
		finding_claim(explain->finding, "error-pointer", FINDING_POSSIBLE,
			      "%s %s at %lld: through an error number that was taken for a pointer, or in front of a NULL pointer.",
			      place, verb_of(fault->access), (s64)fault->address);
	finding_open(explain->finding, "Which call failed: its caller did not look at IS_ERR().");
}

static void claim_freed(struct explain *explain, const char *place)
{
	finding_claim(explain->finding, "freed-memory", FINDING_LIKELY,
		      "%s used a pointer that it read from freed memory: the address %016llx is the slab allocator's poison 0x6b.",
		      place, explain->fault.address);
	finding_open(explain->finding, "Who freed it, unless an event below says so.");
}

static void claim_deleted(struct explain *explain, const char *place)
{
	finding_claim(explain->finding, "deleted-entry", FINDING_LIKELY,
		      "%s went on from an entry that was already taken out of its list: the address %016llx is made of the poison of list_del().",
		      place, explain->fault.address);
	finding_open(explain->finding, "Who took it out; it is often freed as well.");
}

/* Is there memory, which only may not be written or executed? */
static bool is_forbidden(struct explain *explain)
{
	u32 from = 0, again = 0;

	return fault_text_line(explain->death, explain->cause, "permissions violation", &from).text ||
	       fault_text_line(explain->death, explain->cause, "permission fault", &again).text;
}

static void claim_other(struct explain *explain, enum address_kind kind, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	struct finding *finding = explain->finding;

	if (kind == ADDRESS_NEW)
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "%s used a pointer that was never set: the address %016llx is the slab allocator's poison 0x5a of new memory.",
			      place, fault->address);
	else if (kind == ADDRESS_USER && fault->address < SMALL)
		finding_claim(finding, "wild-pointer", FINDING_POSSIBLE,
			      "%s %s at 0x%llx: a NULL pointer plus a large offset, or a number that was taken for a pointer.",
			      place, verb_of(fault->access), fault->address);
	else if (kind == ADDRESS_USER)
		finding_claim(finding, "user-pointer", FINDING_SHOWN,
			      "%s %s at %016llx, an address of user space, and not by way of copy_from_user() or the like.",
			      place, verb_of(fault->access), fault->address);
	else if (fault->access == FAULT_CALL)
		finding_claim(finding, "wild-pointer", FINDING_SHOWN,
			      "The CPU jumped to %016llx, where no code is.", fault->address);
	else
		finding_claim(finding, "wild-pointer", FINDING_SHOWN,
			      "%s %s at %016llx, %s.", place, verb_of(fault->access), fault->address,
			      is_forbidden(explain) ? "which it may not" : "where no memory is");
	finding_open(finding, "Where the pointer got this value.");
}

/* --- who handled it ------------------------------------------------------ */

static void add_handlers(struct explain *explain)
{
	const struct history *history = &explain->history;
	struct finding *finding = explain->finding;
	bool any = false;

	for (u32 i = 0; i < history->nr_values; i++) {
		const struct history_value *value = &history->values[i];
		const char *reg = "a register";

		if (!value->nr)
			continue;
		any = true;
		for (u32 k = 0; k < explain->fault.nr_registers; k++)
			if (explain->fault.registers[k].value == value->value)
				reg = explain->fault.registers[k].name;
		finding_evidence(finding, value->time, "%s %s=%016llx, which %s has, by %s-%lld on CPU %u",
				 value->event, value->field, value->value, reg, value->comm, value->pid, value->cpu);
		/* A name of the file stands in a command that somebody pastes. */
		if (!value->event[strspn(value->event, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:")])
			finding_next(finding, "epitaph report --all --event '%s' FILE", value->event);
	}
	if (history->nr_values && history->nr_events && !any)
		finding_note(&finding->not_found, "a recorded event that has one of the %u pointers in the registers",
			     history->nr_values);
}

/* A report of KASAN says it all itself. */
static bool judge_kasan(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;

	if (!report || !report_text_has(report->title, "BUG: KASAN:"))
		return false;
	finding_claim(explain->finding,
		      report_text_has(report->title, "-free") ? "freed-memory" : "wild-pointer",
		      FINDING_SHOWN, "KASAN saw it: %.*s.", WORDS(report->title));
	words_report_evidence(explain, report);
	return true;
}

static bool is_access(const struct kernel_report *report, const struct fault_text *fault)
{
	return report && (report->kind == KERNEL_REPORT_OOPS || report->kind == KERNEL_REPORT_BUG) &&
	       (fault->has_address || report_text_has(report->title, "general protection fault"));
}

bool judge_access(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	const struct fault_text *fault = &explain->fault;
	enum address_kind kind = kind_of_address(fault->address);
	struct report_text at;
	char place[2 * WORDS_FUNCTION];

	if (judge_kasan(explain))
		return true;
	if (!is_access(report, fault) || report_text_has(report->title, "stack"))
		return false;
	/* Where the CPU jumped to is no place. */
	at = fault->access == FAULT_CALL || !report->place.text ? words_frame(report, words_is_of_dying) :
								report->place;
	words_place(place, at);
	if (!fault->has_address)
		finding_claim(explain->finding, "wild-pointer", FINDING_POSSIBLE,
			      "%s used an address that no memory can have, or an instruction that is not allowed (general protection fault).",
			      place);
	else if (kind == ADDRESS_ERROR || (kind == ADDRESS_NULL && error_register(fault) >= 0))
		claim_error(explain, place);
	else if (kind == ADDRESS_NULL)
		claim_null(explain, place);
	else if (kind == ADDRESS_FREED)
		claim_freed(explain, place);
	else if (kind == ADDRESS_DELETED)
		claim_deleted(explain, place);
	else
		claim_other(explain, kind, place);
	words_report_evidence(explain, report);
	add_registers(explain);
	add_handlers(explain);
	return true;
}
