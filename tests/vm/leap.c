// SPDX-License-Identifier: GPL-2.0-only
/*
 * leap: sets the time of day to two seconds before midnight, with a leap second inserted there, and
 * waits until it is over.
 */
#include <stdio.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

#define DAY	86400

int main(void)
{
	struct timespec pause = { 5, 0 };
	struct timex tx = { .modes = ADJ_STATUS | ADJ_MAXERROR, .status = STA_INS };
	struct timeval tv = { .tv_sec = (time(NULL) / DAY + 1) * DAY - 2 };

	if (settimeofday(&tv, NULL) || adjtimex(&tx) < 0) {
		perror("leap");
		return 1;
	}
	nanosleep(&pause, NULL);
	tx.modes = 0;
	/* Was it inserted? */
	return adjtimex(&tx) != TIME_WAIT;
}
