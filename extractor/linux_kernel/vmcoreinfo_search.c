// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmcoreinfo_search.h"

#include <string.h>

#include "dump/page_heads.h"
#include "utsname.h"

#define MAX_TRIES	64	/* pages that look like it: of kernels before, copies of it */

static const char start[] = "OSRELEASE=";

/*
 * Bytes that a file of memory leaves out below 4 GiB: none, or what QEMU's machines and VMware have there. Only
 * a kernel above 4 GiB needs it here.
 */
static const u64 holes[] = { 0, 2ULL << 30, 1ULL << 30, 5ULL << 28, 1ULL << 29 };

static bool is_right(struct vmem *vmem)
{
	struct dump *in = vmem_input(vmem);
	u64 va;
	size_t i;

	for (i = 0; i < (dump_is_raw(in) && dump_end(in) > 2ULL << 30 ? ARRAY_SIZE(holes) : 1); i++) {
		vmem_skip_hole(vmem, holes[i]);
		if (utsname_address(vmem, &va) && utsname_is_release(vmem, va))
			return true;
	}
	return false;
}

/* Return: 0 and @ret, -ERR_NOT_OURS if that is not it, -ERR_IO. */
static int try_page(struct vmem **ret, struct dump *in, u64 paddr)
{
	char page[DUMP_PAGE + 1] = "";
	struct vmem *vmem = NULL;
	char *end;
	int res;

	if (dump_read(in, paddr, page, DUMP_PAGE, NULL) < (ssize_t)sizeof(start) ||
	    memcmp(page, start, sizeof(start) - 1))
		return -ERR_NOT_OURS;
	/* Of larger pages it may be longer: half of a line may have half of a number. */
	if (strlen(page) == DUMP_PAGE) {
		end = strrchr(page, '\n');
		if (!end)
			return -ERR_NOT_OURS;
		*end = '\0';
	}
	if (!dump_set_vmcoreinfo(in, page))
		return -ERR_IO;
	res = vmem_open(&vmem, in, NULL);
	if (!res && is_right(vmem)) {
		*ret = vmem;
		return 0;
	}
	if (!res)
		vmem_close(vmem);
	dump_set_vmcoreinfo(in, NULL);
	return res == -ERR_IO ? res : -ERR_NOT_OURS;
}

int vmcoreinfo_search(struct vmem **ret, struct dump *in, u64 *at, struct err *err)
{
	u32 tries = 0;

	while (heads_next(in, HEAD_VMCOREINFO, NULL, at) && tries++ < MAX_TRIES) {
		int res = try_page(ret, in, *at);

		*at += DUMP_PAGE;
		if (!res)
			return 0;
		if (res == -ERR_IO)
			return err_sys(err, "memory for VMCOREINFO");
	}
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "has no VMCOREINFO, nor has its memory, so the kernel's page tables cannot be found");
}
