// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel panicked, or a task was to die, for want of memory: who has it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "free_pieces.h"
#include "judge/words.h"
#include "kernel_state/vmalloc_areas.h"
#include "many_tasks.h"
#include "panic.h"
#include "alloc_sites.h"
#include "slab_owner.h"
#include "stuck_rcu.h"

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

/* The line at which the last report begins: kernels survive many of them. */
static u32 last_report(const struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = lines->nr; i--; )
		if (report_text_has((struct report_text){ lines->list[i].text, lines->list[i].len }, "invoked oom-killer"))
			return i;
	return 0;
}

/* The largest task of the kernel's table, and the pages of all. */
static bool find_largest(const struct explain *explain, struct memory_user *largest, u64 *all)
{
	const struct report_lines *lines = &explain->death->lines;
	struct memory_user user;

	*all = 0;
	*largest = (struct memory_user){ 0 };
	for (u32 i = last_report(explain); i < lines->nr; i++) {
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

/*
 * Of one node, or of one zone: a region has the console's pieces of a line, and "Node 0 " is one that
 * stands before "DMA32 free:36588kB ... present:1015668kB".
 */
static bool is_of_part(struct report_text text)
{
	return report_text_has(text, "Node ") || report_text_has(text, " present:");
}

/* The number before or behind @word in the last line that has it, and is of the whole machine; 0: none. */
static u64 number_at(const struct explain *explain, const char *word, bool is_before)
{
	const struct report_lines *lines = &explain->death->lines;
	u64 ret = 0;

	for (u32 i = last_report(explain); i < lines->nr; i++) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };
		const char *at = memmem(text.text, text.len, word, strlen(word));

		if (is_of_part(text))
			continue;
		if (at && is_before)
			ret = report_text_number(text, text.text, 10);
		else if (at)
			ret = report_text_number(text, at + strlen(word), 10);
	}
	return ret;
}

/* The cache with the most of "kmalloc-4k  650000KB  651000KB"; "": there is no such table, or it is of less than half. */
static void largest_cache(const struct explain *explain, char cache[40])
{
	const struct report_lines *lines = &explain->death->lines;
	u64 most = 0, all = 0, used, total;
	bool is_in_table = false;
	char text[120], name[40];

	*cache = '\0';
	for (u32 i = last_report(explain); i < lines->nr; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		if (report_text_has(line, "Unreclaimable slab info:"))
			is_in_table = true;
		else if (report_text_has(line, "Tasks state (memory values in pages)"))
			is_in_table = false;
		if (!is_in_table || line.len >= sizeof(text))
			continue;
		memcpy(text, line.text, line.len);
		text[line.len] = '\0';
		if (sscanf(text, "%39s %lluKB %lluKB", name, &used, &total) != 3)
			continue;
		all += total;
		if (total <= most)
			continue;
		most = total;
		memcpy(cache, name, sizeof(name));
	}
	if (most < all / 2)
		*cache = '\0';
}

/* The sum of the numbers behind @word in lines of the machine's nodes that also have @with. */
static u64 node_sum(const struct explain *explain, const char *word, const char *with)
{
	const struct report_lines *lines = &explain->death->lines;
	u64 sum = 0;

	for (u32 i = last_report(explain); i < lines->nr; i++) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };
		const char *at = memmem(text.text, text.len, word, strlen(word));

		if (at && report_text_has(text, "Node ") && report_text_has(text, with))
			sum += report_text_number(text, at + strlen(word), 10);
	}
	return sum;
}

/* Pages in none of the kernel's counters (mm/show_mem.c): what took them asked the page allocator itself. */
static u64 uncounted_pages(const struct explain *explain, u64 ram)
{
	static const char *const counted[] = {
		"active_anon:", " inactive_anon:", "active_file:", " inactive_file:", "unevictable:", "slab_reclaimable:", "slab_unreclaimable:",
		" pagetables:", "sec_pagetables:", "kernel_misc_reclaimable:", " free:", "free_pcp:", "isolated_anon:", "isolated_file:",
	};
	u64 sum = number_at(explain, " pages reserved", true) + number_at(explain, " pages hwpoisoned", true) +
		  node_sum(explain, "kernel_stack:", "kB") / 4 + node_sum(explain, " bounce:", "kB") / 4;

	/* Without them, or with pages that were set aside for large ones, or by a cgroup, it is not known. */
	if (!number_at(explain, " free:", false) || !number_at(explain, " pages reserved", true) || node_sum(explain, "hugepages_total=", "hugepages_size"))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(counted); i++)
		sum += number_at(explain, counted[i], false);
	return sum < ram ? ram - sum : 0;
}

