// SPDX-License-Identifier: GPL-2.0-only
/*
 * A writer of a station's counters dies within its section, of an oops that the kernel survives. A reader spins for ever.
 *
 * pattern: a seqcount whose writer ended within its section
 * upstream: the class of "seqcount left odd" (u64_stats, dm-stats, vtime)
 * finding: reader spins in station_read(), which waits for an even seqcount at 0x14 of an object; writer died with it odd, in station_count()
 * never: a spinlock; RCU; hardware; that the reader holds something
 * must: ^likely: .*station_read\(\).* seqcount .*writer-[0-9]+ died in station_count\(\)
 * not: spinlock|RCU
 * guest: echo 0 >/proc/sys/kernel/panic_on_oops
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/counters-left-odd-by-oops.ko
 */
#include <linux/seqlock.h>
#include "crash.h"

struct station {
	u64 id;
	u64 *last;
	u32 flags;
	seqcount_t seq;
	u64 packets, bytes;
};

static noinline u64 station_read(struct station *s)
{
	unsigned int start;
	u64 sum;

	do {
		start = read_seqcount_begin(&s->seq);
		sum = s->packets + s->bytes;
	} while (read_seqcount_retry(&s->seq, start));
	return sum;
}

static noinline void station_count(struct station *s, u64 bytes)
{
	write_seqcount_begin(&s->seq);
	s->packets++;
	*s->last = bytes;
	s->bytes += bytes;
	write_seqcount_end(&s->seq);
}

static int reader(void *data)
{
	for (;;) {
		((struct station *)data)->id += station_read(data) & 1;
		usleep_range(2000, 3000);
	}
	return 0;
}

static int writer(void *data)
{
	struct station *s = data;
	int i;

	for (i = 0; i < 100; i++) {
		station_count(s, 60);
		usleep_range(2000, 3000);
	}
	s->last = UNKNOWN(NULL);
	station_count(s, 60);
	return 0;
}

static int __init station_init(void)
{
	struct station *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;
	s->last = &s->id;
	seqcount_init(&s->seq);
	run_thread(reader, s, 1, "reader");
	return run_thread(writer, s, 0, "writer");
}
module_init(station_init);
