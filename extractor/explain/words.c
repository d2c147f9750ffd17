// SPDX-License-Identifier: GPL-2.0-or-later
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CALLERS	5

void words_function(char name[WORDS_FUNCTION], struct report_text place)
{
	static const char *const suffixes[] = {
		".cold", ".isra.", ".constprop.", ".part.", ".llvm.",
	};
	size_t len = 0;

	while (len < place.len && len < WORDS_FUNCTION - 1 && place.text[len] != '+' &&
	       place.text[len] != ' ' && place.text[len] != '/')
		len++;
	memcpy(name, place.text ?: "", len);
	name[len] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		char *at = strstr(name, suffixes[i]);

		if (at)
			*at = '\0';
	}
}

void words_place(char text[2 * WORDS_FUNCTION], struct report_text place)
{
	char function[WORDS_FUNCTION];
	struct fault_text fault = { 0 };

	words_function(function, place);
	fault_text_take_module(&fault, place);
	if (!*function)
		snprintf(text, 2 * WORDS_FUNCTION, "an unknown function");
	else if (*fault.module)
		snprintf(text, 2 * WORDS_FUNCTION, "%s() of module %s", function, fault.module);
	else
		snprintf(text, 2 * WORDS_FUNCTION, "%s()", function);
}

void words_task(char text[WORDS_TASK], const struct kernel_report *report)
{
	*text = '\0';
	if (report && report->comm.text && report->pid.text)
		snprintf(text, WORDS_TASK, "%.*s-%.*s", WORDS(report->comm), WORDS(report->pid));
}

u64 words_number(struct report_text text, const char *at, u32 base)
{
	char digits[24];
	size_t len = 0;

	while (at + len < text.text + text.len && len < sizeof(digits) - 1 && isxdigit((unsigned char)at[len]))
		len++;
	memcpy(digits, at, len);
	digits[len] = '\0';
	return strtoull(digits, NULL, base);
}

bool words_begins(const char *function, const char *const *words)
{
	for (; *words; words++)
		if (!strncmp(function, *words, strlen(*words)))
			return true;
	return false;
}

bool words_is_of_dying(const char *function)
{
	static const char *const whole[] = { "panic", "vpanic", "die", "__die", "die_addr" };
	static const char *const words[] = {
		"check_panic_on_warn", "dump_stack", "__dump_stack", "show_stack", "dump_backtrace", "oops_",
		"exc_", "asm_", "do_trap", "do_error_trap", "handle_bug", "do_user_addr_fault",
		"page_fault_oops", "kernelmode_fixup", "no_context", "__bad_area", "bad_area",
		"do_kern_addr_fault", "report_bug", "__warn", "warn_slowpath", "__stack_chk_fail",
		"ret_from_", "entry_", "do_syscall_", "do_page_fault", "el1", "el0", "do_el0",
		"do_mem_abort", "do_translation_fault", "die_kernel_fault", "__do_kernel_fault",
		"invoke_syscall", "do_notify_resume", "end_report", "kasan_", "__kasan_",
		"print_report", "print_address_description", "nmi_panic", "watchdog_timer_fn",
		"watchdog_overflow", "watchdog_hardlockup", "__x64_sys_", "__do_sys_", "x64_sys_call",
		"__arm64_sys_", NULL,
	};

	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		if (!strcmp(function, whole[i]))
			return true;
	return words_begins(function, words);
}

bool words_is_of_waiting(const char *function)
{
	static const char *const words[] = {
		"__schedule", "schedule", "io_schedule", "__switch_to", "preempt_schedule", "context_switch",
		"__mutex_lock", "mutex_lock", "ww_mutex_lock", "__ww_mutex", "rwsem_", "down_read", "down_write",
		"__down", "down_interruptible", "down_killable", "down_timeout", "wait_for_completion",
		"__wait_for_common", "wait_for_common",
		"do_wait_for_common", "bit_wait", "__wait_on_bit", "out_of_line_wait_on_bit",
		"wait_on_page_bit", "__wait_on_page", "folio_wait_bit", "wait_on_bit", "native_queued_spin_lock",
		"queued_spin_lock", "_raw_spin_lock", "_raw_read_lock", "_raw_write_lock", "queued_read_lock",
		"queued_write_lock", "osq_lock", "pv_queued_spin", "__pv_queued", "kvm_wait", "do_raw_spin_lock",
		"rt_mutex_", "__rt_mutex", "percpu_down", "__percpu_down", "usleep_", "msleep", "ssleep", NULL,
	};

	return words_begins(function, words);
}

