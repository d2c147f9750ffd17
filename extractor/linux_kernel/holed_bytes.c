// SPDX-License-Identifier: GPL-2.0-or-later
#include "holed_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE	4096U

static bool page_is_zero(const u8 *page)
{
	return !page[0] && !memcmp(page, page + 1, PAGE - 1);
}

static void note_hole(struct holed_bytes *bytes, size_t i, const char *why)
{
	memset(bytes->pages + i * PAGE, 0, PAGE);
	bytes->is_hole[i] = true;
	if (!bytes->nr_holes++)
		snprintf(bytes->why, sizeof(bytes->why), "%s", why);
}

int holed_bytes_read(struct holed_bytes *ret, struct vmem *vmem, u64 va, size_t size,
		     struct err *err)
{
	size_t lead = va % PAGE, nr = (lead + size + PAGE - 1) / PAGE;
	char zero[64];

	*ret = (struct holed_bytes){ .va = va, .size = size };
	ret->pages = malloc(nr * PAGE + 1);
	ret->is_hole = calloc(nr + 1, sizeof(*ret->is_hole));
	if (!ret->pages || !ret->is_hole)
		return err_sys(err, "memory for %zu bytes of the kernel's", size);
	ret->data = ret->pages + lead;
	for (size_t i = 0; i < nr; i++) {
		u64 at = va - lead + i * PAGE;

		if (!vmem_get(vmem, at, ret->pages + i * PAGE, PAGE)) {
			note_hole(ret, i, vmem_why(vmem));
		} else if (page_is_zero(ret->pages + i * PAGE)) {
			snprintf(zero, sizeof(zero), "the page at virtual %#llx is all zeroes", at);
			note_hole(ret, i, zero);
		}
	}
	return 0;
}

void holed_bytes_free(struct holed_bytes *bytes)
{
	free(bytes->pages);
	free(bytes->is_hole);
	*bytes = (struct holed_bytes){ 0 };
}

bool holed_bytes_has(const struct holed_bytes *bytes, size_t off, size_t len)
{
	size_t lead = bytes->va % PAGE;

	if (off > bytes->size || len > bytes->size - off)
		return false;
	for (size_t i = (lead + off) / PAGE; len && i <= (lead + off + len - 1) / PAGE; i++)
		if (bytes->is_hole[i])
			return false;
	return true;
}