/* What is free is more than the kernel keeps back, and a request of one page would have had it. */
static bool claim_pieces(struct explain *explain, const char *why)
{
	struct finding *finding = explain->finding;
	struct free_pieces pieces;

	if (!free_pieces_read(&pieces, explain, last_report(explain)))
		return false;
	finding_claim(finding, "out-of-memory", FINDING_SHOWN,
		      "A request for %u pages in one piece (order %u) failed, while %llu MB are free, all in smaller pieces: the memory is in fragments, and has not run out. %s",
		      1U << pieces.order, pieces.order, pieces.free_kb / 1024, why);
	snprintf(explain->signed_by, sizeof(explain->signed_by), "pieces");
	explain->is_signed_in_part = true;
	finding_open(finding, "What keeps pages that cannot be moved in between. Whether the request needs so much in one piece: vmalloc() needs single pages.");
	return true;
}

/*
 * The stacks of tasks have a fifth of the memory, and what else a task takes, its struct task_struct, is as much again: no other
 * counter says so. @stacks: pages
 */
static void claim_tasks(struct explain *explain, u64 stacks, u64 ram, const char *why)
{
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION];
	struct many_tasks many;

	if (many_tasks_find(&many, explain)) {
		words_place(place, (struct report_text){ many.place, strlen(many.place) });
		finding_claim(finding, "out-of-memory", FINDING_SHOWN,
			      "Memory ran out, and the stacks of tasks alone have %llu %% of it: %u of %u tasks are named %s%s%s. %s", stacks * 100 / ram, many.nr,
			      many.all, many.comm, *many.place ? ", and sleep in " : "", *many.place ? place : "", why);
		finding_open(finding, "Who begins them without end, or why they do not end.");
	} else {
		finding_claim(finding, "out-of-memory", FINDING_SHOWN,
			      "Memory ran out, and the stacks of tasks alone have %llu %% of it, %llu MB: there are far too many tasks or threads of the kernel. %s",
			      stacks * 100 / ram, stacks / 256, why);
		finding_open(finding, "Which: a vmcore has them all, epitaph info --stacks FILE.");
	}
	snprintf(explain->signed_by, sizeof(explain->signed_by), "stacks");
	explain->is_signed_in_part = true;
}

/* One place has asked vmalloc() for more than half of what no counter has, and for a quarter of the memory. */
static bool claim_vmalloc(struct explain *explain, u64 uncounted, u64 ram, const char *why)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct finding *finding = explain->finding;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];
	struct vmalloc_user user;
	u64 all;

	if (!kernel || !vmalloc_largest_user(kernel, &user, &all) || user.pages <= ram / 4 || user.pages <= uncounted / 2 ||
	    !kernel_caller(kernel, user.caller, name, sizeof(name)))
		return false;
	words_place(place, (struct report_text){ name, strlen(name) });
	finding_claim(finding, "out-of-memory", FINDING_SHOWN,
		      "Memory ran out, and %llu %% of it is of vmalloc(), called by %s: %llu areas with %llu MB. %s", user.pages * 100 / ram, place, user.nr,
		      user.pages / 256, why);
	finding_evidence_timeless(finding, "by the kernel's own list of its areas (/proc/vmallocinfo); all of them have %llu MB", all / 256);
	finding_open(finding, "Whether they are in use, or were lost: what asks for so many, and gives none back, leaks them.");
	return true;
}

/* One function alone, of all modules, takes objects of that cache: the kernel's own code may as well. */
static void open_alloc_site(struct explain *explain, const char *cache)
{
	char place[2 * WORDS_FUNCTION], size[40] = "";
	struct alloc_sites sites;

	if (!alloc_sites_find(&sites, explain->pm->kernel, cache) || sites.nr != 1)
		return;
	words_place(place, (struct report_text){ sites.name, strlen(sites.name) });
	if (sites.size)
		snprintf(size, sizeof(size), ", of %u bytes", sites.size);
	finding_open(explain->finding, "Possible: what %s takes is never freed on some way. It alone, of all modules but the recorder, takes objects of that cache%s; the kernel's own code was not looked at.",
		     place, size);
}

