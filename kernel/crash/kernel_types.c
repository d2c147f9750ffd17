// SPDX-License-Identifier: GPL-2.0-only
#include <epitaph/check.h>
#include <epitaph/format.h>
#include "kernel_types.h"

/* gen/types_data.c, made by probes/kernel-types */
extern const u8 epitaph_types[];
extern const u32 epitaph_types_size;

void epitaph_types_describe(struct epitaph_header *header)
{
	if (!epitaph_types_size)
		return;
	header->types_addr = cpu_to_le64((uintptr_t)epitaph_types);
	header->types_size = cpu_to_le64(epitaph_types_size);
	header->types_check = cpu_to_le64(epitaph_check(0, epitaph_types, epitaph_types_size));
}

const char *epitaph_types_owner(void)
{
	return epitaph_types_size ? "recorder" : "none";
}
