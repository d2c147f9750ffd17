// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live_write [MICROSECONDS]: says where a region is that is recorded into, and records ten events
 * by the recorder's own ring after each pause of so long, until it is killed.
 *
 * A ring holds about 400 events, and each CPU gets five at a time.  After 50 ms, which is the
 * default, a reader must be kept from its CPU for four seconds before the ring laps it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "live_image.h"

int main(int argc, char **argv)
{
	useconds_t pause = argc > 1 ? atoi(argv[1]) : 50000;
	uint32_t i;

	live_image_start();
	printf("/proc/%d/fd/%d\n", getpid(), live_image_fd);
	fflush(stdout);
	for (;;) {
		for (i = 0; i < 10; i++)
			live_record(i % IMAGE_CPUS);
		usleep(pause);
	}
}
