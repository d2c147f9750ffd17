// SPDX-License-Identifier: GPL-2.0-or-later
/* Is the recorder there, and is its memory what it should be? */
#include <stdio.h>
#include <string.h>

#include "doctor.h"
#include "device_tree.h"
#include "firmware_map.h"
#include "iomem.h"
#include "nvdimm.h"
#include "setup.h"

/* The words that epitaph setup proposes for the command line; false: it has none to propose. */
static bool proposed_words(const struct doctor *d, char *words, size_t size)
{
	static struct setup s;
	struct err err = ERR_INIT;

	s = (struct setup){ .root = d->root, .want_addr = SETUP_NO_ADDR };
	if (setup_plan(&s, &err) || s.in_effect)
		return false;
	snprintf(words, size, "%.*s", (int)strcspn(s.words, " "), s.words);
	return true;
}

/* Before epitaph setup, to load it is in vain. */
static bool has_memory_reserved(const struct doctor *d)
{
	struct device_tree_memory tree;
	struct cmdline_memory memory;

	return cmdline_memory(d->cmdline, &memory) || strstr(d->cmdline, "epitaph.pages=") ||
	       device_tree_memory(d->root, &tree);
}

static void say_not_loaded(struct doctor *d)
{
	if (cmdline_count_ranges(d->cmdline) > 1 && !strstr(d->cmdline, "epitaph.addr="))
		doctor_say(d, "recorder", DOCTOR_FAILURE,
			   "boot with epitaph.addr= and epitaph.size= of the one that is the recorder's, or with one alone",
			   "the recorder is not loaded: the command line has %u memmap=SIZE!ADDRESS, and it takes none of several",
			   cmdline_count_ranges(d->cmdline));
	else if (has_memory_reserved(d))
		doctor_say(d, "recorder", DOCTOR_FAILURE,
			   "modprobe epitaph, and look at dmesg for what it says",
			   "the recorder is not loaded");
	else if (machine_exists(d->root, SETUP_DROP_IN) && setup_is_older_than_boot(d->root))
		doctor_say(d, "recorder", DOCTOR_FAILURE,
			   "the GRUB of /boot/grub does not start this machine, if the clock was not set since: epitaph setup says which words its boot loader needs",
			   "the recorder is not loaded: this boot has no memory for it, though it is younger than what epitaph setup --write has written");
	else if (machine_exists(d->root, SETUP_DROP_IN))
		doctor_say(d, "recorder", DOCTOR_FAILURE,
			   "reboot: epitaph setup --write has reserved memory from then on",
			   "the recorder is not loaded: this boot has no memory for it");
	else
		doctor_say(d, "recorder", DOCTOR_FAILURE, "epitaph setup --write, then reboot",
			   "the recorder is not loaded: no memory is reserved for it");
}

/* NULL: the region is not lost. */
static const char *how_it_was_lost(const struct doctor *d)
{
	char text[32];

	if (machine_read(d->root, "/sys/kernel/epitaph/recording", text, sizeof(text)) <= 0)
		return NULL;
	if (!strncmp(text, "lost-in-hibernation", 19))
		return "its region was lost in hibernation";
	return strncmp(text, "device-removed", 14) ? NULL : "the device with its region was removed";
}

static void check_recorder(struct doctor *d)
{
	const char *loss = how_it_was_lost(d);
	s64 number;

	d->has_recorder = machine_exists(d->root, "/sys/module/epitaph");
	if (loss) {
		d->has_recorder = true;
		doctor_say(d, "recorder", DOCTOR_FAILURE, "modprobe -r epitaph_pstore epitaph && modprobe epitaph",
			   "the recorder is not recording: %s", loss);
	} else if (machine_number(d->root, "/sys/kernel/epitaph/current", &number)) {
		d->has_recorder = true;
		doctor_say(d, "recorder", DOCTOR_OK, NULL,
			   "the recorder is loaded; it records, into generation %lld",
			   (long long)number);
	} else if (d->has_recorder) {
		doctor_say(d, "recorder", DOCTOR_FAILURE,
			   "use the epitaph.ko that belongs to this tool",
			   "the module epitaph is loaded, and /sys/kernel/epitaph/current cannot be read");
	} else {
		say_not_loaded(d);
	}
}

