// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A host and a guest on one timeline: clocks and streams that are made up here.  The truth is what the
 * processor does: guest = (host * ratio >> bits) + offset.
 *
 * build: @extractor -lbpf -lelf -lzstd -llzo2 -lz -lsnappy
 */
#include <string.h>

#include "timeline/guest_run.h"
#include "timeline/joint_show.h"
#include "tap.h"

#define NR_PAIRS	10000
#define AMD_ONE		(1ULL << 32)
#define INTEL_ONE	(1ULL << 48)
#define HOST_START	(1ULL << 40)	/* the host's TSC at the first anchor */
#define GHZ2		2000000U	/* kHz */
#define SECOND		1000000000ULL

static u64 random_below(u64 below)
{
	static u64 state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* --- clocks ----------------------------------------------------------------- */

/* Anchors a second apart, of a clock that NTP makes run @ppm too fast and the other way in turns. */
static struct clock make_clock(u64 start, u32 khz, u64 mono, s64 ppm)
{
	struct clock clock = { .khz = khz, .id = EPITAPH_CLOCK_TSC, .nr = 100 };

	clock.anchors = calloc(clock.nr, sizeof(*clock.anchors));
	for (u32 i = 0; i < clock.nr; i++) {
		clock.anchors[i] = (struct clock_anchor){ .clock = start, .mono_ns = mono, .real_ns = mono + 1000 * SECOND };
		start += khz * 1000ULL;
		mono += SECOND + (i % 2 ? ppm : -ppm) * 1000;
	}
	return clock;
}

/*
 * A guest whose TSC is @offset + the host's times @ratio.
 * @hosts, @guests: as its recorders have them
 */
struct pair {
	struct clock hosts, guests;
	struct kvm_vcpu vcpus[2];
	struct kvm_guest vm;
	u64 offset, ratio;
	u32 bits;
	struct guest_time time;
	int found;
	struct err err;
};

static u64 guests_counter(const struct pair *p, u64 host)
{
	return (u64)((unsigned __int128)host * p->ratio >> p->bits) + p->offset;
}

static void find_pair(struct pair *p)
{
	struct tsc_clock host = { .recorder = &p->hosts, .khz = p->hosts.khz };
	struct tsc_clock guest = { .recorder = &p->guests, .khz = p->guests.khz };

	p->err = (struct err)ERR_INIT;
	p->found = guest_time_find(&p->time, &host, &guest, &p->vm, 110 * SECOND, &p->err);
}

static void make_pair(struct pair *p, u32 bits, u64 ratio, u64 offset)
{
	*p = (struct pair){ .offset = offset, .ratio = ratio, .bits = bits };
	p->hosts = make_clock(HOST_START, GHZ2, 10 * SECOND, 300);
	p->guests = make_clock(guests_counter(p, HOST_START), (u64)((unsigned __int128)GHZ2 * ratio >> bits), 3 * SECOND, -200);
	for (u32 i = 0; i < 2; i++)
		p->vcpus[i] = (struct kvm_vcpu){ .id = i, .pid = 700 + i, .has_tsc = true, .tsc_offset = offset, .tsc_ratio = ratio };
	p->vm = (struct kvm_guest){ .pid = 700, .vcpus = p->vcpus, .nr_vcpus = 2, .started = 10 * SECOND };
	find_pair(p);
}

static void free_pair(struct pair *p)
{
	free(p->hosts.anchors);
	free(p->guests.anchors);
}

static const struct stream of_recorder = { .clock = STREAM_RECORDER };

/* How many of NR_PAIRS moments, stamped by both, are further apart than the bound. */
static u32 count_outside(struct pair *p, u64 *most)
{
	u32 outside = 0;

	*most = 0;
	for (u32 i = 0; i < NR_PAIRS; i++) {
		u64 tsc = HOST_START + random_below(98ULL * GHZ2 * 1000), placed = 0, bound, apart;
		u64 host = clock_mono(&p->hosts, tsc), guest = clock_mono(&p->guests, guests_counter(p, tsc));

		bound = guest_time_bound(&p->time, &of_recorder, host) + guest_time_host_bound(&p->time, &of_recorder, host);
		*most = bound > *most ? bound : *most;
		apart = guest_time_host(&p->time, guest, &placed) == GUEST_PLACED ? placed - host : ~0ULL;
		apart = placed < host ? host - placed : apart;
		outside += apart > bound;
	}
	return outside;
}

static void check_pairs(u32 bits, u64 ratio, u64 offset)
{
	struct pair p;
	u64 most;
	u32 outside;

	make_pair(&p, bits, ratio, offset);
	if (!CHECK(!p.found, "%s", p.err.msg))
		return;
	outside = count_outside(&p, &most);
	CHECK(!outside && most <= 1000, "ratio %llu: %u outside of %llu ns", ratio, outside, most);
	/* What the bound says is no empty promise: a relation that is wrong by a little more than that shows. */
	p.time.counter.offset += 2 * most * p.guests.khz / 1000000;
	CHECK(count_outside(&p, &most) == NR_PAIRS, "a wrong offset goes unseen");
	free_pair(&p);
}

static void guest_time__an_event_is_where_the_processor_says_within_the_bound(void)
{
	check_pairs(32, AMD_ONE, 0);
	check_pairs(32, AMD_ONE, -HOST_START);
	check_pairs(32, AMD_ONE, 1ULL << 60);
	check_pairs(32, AMD_ONE + AMD_ONE / 3, -HOST_START - 12345);
	check_pairs(48, INTEL_ONE, -HOST_START);
	check_pairs(48, INTEL_ONE / 7 * 5, 99);
}

static void guest_time__offsets_that_differ_widen_the_bound_or_end_it(void)
{
	struct pair p;
	u64 narrow;

	make_pair(&p, 32, AMD_ONE, -HOST_START);
	narrow = p.time.base;
	p.vcpus[1].tsc_offset -= 2000;
	find_pair(&p);
	CHECK(!p.found && p.time.base == narrow + 1000, "%llu, not %llu", p.time.base, narrow + 1000);
	p.vcpus[1].tsc_offset += 3 * GHZ2;
	find_pair(&p);
	CHECK(p.found == -ERR_NOT_OURS && strstr(p.err.msg, "apart"), "%s", p.err.msg);
	p.vcpus[1] = p.vcpus[0];
	p.vcpus[1].tsc_ratio++;
	find_pair(&p);
	CHECK(p.found == -ERR_NOT_OURS && strstr(p.err.msg, "different rates"), "%s", p.err.msg);
	free_pair(&p);
}

/* @change makes the times unknown, and the error has @words. */
#define CHECK_UNKNOWN(change, words) do {							\
	make_pair(&p, 32, AMD_ONE, -HOST_START);						\
	change;											\
	find_pair(&p);										\
	CHECK(p.found == -ERR_NOT_OURS && strstr(p.err.msg, (words)), "%d %s", p.found, p.err.msg); \
	free_pair(&p);										\
} while (0)

