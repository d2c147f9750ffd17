// SPDX-License-Identifier: GPL-2.0-or-later
#include "utsname.h"

#include <string.h>

#include "dump/vmcoreinfo.h"

#define KREF	4

bool utsname_is_release(struct vmem *vmem, u64 va)
{
	char noted[UTSNAME_FIELD], found[UTSNAME_FIELD];

	return vmcoreinfo_text(vmem_input(vmem), "OSRELEASE", noted, sizeof(noted)) &&
	       vmem_string(vmem, va + 2 * UTSNAME_FIELD, found, sizeof(found)) > 0 && !strcmp(noted, found);
}

bool utsname_address(struct vmem *vmem, u64 *ret)
{
	u64 va, off;

	if (!vmcoreinfo_symbol(vmem_input(vmem), "init_uts_ns", &va))
		return false;
	if (!vmcoreinfo_offset(vmem_input(vmem), "uts_namespace.name", &off)) {
		if (!utsname_is_release(vmem, va + KREF))
			return false;
		off = KREF;
	}
	*ret = va + off;
	return true;
}
