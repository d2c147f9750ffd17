// SPDX-License-Identifier: GPL-2.0-or-later
/* Is a capture kernel there, and would it come up? */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "doctor.h"
#include "iomem.h"

/* Below, a Debian 6.1 capture kernel loads, and runs out of memory on the day. */
#define CRASH_MIN	(88ULL << 20)
#define RAM_UNIT	(128ULL << 20)
#define CRASH_FULL	(112ULL << 20)	/* with the distribution's own initrd */

static const char *const kdumps[] = {
	"/usr/sbin/kdump-config", "/usr/bin/kdumpctl", "/usr/lib/kdump/load.sh", NULL,
};

bool doctor_has_kexec(const struct doctor *d)
{
	return machine_exists(d->root, "/sys/kernel/kexec_crash_loaded");
}

/* "2G-4G:320M,4G-:512M": from how much RAM on is anything asked for?  0: it is no such list. */
static u64 crashkernel_least(const char *word, size_t len)
{
	const char *p = word + strlen("crashkernel="), *end;
	u64 start, least = ~0ULL;

	for (; p; p = (p = memchr(p, ',', word + len - p)) ? p + 1 : NULL) {
		start = cmdline_bytes(p, &end);
		if (end == p || *end != '-')
			return 0;
		least = start < least ? start : least;
	}
	return least;
}

/* The last one counts.  The kernel rounds what it has up. */
static bool is_below_crashkernel(const struct doctor *d, u64 *ret_ram, u64 *ret_least)
{
	const char *line = d->cmdline, *word;
	struct iomem map;
	size_t len;

	*ret_least = 0;
	for (; (word = cmdline_next(line, "crashkernel=", &len)); line = word + len)
		*ret_least = crashkernel_least(word, len);
	if (!*ret_least || iomem_read(&map, d->root, NULL))
		return false;
	*ret_ram = iomem_ram(&map);
	iomem_free(&map);
	return *ret_ram + RAM_UNIT - 1 - (*ret_ram + RAM_UNIT - 1) % RAM_UNIT < *ret_least;
}

/* Why is there no memory for a capture kernel? */
static void check_absent(struct doctor *d)
{
	char has[32], from[32];
	u64 ram, least;
	size_t len;

	if (!doctor_has_kexec(d))
		doctor_say(d, "kdump", DOCTOR_WARNING,
			   "nothing, if that is meant; else boot a kernel with kexec (CONFIG_KEXEC, CONFIG_CRASH_DUMP)",
			   "this kernel has no kexec, so no kdump: a trace comes back by a warm reboot alone");
	else if (is_below_crashkernel(d, &ram, &least)) {
		text_size(has, sizeof(has), ram);
		text_size(from, sizeof(from), least);
		doctor_say(d, "kdump", DOCTOR_WARNING,
			   "nothing, if that is meant; else boot with crashkernel=128M",
			   "there is no kdump: crashkernel= asks for memory from %s of RAM on, and this machine has %s; a trace comes back by a warm reboot alone",
			   from, has);
	} else if (cmdline_next(d->cmdline, "crashkernel=", &len))
		doctor_say(d, "kdump", DOCTOR_FAILURE,
			   "see crashkernel in dmesg; it may be too large, or its address overlap memmap=",
			   "the kernel was asked for crashkernel= and reserved nothing");
	else if (machine_has_any(d->root, kdumps))
		doctor_say(d, "kdump", DOCTOR_WARNING,
			   "boot with crashkernel=128M, or nothing, if no kdump is meant",
			   "kdump's tools are installed, and no memory is reserved for a capture kernel");
	else
		doctor_say(d, "kdump", DOCTOR_WARNING,
			   "nothing, if that is meant; else install kdump's tools and boot with crashkernel=128M",
			   "there is no kdump: a trace comes back by a warm reboot alone");
}

static void check_loaded(struct doctor *d)
{
	s64 loaded = 0, size = 0, disabled = 0;

	machine_number(d->root, "/sys/kernel/kexec_crash_loaded", &loaded);
	machine_number(d->root, "/sys/kernel/kexec_crash_size", &size);
	machine_number(d->root, "/proc/sys/kernel/kexec_load_disabled", &disabled);
	d->has_kdump = loaded == 1 && !d->without_kdump;
	if (loaded == 1)
		doctor_say(d, "kdump", DOCTOR_OK, NULL, "a capture kernel is loaded");
	else if (size && disabled)
		doctor_say(d, "kdump", DOCTOR_FAILURE,
			   "load it before kernel.kexec_load_disabled is set; after the next boot",
			   "no capture kernel is loaded, and none can be any more (kernel.kexec_load_disabled)");
	else if (size)
		doctor_say(d, "kdump", DOCTOR_FAILURE, "load it: kdump-config load, or kdumpctl start",
			   "crashkernel= reserves %lld MiB, and no capture kernel is loaded",
			   (long long)size >> 20);
	else
		check_absent(d);
}

static void check_crashkernel_size(struct doctor *d)
{
	s64 size;

	if (!d->has_kdump || !machine_number(d->root, "/sys/kernel/kexec_crash_size", &size))
		return;
	if ((u64)size < CRASH_MIN)
		doctor_say(d, "crashkernel", DOCTOR_FAILURE, "boot with crashkernel=128M",
			   "%lld MiB: a capture kernel loads into that and runs out of memory",
			   (long long)size >> 20);
	else if ((u64)size < CRASH_FULL)
		doctor_say(d, "crashkernel", DOCTOR_WARNING, "boot with crashkernel=128M",
			   "%lld MiB: enough for a minimal capture initramfs, not for kdump-tools' own",
			   (long long)size >> 20);
	else
		doctor_say(d, "crashkernel", DOCTOR_OK, NULL, "%lld MiB",
			   (long long)size >> 20);
}

static void check_cmdline(struct doctor *d)
{
	if (cmdline_has(d->cmdline, "memmap=", "$"))
		doctor_say(d, "cmdline", DOCTOR_FAILURE, "write memmap=SIZE!ADDRESS",
			   "memmap=SIZE$ADDRESS: kdump scripts eval the command line, and the capture kernel then hangs");
	else if (strpbrk(d->cmdline, "$`"))
		doctor_say(d, "cmdline", d->has_kdump ? DOCTOR_FAILURE : DOCTOR_WARNING,
			   "take it off, or set KDUMP_CMDLINE in /etc/default/kdump-tools",
			   "the command line has a %c: kdump scripts eval it, and the capture kernel gets another one",
			   *strpbrk(d->cmdline, "$`"));
	if (d->has_kdump && cmdline_has(d->cmdline, "reserve_mem=", ""))
		doctor_say(d, "cmdline", DOCTOR_WARNING,
			   "take reserve_mem= off the capture kernel's command line, or make crashkernel= larger by it",
			   "reserve_mem= is handed on to the capture kernel, which reserves the memory again");
}

static void check_lockdown(struct doctor *d)
{
	char text[128];

	if (machine_read(d->root, "/sys/kernel/security/lockdown", text, sizeof(text)) <= 0)
		return;
	if (strstr(text, "[confidentiality]"))
		doctor_say(d, "lockdown", DOCTOR_WARNING, "lockdown=integrity lets root harvest",
			   "lockdown is confidentiality: what was recorded cannot be read on this machine, only from a dump");
}

void doctor_check_crash(struct doctor *d)
{
	check_loaded(d);
	check_crashkernel_size(d);
	check_cmdline(d);
	check_lockdown(d);
}