static void guest_time__what_is_not_known_is_said(void)
{
	struct timekeeping kvm_clock = { .known = true, .source = "kvm-clock" };
	static struct recording recording;
	struct postmortem pm = { .recording = &recording };
	struct tsc_clock guest;
	struct pair p;

	CHECK_UNKNOWN(p.hosts.is_unstable = true, "the host found its TSC unstable");
	CHECK_UNKNOWN(p.guests.is_unstable = true, "the guest found its TSC unstable");
	CHECK_UNKNOWN(p.vcpus[1].has_tsc = false, "is not in the host's dump");
	CHECK_UNKNOWN(p.vm.nr_vcpus = 0, "is not in the host's dump");
	CHECK_UNKNOWN(p.vcpus[0].tsc_ratio = p.vcpus[1].tsc_ratio = 5, "is no ratio");
	CHECK_UNKNOWN(p.vcpus[0].tsc_ratio = p.vcpus[1].tsc_ratio = 0, "is not in the host's dump");
	CHECK_UNKNOWN(p.vcpus[1].tsc_moves = true, "KVM moves its clock all the time");
	CHECK_UNKNOWN(p.vm.tsc_adjusted = true, "the host slept");
	CHECK_UNKNOWN(p.guests.khz = 2100000, "runs at 2100000 kHz, and the host gives it 2000000 kHz");
	CHECK_UNKNOWN(p.guests.khz = 0, "no times of a TSC");
	CHECK(guest_time_find(&p.time, &(struct tsc_clock){ .khz = GHZ2 }, &(struct tsc_clock){ .keeper = &kvm_clock }, &p.vm, 0, &p.err) &&
	      strstr(p.err.msg, "its kernel counts by kvm-clock;"), "%s", p.err.msg);
	CHECK(guest_time_find(&p.time, &(struct tsc_clock){ .khz = GHZ2 }, &(struct tsc_clock){ .other_clock = EPITAPH_CLOCK_CNTVCT }, &p.vm,
			      0, &p.err) && strstr(p.err.msg, "its recorder took "), "%s", p.err.msg);
	/* Its recorder took a TSC, and all anchors are damaged. */
	recording.clock = (struct clock){ .id = EPITAPH_CLOCK_TSC, .khz = GHZ2, .from_header = true };
	CHECK(!tsc_clock_find(&guest, &pm, NULL, false), "there are times");
	CHECK(guest_time_find(&p.time, &(struct tsc_clock){ .khz = GHZ2 }, &guest, &p.vm, 0, &p.err) &&
	      strstr(p.err.msg, "no times of a TSC: no anchor of its recorder's clock is good;"), "%s", p.err.msg);
	CHECK_UNKNOWN(p.hosts.khz = 0, "the host has no times");
}

/* --- arm64 -------------------------------------------------------------------- */

#define CNTVCT_KHZ	24000U

/* CNTVOFF is what the host's counter was @began ns behind the start of the guest's process. */
static void make_arm64_pair(struct pair *p, s64 began)
{
	u64 voff = HOST_START + began * CNTVCT_KHZ / 1000000;

	*p = (struct pair){ .offset = -voff, .ratio = KVM_TSC_UNSCALED, .bits = 48 };
	p->hosts = make_clock(HOST_START, CNTVCT_KHZ, 10 * SECOND, 300);
	p->guests = make_clock(guests_counter(p, HOST_START + 2ULL * CNTVCT_KHZ * 1000), CNTVCT_KHZ, 1 * SECOND, -200);
	p->hosts.id = p->guests.id = EPITAPH_CLOCK_CNTVCT;
	p->vcpus[0] = (struct kvm_vcpu){ .pid = 700, .has_tsc = true, .tsc_offset = p->offset, .tsc_ratio = p->ratio };
	p->vm = (struct kvm_guest){ .pid = 700, .vcpus = p->vcpus, .nr_vcpus = 1, .started = 10 * SECOND };
}

static void find_arm64_pair(struct pair *p, bool is_guest_arm64)
{
	struct tsc_clock host = { .recorder = &p->hosts, .khz = p->hosts.khz, .is_arm64 = true };
	struct tsc_clock guest = { .recorder = &p->guests, .khz = p->guests.khz, .is_arm64 = is_guest_arm64 };

	p->err = (struct err)ERR_INIT;
	p->found = guest_time_find(&p->time, &host, &guest, &p->vm, 110 * SECOND, &p->err);
}

static void guest_time__arm64s_counter_is_the_hosts_less_its_offset(void)
{
	u64 most = 0, placed, bound;
	u32 outside = 0;
	struct pair p;

	make_arm64_pair(&p, SECOND / 2);
	find_arm64_pair(&p, true);
	if (!CHECK(!p.found, "%s", p.err.msg))
		return;
	for (u32 i = 0; i < NR_PAIRS; i++) {
		u64 at = HOST_START + 3ULL * CNTVCT_KHZ * 1000 + random_below(90ULL * CNTVCT_KHZ * 1000);
		u64 host = clock_mono(&p.hosts, at), guest = clock_mono(&p.guests, guests_counter(&p, at));

		bound = guest_time_bound(&p.time, &of_recorder, host) + guest_time_host_bound(&p.time, &of_recorder, host);
		most = bound > most ? bound : most;
		outside += guest_time_host(&p.time, guest, &placed) != GUEST_PLACED || (placed > host ? placed - host : host - placed) > bound;
	}
	CHECK(!outside && most <= 300, "%u outside of %llu ns", outside, most);
	/* All stops together are no longer than from the start of its process to 0 of its counter. */
	CHECK(p.time.set_back > SECOND / 2 - 1000000 && p.time.set_back < SECOND / 2 + 1000000 && !p.time.is_set, "%llu", p.time.set_back);
	free_pair(&p);
}

static void guest_time__arm64s_counter_that_came_from_elsewhere_is_not_used(void)
{
	struct pair p;

	make_arm64_pair(&p, -(s64)SECOND);
	find_arm64_pair(&p, true);
	CHECK(p.found == -ERR_NOT_OURS && strstr(p.err.msg, "it was resumed here, or came from another host"), "%s", p.err.msg);
	free_pair(&p);
	make_arm64_pair(&p, SECOND);
	find_arm64_pair(&p, false);
	CHECK(p.found == -ERR_NOT_OURS && strstr(p.err.msg, "it counts by TSC, and the host by CNTVCT"), "%s", p.err.msg);
	p.guests.khz = 0;
	find_arm64_pair(&p, true);
	CHECK(p.found == -ERR_NOT_OURS && strstr(p.err.msg, "it has no times of CNTVCT; only that is related to the host's"), "%s", p.err.msg);
	p.vcpus[0].has_tsc = false;
	p.guests.khz = CNTVCT_KHZ;
	find_arm64_pair(&p, true);
	CHECK(p.found == -ERR_NOT_OURS && strstr(p.err.msg, "KVM's offset of its clock is not in the host's dump"), "%s", p.err.msg);
	free_pair(&p);
}

/*
 * A guest of make_pair() without a recorder, whose kernel counts by kvm-clock: KVM set that to 7 s when the host's
 * clock was 20 s, and the kernel's is 5 s behind.  As KVM: mult and shift are of the guest's rate.
 */
