// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A region that is recorded into, by the recorder's own ring, is copied to a file
 * meanwhile.  Of each CPU the copy has all events up to one moment and no later one, and
 * it is undamaged.
 *
 * build: tests/lib/live_image.c tests/lib/region_image.c kernel/core/ring.c @extractor -pthread
 * build: -Wl,--wrap=pread64
 */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "live/live.h"
#include "live/snapshot.h"
#include "timeline/timeline.h"
#include "live_image.h"
#include "tap.h"

#define MAX_WRITTEN	(1U << 21)

/* By CPU and number: clock before it was recorded, and after. */
static struct {
	uint64_t before;
	uint64_t after;
} written[IMAGE_CPUS][MAX_WRITTEN];

/* What a copy has. */
static struct {
	uint32_t nr[IMAGE_CPUS];
	uint32_t first[IMAGE_CPUS];
	uint32_t last[IMAGE_CPUS];
	uint32_t others;
	uint64_t damage;
	uint64_t torn;
} copied;

static volatile bool is_over;
static volatile uint64_t pause_ns;

/* The region as it is now, copied into a file; -1: failed, with @err set. */
static int shoot(const char *channel, struct snapshot_counts *counts, struct err *err)
{
	int fd = memfd_create("copy", 0), ret = -1;
	struct postmortem pm;
	struct dump *in;

	if (!CHECK(!dump_open_live(&in, dup(live_image_fd), err), "%s", err->msg))
		return -1;
	if (CHECK(!pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, err), "%s",
		  err->msg))
		ret = snapshot_take(pm.recording, channel, false, fd, counts, err);
	pm_close(&pm);
	if (!ret)
		return fd;
	close(fd);
	return -1;
}

static void take_entry(const struct item *item)
{
	uint32_t cpu = item->cpu, number;
	uint64_t value;

	if (item->kind != ITEM_EVENT || item->size != 12) {
		copied.others++;
		return;
	}
	memcpy(&number, item->payload, 4);
	memcpy(&value, (const uint8_t *)item->payload + 4, 8);
	CHECK(value == number * LIVE_FACTOR, "event %u is another", number);
	if (!copied.nr[cpu]++)
		copied.first[cpu] = number;
	else
		CHECK(number == copied.last[cpu] + 1, "CPU %u: %u after %u", cpu, number,
		      copied.last[cpu]);
	copied.last[cpu] = number;
}

/* The copy, read as any file is; it is closed. */
static void read_copy(int fd)
{
	const struct item *item;
	struct err err = ERR_INIT;
	struct postmortem pm;
	struct timeline *tl;
	struct dump *in;

	memset(&copied, 0, sizeof(copied));
	if (!CHECK(!dump_open_live(&in, fd, &err), "%s", err.msg))
		return;
	if (CHECK(!pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err) &&
		  !pm_scan(&pm, &err) && !timeline_open(&tl, &pm, 0, false, &err),
		  "%s", err.msg)) {
		while ((item = timeline_next(tl)))
			take_entry(item);
		copied.damage = pm_damage(&pm);
		copied.torn = pm.recording->total.torn;
		timeline_close(tl);
	}
	pm_close(&pm);
}

static bool copy(struct snapshot_counts *counts)
{
	struct err err = ERR_INIT;
	int fd = shoot(NULL, counts, &err);

	if (!CHECK(fd >= 0, "%s", err.msg))
		return false;
	read_copy(fd);
	return true;
}

static void record(uint32_t cpu)
{
	uint32_t number = live_written[cpu] % MAX_WRITTEN;

	__atomic_store_n(&written[cpu][number].after, ~0ULL, __ATOMIC_RELEASE);
	__atomic_store_n(&written[cpu][number].before, live_now(), __ATOMIC_RELEASE);
	live_record(cpu);
	__atomic_store_n(&written[cpu][number].after, live_now(), __ATOMIC_RELEASE);
}

/* It ends with the last one of the moment. */
static void check_end(uint32_t cpu, const struct snapshot_counts *counts)
{
	uint32_t last = copied.last[cpu] % MAX_WRITTEN;

	CHECK(written[cpu][last].before <= counts->moment_ns, "CPU %u: %u is later than the moment",
	      cpu, copied.last[cpu]);
	if (copied.last[cpu] + 1 < live_written[cpu])
		CHECK(written[cpu][(last + 1) % MAX_WRITTEN].after > counts->moment_ns,
		      "CPU %u: %u is missing", cpu, copied.last[cpu] + 1);
}

static void *write_on(void *arg)
{
	uint32_t cpu = (uintptr_t)arg;

	while (!is_over) {
		uint64_t next = live_now() + pause_ns;

		record(cpu);
		while (live_now() < next)
			;
	}
	return NULL;
}

/* Sums over the shots. */
static struct snapshot_counts sum;
static uint32_t nr_copied;

