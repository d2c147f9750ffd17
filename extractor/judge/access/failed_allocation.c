// SPDX-License-Identifier: GPL-2.0-or-later
#include "failed_allocation.h"

#include <string.h>

#include "judge/words.h"

#define JUST_NS		1000000000ULL
#define TRACE_LINES	40	/* from the line of the failure to the end of its call trace */

/* warn_alloc() of mm/page_alloc.c, and lib/fault-inject.c. */
static bool is_failure(struct report_text line)
{
	return report_text_has(line, ": page allocation failure: order:") || report_text_has(line, ": vmalloc error: ") ||
	       report_text_has(line, "FAULT_INJECTION: forcing a failure");
}

/* Is that line of a call trace of @function, and sure? */
static bool is_frame_of(struct report_text line, const char *function)
{
	char name[WORDS_FUNCTION];

	while (line.len && (*line.text == ' ' || *line.text == '\t')) {
		line.text++;
		line.len--;
	}
	if (!line.len || !memchr(line.text, '+', line.len))
		return false;
	words_function(name, line);
	return !strcmp(name, function);
}

/* Do the lines behind line @from, of the same printer, say the task of the report, and @function? */
static bool is_of_task(const struct explain *explain, u32 from, const char *function)
{
	const struct report_lines *lines = &explain->death->lines;
	const struct kernel_report *cause = explain->cause;
	struct kernel_report head = { 0 };

	for (u32 i = from + 1; i < lines->nr && i < from + TRACE_LINES && lines->list[i].time <= cause->time; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		if (lines->list[i].caller != lines->list[from].caller)
			continue;
		if (report_text_has(line, "</TASK>") || is_failure(line))
			return false;
		if (!head.pid.text)
			kernel_report_add_place(&head, line);
		else if (report_text_number(head.pid, head.pid.text, 10) != report_text_number(cause->pid, cause->pid.text, 10))
			return false;
		else if (is_frame_of(line, function))
			return true;
	}
	return false;
}

/* Such call whatever was registered: what two of those do has nothing in common. */
static bool calls_by_pointer(const char *function)
{
	static const char *const words[] = {
		"vfs_", "ksys_", "__se_sys_", "process_one_work", "worker_thread", "kthread", "call_timer_fn", "do_one_initcall",
		"really_probe", "driver_probe", "platform_probe", "pci_device_probe", "local_pci_probe", "dev_attr_", "sysfs_",
		"kernfs_", "seq_", "proc_reg_", "full_proxy_", "__handle_irq_event", "__do_softirq", "handle_softirqs", NULL,
	};

	return plumbing_begins(function, words);
}

/* " [module]" of a frame; a length of 0: it is the kernel's own. */
static struct report_text module_of(struct report_text frame)
{
	const char *open = frame.text ? memchr(frame.text, '[', frame.len) : NULL;

	return (struct report_text){ open, open ? frame.text + frame.len - open : 0 };
}

/* Is @caller code of its own that called @place, and not what calls each driver? */
static bool is_of_same_code(struct report_text place, struct report_text caller, const char *by)
{
	struct report_text of = module_of(place), its = module_of(caller);

	if (!*by || calls_by_pointer(by))
		return false;
	return !of.len || (of.len == its.len && !memcmp(of.text, its.text, of.len));
}

void failed_allocation_add(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	const struct kernel_report *cause = explain->cause;
	struct report_text caller = words_frame(cause, plumbing_has);
	char here[WORDS_FUNCTION], by[WORDS_FUNCTION];
	bool is_same;
	s64 found = -1;

	if (!cause || !cause->pid.text || !cause->place.text)
		return;
	words_function(here, cause->place);
	words_function(by, caller);
	is_same = is_of_same_code(cause->place, caller, by);
	for (u32 i = 0; i < lines->nr && lines->list[i].time <= cause->time; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		if (lines->list[i].time + JUST_NS >= cause->time && is_failure(line) &&
		    (is_of_task(explain, i, here) || (is_same && is_of_task(explain, i, by))))
			found = i;
	}
	if (found < 0)
		return;
	words_line_evidence(explain, "an allocation of this code had failed: ",
			    (struct report_text){ lines->list[found].text, lines->list[found].len });
	words_function(by, (struct report_text){ explain->access.returned_by, strlen(explain->access.returned_by) });
	if (*explain->access.returned_by && is_of_task(explain, (u32)found, by))
		finding_open(explain->finding, "Why so much was asked for, or memory lacked: %.100s() failed, and what it returned was used without a look at it.", by);
	else
		finding_open(explain->finding, "Whether that pointer is what the failed allocation should have given: then its result was not looked at.");
}

/* --- a registration that failed ------------------------------------------------ */

/* kobject_add_internal() of lib/kobject.c, sysfs_warn_dup() of fs/sysfs/dir.c. */
static bool is_refusal(struct report_text line)
{
	return report_text_has(line, "kobject_add_internal failed for ") || report_text_has(line, "sysfs: cannot create duplicate filename");
}

/* Of the driver core: they take apart what was registered. */
static bool takes_apart(const char *function)
{
	static const char *const words[] = { "device_", "kobject_", "sysfs_", "kernfs_", "bus_", "klist_", "driver_", "cdev_", "class_", NULL };

	return plumbing_begins(function, words);
}

/* The line of a refusal of this boot whose call trace, right around it, has a function of @module; -1: none. */
static s64 refusal_of(const struct explain *explain, struct report_text module)
{
	const struct report_lines *lines = &explain->death->lines;
	s64 last = -1, found = -1;

	for (u32 i = 0; i < lines->nr && lines->list[i].time <= explain->cause->time; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		if (is_refusal(line))
			last = i;
		else if (last >= 0 && i < last + TRACE_LINES && lines->list[i].caller == lines->list[last].caller &&
			 memchr(line.text, '+', line.len) && memmem(line.text, line.len, module.text, module.len) &&
			 !report_text_has(line, "Modules linked in"))
			found = last;
	}
	return found;
}

void failed_registration_add(struct explain *explain)
{
	const struct kernel_report *cause = explain->cause;
	char function[WORDS_FUNCTION], place[2 * WORDS_FUNCTION];
	s64 found = -1;

	if (!cause || !cause->place.text)
		return;
	words_function(function, cause->place);
	for (u32 i = 0; takes_apart(function) && i < cause->nr_frames && found < 0; i++) {
		struct report_text module = module_of(cause->frames[i]);

		words_place(place, cause->frames[i]);
		if (!module.len)
			words_function(function, cause->frames[i]);
		else
			found = refusal_of(explain, module);
		if (module.len)
			break;
	}
	if (found < 0)
		return;
	words_line_evidence(explain, "", (struct report_text){ explain->death->lines.list[found].text, explain->death->lines.list[found].len });
	finding_open(explain->finding, "Perhaps what %.100s takes away was never registered: the kernel refused that to this module before, and its answer was not looked at.",
		     place);
}