static void make_kvmclock_pair(struct pair *p, struct timekeeping *keeper, u32 bits, u64 ratio)
{
	s32 shift = 0;
	u64 khz;

	make_pair(p, bits, ratio, -HOST_START);
	khz = (u64)((unsigned __int128)GHZ2 * ratio >> bits);
	/* One tick that is shifted is a ns at most, and half of one at least. */
	while (shift < 0 ? khz >> -shift > 2000000 : khz << shift > 2000000)
		shift--;
	while (shift >= 0 && khz << shift <= 1000000)
		shift++;
	for (u32 i = 0; i < 2; i++) {
		p->vcpus[i].clock_shift = shift;
		p->vcpus[i].clock_mult = ((unsigned __int128)1000000 << (32 - shift)) / khz;
	}
	p->vm.clock_is_steady = true;
	p->vm.clock_counter = HOST_START + 10ULL * GHZ2 * 1000;
	p->vm.clock_ns = 7 * SECOND;
	*keeper = (struct timekeeping){
		.known = true, .source = "kvm-clock", .local = KCLOCK_COUNTER, .counter = 97 * SECOND, .mono_ns = 92 * SECOND,
		.mult = 1 << 24, .shift = 24,
	};
}

static int find_by_kvmclock(struct pair *p, const struct timekeeping *keeper)
{
	struct tsc_clock host = { .recorder = &p->hosts, .khz = p->hosts.khz }, guest = { .keeper = keeper };

	p->err = (struct err)ERR_INIT;
	return guest_time_find(&p->time, &host, &guest, &p->vm, 110 * SECOND, &p->err);
}

/* What the guest reads at the host's @tsc, by the words of the kernel's pvclock.h. */
static u64 read_kvmclock(const struct pair *p, u64 tsc)
{
	u64 delta = guests_counter(p, tsc) - guests_counter(p, p->vm.clock_counter);

	delta = p->vcpus[0].clock_shift < 0 ? delta >> -p->vcpus[0].clock_shift : delta << p->vcpus[0].clock_shift;
	return p->vm.clock_ns + (u64)((unsigned __int128)delta * p->vcpus[0].clock_mult >> 32);
}

static const struct stream of_kernel = { .clock = STREAM_LOCAL };

static void check_kvmclock(u32 bits, u64 ratio)
{
	struct timekeeping keeper;
	u32 outside = 0, unseen = 0;
	struct pair p;
	u64 bound = 0;

	make_kvmclock_pair(&p, &keeper, bits, ratio);
	if (!CHECK(!find_by_kvmclock(&p, &keeper), "%s", p.err.msg))
		return;
	for (u32 i = 0; i < NR_PAIRS; i++) {
		u64 tsc = p.vm.clock_counter + random_below(85ULL * GHZ2 * 1000), placed = 0, mono = clock_mono(&p.hosts, tsc);
		u64 guest = read_kvmclock(&p, tsc) - 5 * SECOND;
		bool is_placed = guest_time_host(&p.time, guest, &placed) == GUEST_PLACED;

		bound = guest_time_bound(&p.time, &of_kernel, mono) + guest_time_host_bound(&p.time, &of_recorder, mono);
		outside += !is_placed || (placed > mono ? placed - mono : mono - placed) > bound;
		/* A relation that is wrong by a little more than the bound says shows. */
		guest_time_host(&p.time, guest + 2 * bound, &placed);
		unseen += placed - mono <= bound;
	}
	CHECK(!outside && !unseen && bound <= 1000, "ratio %llu: %u outside of %llu ns, %u unseen", ratio, outside, bound, unseen);
	free_pair(&p);
}

static void guest_time__a_guest_that_counts_by_kvm_clock_is_placed_within_the_bound(void)
{
	check_kvmclock(32, AMD_ONE);
	check_kvmclock(32, AMD_ONE / 4);
	check_kvmclock(48, INTEL_ONE / 7 * 9);
}

static void guest_time__before_its_kvm_clock_was_set_nothing_is_placed(void)
{
	struct timekeeping keeper;
	struct pair p;
	u64 at;

	make_kvmclock_pair(&p, &keeper, 32, AMD_ONE);
	CHECK(!find_by_kvmclock(&p, &keeper) && p.time.clock_is_set && !p.time.is_set, "%s", p.err.msg);
	CHECK(guest_time_host(&p.time, 2 * SECOND + 1000, &at) == GUEST_PLACED && at / 1000000000 == 20, "%llu", at);
	CHECK(guest_time_host(&p.time, 2 * SECOND - 1000, &at) == GUEST_BEFORE, "before it");
	free_pair(&p);
}

#define CHECK_NO_KVMCLOCK(change, words) do {							\
	make_kvmclock_pair(&p, &keeper, 32, AMD_ONE);						\
	change;											\
	CHECK(find_by_kvmclock(&p, &keeper) == -ERR_NOT_OURS && strstr(p.err.msg, (words)), "%s", p.err.msg);	\
	free_pair(&p);										\
} while (0)

static void guest_time__a_kvm_clock_that_is_no_function_of_the_TSC_is_not_used(void)
{
	struct timekeeping keeper;
	struct pair p;

	CHECK_NO_KVMCLOCK(p.vm.clock_is_steady = false, "KVM makes that anew all the time");
	CHECK_NO_KVMCLOCK(p.vcpus[0].clock_mult = p.vcpus[1].clock_mult = 0, "is not in the host's dump");
	CHECK_NO_KVMCLOCK(p.vcpus[0].clock_shift = p.vcpus[1].clock_shift = 99, "is not in the host's dump");
	CHECK_NO_KVMCLOCK(p.vcpus[1].clock_mult--, "runs at different rates");
	CHECK_NO_KVMCLOCK(p.vcpus[0].clock_mult = p.vcpus[1].clock_mult = 5, "and the host gives it 2000000 kHz");
	CHECK_NO_KVMCLOCK(keeper.local = KCLOCK_OFFSET, "its kernel counts by kvm-clock;");
	/* A virtual CPU that never ran. */
	make_kvmclock_pair(&p, &keeper, 32, AMD_ONE);
	p.vcpus[1].clock_mult = 0;
	CHECK(!find_by_kvmclock(&p, &keeper), "%s", p.err.msg);
	free_pair(&p);
}

static void guest_time__nothing_is_placed_where_the_guest_was_not_or_the_host_no_more(void)
{
	struct pair p;
	u64 host;

	make_pair(&p, 32, AMD_ONE, -HOST_START);
	CHECK(guest_time_host(&p.time, 3 * SECOND + 1000, &host) == GUEST_PLACED, "its first");
	CHECK(guest_time_host(&p.time, 2 * SECOND, &host) == GUEST_BEFORE, "before its process");
	CHECK(guest_time_host(&p.time, 0, &host) == GUEST_BEFORE, "0");
	CHECK(guest_time_host(&p.time, 200 * SECOND, &host) == GUEST_AFTER, "behind the end");
	CHECK(guest_time_host(&p.time, ~0ULL, &host) == GUEST_AFTER, "never");
	free_pair(&p);
}

