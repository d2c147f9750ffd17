// SPDX-License-Identifier: GPL-2.0-only
/* hits COUNT: calls hit() so often, where a uprobe is. */
#include <stdlib.h>

void hit(int i);

__attribute__((noinline)) void hit(int i)
{
	__asm__ volatile("" : : "r"(i));
}

int main(int argc, char **argv)
{
	int i, count = argc > 1 ? atoi(argv[1]) : 0;

	for (i = 0; i < count; i++)
		hit(i);
	return 0;
}
