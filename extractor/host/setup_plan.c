// SPDX-License-Identifier: GPL-2.0-or-later
#include "setup.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "device_tree.h"
#include "iomem.h"
#include "least_size.h"

#define MIB		(1ULL << 20)
#define GIB		(1ULL << 30)
#define PER_CPU		(128ULL << 10)	/* of each generation: some thousands of events */
#define GENERATIONS	2
#define MANY_CPUS	64
#define LEAST		(2 * MIB)
#define SHARE		16	/* of the RAM, at most a part */
#define CRASHKERNEL	"crashkernel=128M"
#define PANIC		"panic=10"

void setup_reason(struct setup *s, const char *fmt, ...)
{
	char raw[256];
	va_list ap;

	if (s->nr_reasons == SETUP_REASONS)
		return;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	escape_text(s->reasons[s->nr_reasons], sizeof(s->reasons[0]), raw, strlen(raw));
	s->nr_reasons++;
}

bool setup_is_chosen(const struct setup *s)
{
	return s->want_size || s->want_addr != SETUP_NO_ADDR;
}

/* "0-7": the last number counts. */
static u64 count_cpus(const struct setup *s)
{
	char text[256], *last;

	if (machine_read(s->root, "/sys/devices/system/cpu/possible", text, sizeof(text)) <= 0)
		return 1;
	last = text + strcspn(text, "\n");
	while (last > text && last[-1] >= '0' && last[-1] <= '9')
		last--;
	return strtoull(last, NULL, 10) + 1;
}

static void choose_region_size(struct setup *s, u64 ram)
{
	char of_ram[32], of_region[32];
	u64 cpus = count_cpus(s), need = GENERATIONS * PER_CPU * cpus, most = ram / SHARE / LEAST * LEAST, small;

	s->size = ram < 3 * GIB / 4 ? 8 * MIB : ram < 32 * GIB ? 16 * MIB :
		  ram < 256 * GIB ? 32 * MIB : 64 * MIB;
	small = s->size;
	while (s->size < need && s->size < 2 * GIB)
		s->size *= 2;
	/* A host may offer CPUs by hundreds to a small machine. */
	if (s->size > small && s->size > most && most >= GENERATIONS * LEAST_OF_GENERATION(cpus))
		s->size = need > most ? most : (need + LEAST - 1) / LEAST * LEAST;
	text_size(of_ram, sizeof(of_ram), ram);
	text_size(of_region, sizeof(of_region), s->size);
	setup_reason(s, "%s of RAM and %llu CPU%s: %s, for two generations, of this boot and of the one before",
		     of_ram, cpus, cpus == 1 ? "" : "s", of_region);
}

static int check_region_size(struct setup *s, u64 ram, struct err *err)
{
	u64 cpus = count_cpus(s), least = GENERATIONS * LEAST_OF_GENERATION(cpus);
	char of_ram[32];

	text_size(of_ram, sizeof(of_ram), ram);
	if (s->size < LEAST || s->size % 4096)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "a region has at least 2M, and is a multiple of 4K");
	if (s->size > ram / SHARE)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "%lluK are more than a sixteenth of the RAM of %s; --size gives less%s",
			       s->size >> 10, of_ram, s->want_size || cpus < MANY_CPUS ? "" :
			       "; it is for all possible CPUs, and nr_cpus= on the kernel command line says that there are less");
	if (s->size < least)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "two generations of %llu possible CPUs need %lluK: with %lluK the recorder may refuse to load",
			       cpus, least >> 10, s->size >> 10);
	return 0;
}

static bool has_reserve_mem(const struct setup *s)
{
	unsigned int major, minor;

	return sscanf(s->release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 12));
}

/* Only x86 knows memmap=N!A, and only there the place is ours to choose. */
static int choose_cmdline_words(struct setup *s, struct err *err)
{
	char bytes[32];

	if (s->size % MIB)
		snprintf(bytes, sizeof(bytes), "%lluK", s->size >> 10);
	else
		snprintf(bytes, sizeof(bytes), "%lluM", s->size / MIB);
	if (!machine_is_x86(s->root)) {
		if (!has_reserve_mem(s))
			return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
				       "memmap=SIZE!ADDRESS is for x86, and reserve_mem= for kernels from 6.12: this is %s; boot a newer kernel, or reserve memory in the device tree (docs/generations.md)",
				       s->release);
		setup_reason(s, "reserve_mem=: the kernel chooses the address, and may choose another one in another boot; a vmcore always has it");
		snprintf(s->words, sizeof(s->words), "reserve_mem=%s:4096:epitaph", bytes);
		return 0;
	}
	if (setup_place(s, err))
		return -err->code;
	if (has_reserve_mem(s))
		setup_reason(s, "not reserve_mem=: it may move from boot to boot, and takes the memory again in the capture kernel");
	if (machine_exists(s->root, "/sys/firmware/efi"))
		setup_reason(s, "EFI: with memmap= on the line the kernel does not randomize its physical address; the virtual one it does");
	snprintf(s->words, sizeof(s->words), "memmap=%s!0x%llx", bytes, s->addr);
	return 0;
}

