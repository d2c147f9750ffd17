/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of the kernel's lines, as the sentences of a finding need them. */
#ifndef EPITAPH_JUDGE_WORDS_H
#define EPITAPH_JUDGE_WORDS_H

#include "judge.h"
#include "plumbing.h"

#define WORDS_FUNCTION	128
#define WORDS_TASK	40

/* For "%.*s". */
#define WORDS(part)	(int)(part).len, (part).text ?: ""

/* The function of "function+0x1/0x20 [module]", without suffixes of the compiler; "": none. */
void words_function(char name[WORDS_FUNCTION], struct report_text place);

/* "function() in module victim", or "function()"; "an unknown function". */
void words_place(char text[2 * WORDS_FUNCTION], struct report_text place);

/* "sh-412" of a report; "": not known. */
void words_task(char text[WORDS_TASK], const struct kernel_report *report);

/* "comm-pid", or "a timer's function". */
void words_doer(char text[WORDS_TASK], const char *comm, s64 pid);

/* The first frame that @is_plumbing does not have; a text of NULL: none. */
struct report_text words_frame(const struct kernel_report *report,
			       bool (*is_plumbing)(const char *function));

/* The function of a module for which the kernel's own code at the place worked: one of the next frames. False: none is. */
bool words_module_behind(char text[2 * WORDS_FUNCTION], const struct kernel_report *report);

/* The same of the kernel's own code in @frame, which is one of the frames. */
bool words_module_behind_frame(char text[2 * WORDS_FUNCTION], const struct kernel_report *report, struct report_text frame);

/* Is the function @name one of the frames? */
bool words_has_frame(const struct kernel_report *report, const char *name);

/* A part of a line as evidence, behind @word; it has no time if it is of no line of the log. */
void words_line_evidence(struct explain *explain, const char *word, struct report_text text);

/* The title and the lines of a report as evidence, each at its own time, and its callers. */
void words_report_evidence(struct explain *explain, const struct kernel_report *report);

/* Its callers alone. */
void words_callers_evidence(struct explain *explain, const struct kernel_report *report);

/* "-victim(OE)-" of the modules that the report lists: the letters; "": it has none, or is not listed. */
void words_module_flags(char flags[16], const struct explain *explain,
			const struct kernel_report *report, const char *module);

/* The registers that are printed below the line that @place is a part of. */
void words_registers_below(struct fault_text *regs, const struct explain *explain, struct report_text place);

/* "beat+0x0/0x20 [module]", as the recorder or the dump has it; false: neither has. */
bool words_symbol(const struct explain *explain, u64 address, char *name, size_t size);

/*
 * The same at an event of @time, which has the time @raw: false as well if the module whose function lies there now came
 * later.
 */
bool words_symbol_at(const struct explain *explain, u64 address, u64 time, u64 raw, char *name, size_t size);

/* The function of a timer or work item, by the name that it had when it was last started, or began to run. */
bool words_deferred(const struct explain *explain, const struct deferred *of, char *name, size_t size);

/* " in probe() of module card" of an address that an event has, within a function; "": it has no name. */
void words_site(char text[2 * WORDS_FUNCTION + 8], const struct explain *explain, u64 address, u64 time, u64 raw);

/* "at the start of an object", "0x10 behind the start of an object". */
void words_behind_start(char text[WORDS_FUNCTION], u64 offset);

/* What the CPU ran beside its task. */
const char *words_other_tasks(const struct history_cpu *cpu);

#endif
