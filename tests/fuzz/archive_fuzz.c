// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile directory of "epitaph record", printed: the region without rings, then pieces.  Each file
 * is what lies between two lengths of the input.
 */
#include <epitaph/format.h>

#include "report/report.h"
#include "print_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void print_archive(FILE *f, struct postmortem *pm, struct window *window)
{
	print_head(f, pm);
	print_end(f, pm, false, "", NULL);
	print_summary(f, pm, window);
	print_events(f, pm, window, false, NULL);
}

static int take_apart(const u8 *data, size_t size)
{
	int nr = 0;

	for (; size > 4 && nr < MEMORY_FILES; nr++) {
		u32 n;

		memcpy(&n, data, sizeof(n));
		data += sizeof(n);
		size -= sizeof(n);
		if (n > size)
			n = size;
		memory_file(nr, NULL, 0, data, n);
		data += n;
		size -= n;
	}
	return nr;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	int nr = take_apart(data, size);

	if (!nr)
		return 0;
	if (!dump_open_fd(&in, memory_directory(nr, EPITAPH_ARCHIVE_REGION, "%06d.sub"), &err))
		fuzz_account(in, POSTMORTEM_REGION, print_archive, data, size);
	else
		MUST(*err.msg);
	return 0;
}