/* Nothing can be done about it, so it is no warning. */
static void check_architecture(struct doctor *d)
{
	char missing[128];

	if (machine_read(d->root, "/sys/kernel/epitaph/missing", missing, sizeof(missing)) > 0)
		doctor_say(d, "machine", DOCTOR_OK, NULL,
			   "what is not recorded on this architecture: %s", missing);
}

/* Whose types `epitaph` will have of a vmcore of this kernel. */
static void check_types(struct doctor *d)
{
	char owner[16];

	if (machine_read(d->root, "/sys/kernel/epitaph/types", owner, sizeof(owner)) > 0 && !strcmp(owner, "none"))
		doctor_say(d, "types", DOCTOR_WARNING,
			   "install pahole (package dwarves), build the module again and load it",
			   "this kernel has no types (CONFIG_DEBUG_INFO_BTF), and the recorder was built without pahole: of a vmcore, no tasks, stacks, waits or modules will be known");
}

/* The recorder refuses to read arguments that it does not know. */
static void check_functions(struct doctor *d)
{
	char names[256];

	if (machine_read(d->root, "/sys/kernel/epitaph/not-followed", names, sizeof(names)) > 0)
		doctor_say(d, "machine", DOCTOR_WARNING, "use an Epitaph that knows this kernel",
			   "functions of this kernel take something else than the recorder knows, and are not followed: %s",
			   names);
}

/* "AMD LBR v2, on 2 CPUs, 0 left to another one", or "none: why". Nothing, if they were not asked for. */
static void check_last_branches(struct doctor *d)
{
	unsigned int on, busy;
	char text[256];
	const char *counts;

	if (machine_read(d->root, "/sys/kernel/epitaph/last-branches", text, sizeof(text)) <= 0 ||
	    strstr(text, "not asked for"))
		return;
	counts = strstr(text, ", on ");
	if (!strncmp(text, "none: ", 6))
		doctor_say(d, "branches", DOCTOR_WARNING, "load the recorder without branches=1",
			   "no CPU keeps its last branches: %s", text + 6);
	else if (counts && sscanf(counts, ", on %u CPUs, %u left", &on, &busy) == 2 && busy)
		doctor_say(d, "branches", DOCTOR_WARNING, "end what uses them, as perf record -b, and load the recorder again",
			   "on %u CPUs another one has the registers of the last branches; %u keep theirs", busy, on);
	else
		doctor_say(d, "branches", DOCTOR_OK, NULL, "the last branches are kept: %s", text);
}

/* Of memory that moves or does not outlive a reset, where memmap= does not choose its place. */
static void check_memory_without_memmap(struct doctor *d)
{
	bool may_move = !strcmp(d->region_kind, "reserve_mem");

	if (may_move && d->has_kdump)
		doctor_say(d, "memory", DOCTOR_OK, NULL,
			   "reserve_mem= may give another place in the next boot; the vmcore has this one's trace");
	else if (may_move)
		doctor_say(d, "memory", DOCTOR_WARNING, doctor_has_kexec(d) ?
			   "load a capture kernel, whose vmcore has the trace in any case" :
			   "nothing; only of a kernel with kexec a vmcore has the trace in any case",
			   "reserve_mem= may give another place in the next boot, which then does not find this one's trace");
	else
		doctor_say(d, "memory", d->has_kdump ? DOCTOR_WARNING : DOCTOR_FAILURE,
			   "reserve memory with reserve_mem=16M:4096:epitaph (epitaph setup), which kernels from 6.12 on have",
			   "the region is ordinary memory (%s): only a vmcore will have it%s", d->region_kind,
			   d->has_kdump ? "" : ", and no capture kernel is loaded");
}

