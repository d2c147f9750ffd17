/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a return probe puts instead of a return address, which tells nothing of the caller. */
#ifndef EPITAPH_EVENT_TRAMPOLINE_H
#define EPITAPH_EVENT_TRAMPOLINE_H

#include <string.h>

#include "base/types.h"

#define TRAMPOLINE_NAME	"[unknown/kretprobe'd]"	/* in the kernel's trace file */

/* @symbol: "name" or "name+0x1/0x20"; of 6.1, of 5.15 and of those before */
static inline bool is_trampoline(const char *symbol)
{
	static const char * const names[] = {
		"arch_rethook_trampoline", "__kretprobe_trampoline", "kretprobe_trampoline",
	};
	size_t len = strcspn(symbol, "+");
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (len == strlen(names[i]) && !memcmp(symbol, names[i], len))
			return true;
	return false;
}

#endif