struct report_text words_frame(const struct kernel_report *report,
			       bool (*is_plumbing)(const char *function))
{
	char function[WORDS_FUNCTION];

	for (u32 i = 0; report && i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (*function && !is_plumbing(function))
			return report->frames[i];
	}
	return (struct report_text){ NULL, 0 };
}

bool words_is_of_checking(const char *function)
{
	static const char *const words[] = {
		"__list_add_valid", "__list_del_entry_valid", "refcount_warn_saturate", "__slab_free", "slab_free",
		"kfree", "kmem_cache_free", "object_err", "dump_header", "out_of_memory", "oom_kill_process",
		"__alloc_pages", "alloc_pages", "get_page_from_freelist", "__folio_alloc", NULL,
	};

	return words_begins(function, words);
}

bool words_is_plumbing(const char *function)
{
	return words_is_of_dying(function) || words_is_of_waiting(function) || words_is_of_checking(function);
}

/* When the line was printed that @text is a part of. */
static u64 time_of_line(const struct death *death, struct report_text text, u64 otherwise)
{
	for (u32 i = 0; i < death->lines.nr; i++) {
		const struct report_line *line = &death->lines.list[i];

		if (text.text >= line->text && text.text < line->text + line->len)
			return line->time;
	}
	return otherwise;
}

static void add_line(struct explain *explain, const char *word, struct report_text text, u64 otherwise)
{
	finding_evidence(explain->finding, time_of_line(explain->death, text, otherwise), "%s%.*s", word,
			 WORDS(text));
}

/* "f < g < h", of those that say something. */
static void add_callers(struct finding *finding, const struct kernel_report *report)
{
	char text[FINDING_TEXT] = "", function[WORDS_FUNCTION];
	size_t len = 0;
	u32 nr = 0;

	for (u32 i = 0; i < report->nr_frames && nr < MOST_CALLERS && len < sizeof(text) / 2; i++) {
		words_function(function, report->frames[i]);
		if (*function && !words_is_plumbing(function))
			len += snprintf(text + len, sizeof(text) - len, "%s%s", nr++ ? " < " : "", function);
	}
	/* Of the cause, not again of the panic that it led to. */
	for (u32 i = 0; i < finding->nr_evidence; i++)
		if (!strncmp(finding->evidence[i].text, "called by: ", 11))
			return;
	if (nr)
		finding_evidence_timeless(finding, "called by: %s", text);
}

void words_report_evidence(struct explain *explain, const struct kernel_report *report)
{
	if (!report)
		return;
	if (report->title.text)
		add_line(explain, "", report->title, report->time);
	for (u32 i = 0; i < report->nr_lines && i < 3; i++)
		add_line(explain, "", report->lines[i], report->time);
	if (report->place.text)
		add_line(explain, "at ", report->place, report->time);
	add_callers(explain->finding, report);
}

void words_module_flags(char flags[16], const struct explain *explain,
			const struct kernel_report *report, const char *module)
{
	struct report_text text;
	char word[80];
	const char *at;
	u32 from = 0;
	size_t len = 0;

	snprintf(word, sizeof(word), " %s(", module);
	text = report ? fault_text_line(explain->death, report, word, &from) : (struct report_text){ NULL, 0 };
	at = text.text ? memmem(text.text, text.len, word, strlen(word)) : NULL;
	if (at)
		for (at += strlen(word); at + len < text.text + text.len && len < 15 && at[len] >= 'A' &&
		     at[len] <= 'Z'; len++)
			flags[len] = at[len];
	flags[len] = '\0';
}
