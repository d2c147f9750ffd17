// SPDX-License-Identifier: GPL-2.0-or-later
/* What ran out, and what broke: memory, hardware. */
#include <stdlib.h>
#include <string.h>

#include "mce/decode.h"
#include "report/mce_line.h"
#include "words.h"

/* --- memory -------------------------------------------------------------- */

struct memory_user {
	u64 pid;
	u64 pages;
	char comm[17];
};

/* "[    412]     0   412   262145   250000  2101248        0             0 hog": mm/oom_kill.c dump_task() */
static bool memory_user_of(struct report_text line, struct memory_user *user)
{
	char text[200], *at, *end;
	u64 values[4];

	if (line.len >= sizeof(text) || line.len < 20 || line.text[0] != '[')
		return false;
	memcpy(text, line.text, line.len);
	text[line.len] = '\0';
	user->pid = strtoull(text + 1, &end, 10);
	if (end == text + 1 || *end != ']')
		return false;
	at = end + 1;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		values[i] = strtoull(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	user->pages = values[3];
	at = strrchr(text, ' ');
	snprintf(user->comm, sizeof(user->comm), "%.16s", at ? at + 1 : "");
	return true;
}

/* The largest task of the kernel's table, and the pages of all. */
static bool find_largest(const struct explain *explain, struct memory_user *largest, u64 *all)
{
	const struct report_lines *lines = &explain->death->lines;
	struct memory_user user;

	*all = 0;
	*largest = (struct memory_user){ 0 };
	for (u32 i = 0; i < lines->nr; i++) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };

		/* Only the last table. */
		if (report_text_has(text, "Tasks state (memory values in pages)")) {
			*largest = (struct memory_user){ 0 };
			*all = 0;
		} else if (memory_user_of(text, &user)) {
			*all += user.pages;
			if (user.pages > largest->pages)
				*largest = user;
		}
	}
	return largest->pages;
}

/* The number before or behind @word in the last line that has it; 0: none. */
static u64 number_at(const struct explain *explain, const char *word, bool is_before)
{
	const struct report_lines *lines = &explain->death->lines;
	u64 ret = 0;

	for (u32 i = 0; i < lines->nr; i++) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };
		const char *at = memmem(text.text, text.len, word, strlen(word));

		if (at && is_before)
			ret = words_number(text, text.text, 10);
		else if (at)
			ret = words_number(text, at + strlen(word), 10);
	}
	return ret;
}

/* Who has more than half of the memory, by the kernel's own table (mm/show_mem.c). */
static void open_who_has_memory(struct explain *explain, const struct memory_user *largest)
{
	struct finding *finding = explain->finding;
	u64 ram = number_at(explain, " pages RAM", true);
	u64 slab = number_at(explain, "slab_unreclaimable:", false);

	if (!ram)
		return;
	if (slab > ram / 2)
		finding_open(finding, "Possible: the kernel itself leaks memory; unreclaimable slab has %llu %% of the machine's.",
			     slab * 100 / ram);
	else if (largest->pages > ram / 2)
		finding_open(finding, "Possible: the task %s-%llu took it; it has %llu %% of the machine's.", largest->comm,
			     largest->pid, largest->pages * 100 / ram);
}

static bool log_has(const struct explain *explain, const char *word)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = 0; i < lines->nr; i++)
		if (report_text_has((struct report_text){ lines->list[i].text, lines->list[i].len }, word))
			return true;
	return false;
}