/* What most objects of the largest cache point to says whose they are. */
static void add_slab_owner(struct explain *explain, const char *cache, u64 ram)
{
	struct finding *finding = explain->finding;
	char symbol[KERNEL_SYMBOL_MAX], claim[FINDING_TEXT], whose[FINDING_TEXT];
	struct fault_text of = { 0 };
	struct slab_owner owner;

	if (!*cache || !explain->pm->kernel)
		return;
	open_alloc_site(explain, cache);
	if (!slab_owner_find(&owner, explain->pm->kernel, cache, ram) || !words_symbol(explain, owner.pointer, symbol, sizeof(symbol)))
		return;
	fault_text_take_module(&of, (struct report_text){ symbol, strlen(symbol) });
	symbol[strcspn(symbol, "+ ")] = '\0';
	snprintf(whose, sizeof(whose), "Of %u objects of %s that were looked at, %u point to %.80s of module %s.", owner.nr_objects, cache, owner.nr_pointing, symbol,
		 of.module);
	snprintf(claim, sizeof(claim), "%s", finding->claim);
	if (strlen(claim) + strlen(whose) + 2 < FINDING_TEXT)
		finding_claim(finding, finding->kind, finding->strength, "%s %s", claim, whose);
	else
		finding_evidence_timeless(finding, "%s", whose);
	finding_open(finding, "Whether that module loses them, on a way on which it comes back without one; or who makes them for it, and lets them lie.");
}

/* CONFIG_RANDOM_KMALLOC_CACHES: which of its copies an object comes from is by the place of the call, and by the boot. */
static void sign_by_cache(struct explain *explain, const char *cache)
{
	static const char copy[] = "kmalloc-rnd-";
	const char *size = strncmp(cache, copy, strlen(copy)) ? NULL : strchr(cache + strlen(copy), '-');

	snprintf(explain->signed_by, sizeof(explain->signed_by), "slab%s%s%s", *cache ? "<" : "", size ? "kmalloc" : "", size ?: cache);
}

/* Who has more than half of the memory, by the kernel's own table (mm/show_mem.c). */
static void claim_who_has_memory(struct explain *explain, const struct memory_user *largest, const char *why)
{
	struct finding *finding = explain->finding;
	u64 ram = number_at(explain, " pages RAM", true);
	u64 slab = number_at(explain, "slab_unreclaimable:", false);
	u64 shmem = number_at(explain, " shmem:", false);
	u64 uncounted = uncounted_pages(explain, ram);
	u64 stacks = node_sum(explain, "kernel_stack:", "kB") / 4;
	char cache[40];

	largest_cache(explain, cache);
	if (!ram)
		return;
	if (slab > ram / 2) {
		finding_claim(finding, "out-of-memory", FINDING_SHOWN,
			      "Memory ran out, and the kernel's own objects (unreclaimable slab) have %llu %% of it%s%s. %s",
			      slab * 100 / ram, *cache ? ", most in the cache " : "", cache, why);
		sign_by_cache(explain, cache);
		explain->is_signed_in_part = true;
		finding_open(finding, "Possible: what allocates these objects never frees them. epitaph events '+kmem:*' records who it is.");
		add_slab_owner(explain, cache, ram);
		stuck_rcu_claim(explain, slab, cache, why);
	} else if (shmem > ram / 2) {
		finding_claim(finding, "out-of-memory", FINDING_SHOWN,
			      "Memory ran out, and files in tmpfs or shared memory have %llu %% of it, buffers of a graphics driver and memfd included. %s", shmem * 100 / ram, why);
		snprintf(explain->signed_by, sizeof(explain->signed_by), "tmpfs");
		explain->is_signed_in_part = true;
		finding_open(finding, "Who wrote them. A tmpfs may take half of the memory where no size= says otherwise.");
	} else if (uncounted > ram / 2) {
		finding_claim(finding, "out-of-memory", FINDING_SHOWN,
			      "Memory ran out, and %llu %% of it is in none of the kernel's counters: no task, file or slab has it, but what takes pages itself (alloc_pages(), vmalloc()). %s",
			      uncounted * 100 / ram, why);
		snprintf(explain->signed_by, sizeof(explain->signed_by), "pages");
		explain->is_signed_in_part = true;
		finding_open(finding, "Who: a driver's buffers, packets, a balloon, zram. epitaph events '+kmem:mm_page_alloc' records who takes pages.");
		claim_vmalloc(explain, uncounted, ram, why);
	} else if (stacks > ram / 5) {
		claim_tasks(explain, stacks, ram, why);
	} else if (largest->pages > ram / 2)
		finding_open(finding, "Possible: the task %s-%llu took it; it has %llu %% of the machine's.", largest->comm,
			     largest->pid, largest->pages * 100 / ram);
}

