// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The least size of a region that setup takes is one that the recorder takes, and not much more.
 *
 * build: kernel/core/layout.c
 * build: -I tests/lib/kernel -I kernel -include kernel/include/epitaph/plat.h -Wno-unused-parameter
 */
#include <epitaph/layout.h>

#include "host/least_size.h"
#include "tap.h"

static void check_all(bool has_branches)
{
	epitaph_layout_want_branches(has_branches);
	for (u32 cpus = 1; cpus <= 8192; cpus++) {
		u64 least = epitaph_layout_min(cpus), taken = LEAST_OF_GENERATION(cpus);

		CHECK(taken >= least && taken - least < least / 20, "%u CPUs: %llu, the least is %llu", cpus,
		      (unsigned long long)taken, (unsigned long long)least);
	}
}

static void least_size__is_what_the_recorder_takes(void)
{
	check_all(false);
	check_all(true);
}

int main(void)
{
	TAP_RUN(least_size__is_what_the_recorder_takes);
	return tap_done();
}