bool judge_memory(struct explain *explain)
{
	struct finding *finding = explain->finding;
	struct memory_user largest;
	u64 all;

	if (!report_text_has(explain->said, "panic_on_oom") &&
	    !report_text_has(explain->said, "System is deadlocked on memory") &&
	    !(explain->cause && explain->cause->kind == KERNEL_REPORT_OOM))
		return false;
	if (report_text_has(explain->said, "deadlocked on memory"))
		finding_claim(finding, "out-of-memory", FINDING_SHOWN,
			      "Memory ran out, and the kernel found no task that it may kill.");
	else
		finding_claim(finding, "out-of-memory", FINDING_SHOWN,
			      "Memory ran out, and this machine panics then instead of killing a task (vm.panic_on_oom).");
	if (log_has(explain, "constraint=CONSTRAINT_MEMCG"))
		finding_claim(finding, "out-of-memory", FINDING_SHOWN,
			      "A cgroup reached its limit of memory, and this machine panics then (vm.panic_on_oom).");
	finding_open(finding, "Who took the memory. Whose request failed last is no proof.");
	if (find_largest(explain, &largest, &all)) {
		finding_evidence_timeless(finding, "all tasks together have %llu pages, the largest, %s-%llu, %llu, of %llu of the machine",
					  all, largest.comm, largest.pid, largest.pages, number_at(explain, " pages RAM", true));
	} else {
		finding_note(&finding->missing, "the kernel's table of tasks and their memory (vm.oom_dump_tasks)");
	}
	open_who_has_memory(explain, &largest);
	words_report_evidence(explain, explain->cause);
	words_report_evidence(explain, explain->panic);
	finding_next(finding, "epitaph report --source log --all FILE");
	return true;
}

/* --- machine checks ------------------------------------------------------ */

static void put_mce(char *text, size_t size, const struct postmortem *pm, const struct mce *mce)
{
	char *line = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&line, &len);

	*text = '\0';
	if (!f)
		return;
	print_mce_line(f, pm->recording, mce);
	if (!fclose(f))
		snprintf(text, size, "%s", line);
	free(line);
}

/* Corrected errors of the same bank and address before @fatal. */
static u32 count_before(const struct mces *mces, const struct mce *fatal, u64 *first)
{
	u32 nr = 0;

	for (u32 i = 0; i < mces->nr; i++) {
		const struct mce *mce = &mces->list[i];

		if (mce->mono_ns >= fatal->mono_ns || mce->is_same || mce_grade(mce) != MCE_CORRECTED ||
		    mce->bank != fatal->bank ||
		    (mce->status & fatal->status & STATUS_ADDRV && mce->addr != fatal->addr))
			continue;
		if (!nr++)
			*first = mce->mono_ns;
	}
	return nr;
}

bool judge_machine_check(struct explain *explain)
{
	const struct mce *fatal = print_mce_of_death(explain->pm);
	struct finding *finding = explain->finding;
	char text[FINDING_TEXT];
	u64 first = 0;
	u32 nr;

	if (!fatal && !report_text_has(explain->said, "achine check"))
		return false;
	if (!fatal) {
		finding_claim(finding, "machine-check", FINDING_SHOWN, "The kernel panicked for a machine check: %.*s.",
			      WORDS(explain->said));
		finding_open(finding, "Which unit of the hardware failed: no record of it is here.");
		words_report_evidence(explain, explain->panic);
		return true;
	}
	put_mce(text, sizeof(text), explain->pm, fatal);
	nr = count_before(pm_mces(explain->pm), fatal, &first);
	if (nr) {
		finding_claim(finding, "machine-check", FINDING_SHOWN,
			      "The hardware failed: a fatal machine check of bank %u on CPU %u, after %u corrected error%s of the same place.",
			      fatal->bank, fatal->cpu, nr, nr == 1 ? "" : "s");
		finding_evidence(finding, first, "the first of %u corrected errors of the same place", nr);
	} else {
		finding_claim(finding, "machine-check", FINDING_SHOWN,
			      "The hardware failed: a fatal machine check of bank %u on CPU %u.", fatal->bank, fatal->cpu);
		finding_note(&finding->not_found, "a corrected machine check of the same bank and address before it");
	}
	finding_evidence(finding, fatal->mono_ns, "%s", text);
	words_report_evidence(explain, explain->panic);
	finding_next(finding, "epitaph mce FILE");
	return true;
}
