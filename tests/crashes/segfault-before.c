// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A program dies of a segmentation fault, harmless.  Soon after, a driver's watchdog thread
 * calls panic() because its card does not answer.
 *
 * pattern: deliberate panic of a driver
 * finding: panic by card_watchdog() of this module, with its own words
 * never: the program that died before; NULL pointer
 * must: ^shown: .*card_watchdog\(\) .*called panic\(\).*no heartbeat
 * not: sh-[0-9]
 * guest: insmod /test/segfault-before.ko
 * guest: sleep 1
 * guest: sh -c 'kill -SEGV $$' || true
 */
#include "crash.h"

static noinline void card_watchdog(void)
{
	panic("card0: no heartbeat for %d ms, status 0x%x", 2000, 0x81);
}

static int watchdog(void *unused)
{
	msleep(2000);
	card_watchdog();
	return 0;
}

static int __init card_init(void)
{
	return run_thread(watchdog, NULL, -1, "card-watchdog");
}
module_init(card_init);