/* Outlives a reset at the same place, moves, or does not outlive it at all. */
static void check_memory_kind(struct doctor *d)
{
	const char *kind = d->region_kind;
	u64 end = firmware_memory_end(d->root) ?: ~0ULL;

	if (!strcmp(kind, "memmap") && nvdimm_has_memory(d->root, d->region_addr, d->region_size))
		doctor_say(d, "memory", DOCTOR_OK, NULL,
			   "a device (nvdimm, virtio-pmem) has the region: it is kept when this machine is gone");
	else if (!strcmp(kind, "memmap") && d->region_addr + d->region_size + FIRMWARE_KEXEC_ROOM > end)
		doctor_say(d, "memory", DOCTOR_WARNING,
			   "boot with another address in memmap=SIZE!ADDRESS (epitaph setup proposes one), or use kexec -s",
			   "kexec -l puts the next kernel into the last 128 MiB of memory, which ends at 0x%llx; it overwrites the region at 0x%llx",
			   end, d->region_addr);
	else if (!strcmp(kind, "memmap"))
		doctor_say(d, "memory", DOCTOR_OK, NULL,
			   "memmap= reserves the same place in every boot");
	else if (!strcmp(kind, "device"))
		doctor_say(d, "memory", DOCTOR_OK, NULL,
			   "an ivshmem device has the region: the host keeps it, also when this machine is gone");
	else if (!strcmp(kind, "device_tree"))
		doctor_say(d, "memory", DOCTOR_OK, NULL,
			   "the device tree reserves the same place in every boot");
	else if (!machine_is_x86(d->root))
		check_memory_without_memmap(d);
	else if (!strcmp(kind, "reserve_mem"))
		doctor_say(d, "memory", DOCTOR_WARNING,
			   "where crashkernel= and KASLR are used, memmap=SIZE!ADDRESS stays in place",
			   "reserve_mem= may give another place in the next boot, which then does not find this one's trace");
	else if (d->has_kdump)
		doctor_say(d, "memory", DOCTOR_WARNING,
			   "reserve memory with memmap=SIZE!ADDRESS for traces to outlive a reset: epitaph setup",
			   "the region is ordinary memory (%s): only a vmcore will have it", kind);
	else
		doctor_say(d, "memory", DOCTOR_FAILURE,
			   "reserve memory with memmap=SIZE!ADDRESS (epitaph setup), or load a capture kernel",
			   "the region is ordinary memory (%s) and no capture kernel is loaded: nothing will be left",
			   kind);
}

/* "0x20000000 16777216 memmap" */
static bool read_region_attribute(struct doctor *d)
{
	unsigned long long at, size;
	char text[128];

	if (machine_read(d->root, "/sys/kernel/epitaph/region", text, sizeof(text)) <= 0 ||
	    sscanf(text, "%llx %llu %15s", &at, &size, d->region_kind) != 3)
		return false;
	d->region_addr = at;
	d->region_size = size;
	return true;
}

static void check_listed(struct doctor *d, const struct iomem *map)
{
	const struct iomem_range *range = iomem_find(map, "System RAM (epitaph)");

	if (!strcmp(d->region_kind, "device")) {
		doctor_say(d, "dumps", DOCTOR_OK, NULL,
			   "no vmcore of this machine has the region; the host's file has it, and epitaph harvest of the next boot");
		return;
	}
	/* The others are System RAM already, and in every dump. */
	if (strcmp(d->region_kind, "memmap"))
		return;
	if (range && range->start == d->region_addr)
		doctor_say(d, "dumps", DOCTOR_OK, NULL,
			   "the region is System RAM in /proc/iomem, so every vmcore will have it");
	else
		doctor_say(d, "dumps", DOCTOR_FAILURE, "load epitaph.ko again, before kdump",
			   "/proc/iomem does not have the region at 0x%llx as System RAM (epitaph)",
			   d->region_addr);
}

/* The capture kernel would run in it, and the trace be gone. */
static void check_overlap(struct doctor *d, const struct iomem *map)
{
	size_t i;

	for (i = 0; i < map->nr; i++) {
		const struct iomem_range *range = &map->list[i];

		if (!strcmp(range->name, "Crash kernel") &&
		    range->start - d->region_addr < d->region_size)
			break;
		if (!strcmp(range->name, "Crash kernel") && range->start <= d->region_addr &&
		    range->end >= d->region_addr)
			break;
	}
	if (i < map->nr)
		doctor_say(d, "overlap", DOCTOR_FAILURE,
			   "boot with another address in memmap=SIZE!ADDRESS: epitaph setup proposes one",
			   "the capture kernel's memory (0x%llx-0x%llx) overlaps the region at 0x%llx",
			   map->list[i].start, map->list[i].end, d->region_addr);
}

/* Other nvdimms are no concern of the recorder. */
static bool is_reserved_for_us(const struct doctor *d, const struct iomem_range *range)
{
	const char *line = d->cmdline;
	struct cmdline_memory memory;

	for (; cmdline_memory(line, &memory); line = memory.word + memory.len) {
		if (range->start < memory.addr + memory.size && range->end >= memory.addr)
			return true;
		if (memory.is_own)
			return false;
	}
	return false;
}