/* A word of the command line that files of GRUB may have. */
struct grub_word {
	const char *root;
	const char *word;	/* with its "=" */
};

static bool is_in_comment(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	return at[strspn(at, " \t")] == '#';
}

static bool file_has_word(const struct grub_word *w, const char *path)
{
	char text[16384];
	const char *at = text;

	if (machine_read(w->root, path, text, sizeof(text)) <= 0)
		return false;
	while ((at = strstr(at, w->word))) {
		if ((at == text || strchr(" \t\n\"'=", at[-1])) && !is_in_comment(text, at))
			return true;
		at++;
	}
	return false;
}

/* GRUB reads *.cfg alone: not those that dpkg or an editor has put aside. */
static bool drop_in_has_word(const char *name, void *word)
{
	size_t len = strlen(name);
	char path[512];

	snprintf(path, sizeof(path), "/etc/default/grub.d/%s", name);
	return len > 4 && !strcmp(name + len - 4, ".cfg") && file_has_word(word, path);
}

/* Does a file that GRUB's line is made of have @word? */
static bool grub_has_word(const struct setup *s, const char *word)
{
	struct grub_word w = { s->root, word };

	return file_has_word(&w, "/etc/default/grub") ||
	       machine_each(s->root, "/etc/default/grub.d", drop_in_has_word, &w);
}

static void plan_crashkernel(struct setup *s, const char *written)
{
	static const char *const tools[] = { "/usr/sbin/kdump-config", NULL };
	size_t len;

	if (strstr(written, CRASHKERNEL)) {
		setup_reason(s, CRASHKERNEL " stays");
		strcat(s->words, " " CRASHKERNEL);
	} else if (cmdline_next(s->cmdline, "crashkernel=", &len)) {
		setup_reason(s, "crashkernel= is there: epitaph doctor says whether it is enough");
	} else if (grub_has_word(s, "crashkernel=")) {
		setup_reason(s, "crashkernel= will be there after the reboot: GRUB's files have it");
	} else if (machine_has_any(s->root, tools)) {
		setup_reason(s, CRASHKERNEL ": kdump-tools is installed, and no memory is reserved for its capture kernel");
		strcat(s->words, " " CRASHKERNEL);
	}
}

/*
 * The capture kernel gets the same command line.  With kernel.panic=0, the default of the kernel
 * and of most distributions, a panic in it stops the machine for good.
 */
static void plan_panic(struct setup *s, const char *written)
{
	char action[32];
	size_t len;

	machine_on_panic(s->root, action);
	if (*action) {
		setup_reason(s, "no panic=: it does nothing on this machine, which goes by " MACHINE_ON_PANIC " (%s)", action);
	} else if (strstr(written, PANIC)) {
		setup_reason(s, PANIC " stays");
		strcat(s->words, " " PANIC);
	} else if (cmdline_next(s->cmdline, "panic=", &len)) {
		setup_reason(s, "panic= is there");
	} else if (grub_has_word(s, "panic=")) {
		setup_reason(s, "panic= will be there after the reboot: GRUB's files have it");
	} else {
		setup_reason(s, PANIC ": 10 s after a panic the machine restarts, and so does a capture kernel that panics");
		strcat(s->words, " " PANIC);
	}
}

bool setup_is_wanted(const struct setup *s, const char *words)
{
	struct cmdline_memory memory;

	return cmdline_memory(words, &memory) && (!s->want_size || memory.size == s->want_size) &&
	       (s->want_addr == SETUP_NO_ADDR || memory.addr == s->want_addr);
}

