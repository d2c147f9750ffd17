// SPDX-License-Identifier: GPL-2.0-or-later
/* region_large EVENTS HELD STEP REGION: a region after so many events, STEP ns apart, with room for HELD. */
#include <stdio.h>
#include <stdlib.h>

#include "region_image.h"

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	if (image_write_large(argv[4], strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10),
			      strtoul(argv[3], NULL, 10))) {
		perror(argv[4]);
		return 3;
	}
	return 0;
}
