// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live_write: says where a region is that is recorded into, and records some thousand events a second,
 * by the recorder's own ring, until it is killed.
 */
#include <stdio.h>
#include <unistd.h>

#include "live_image.h"

int main(void)
{
	uint32_t i;

	live_image_start();
	printf("/proc/%d/fd/%d\n", getpid(), live_image_fd);
	fflush(stdout);
	for (;;) {
		for (i = 0; i < 10; i++)
			live_record(i % IMAGE_CPUS);
		usleep(5000);
	}
}