/* Migrated to this host, or resumed: the offset is of then. */
static void guest_time__nothing_is_placed_before_the_counter_was_set(void)
{
	struct timekeeping keeper = { .known = true, .boot_ns = 115 * SECOND, .mono_ns = 110 * SECOND };
	struct tsc_clock host = { .khz = GHZ2, .keeper = &keeper }, guest = { .khz = GHZ2 };
	struct pair p;
	u64 at;

	make_pair(&p, 32, AMD_ONE, -HOST_START);
	host.recorder = &p.hosts;
	guest.recorder = &p.guests;
	p.vm.started = 15 * SECOND;
	p.vm.tsc_written = 25 * SECOND;		/* 20 s of CLOCK_MONOTONIC, 13 s of the guest's */
	CHECK(!guest_time_find(&p.time, &host, &guest, &p.vm, 110 * SECOND, NULL) && p.time.first == 20 * SECOND && p.time.is_set, "%llu",
	      p.time.first);
	/* By CLOCK_MONOTONIC_RAW, which is 2 s behind. */
	keeper.raw_ns = 108 * SECOND;
	CHECK(!guest_time_find(&p.time, &host, &guest, &p.vm, 110 * SECOND, NULL) && p.time.first == 22 * SECOND, "%llu",
	      p.time.first);
	keeper.raw_ns = 0;
	guest_time_find(&p.time, &host, &guest, &p.vm, 110 * SECOND, NULL);
	CHECK(guest_time_host(&p.time, 12 * SECOND, &at) == GUEST_BEFORE, "before it came");
	CHECK(guest_time_host(&p.time, 14 * SECOND, &at) == GUEST_PLACED, "since it came");
	/* Its counter was 0 since its process was started: it came from nowhere else. */
	p.vm.started = 9 * SECOND;
	CHECK(!guest_time_find(&p.time, &host, &guest, &p.vm, 110 * SECOND, NULL) && p.time.first == 9 * SECOND && !p.time.is_set, "%llu",
	      p.time.first);
	/* Since when it holds is not known. */
	p.vm.started = p.vm.tsc_written = 0;
	CHECK(!guest_time_find(&p.time, &host, &guest, &p.vm, 110 * SECOND, NULL) && !p.time.is_set, "at no time");
	free_pair(&p);
}

/* Reset by its host: the counter, and CLOCK_MONOTONIC, began again. */
static void guest_time__a_boot_before_shows_by_the_time_of_day(void)
{
	struct timekeeping kernel = { .known = true, .mono_ns = 200 * SECOND, .real_ns = 1200 * SECOND };
	struct clock clock = make_clock(0, GHZ2, 3 * SECOND, 300);

	CHECK(guest_boot_of(&clock, &kernel) == GUEST_BOOT_SAME, "its own");
	kernel.real_ns += 6 * SECOND;
	CHECK(guest_boot_of(&clock, &kernel) == GUEST_BOOT_OTHER, "6 s later");
	kernel.real_ns = 0;
	CHECK(guest_boot_of(&clock, &kernel) == GUEST_BOOT_UNKNOWN, "not known");
	free(clock.anchors);
}

/* --- the order -------------------------------------------------------------- */

#define MAX_EVENTS	200

struct joint_stream {
	struct stream stream;
	u64 times[MAX_EVENTS];	/* 0 ends them */
	u32 ids[MAX_EVENTS];	/* 0: 1 */
	s64 pid;
	u32 next;
};

enum { ID_SWITCH = 1, ID_ENTRY, ID_EXIT };

static bool joint_stream_next(struct stream *stream)
{
	struct joint_stream *made = (struct joint_stream *)stream;
	u32 i = made->next;

	if (i == MAX_EVENTS || !made->times[i])
		return false;
	made->next++;
	stream->head = (struct item){
		.kind = ITEM_EVENT, .stream = stream, .cpu = stream->cpu, .time = made->times[i], .pid = made->pid ? made->pid : -1,
		.id = made->ids[i] ? made->ids[i] : ID_SWITCH,
	};
	return true;
}

static int joint_stream_begin(struct stream *stream, u64 from, bool with_damaged, struct err *err)
{
	(void)from, (void)with_damaged, (void)err;
	((struct joint_stream *)stream)->next = 0;
	return 0;
}

static void joint_stream_end(struct stream *stream)
{
	(void)stream;
}

static const struct stream_ops ops = {
	.begin = joint_stream_begin, .next = joint_stream_next, .end = joint_stream_end,
};

static struct formats *formats;
static struct damage_notes notes;

static void make_pm(struct postmortem *pm, struct stream **streams, struct joint_stream *made)
{
	made->stream.ops = &ops;
	made->stream.formats = formats;
	made->stream.order = ORDER_LITTLE;
	made->stream.clock = STREAM_RECORDER;
	*streams = &made->stream;
	*pm = (struct postmortem){ .streams = streams, .nr_streams = 1, .end = { .how = OUTCOME_UNKNOWN } };
	if (task_names_new(&pm->tasks, NULL, NULL))
		exit(99);
}

static struct joint joint;

/* "h100 g200~": the host's and the guest's in their order, and which are marked; the guest's by their host's time. */
static const char *joint_times(struct pair *p, struct joint_stream *host, struct joint_stream *guest)
{
	static char text[8000];
	struct stream *streams[2];
	struct postmortem pm;
	const struct joint_event *event;
	struct joint_walk *walk;
	size_t n = 0;

	joint = (struct joint){ .host = &pm, .nr = 1 };
	make_pm(&pm, &streams[0], host);
	make_pm(&joint.list[0].pm, &streams[1], guest);
	joint.list[0].time = p->time;
	joint.list[0].is_related = true;
	joint.list[0].vm = &p->vm;
	if (joint_index_threads(&joint, NULL) || joint_walk_open(&walk, &joint, 0, false, NULL))
		exit(99);
	*text = '\0';
	while ((event = joint_next(walk)))
		n += snprintf(text + n, sizeof(text) - n, "%s%c%llu%s", n ? " " : "", event->guest ? 'g' : 'h',
			      event->item->time - 10 * SECOND, event->item->marks & ITEM_UNCERTAIN ? "~" : "");
	joint_walk_close(walk);
	snprintf(text + n, sizeof(text) - n, " -%llu -%llu", joint.list[0].left_before, joint.list[0].left_after);
	task_names_free(pm.tasks);
	task_names_free(joint.list[0].pm.tasks);
	free(joint.threads);
	joint_refute(&joint);
	return text;
}

/* The guest's time of @ns behind the moment that is 10 s of the host's and 3 s of its own. */
static u64 guests_time(const struct pair *p, u64 ns)
{
	return clock_mono(&p->guests, p->guests.anchors[0].clock + ns * 2);
}