/* A range that the owner meant for a disk of his is the recorder's as well, if it is the only one. */
static void check_pmem(struct doctor *d, const struct iomem *map)
{
	const struct iomem_range *range;
	char advice[320], release[72] = "modprobe -r nd_pmem";
	size_t i;

	for (i = 0; i < map->nr; i++) {
		range = &map->list[i];
		if (strncmp(range->name, "namespace", 9) || !is_reserved_for_us(d, range))
			continue;
		/* Only a module has a state. */
		if (machine_exists(d->root, "/sys/bus/nd/drivers/nd_pmem") &&
		    !machine_exists(d->root, "/sys/module/nd_pmem/initstate"))
			snprintf(release, sizeof(release), "echo %.24s >/sys/bus/nd/drivers/nd_pmem/unbind", range->name);
		snprintf(advice, sizeof(advice),
			 "%s && modprobe epitaph, and a trace there is kept; at a boot epitaph.ko comes first, by softdep nd_e820 pre: epitaph. Not if a file system of yours is there: boot with another memmap=SIZE!ADDRESS, named by epitaph.addr= and epitaph.size=",
			 release);
		doctor_say(d, "nd_pmem", DOCTOR_FAILURE, advice,
			   "the persistent-memory driver has the memory at 0x%llx", range->start);
		return;
	}
}

/* The kernel believes memmap=SIZE!ADDRESS, whatever lies there. */
static bool has_memory(struct doctor *d, u64 start, u64 size)
{
	u64 has = nvdimm_has_memory(d->root, start, size) ? size : firmware_memory(d->root, start, size);

	if (has < size)
		doctor_say(d, "memory", DOCTOR_FAILURE,
			   "boot with another address in memmap=SIZE!ADDRESS: epitaph setup proposes one",
			   "the firmware has no memory at 0x%llx, in the range 0x%llx-0x%llx that memmap= reserves: nothing that is written there is kept",
			   start + has, start, start + size - 1);
	return has >= size;
}

static void say_no_region(struct doctor *d)
{
	char words[SETUP_WORDS], advice[320];

	if (proposed_words(d, words, sizeof(words)))
		snprintf(advice, sizeof(advice),
			 "epitaph setup --write, then reboot; without GRUB, boot with %s", words);
	else
		strcpy(advice, "epitaph setup says what can be reserved here");
	doctor_say(d, "region", DOCTOR_FAILURE, advice, "there is no region");
}

/* Without a recorder: is there memory that it would take? */
static void check_reserved(struct doctor *d, const struct iomem *map)
{
	const struct iomem_range *range = iomem_find(map, "Persistent Memory (legacy)");
	struct device_tree_memory memory;

	if (device_tree_memory(d->root, &memory))
		doctor_say(d, "region", DOCTOR_FAILURE, "load epitaph.ko; if it refuses, the kernel's log says why",
			   "the device tree reserves memory for the recorder (%s), and no recorder uses it",
			   memory.node);
	else if (range && has_memory(d, range->start, range->end - range->start + 1))
		doctor_say(d, "region", DOCTOR_FAILURE, "load epitaph.ko",
			   "memory is reserved at 0x%llx, and no recorder uses it", range->start);
	else if (!range)
		say_no_region(d);
}

static void check_region_memory(struct doctor *d, const struct iomem *map)
{
	if (!read_region_attribute(d)) {
		check_reserved(d, map);
		check_pmem(d, map);
		return;
	}
	doctor_say(d, "region", DOCTOR_OK, NULL, "%llu KiB at 0x%llx", d->region_size >> 10,
		   d->region_addr);
	check_listed(d, map);
	check_overlap(d, map);
	if (strcmp(d->region_kind, "memmap") || has_memory(d, d->region_addr, d->region_size))
		check_memory_kind(d);
}

void doctor_check_region(struct doctor *d)
{
	struct err err = ERR_INIT;
	struct iomem map;

	check_recorder(d);
	check_architecture(d);
	check_types(d);
	check_functions(d);
	check_last_branches(d);
	if (iomem_read(&map, d->root, &err)) {
		doctor_say(d, "region", DOCTOR_FAILURE, "run this as root", "%s", err.msg);
		return;
	}
	check_region_memory(d, &map);
	iomem_free(&map);
}