/* A region of our drop-in may move if the user asks for it; once, if he asks for the same again. */
static bool may_move(struct setup *s, const struct cmdline_memory *memory, const char *written)
{
	char word[SETUP_WORDS];

	snprintf(word, sizeof(word), "%.*s", (int)memory->len, memory->word);
	if (!setup_is_chosen(s) || setup_is_wanted(s, word) || !strstr(written, word))
		return false;
	setup_reason(s, "instead of %s, which this boot has: what is recorded there is not found after the reboot; epitaph harvest saves it",
		     word);
	return true;
}

/* Or else the same advice for ever: reboot. */
static void note_other_loader(struct setup *s, const char *written)
{
	if (*written && setup_is_older_than_boot(s->root))
		setup_reason(s, "this kernel started after " SETUP_DROP_IN " was written, and without its words: if the clock was not set since, the GRUB of /boot/grub does not start this machine; add the words where its boot loader has its command line");
}

/* The drop-in has been moved since this kernel started. */
static bool waits_for_reboot(struct setup *s, const struct cmdline_memory *now, const char *written)
{
	struct cmdline_memory next;
	char word[SETUP_WORDS];

	if (!cmdline_memory(written, &next) || !setup_is_wanted(s, written))
		return false;
	snprintf(word, sizeof(word), "%.*s", (int)next.len, next.word);
	if (strstr(s->cmdline, word))
		return false;
	s->size = next.size;
	s->addr = next.addr;
	strcpy(s->words, written);
	if (setup_is_older_than_boot(s->root))
		setup_reason(s, "the running kernel has %.*s, and " SETUP_DROP_IN " says other words", (int)now->len, now->word);
	else
		setup_reason(s, "the running kernel still has %.*s; " SETUP_DROP_IN " is newer, and the next boot has what it says",
			     (int)now->len, now->word);
	note_other_loader(s, written);
	return true;
}

/* Of two the recorder takes none, if nothing says which. */
static int check_only_range(const struct setup *s, struct err *err)
{
	size_t len;

	if (cmdline_count_ranges(s->cmdline) < 2 || cmdline_next(s->cmdline, "epitaph.addr=", &len) ||
	    machine_exists(s->root, "/sys/kernel/epitaph/region"))
		return 0;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "the kernel command line has %u memmap=SIZE!ADDRESS, and the recorder takes none of several; say which by epitaph.addr= and epitaph.size= there, or leave one",
		       cmdline_count_ranges(s->cmdline));
}

/* What the device tree reserves needs no word on the command line. */
static bool is_in_device_tree(struct setup *s)
{
	struct device_tree_memory memory;

	if (setup_is_chosen(s) || !device_tree_memory(s->root, &memory))
		return false;
	s->in_effect = true;
	s->size = memory.size;
	s->addr = memory.addr;
	setup_reason(s, "the device tree reserves memory for the recorder: reserved-memory/%s", memory.node);
	return true;
}

int setup_plan(struct setup *s, struct err *err)
{
	char written[SETUP_WORDS] = "";
	struct err ignored = ERR_INIT;
	struct cmdline_memory memory;
	struct iomem map;
	u64 ram;

	machine_read(s->root, "/proc/cmdline", s->cmdline, sizeof(s->cmdline));
	machine_release(s->root, s->release);
	if (setup_check_machine(s, err))
		return -err->code;
	setup_written(s->root, written, &ignored);
	if (cmdline_memory(s->cmdline, &memory) && waits_for_reboot(s, &memory, written))
		return 0;
	if (cmdline_memory(s->cmdline, &memory) && !may_move(s, &memory, written)) {
		if (check_only_range(s, err))
			return -err->code;
		s->in_effect = true;
		s->size = memory.size;
		s->addr = memory.addr;
		setup_reason(s, "%.*s is on the running kernel's command line", (int)memory.len,
			     memory.word);
		return 0;
	}
	if (is_in_device_tree(s))
		return 0;
	note_other_loader(s, written);
	if (!setup_is_chosen(s) && setup_find_device(s)) {
		plan_crashkernel(s, written);
		plan_panic(s, written);
		return 0;
	}
	if (iomem_read(&map, s->root, err))
		return -err->code;
	ram = iomem_ram(&map);
	iomem_free(&map);
	s->size = s->want_size;
	if (!s->size)
		choose_region_size(s, ram);
	if (check_region_size(s, ram, err) || choose_cmdline_words(s, err))
		return -err->code;
	plan_crashkernel(s, written);
	plan_panic(s, written);
	return 0;
}