static void check_joint(struct joint_stream host, struct joint_stream guest, const char *wanted)
{
	struct pair p;
	const char *text;

	make_pair(&p, 32, AMD_ONE, -HOST_START);
	/* Slopes of one: a ns is two ticks. */
	for (u32 i = 0; i < p.hosts.nr; i++) {
		p.hosts.anchors[i].mono_ns = 10 * SECOND + i * SECOND;
		p.guests.anchors[i].mono_ns = 3 * SECOND + i * SECOND;
	}
	for (u32 i = 0; i < MAX_EVENTS; i++) {
		host.times[i] = host.times[i] ? 10 * SECOND + host.times[i] : 0;
		guest.times[i] = guest.times[i] > SECOND || !guest.times[i] ? guest.times[i] : guests_time(&p, guest.times[i]);
	}
	text = joint_times(&p, &host, &guest);
	CHECK(!strcmp(text, wanted), "%s, not %s", text, wanted);
	free_pair(&p);
}

static void joint__events_within_the_bound_are_marked_on_both_sides(void)
{
	check_joint((struct joint_stream){ .times = { 1000, 5000, 9000 } },
		    (struct joint_stream){ .times = { 2000, 5050, 8000 } },
		    "h1000 g2000 h5000~ g5050~ g8000 h9000 -0 -0");
	check_joint((struct joint_stream){ .times = { 5050, 9000 } },
		    (struct joint_stream){ .times = { 5000, 9103 } },
		    "g5000~ h5050~ h9000 g9103 -0 -0");
}

/* What the guest claims moves none of the host's events, and hides none. */
static void joint__times_that_cannot_be_are_left_out_and_counted(void)
{
	check_joint((struct joint_stream){ .times = { 1000, 5000 } },
		    (struct joint_stream){ .times = { SECOND + 1, 2 * SECOND, 3000, 1000 * SECOND, ~0ULL } },
		    "h1000 g3000 h5000 -2 -2");
	check_joint((struct joint_stream){ .times = { 1000, 5000 } },
		    (struct joint_stream){ .times = { ~0ULL, 4000, 3000 } },
		    "h1000 g4000 g3000 h5000 -0 -1");
}

/* Events that its clock cannot have are no sign that it came from elsewhere. */
static void guest_run__only_a_counter_that_was_set_has_older_events(void)
{
	struct joint_stream none = { 0 };
	struct stream *streams;
	struct postmortem pm;
	struct guest_run run;
	struct pair p;

	make_pair(&p, 32, AMD_ONE, -HOST_START);
	make_pm(&pm, &streams, &none);
	joint = (struct joint){ .host = &pm, .nr = 1 };
	joint.list[0].time = p.time;
	joint.list[0].vm = &p.vm;
	joint.list[0].left_before = 77;
	CHECK(!p.time.is_set && !guest_run_read(&run, &joint, &joint.list[0], NULL) && !run.older, "%llu", run.older);
	joint.list[0].time.is_set = true;
	CHECK(!guest_run_read(&run, &joint, &joint.list[0], NULL) && run.older == 77 && run.set == 10 * SECOND, "%llu", run.older);
	/* Its kvm-clock, which is set when a guest begins as well. */
	joint.list[0].time.is_set = false;
	joint.list[0].time.clock_set = 12 * SECOND;
	joint.list[0].pm.total.any = true;
	joint.list[0].pm.total.first = 6 * SECOND;
	CHECK(!guest_run_read(&run, &joint, &joint.list[0], NULL) && !run.clock_set, "%llu", run.clock_set);
	joint.list[0].pm.total.first = 4 * SECOND;
	CHECK(!guest_run_read(&run, &joint, &joint.list[0], NULL) && run.clock_set == 12 * SECOND, "%llu", run.clock_set);
	task_names_free(pm.tasks);
	free_pair(&p);
}

/* The times of what is shown of the last @events. */
static const char *joint_window_times(struct pair *p, struct joint_stream *host, struct joint_stream *guest, u64 events)
{
	static char text[8000];
	struct window asked = WINDOW_INIT;
	struct joint_window window;
	struct stream *streams[2];
	struct postmortem pm;
	const struct joint_event *event;
	struct joint_walk *walk;
	size_t n = 0;

	asked.kind = WINDOW_LAST_EVENTS;
	asked.events = events;
	joint = (struct joint){ .host = &pm, .nr = 1 };
	make_pm(&pm, &streams[0], host);
	make_pm(&joint.list[0].pm, &streams[1], guest);
	joint.list[0].time = p->time;
	joint.list[0].is_related = true;
	joint.list[0].vm = &p->vm;
	if (joint_window_choose(&window, &asked, &joint, NULL) || joint_walk_open(&walk, &joint, window.from, false, NULL))
		exit(99);
	*text = '\0';
	while ((event = joint_next(walk)))
		if (joint_window_shows(&window, event))
			n += snprintf(text + n, sizeof(text) - n, "%s%c%llu", n ? " " : "", event->guest ? 'g' : 'h',
				      (event->item->time - 10 * SECOND) / 1000);
	joint_walk_close(walk);
	task_names_free(pm.tasks);
	task_names_free(joint.list[0].pm.tasks);
	return text;
}

/* However many events a guest claims, wherever: its host's last ones are shown. */
static void joint__a_guest_hides_none_of_its_hosts_last_events(void)
{
	struct joint_stream host = { 0 }, guest = { 0 };
	struct pair p;
	const char *text;

	make_pair(&p, 32, AMD_ONE, -HOST_START);
	for (u32 i = 0; i < 10; i++)
		host.times[i] = clock_mono(&p.hosts, p.hosts.anchors[0].clock + 2000 * 100 * (i + 1));
	for (u32 i = 0; i < 190; i++)
		guest.times[i] = guests_time(&p, 310500 + i);
	text = joint_window_times(&p, &host, &guest, 2);
	CHECK(!strcmp(text, "g310 g310 h900 h1000") || !strcmp(text, "g310 g310 h899 h999"), "%s", text);
	/* What the host did beside the guest's last ones is shown. */
	for (u32 i = 0; i < 190; i++)
		guest.times[i] = guests_time(&p, 1000 * (i + 1) + 150500);
	text = joint_window_times(&p, &host, &guest, 60);
	CHECK(strstr(text, " h300 ") || strstr(text, " h299 "), "%s", text);
	free_pair(&p);
}

/* A guest that claims an early event does not make the report of its host endless. */
static void joint__beside_a_guests_events_are_no_more_than_ten_times_as_many(void)
{
	struct joint_stream host = { 0 }, guest = { 0 };
	struct pair p;
	const char *text;
	u32 nr = 0;

	make_pair(&p, 32, AMD_ONE, -HOST_START);
	for (u32 i = 0; i < 190; i++)
		host.times[i] = clock_mono(&p.hosts, p.hosts.anchors[0].clock + 2000 * 100 * (i + 1));
	guest.times[0] = guests_time(&p, 500);
	guest.times[1] = guests_time(&p, 100 * 150000 + 500);
	text = joint_window_times(&p, &host, &guest, 2);
	for (const char *at = text; (at = strchr(at, 'h')); at++)
		nr++;
	CHECK(nr == 2 + 2 * JOINT_BESIDE, "%u: %s", nr, text);
	CHECK(strstr(text, " h14995 g14995 "), "the last ones: %s", text);
	free_pair(&p);
}

