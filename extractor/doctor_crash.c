// SPDX-License-Identifier: GPL-2.0-or-later
/* Is a capture kernel there, and would it come up? */
#include <stdio.h>
#include <string.h>

#include "doctor.h"

/* Below, a Debian 6.1 capture kernel loads, and runs out of memory on the day. */
#define CRASH_MIN	(88ULL << 20)
#define CRASH_FULL	(112ULL << 20)	/* with the distribution's own initrd */

static void check_loaded(struct doctor *d)
{
	s64 loaded = 0, size = 0;

	doctor_number(d, "/sys/kernel/kexec_crash_loaded", &loaded);
	doctor_number(d, "/sys/kernel/kexec_crash_size", &size);
	d->has_kdump = loaded == 1;
	if (d->has_kdump)
		doctor_say(d, "kdump", DOCTOR_OK, NULL, "a capture kernel is loaded");
	else if (size)
		doctor_say(d, "kdump", DOCTOR_FAILURE, "load it: kdump-config load, or kdumpctl start",
			   "crashkernel= reserves %lld MiB, and no capture kernel is loaded",
			   (long long)size >> 20);
	else
		doctor_say(d, "kdump", DOCTOR_WARNING,
			   "nothing, if that is meant; else boot with crashkernel=128M",
			   "there is no kdump: a trace comes back by a warm reboot alone");
}

static void check_size(struct doctor *d)
{
	s64 size;

	if (!d->has_kdump || !doctor_number(d, "/sys/kernel/kexec_crash_size", &size))
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

/* A word that begins with @key and has @what in it. */
static bool has_word(const char *line, const char *key, const char *what)
{
	const char *p = line;
	size_t len;

	while ((p = strstr(p, key))) {
		len = strcspn(p, " ");
		if ((p == line || p[-1] == ' ') && (!*what || memchr(p, *what, len)))
			return true;
		p++;
	}
	return false;
}

static void check_cmdline(struct doctor *d)
{
	char line[4096];

	if (doctor_read(d, "/proc/cmdline", line, sizeof(line)) <= 0)
		return;
	if (has_word(line, "memmap=", "$"))
		doctor_say(d, "cmdline", DOCTOR_FAILURE, "write memmap=SIZE!ADDRESS",
			   "memmap=SIZE$ADDRESS: kdump scripts eval the command line, and the capture kernel then hangs");
	if (d->has_kdump && has_word(line, "reserve_mem=", ""))
		doctor_say(d, "cmdline", DOCTOR_WARNING,
			   "take reserve_mem= off the capture kernel's command line, or make crashkernel= larger by it",
			   "reserve_mem= is handed on to the capture kernel, which reserves the memory again");
}

static void check_lockdown(struct doctor *d)
{
	char text[128];

	if (doctor_read(d, "/sys/kernel/security/lockdown", text, sizeof(text)) <= 0)
		return;
	if (strstr(text, "[confidentiality]"))
		doctor_say(d, "lockdown", DOCTOR_WARNING, "lockdown=integrity lets root harvest",
			   "lockdown is confidentiality: what was recorded cannot be read on this machine, only from a dump");
}

void doctor_check_crash(struct doctor *d)
{
	check_loaded(d);
	check_size(d);
	check_cmdline(d);
	check_lockdown(d);
}