/* At full speed a ring comes around in 2 ms: over what each CPU was writing, if we or it had to wait so long. */
static void copy_beside_writers(uint32_t shots, uint64_t ns)
{
	uint32_t max_cut = ns ? 0 : IMAGE_CPUS;
	struct snapshot_counts counts;
	pthread_t writers[IMAGE_CPUS];
	uint32_t cpu, i;

	memset(&sum, 0, sizeof(sum));
	nr_copied = 0;
	live_image_start();
	is_over = false;
	pause_ns = ns;
	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		pthread_create(&writers[cpu], NULL, write_on, (void *)(uintptr_t)cpu);
	while (live_written[0] < 500 || live_written[1] < 500)
		usleep(1000);
	usleep(4000);
	for (i = 0; i < shots && copy(&counts); i++) {
		CHECK(!copied.damage && !copied.torn && !copied.others, "%llu damaged, %llu torn, %u others",
		      (u64)copied.damage, (u64)copied.torn, copied.others);
		CHECK(counts.cut <= max_cut && !counts.unsteady, "%u cut, %u unsteady", counts.cut, counts.unsteady);
		for (cpu = 0; cpu < IMAGE_CPUS; cpu++) {
			nr_copied += copied.nr[cpu];
			if (copied.nr[cpu])
				check_end(cpu, &counts);
			else
				CHECK(counts.lost_rings, "CPU %u has nothing, and that is not counted", cpu);
		}
		sum.lapped += counts.lapped;
		sum.lost_rings += counts.lost_rings;
	}
	is_over = true;
	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		pthread_join(writers[cpu], NULL);
	close(live_image_fd);
	live_image_end();
	printf("# %u shots, an event each %llu ns: %u events, %u sub-buffers lapped, %u rings lost\n",
	       shots, (u64)ns, nr_copied, sum.lapped, sum.lost_rings);
}

static void snapshot__ends_with_one_moment_on_every_cpu(void)
{
	copy_beside_writers(100, 30000);
	CHECK(nr_copied > 1000, "%u events", nr_copied);
}

static void snapshot__is_undamaged_and_tells_what_was_lapped(void)
{
	copy_beside_writers(100, 8000);
	copy_beside_writers(20, 0);
}

/* So many reads of the region are still to find that CPU 0 has written all of its ring anew. */
static uint32_t laps;

#define RING_SIZE	((size_t)IMAGE_SUBS * IMAGE_SUB)

/* So many reads of a whole ring until one in whose middle CPU 0 begins @nr_overwritten sub-buffers. */
static uint32_t reads_until_overwritten;
static uint32_t nr_overwritten;

/* Events until CPU 0 begins its next sub-buffer. */
static void fill_subbuf(void)
{
	uint32_t number = live_subbuf(0);

	while (live_subbuf(0) == number)
		record(0);
}

ssize_t __real_pread64(int fd, void *to, size_t size, off_t off);
ssize_t __wrap_pread64(int fd, void *to, size_t size, off_t off);

ssize_t __wrap_pread64(int fd, void *to, size_t size, off_t off)
{
	uint32_t i;

	if (laps) {
		laps--;
		for (i = 0; i < IMAGE_SUBS * IMAGE_SUB / 16; i++)
			record(0);
	}
	if (size == RING_SIZE && reads_until_overwritten && !--reads_until_overwritten) {
		size_t half = RING_SIZE / 2;

		if (__real_pread64(fd, to, half, off) != (ssize_t)half)
			return -1;
		for (i = 0; i < nr_overwritten; i++)
			fill_subbuf();
		return half + __real_pread64(fd, (char *)to + half, half, off + half);
	}
	return __real_pread64(fd, to, size, off);
}

/* A copy while CPU 0's ring comes around at the next @n reads. */
static bool copy_beside_laps(uint32_t n, struct snapshot_counts *counts)
{
	bool is_copied;

	live_image_start();
	record(0);
	record(1);
	laps = n;
	is_copied = copy(counts);
	laps = 0;
	close(live_image_fd);
	live_image_end();
	return is_copied;
}

static void snapshot__takes_a_later_moment_when_a_ring_came_around(void)
{
	struct snapshot_counts counts;

	if (!copy_beside_laps(100, &counts))
		return;
	CHECK(!counts.lost_rings && copied.nr[0] && copied.nr[1] == 1, "%u and %u events",
	      copied.nr[0], copied.nr[1]);
	check_end(0, &counts);
}

static void snapshot__tells_of_a_ring_that_always_comes_around(void)
{
	struct snapshot_counts counts;

	if (!copy_beside_laps(UINT32_MAX, &counts))
		return;
	CHECK(counts.lost_rings == 1 && !copied.nr[0], "%u rings lost, %u events", counts.lost_rings,
	      copied.nr[0]);
	CHECK(copied.nr[1] == 1 && !copied.damage && !copied.torn, "%u events of the other CPU",
	      copied.nr[1]);
}