/* An event that does not match takes no loss away with it. */
static void joint__a_loss_before_what_does_not_match_is_shown(void)
{
	struct stream stream = { .channel = "main" };
	struct item item = { .kind = ITEM_EVENT, .stream = &stream, .cpu = 1, .time = SECOND, .pid = 5,
			     .marks = ITEM_LOST_BEFORE | ITEM_LOST_COUNTED | ITEM_UNCERTAIN, .nr_lost = 7 };
	struct joint_event event = { &item, NULL };
	struct window asked = WINDOW_INIT;
	struct joint_window window = { .asked = &asked, .joint = &joint, .end = ~0ULL };
	struct item loss;

	CHECK(!joint_window_shows_loss(&window, &event, &loss), "beside the event that says it");
	asked.pid = 6;
	CHECK(joint_window_shows_loss(&window, &event, &loss) && loss.kind == ITEM_LOSS && loss.nr_lost == 7 &&
	      !(loss.marks & ITEM_UNCERTAIN), "%u, %llu lost", loss.kind, loss.nr_lost);
	asked.cpu = 0;
	CHECK(!joint_window_shows_loss(&window, &event, &loss), "of another CPU");
	asked.cpu = 1;
	window.from = item.time + 1;
	CHECK(!joint_window_shows_loss(&window, &event, &loss), "before the window");
	window.from = 0;
	window.parts[0].skip = 1;
	CHECK(!joint_window_shows_loss(&window, &event, &loss), "before the last events");
}

/* The guest's events begin at @first, 1 us apart. */
static void check_trial(struct joint_stream host, u64 first, u64 inside, u64 outside, bool is_related)
{
	struct joint_stream guest = { 0 };
	struct pair p;

	make_pair(&p, 32, AMD_ONE, -HOST_START);
	for (u32 i = 0; i < MAX_EVENTS && host.times[i]; i++)
		host.times[i] = clock_mono(&p.hosts, p.hosts.anchors[0].clock + host.times[i] * 2);
	for (u32 i = 0; i < 150; i++)
		guest.times[i] = guests_time(&p, first + i * 1000);
	joint_times(&p, &host, &guest);
	CHECK(joint.list[0].inside == inside && joint.list[0].outside == outside, "%llu inside, %llu outside",
	      joint.list[0].inside, joint.list[0].outside);
	CHECK(joint.list[0].is_related == is_related, "%s", joint.list[0].why);
	free_pair(&p);
}

/* From 1 ms to 2 ms the host runs it. */
static void check_runs(u64 first, u64 inside, u64 outside, bool is_related)
{
	check_trial((struct joint_stream){
		.times = { 1000000, 2000000, 3000000 }, .ids = { ID_ENTRY, ID_EXIT, ID_ENTRY }, .pid = 700,
	}, first, inside, outside, is_related);
}

/* One of them alone says nothing, nor what lies between two that are far apart. */
static void joint__a_guest_is_tried_only_where_both_its_ends_are_seen(void)
{
	check_trial((struct joint_stream){ .times = { 500000, 1000000, 3000000 }, .ids = { ID_EXIT, ID_EXIT, ID_EXIT }, .pid = 700 },
		    1000500, 0, 0, true);
	check_trial((struct joint_stream){ .times = { 500000, 1000000, 3000000 }, .ids = { ID_ENTRY, ID_ENTRY, ID_ENTRY }, .pid = 700 },
		    1000500, 0, 0, true);
	check_trial((struct joint_stream){ .times = { 500000, 1000000, 1200000000 }, .ids = { ID_ENTRY, ID_EXIT, ID_ENTRY }, .pid = 700 },
		    1000500, 0, 0, true);
	check_trial((struct joint_stream){ .times = { 500000, 1000000 }, .ids = { ID_ENTRY, ID_EXIT }, .pid = 700 },
		    1000500, 0, 0, true);
}

static void joint__what_a_guest_did_it_did_while_the_host_ran_it(void)
{
	check_runs(1000500, 150, 0, true);
	check_runs(1900500, 100, 50, true);	/* the host's trace may have lost an entry */
	check_runs(1950500, 50, 100, false);
	check_runs(2000500, 0, 150, false);
}

/* --- gaps -------------------------------------------------------------------- */

static const char switch_format[] =
	"name: sched_switch\nID: 1\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"\"\n";

struct switch_payload {
	char prev_comm[16];
	s32 prev_pid, prev_prio;
	s64 prev_state;
	char next_comm[16];
	s32 next_pid, next_prio;
};

struct made_switch {
	u64 ms;
	s32 prev;
	s64 state;
	s32 next;
	u32 cpu;	/* 0: 3 */
	u32 marks;
	u32 id;		/* 0: a switch */
};

#define SWITCH(a, b, c, d, ...)	{ .ms = (a), .prev = (b), .state = (c), .next = (d), __VA_ARGS__ }

static struct item make_switch(const struct made_switch *made, const struct stream *stream, struct switch_payload *payload)
{
	*payload = (struct switch_payload){ .prev_pid = made->prev, .prev_state = made->state, .next_pid = made->next };
	snprintf(payload->next_comm, sizeof(payload->next_comm), "task%d", made->next);
	return (struct item){
		.kind = ITEM_EVENT, .stream = stream, .cpu = made->cpu ? made->cpu : 3, .time = made->ms * 1000000,
		.pid = made->prev, .id = made->id ? made->id : ID_SWITCH, .payload = payload, .size = sizeof(*payload),
		.marks = made->marks,
	};
}

/* The words of all gaps of thread 700, to the end at 10 s. */
static const char *gaps_of(const struct made_switch *all, u32 nr)
{
	static char text[400];
	struct stream stream = { .order = ORDER_LITTLE, .formats = formats };
	const struct vcpu_wait *wait;
	struct vcpu_waits *waits;
	struct pair p;
	size_t n = 0;

	make_pair(&p, 32, AMD_ONE, 0);
	joint = (struct joint){ .nr = 1 };
	joint.list[0].vm = &p.vm;
	if (vcpu_waits_new(&waits, &joint, NULL))
		exit(99);
	*text = '\0';
	for (u32 i = 0; i < nr; i++) {
		struct switch_payload payload;
		struct item item = make_switch(&all[i], &stream, &payload);

		wait = vcpu_waits_take(waits, &item);
		if (wait) {
			vcpu_wait_words(text + n, sizeof(text) - n, wait);
			n = strlen(strcat(text, "; "));
		}
	}
	while ((wait = vcpu_waits_rest(waits, 10 * SECOND))) {
		vcpu_wait_words(text + n, sizeof(text) - n, wait);
		n = strlen(strcat(text, "; "));
	}
	vcpu_waits_free(waits);
	free_pair(&p);
	return text;
}

#define CHECK_GAPS(wanted, ...) do {							\
	const struct made_switch all[] = { __VA_ARGS__ };				\
	const char *text = gaps_of(all, ARRAY_SIZE(all));				\
											\
	CHECK(!strcmp(text, (wanted)), "%s, not %s", text, (wanted));			\
} while (0)

