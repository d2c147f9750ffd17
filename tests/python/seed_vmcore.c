// SPDX-License-Identifier: GPL-2.0-or-later
/* seed_vmcore FILE: a vmcore of a kernel of a few pages, which panicked, and had no recorder. */
#include <stdio.h>

#include "kernel_head.h"

static unsigned char memory[1 << 20];

int main(int argc, char **argv)
{
	FILE *f = argc > 1 ? fopen(argv[1], "w") : NULL;

	if (!f)
		return 1;
	kernel_seed(memory, SEED_6_12);
	fwrite(kernel_head(), 1, MEMORY, f);
	fwrite(memory, 1, sizeof(memory), f);
	return fclose(f) != 0;
}
