// SPDX-License-Identifier: GPL-2.0-only
/* VMCOREINFO: the kernel's description of itself for dump tools, read by ourselves. */
#include <linux/io.h>
#include <linux/kernel.h>
/* 6.9 has a header of it alone.  Without CONFIG_KEXEC_CORE the others define the same functions twice. */
#if __has_include(<linux/vmcore_info.h>)
#include <linux/vmcore_info.h>
#else
#include <linux/crash_core.h>
#include <linux/kexec.h>
#endif
#include <linux/string.h>
#include "start/start.h"
#include "compat.h"
#include "vmcoreinfo.h"

#if IS_ENABLED(CONFIG_CRASH_CORE) || IS_ENABLED(CONFIG_VMCORE_INFO)
/* The note is text behind its ELF header, in memory of its own. */
static const char *find_line(const char *key)
{
	phys_addr_t note = epitaph_is_early() ? 0 : paddr_vmcoreinfo_note();
	const char *text;

	if (!note)
		return NULL;
	text = strnstr(__va(note), key, VMCOREINFO_NOTE_SIZE);
	return text ? text + strlen(key) : NULL;
}
#else
static const char *find_line(const char *key)
{
	return NULL;
}
#endif

u64 epitaph_kaslr_offset(void)
{
	const char *text = find_line("KERNELOFFSET=");

	return text ? simple_strtoull(text, NULL, 16) : 0;
}

u8 epitaph_build_id(u8 id[20])
{
	const char *text = find_line("BUILD-ID=");

	if (!text || hex2bin(id, text, 20))
		return 0;
	return 20;
}