/* Between 1.1 s and 5 s. */
#define OTHERS_RAN	SWITCH(2500, 0, 0, 77), SWITCH(2501, 77, 1, 0), SWITCH(4000, 0, 0, 77), SWITCH(4001, 77, 1, 0)

static void vcpu_wait__the_task_that_ran_longest_is_the_cause(void)
{
	CHECK_GAPS("waited 1.800 s: host CPU 3 ran task77-77; ",
		   SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0x100, 78), SWITCH(1200, 78, 1, 77), SWITCH(2900, 77, 0, 700));
	CHECK_GAPS("", SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 78), SWITCH(1109, 78, 1, 700));
}

static void vcpu_wait__sleep_is_no_gap_and_a_stop_is(void)
{
	CHECK_GAPS("", SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 1, 0), OTHERS_RAN, SWITCH(5000, 0, 0, 700));
	CHECK_GAPS("waited 3.900 s: its thread was stopped by a signal; ",
		   SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 4, 0), OTHERS_RAN, SWITCH(5000, 0, 0, 700));
	CHECK_GAPS("waited 3.900 s: it waited in the host's kernel (state D); ",
		   SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 2, 0), OTHERS_RAN, SWITCH(5000, 0, 0, 700));
}

static void vcpu_wait__who_ran_for_less_than_half_of_it_is_not_the_cause(void)
{
	CHECK_GAPS("waited 0.900 s: host CPU 3 was idle; ",
		   SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(1110, 77, 1, 0), SWITCH(2000, 0, 0, 700));
	CHECK_GAPS("waited 0.900 s; ", SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(1400, 77, 0, 78), SWITCH(1700, 78, 0, 79),
		   SWITCH(2000, 79, 0, 700));
}

static void vcpu_wait__what_has_not_ended_goes_as_far_as_its_cpu_is_known(void)
{
	CHECK_GAPS("waited 1.000 s or more: host CPU 3 ran task77-77; ",
		   SWITCH(500, 0, 0, 77, .cpu = 1), SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(2100, 77, 0, 78),
		   SWITCH(2900, 77, 0, 78, .cpu = 1));
	CHECK_GAPS("", SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77));
}

/* Where a switch may be missing, it may have run. */
static void vcpu_wait__what_lies_over_a_hole_of_the_trace_is_no_gap(void)
{
	/* The ring of CPU 1 begins at 2.5 s: it may have run there. */
	CHECK_GAPS("", SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(2500, 77, 0, 78, .cpu = 1), SWITCH(2600, 77, 0, 700));
	/* The same, and it was seen there. */
	CHECK_GAPS("waited 0.200 s: host CPU 1 ran task78-78; ",
		   SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(2500, 700, 0, 78, .cpu = 1), SWITCH(2700, 78, 0, 700, .cpu = 1));
	/* Events of another CPU were lost. */
	CHECK_GAPS("", SWITCH(900, 0, 0, 77, .cpu = 1), SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77),
		   SWITCH(1500, 77, 0, 78, .cpu = 1, .marks = ITEM_LOST_BEFORE), SWITCH(1600, 77, 0, 700));
	/* The trace was off. */
	CHECK_GAPS("", SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(5000, 77, 0, 700));
	/* It ran meanwhile. */
	CHECK_GAPS("", SWITCH(900, 0, 0, 77, .cpu = 1), SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77),
		   SWITCH(1500, 700, 0, 0, .cpu = 1, .id = ID_EXIT), SWITCH(1600, 77, 0, 700));
	CHECK_GAPS("waited 0.100 s: host CPU 1 ran task78-78; ", SWITCH(900, 0, 0, 77, .cpu = 1), SWITCH(1000, 0, 0, 700),
		   SWITCH(1100, 700, 0, 77), SWITCH(1500, 700, 0, 78, .cpu = 1), SWITCH(1600, 78, 0, 700, .cpu = 1));
}

/* --- what is shown ------------------------------------------------------------ */

#define MAX_SWITCHES	10

struct switch_stream {
	struct stream stream;
	struct made_switch all[MAX_SWITCHES];	/* a time of 0 ends them */
	struct switch_payload payloads[MAX_SWITCHES];
	u32 next;
};

static bool switch_stream_next(struct stream *stream)
{
	struct switch_stream *made = (struct switch_stream *)stream;
	u32 i = made->next;

	if (i == MAX_SWITCHES || !made->all[i].ms)
		return false;
	made->next++;
	stream->head = make_switch(&made->all[i], stream, &made->payloads[i]);
	return true;
}

static int switch_stream_begin(struct stream *stream, u64 from, bool with_damaged, struct err *err)
{
	(void)from, (void)with_damaged, (void)err;
	((struct switch_stream *)stream)->next = 0;
	return 0;
}

static const struct stream_ops switch_ops = {
	.begin = switch_stream_begin, .next = switch_stream_next, .end = joint_stream_end,
};

/* "1000 w2100": ms of the events that are shown of the last @events, and of the ends of gaps of thread 700. */
static const char *shown_of(struct switch_stream *host, u64 events, u64 shortest)
{
	static char text[400];
	struct window asked = WINDOW_INIT;
	struct joint_window window;
	struct joint_shown shown;
	struct joint_show *show;
	struct stream *stream = &host->stream;
	struct postmortem pm = { .streams = &stream, .nr_streams = 1, .end = { .how = OUTCOME_CRASHED, .time = 10 * SECOND } };
	struct pair p;
	size_t n = 0;

	asked.kind = events ? WINDOW_LAST_EVENTS : WINDOW_ALL;
	asked.events = events;
	host->stream = (struct stream){ .ops = &switch_ops, .formats = formats, .order = ORDER_LITTLE, .clock = STREAM_RECORDER };
	make_pair(&p, 32, AMD_ONE, 0);
	joint = (struct joint){ .host = &pm, .nr = 1 };
	joint.list[0].vm = &p.vm;
	if (task_names_new(&pm.tasks, NULL, NULL) || joint_index_threads(&joint, NULL) ||
	    joint_window_choose(&window, &asked, &joint, NULL) || joint_show_open(&show, &joint, &window, shortest, NULL))
		exit(99);
	*text = '\0';
	while (joint_show_next(show, &shown))
		n += snprintf(text + n, sizeof(text) - n, "%s%s%llu", n ? " " : "", shown.wait ? "w" : "",
			      (shown.wait ? shown.wait->to : shown.event->item->time) / 1000000);
	joint_show_close(show);
	task_names_free(pm.tasks);
	free(joint.threads);
	free_pair(&p);
	return text;
}

#define CHECK_SHOWN(wanted, events, shortest, ...) do {						\
	const char *text = shown_of(&(struct switch_stream){ .all = { __VA_ARGS__ } }, (events), (shortest)); \
												\
	CHECK(!strcmp(text, (wanted)), "%s, not %s", text, (wanted));				\
} while (0)