/*
 * The oldest sub-buffers are the last @n of the ring, and behind them those from its begin on.
 * While the second half is to be compared, the writer overwrites these and all of the first half,
 * which was compared, and one behind it.
 */
static void copy_beside_overwriting(uint32_t n)
{
	struct snapshot_counts counts;
	uint32_t i;

	live_image_start();
	record(1);
	for (i = 0; i < IMAGE_SUBS || live_subbuf(0) != IMAGE_SUBS - 1 - n; i++)
		fill_subbuf();
	usleep(4000);
	reads_until_overwritten = 2;
	nr_overwritten = n + IMAGE_SUBS / 2 + 1;
	/* A gap between the numbers of two events fails in take_entry(). */
	if (copy(&counts)) {
		CHECK(copied.nr[0] && !copied.damage && !copied.torn, "%u events, %llu damaged",
		      copied.nr[0], (u64)copied.damage);
		CHECK(counts.lapped >= n + IMAGE_SUBS / 2 + 1, "%u lapped", counts.lapped);
		check_end(0, &counts);
	}
	CHECK(!reads_until_overwritten, "%u reads of a ring missing", reads_until_overwritten);
	close(live_image_fd);
	live_image_end();
}

static void snapshot__has_no_gap_where_older_ones_were_compared_in_time(void)
{
	uint32_t n;

	for (n = 1; n < IMAGE_SUBS / 2 - 1; n++)
		copy_beside_overwriting(n);
}

static void *commit_later(void *arg)
{
	usleep(20000);
	live_commit(0);
	return arg;
}

static void snapshot__waits_for_what_is_not_committed(void)
{
	struct snapshot_counts counts;
	pthread_t thread;

	live_image_start();
	record(0);
	live_claim(0);
	record(0);
	record(1);
	usleep(4000);
	pthread_create(&thread, NULL, commit_later, NULL);
	if (copy(&counts)) {
		CHECK(copied.nr[0] == 3 && copied.nr[1] == 1, "%u and %u events", copied.nr[0],
		      copied.nr[1]);
		CHECK(!copied.torn && !copied.damage && !counts.cut, "%llu torn", (u64)copied.torn);
	}
	pthread_join(thread, NULL);
	close(live_image_fd);
	live_image_end();
}

static void snapshot__tells_what_is_never_committed(void)
{
	struct snapshot_counts counts;

	live_image_start();
	record(0);
	live_claim(0);
	live_written[0]--;
	record(0);
	usleep(4000);
	if (copy(&counts))
		CHECK(copied.nr[0] == 2 && copied.torn == 1 && copied.others == 1, "%u events, %llu torn",
		      copied.nr[0], (u64)copied.torn);
	close(live_image_fd);
	live_image_end();
}

/* What is being written at the moment had not happened then. */
static void snapshot__leaves_out_a_claim_with_nothing_behind_it(void)
{
	struct snapshot_counts counts;

	live_image_start();
	record(0);
	live_claim(0);
	usleep(4000);
	if (copy(&counts))
		CHECK(copied.nr[0] == 1 && !copied.torn && !copied.damage, "%u events, %llu torn",
		      copied.nr[0], (u64)copied.torn);
	close(live_image_fd);
	live_image_end();
}

static void snapshot__of_what_recorded_nothing_is_empty(void)
{
	struct snapshot_counts counts;

	live_image_start();
	if (copy(&counts))
		CHECK(!copied.nr[0] && !copied.damage && !counts.lost_rings && !counts.subs, "%u events",
		      copied.nr[0]);
	close(live_image_fd);
	live_image_end();
}

static void snapshot__names_the_channels_there_are(void)
{
	struct snapshot_counts counts;
	struct err err = ERR_INIT;

	live_image_start();
	CHECK(shoot("none", &counts, &err) < 0 && err.code == ERR_USAGE &&
	      strstr(err.msg, "'none'; there are: main"), "%s", err.msg);
	close(live_image_fd);
	live_image_end();
}

int main(void)
{
	TAP_RUN(snapshot__ends_with_one_moment_on_every_cpu);
	TAP_RUN(snapshot__is_undamaged_and_tells_what_was_lapped);
	TAP_RUN(snapshot__takes_a_later_moment_when_a_ring_came_around);
	TAP_RUN(snapshot__tells_of_a_ring_that_always_comes_around);
	TAP_RUN(snapshot__has_no_gap_where_older_ones_were_compared_in_time);
	TAP_RUN(snapshot__waits_for_what_is_not_committed);
	TAP_RUN(snapshot__tells_what_is_never_committed);
	TAP_RUN(snapshot__leaves_out_a_claim_with_nothing_behind_it);
	TAP_RUN(snapshot__of_what_recorded_nothing_is_empty);
	TAP_RUN(snapshot__names_the_channels_there_are);
	return tap_done();
}
