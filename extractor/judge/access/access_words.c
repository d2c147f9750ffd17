// SPDX-License-Identifier: GPL-2.0-or-later
#include "access_words.h"

#include <stdio.h>

bool access_is_traced(const struct explain *explain)
{
	return explain->access.has_memory && explain->access.agrees && explain->access.memory.base >= 0;
}

const char *access_words_verb(enum fault_access access)
{
	switch (access) {
	case FAULT_READ: return "read";
	case FAULT_WRITE: return "wrote";
	case FAULT_CALL: return "jumped";
	default: return "accessed memory";
	}
}

const char *access_words_traced_verb(const struct faulting_access *access, enum fault_access said)
{
	if (said == FAULT_UNKNOWN && access->memory.writes)
		return "wrote";
	return said == FAULT_UNKNOWN ? "read" : access_words_verb(said);
}

void access_words_registers(char text[REGISTERS_WORDS], const struct faulting_access *access)
{
	const struct instruction_access *memory = &access->memory;
	char times[8] = "", plus[24] = "";

	if (memory->index < 0) {
		snprintf(text, REGISTERS_WORDS, "%s", instruction_register(access->instruction.set, memory->base));
		return;
	}
	if (memory->scale > 1)
		snprintf(times, sizeof(times), " * %u", memory->scale);
	if (memory->offset)
		snprintf(plus, sizeof(plus), " %c 0x%llx", memory->offset < 0 ? '-' : '+',
			 memory->offset < 0 ? -memory->offset : memory->offset);
	snprintf(text, REGISTERS_WORDS, "%s + %s%s%s", instruction_register(access->instruction.set, memory->base),
		 instruction_register(access->instruction.set, memory->index), times, plus);
}

/* "8 bytes at 0x18 of", "8 bytes at". */
static void put_distance(char text[ACCESS_WORDS], u32 size, s64 offset)
{
	if (!offset)
		snprintf(text, ACCESS_WORDS, "%u byte%s at", size, size == 1 ? "" : "s");
	else if (offset < 0)
		snprintf(text, ACCESS_WORDS, "%u byte%s 0x%llx in front of", size, size == 1 ? "" : "s", -offset);
	else
		snprintf(text, ACCESS_WORDS, "%u byte%s at 0x%llx of", size, size == 1 ? "" : "s", offset);
}

void access_words_field(char text[ACCESS_WORDS], const struct faulting_access *access)
{
	put_distance(text, access->memory.size, (s64)(access->address - access->pointer_value));
}

const char *access_words_register(const struct faulting_access *access)
{
	return access->base == access->pointer_value ? instruction_register(access->instruction.set, access->memory.base) : "";
}

void access_words_holder(char text[HOLDER_WORDS], const struct faulting_access *access)
{
	const char *reg = access_words_register(access);

	*text = '\0';
	if (*reg)
		snprintf(text, HOLDER_WORDS, " (%s)", reg);
}

void access_words_names(char text[ACCESS_NAMES], const struct faulting_access *access, const char *was)
{
	const char *sure = access->is_certain ? "" : "probably ";

	*text = '\0';
	if (*access->field)
		snprintf(text, ACCESS_NAMES, ": %s%s, of which %s was %s", sure, access->field, access->pointer, was);
	else if (*access->returned_by)
		snprintf(text, ACCESS_NAMES, ", which %.*s() had returned", (int)strcspn(access->returned_by, ".+"), access->returned_by);
	else if (*access->pointer)
		snprintf(text, ACCESS_NAMES, ": %s%s was %s", sure, access->pointer, was);
}

void access_words_doing(char text[ACCESS_DOING], const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct instruction_access *memory = &access->memory;
	const char *verb = access_words_traced_verb(access, explain->fault.access);
	char words[ACCESS_WORDS], registers[REGISTERS_WORDS];

	access_words_registers(registers, access);
	put_distance(words, memory->size, memory->offset);
	if (!access->has_memory || !access->agrees || explain->fault.access == FAULT_CALL)
		snprintf(text, ACCESS_DOING, "%s at", access_words_verb(explain->fault.access));
	else if (memory->base < 0)
		snprintf(text, ACCESS_DOING, "%s %u byte%s at", verb, memory->size, memory->size == 1 ? "" : "s");
	else if (memory->index >= 0)
		snprintf(text, ACCESS_DOING, "%s %u byte%s at %s:", verb, memory->size, memory->size == 1 ? "" : "s", registers);
	else
		snprintf(text, ACCESS_DOING, "%s %s the pointer in %s:", verb, words, registers);
}

const char *access_words_error(s64 number)
{
	/* include/linux/errno.h, from ERESTARTSYS on */
	static const char *const own[] = {
		"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD", "ERESTART_RESTARTBLOCK", "EPROBE_DEFER",
		"EOPENSTALE", "ENOPARAM", "", "EBADHANDLE", "ENOTSYNC", "EBADCOOKIE", "ENOTSUPP", "ETOOSMALL", "ESERVERFAULT",
		"EBADTYPE", "EJUKEBOX", "EIOCBQUEUED", "ERECALLCONFLICT", "ENOGRACE",
	};
	u64 nr = 0 - (u64)number;

	if (nr - 512 < ARRAY_SIZE(own))
		return own[nr - 512];
	return (nr < 512 ? strerrorname_np((int)nr) : NULL) ?: "";
}

bool access_is_forbidden(const struct explain *explain)
{
	u32 from = 0, again = 0, title = 0;

	return fault_text_line(explain->death, explain->cause, "permissions violation", &from).text ||
	       fault_text_line(explain->death, explain->cause, "access to user memory outside uaccess", &title).text ||
	       fault_text_line(explain->death, explain->cause, "permission fault", &again).text;
}