/* Its CPU is known until 2.1 s, and the host goes on until its crash. */
static void joint_show__a_gap_that_did_not_end_stands_where_it_is_known_no_more(void)
{
	CHECK_SHOWN("500 1000 1100 2100 w2100 2900 3000 10000", 0, 0,
		    SWITCH(500, 0, 0, 77, .cpu = 1), SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(2100, 77, 0, 78),
		    SWITCH(2900, 77, 0, 78, .cpu = 1), SWITCH(3000, 78, 0, 77, .cpu = 1));
	CHECK_SHOWN("1000 1100 2100 w2100 10000", 0, 0, SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(2100, 77, 0, 78));
}

static void joint_show__of_the_last_events_the_caller_says_which_gaps(void)
{
	CHECK_SHOWN("w1150 1200 10000", 1, 0, SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(1150, 77, 0, 700), SWITCH(1200, 700, 1, 0));
	CHECK_SHOWN("1200 10000", 1, JOINT_LONG_GAP_NS,
		    SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(1150, 77, 0, 700), SWITCH(1200, 700, 1, 0));
	CHECK_SHOWN("1000 1100 1150 w1150 1200 10000", 0, JOINT_LONG_GAP_NS,
		    SWITCH(1000, 0, 0, 700), SWITCH(1100, 700, 0, 77), SWITCH(1150, 77, 0, 700), SWITCH(1200, 700, 1, 0));
}

/* --- how the guest was run ------------------------------------------------------ */

/* Of the 30 s before @end, in ms. */
static void read_run(struct guest_run *run, struct switch_stream *host, u64 end)
{
	struct stream *stream = &host->stream;
	struct postmortem pm = { .streams = &stream, .nr_streams = 1, .end = { .how = OUTCOME_CRASHED, .time = end * 1000000 } };
	struct pair p;

	host->stream = (struct stream){ .ops = &switch_ops, .formats = formats, .order = ORDER_LITTLE, .clock = STREAM_RECORDER };
	make_pair(&p, 32, AMD_ONE, -HOST_START);
	joint = (struct joint){ .host = &pm, .nr = 1 };
	joint.list[0].vm = &p.vm;
	joint.list[0].time = p.time;
	if (task_names_new(&pm.tasks, NULL, NULL) || joint_index_threads(&joint, NULL) ||
	    guest_run_read(run, &joint, &joint.list[0], NULL))
		exit(99);
	task_names_free(pm.tasks);
	free(joint.threads);
	free_pair(&p);
}

/* CPU 0 waits twice for 1.5 s, CPU 1 once for 2 s. */
static void guest_run__the_longest_gap_is_of_the_cpu_that_waited_most(void)
{
	struct switch_stream host = { .all = {
		SWITCH(9000, 0, 0, 701, .cpu = 4), SWITCH(10000, 0, 0, 700), SWITCH(11000, 700, 0, 77), SWITCH(12000, 701, 0, 78, .cpu = 4),
		SWITCH(12500, 77, 0, 700), SWITCH(13000, 700, 0, 77), SWITCH(14000, 78, 0, 701, .cpu = 4), SWITCH(14500, 77, 0, 700),
		SWITCH(15000, 701, 1, 0, .cpu = 4),
	} };
	struct guest_run run;

	read_run(&run, &host, 16000);
	CHECK(run.not_run == 3000000000ULL && run.longest.cpu == 0, "%llu ns of CPU %u", run.not_run, run.longest.cpu);
	CHECK(run.longest.to - run.longest.from == 1500000000ULL, "%llu", run.longest.to - run.longest.from);
	/* What lies before the 30 s counts neither in the sum nor in the longest. */
	read_run(&run, &host, 41800);
	CHECK(run.not_run == 2200000000ULL && run.longest.cpu == 0 && run.longest.from == 13 * SECOND, "%llu ns, from %llu",
	      run.not_run, run.longest.from);
	read_run(&run, &host, 43600);
	CHECK(run.not_run == 900000000ULL && run.longest.from == 13600000000ULL, "%llu ns, from %llu", run.not_run, run.longest.from);
}

int main(void)
{
	struct formats_machine machine = { .order = ORDER_LITTLE, .long_size = 8 };

	if (formats_new(&formats, &machine, &notes, NULL) ||
	    !formats_add(formats, ID_SWITCH, "sched", "sched_switch", strlen("sched_switch"), switch_format) ||
	    !formats_add(formats, ID_ENTRY, "kvm", "kvm_entry", strlen("kvm_entry"), "") ||
	    !formats_add(formats, ID_EXIT, "kvm", "kvm_exit", strlen("kvm_exit"), ""))
		return 99;
	TAP_RUN(guest_time__an_event_is_where_the_processor_says_within_the_bound);
	TAP_RUN(guest_time__offsets_that_differ_widen_the_bound_or_end_it);
	TAP_RUN(guest_time__what_is_not_known_is_said);
	TAP_RUN(guest_time__arm64s_counter_is_the_hosts_less_its_offset);
	TAP_RUN(guest_time__arm64s_counter_that_came_from_elsewhere_is_not_used);
	TAP_RUN(guest_time__a_guest_that_counts_by_kvm_clock_is_placed_within_the_bound);
	TAP_RUN(guest_time__before_its_kvm_clock_was_set_nothing_is_placed);
	TAP_RUN(guest_time__a_kvm_clock_that_is_no_function_of_the_TSC_is_not_used);
	TAP_RUN(guest_time__nothing_is_placed_where_the_guest_was_not_or_the_host_no_more);
	TAP_RUN(guest_time__nothing_is_placed_before_the_counter_was_set);
	TAP_RUN(guest_time__a_boot_before_shows_by_the_time_of_day);
	TAP_RUN(joint__events_within_the_bound_are_marked_on_both_sides);
	TAP_RUN(joint__times_that_cannot_be_are_left_out_and_counted);
	TAP_RUN(guest_run__only_a_counter_that_was_set_has_older_events);
	TAP_RUN(joint__a_guest_hides_none_of_its_hosts_last_events);
	TAP_RUN(joint__beside_a_guests_events_are_no_more_than_ten_times_as_many);
	TAP_RUN(joint__a_loss_before_what_does_not_match_is_shown);
	TAP_RUN(joint__a_guest_is_tried_only_where_both_its_ends_are_seen);
	TAP_RUN(joint__what_a_guest_did_it_did_while_the_host_ran_it);
	TAP_RUN(vcpu_wait__the_task_that_ran_longest_is_the_cause);
	TAP_RUN(vcpu_wait__sleep_is_no_gap_and_a_stop_is);
	TAP_RUN(vcpu_wait__who_ran_for_less_than_half_of_it_is_not_the_cause);
	TAP_RUN(vcpu_wait__what_has_not_ended_goes_as_far_as_its_cpu_is_known);
	TAP_RUN(vcpu_wait__what_lies_over_a_hole_of_the_trace_is_no_gap);
	TAP_RUN(joint_show__a_gap_that_did_not_end_stands_where_it_is_known_no_more);
	TAP_RUN(joint_show__of_the_last_events_the_caller_says_which_gaps);
	TAP_RUN(guest_run__the_longest_gap_is_of_the_cpu_that_waited_most);
	formats_free(formats);
	damage_notes_free(&notes);
	return tap_done();
}
