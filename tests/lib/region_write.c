// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * region_write SEED REGION: a region as this machine's CPU writes it, and on standard output
 * each event that was committed: CPU, number, value (of events that have one), time,
 * and whether its sub-buffer is still there.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "region_image.h"

static void say(const struct image *image, uint32_t cpu, uint32_t nr)
{
	const struct image_event *e = &image->rings[cpu].events[nr];
	char value[24] = "-";
	uint64_t n;

	memcpy(&n, e->payload + 4, 8);
	if (e->id == 16)
		snprintf(value, sizeof(value), "%" PRIu64, n);
	printf("%u %u %s %" PRIu64 " %s\n", cpu, nr, value, e->time,
	       image_has(image, cpu, nr) ? "there" : "gone");
}

int main(int argc, char **argv)
{
	struct image *image;
	FILE *file;

	if (argc != 3)
		return 2;
	image = image_make(strtoul(argv[1], NULL, 10));
	file = fopen(argv[2], "w");
	if (!file || fwrite(image->data, image->size, 1, file) != 1 || fclose(file)) {
		perror(argv[2]);
		return 3;
	}
	for (uint32_t cpu = 0; cpu < IMAGE_CPUS; cpu++)
		for (uint32_t nr = 0; nr < image->rings[cpu].nr; nr++)
			say(image, cpu, nr);
	image_free(image);
	return 0;
}