/* "memory: usage 102400kB, limit 102400kB, failcnt 30", which is printed of a cgroup alone. */
static bool is_of_cgroup(const struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = last_report(explain); i < lines->nr; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		if (report_text_has(line, "memory: usage ") && report_text_has(line, ", limit "))
			return true;
	}
	return false;
}

#define ASKED_NS	10000000000ULL	/* from sysrq-f to the panic that it led to */

/* sysrq-f asks for the OOM killer; before 4.2 vm.panic_on_oom made a panic of that. */
static struct report_text asked_by_sysrq(const struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	u64 end = explain->panic ? explain->panic->time : explain->pm->end.time;

	for (u32 i = lines->nr; i--; ) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		if (lines->list[i].time <= end && lines->list[i].time + ASKED_NS >= end && report_text_has(line, "ysRq : Manual OOM execution"))
			return line;
	}
	return (struct report_text){ NULL, 0 };
}

bool judge_memory(struct explain *explain)
{
	struct finding *finding = explain->finding;
	const char *why = "This machine panics then instead of killing a task (vm.panic_on_oom).";
	bool is_cgroup = is_of_cgroup(explain);
	struct memory_user largest;
	u64 all;

	if (!report_text_has(explain->said, "panic_on_oom") &&
	    !report_text_has(explain->said, "System is deadlocked on memory") &&
	    !(explain->cause && explain->cause->kind == KERNEL_REPORT_OOM))
		return false;
	if (report_text_has(explain->said, "panic_on_oom") && asked_by_sysrq(explain).text) {
		finding_claim(finding, "out-of-memory", FINDING_SHOWN,
			      "The OOM killer was asked for by sysrq-f, and this machine panics then instead of killing a task (vm.panic_on_oom). Memory need not have run out.");
		finding_open(finding, "Why it was asked for.");
		words_line_evidence(explain, "", asked_by_sysrq(explain));
		words_report_evidence(explain, explain->panic);
		return true;
	}
	if (report_text_has(explain->said, "deadlocked on memory"))
		why = "The kernel found no task that it may kill.";
	/* With vm.panic_on_oom of 2 the kernel panics also for a cpuset or a policy that leaves few nodes. */
	finding_claim(finding, "out-of-memory", FINDING_SHOWN, "%s %s",
		      is_cgroup ? "A cgroup reached its limit of memory." :
		      report_text_has(explain->said, "compulsory panic_on_oom") ? "Memory ran out, or that of the nodes to which a cpuset or a policy had limited the request." :
		      "Memory ran out.", why);
	finding_open(finding, "Who took the memory. Whose request failed last is no proof.");
	if (find_largest(explain, &largest, &all)) {
		finding_evidence_timeless(finding, "all tasks together have %llu pages, the largest, %s-%llu, %llu, of %llu of the machine",
					  all, largest.comm, largest.pid, largest.pages, number_at(explain, " pages RAM", true));
	} else {
		finding_note(&finding->missing, "the kernel's table of tasks and their memory (vm.oom_dump_tasks)");
	}
	if (is_cgroup) {
		snprintf(explain->signed_by, sizeof(explain->signed_by), "cgroup");
		explain->is_signed_in_part = true;
	} else if (!claim_pieces(explain, why)) {
		claim_who_has_memory(explain, &largest, why);
	}
	words_report_evidence(explain, explain->cause);
	words_report_evidence(explain, explain->panic);
	finding_next(finding, "epitaph report --source log --all FILE");
	return true;
}
