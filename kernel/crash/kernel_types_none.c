// SPDX-License-Identifier: GPL-2.0-only
/* The kernel has BTF itself; or the recorder is a part of the kernel. */
#include "kernel_types.h"

void epitaph_types_describe(struct epitaph_header *header)
{
}

const char *epitaph_types_owner(void)
{
	return IS_ENABLED(CONFIG_DEBUG_INFO_BTF) ? "kernel" : "none";
}
