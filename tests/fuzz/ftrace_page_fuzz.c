// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile sub-buffer of the kernel's ring buffer: the first byte chooses byte
 * order and how much of it was read already.
 */
#include "ftrace/subbuf.h"
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	enum byte_order order = size && data[0] & 1 ? ORDER_BIG : ORDER_LITTLE;
	struct ftrace_event event;
	struct ftrace_page page;
	size_t n = 0;

	if (!size || !ftrace_page_open(&page, data + 1, size - 1, FTRACE_PAGE_MAX, order))
		return 0;
	ftrace_page_skip(&page, data[0] >> 1);
	while (ftrace_page_next(&page, &event) == FTRACE_PAGE_EVENT) {
		MUST(event.data >= data + 1 + FTRACE_PAGE_HEADER);
		MUST(event.data + event.size <= data + size);
		MUST(++n <= size / 4);
	}
	return 0;
}
