// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records of the same error are joined; errors are read out of the kernel's log.
 *
 * build: @extractor
 */
#include <string.h>

#include "recording/mce_from_log.h"
#include "recording/mce_records.h"
#include "tap.h"

#define LOGGED	(1U << EPITAPH_MCE_LOGGED)
#define PRINTED	(1U << EPITAPH_MCE_PRINTED)
#define CRASH	(1U << EPITAPH_MCE_CRASH)
#define LOAD	(1U << EPITAPH_MCE_LOAD)

#define STATUS	0xbe00000000800400	/* MISC and ADDR valid */
#define CAP	0x1000109		/* MISC has the kind of ADDR */

static struct mce one(u32 sources, u64 when)
{
	return (struct mce){ .sources = sources, .mono_ns = when, .seq = when, .cpu = 1,
			     .bank = 5, .status = STATUS, .addr = 0x1234000, .misc = 0x8c,
			     .mcgcap = CAP };
}

static struct mces of(const struct mce *list, u32 nr)
{
	struct mces mces = { 0 };

	for (u32 i = 0; i < nr; i++)
		mces_add(&mces, &list[i], NULL);
	mces_join(&mces);
	return mces;
}

/* How many errors two records are. */
static u32 count(struct mce a, struct mce b)
{
	struct mce list[] = { a, b };
	struct mces mces = of(list, 2);
	u32 n = mces.nr;

	mces_free(&mces);
	return n;
}

static void mce_join__printed_and_read_on_the_way_down_is_one(void)
{
	struct mce a = one(PRINTED, 1), b = one(CRASH, 2);

	a.tsc = 77;
	CHECK(count(a, b) == 1, "the same");
	b.addr = 0x1234567;
	CHECK(count(a, b) == 1, "low bits that mean nothing");
	b.addr = 0x1235000;
	CHECK(count(a, b) == 2, "another page");
	b = one(CRASH, 2);
	b.misc = 0x8d;
	CHECK(count(a, b) == 2, "another MISC");
	b = one(CRASH, 2);
	b.cpu = 2;
	CHECK(count(a, b) == 2, "another CPU");
	b = one(CRASH, 2);
	b.bank = 6;
	CHECK(count(a, b) == 2, "another bank");
	b = one(CRASH, 2);
	b.status |= STATUS_OVER;
	CHECK(count(a, b) == 2, "another status");
}

static void mce_join__what_the_status_calls_invalid_does_not_count(void)
{
	struct mce a = one(PRINTED, 1), b = one(CRASH, 2);

	a.status = b.status = 0xb200000000800400;
	b.addr = 1, b.misc = 2;
	CHECK(count(a, b) == 1, "neither ADDR nor MISC is valid");
}

static void mce_join__two_of_one_source_are_two(void)
{
	CHECK(count(one(LOGGED, 1), one(LOGGED, 2)) == 2, "logged");
	CHECK(count(one(PRINTED, 1), one(PRINTED, 2)) == 2, "printed");
	CHECK(count(one(CRASH, 1), one(CRASH, 2)) == 2, "crash");
}

static void mce_join__what_was_reported_has_left_its_bank(void)
{
	struct mce a = one(LOGGED, 1), b = one(PRINTED, 2);

	CHECK(count(one(LOGGED, 1), one(CRASH, 2)) == 2, "in the bank again");
	CHECK(count(a, b) == 1, "the same struct mce");
	b.time = 5;
	CHECK(count(a, b) == 2, "another time");
	a.time = 5, a.tsc = 7;
	CHECK(count(a, b) == 2, "another TSC");
}

static void mce_join__what_was_there_at_load_is_told_again_once(void)
{
	struct mce list[] = { one(LOAD, 1), one(LOGGED, 2), one(LOGGED, 3) };
	struct mces mces = of(list, 3);

	CHECK(mces.nr == 2 && mces.list[0].sources == (LOAD | LOGGED), "%u", mces.nr);
	mces_free(&mces);
	CHECK(count(one(LOAD, 1), one(CRASH, 2)) == 1, "never reported");
	CHECK(count(one(LOGGED, 1), one(LOAD, 2)) == 2, "a module that was loaded again");
}

static void mce_join__unknown_sources_and_the_log_stay_alone(void)
{
	CHECK(count(one(1U << MCE_UNKNOWN_SOURCE, 1), one(CRASH, 2)) == 2, "unknown");
	CHECK(count(one(1U << MCE_KERNEL_LOG, 1), one(LOAD, 2)) == 2, "log");
}

static void mce_join__nothing_that_one_of_them_knew_is_lost(void)
{
	struct mce list[] = { one(PRINTED, 1), one(CRASH, 2) };
	struct mces mces;

	list[0].tsc = 77, list[0].ip = 0x1111, list[0].cs = 0x10, list[0].mcgcap = 0;
	list[0].misc = list[1].misc = 0x8c;
	list[0].mcgcap = CAP;
	list[1].addr = 0x1234567, list[1].microcode = 9, list[1].synd = 3;
	mces = of(list, 2);
	CHECK(mces.nr == 1, "%u", mces.nr);
	CHECK(mces.list[0].tsc == 77 && mces.list[0].ip == 0x1111, "of the first");
	CHECK(mces.list[0].microcode == 9 && mces.list[0].synd == 3, "of the second");
	CHECK(mces.list[0].addr == 0x1234567, "0x%llx", mces.list[0].addr);
	CHECK(mces.list[0].mono_ns == 1 && mces.list[0].seq == 1, "the first's time");
	mces_free(&mces);
}

static void mce_join__cpus_of_a_socket_may_read_one_bank(void)
{
	struct mce list[] = { one(PRINTED, 1), one(CRASH, 2), one(CRASH, 3), one(CRASH, 4) };
	struct mces mces;

	list[2].cpu = 2;
	list[3].cpu = 3;
	list[3].socket = 1;
	mces = of(list, 4);
	CHECK(mces.nr == 3 && mces_count(&mces) == 2, "%u %u", mces.nr, mces_count(&mces));
	CHECK(mces.list[0].same == 1 && mces.list[1].is_same && mces.list[1].cpu == 2, "CPU 2");
	CHECK(!mces.list[2].is_same && mces.list[2].cpu == 3, "another socket");
	mces_free(&mces);
}

static void mce_join__they_are_in_the_order_of_time(void)
{
	struct mce list[] = { one(LOGGED, 9), one(LOGGED, 3), one(LOGGED, 5) };
	struct mces mces = of(list, 3);

	CHECK(mces.list[0].mono_ns == 3 && mces.list[1].mono_ns == 5 && mces.list[2].mono_ns == 9, "order");
	mces_free(&mces);
}

/* A clock whose ticks are ns, and that said 0 when the kernel began. */
static struct clock_anchor anchor = { .mono_ns = 0, .real_ns = 1700000000000000000ULL };
static const struct clock clock = { .anchors = &anchor, .nr = 1, .khz = 1000000 };

static struct mces of_log(const char *const *lines, s32 priority)
{
	struct mces mces = { 0 };
	struct klog klog = { .there = true };

	klog.lines = calloc(64, sizeof(*klog.lines));
	for (; lines[klog.nr]; klog.nr++)
		klog.lines[klog.nr] = (struct klog_line){
			.mono_ns = 1000 * (klog.nr + 1ULL), .priority = priority,
			.len = strlen(lines[klog.nr]), .text = lines[klog.nr],
		};
	mce_log_take(&mces, &klog, &clock, NULL);
	free(klog.lines);
	return mces;
}

#define HW	"mce: [Hardware Error]: "

static void mce_log__one_of_5_10_is_read(void)
{
	static const char *const lines[] = {
		HW "CPU 3: Machine Check Exception: 5 Bank 5: be00000000800400",
		HW "RIP !INEXACT! 10:<ffffffff81234567> {native_safe_halt+0xe/0x10}",
		HW "TSC 1ec8cb2dbb ADDR 3fff8100 MISC 86 PPIN 12ab ",
		HW "PROCESSOR 0:50654 TIME 1700000000 SOCKET 1 APIC 2a microcode 2006b06",
		NULL,
	};
	struct mces mces = of_log(lines, 0);
	const struct mce *m = mces.list;

	if (!CHECK(mces.nr == 1, "%u", mces.nr))
		return;
	CHECK(m->cpu == 3 && m->bank == 5 && m->mcgstatus == 5 && m->status == 0xbe00000000800400,
	      "first line");
	CHECK(m->cs == 0x10 && m->ip == 0xffffffff81234567, "RIP 0x%llx", m->ip);
	CHECK(m->tsc == 0x1ec8cb2dbb && m->addr == 0x3fff8100 && m->misc == 0x86 &&
	      m->ppin == 0x12ab, "TSC");
	CHECK(m->vendor == 0 && m->cpuid == 0x50654 && m->time == 1700000000 && m->socket == 1 &&
	      m->apicid == 0x2a && m->microcode == 0x2006b06, "PROCESSOR");
	CHECK(m->mono_ns == 1000 && m->real_ns == 1700000000000001000ULL, "%llu", m->real_ns);
	CHECK(m->sources == 1U << MCE_KERNEL_LOG && m->pid == -1, "source");
	mces_free(&mces);
}

static void mce_log__one_of_an_amd_machine_is_read(void)
{
	static const char *const lines[] = {
		HW "CPU 5: Machine Check: 0 Bank 5: bea0000000000108",
		HW "TSC 0 ADDR 1ffffc04a1e32 MISC d012000100000000 SYND 4d000000 SYND1 1 SYND2 2 IPID 500b000000000 ",
		HW "PROCESSOR 2:800f82 TIME 1700000000 SOCKET 0 APIC a microcode 800820d",
		NULL,
	};
	struct mces mces = of_log(lines, 0);
	const struct mce *m = mces.list;

	if (!CHECK(mces.nr == 1, "%u", mces.nr))
		return;
	CHECK(m->ipid == 0x500b000000000 && m->synd == 0x4d000000 && m->synd1 == 1 &&
	      m->synd2 == 2 && m->vendor == 2, "SYND, IPID");
	mces_free(&mces);
}

static void mce_log__lines_in_between_do_not_matter(void)
{
	static const char *const lines[] = {
		HW "Machine check events logged",
		HW "CPU 0: Machine Check: 0 Bank 1: 9000000000000151",
		"random: crng init done",
		HW "TSC 0 ADDR 1000 ",
		HW "CPU 1: Machine Check: 0 Bank 2: 9000000000000151",
		HW "TSC 0 ADDR 2000 ",
		HW "PROCESSOR 0:50654 TIME 1700000000 SOCKET 0 APIC 0 microcode 1",
		HW "Run the above through 'mcelog --ascii'",
		HW "CPU:2 (17:1:1) MC15_STATUS[Over|CE|MiscV|AddrV]: 0xdc2040000000011b",
		NULL,
	};
	struct mces mces = of_log(lines, 4);

	if (!CHECK(mces.nr == 2, "%u", mces.nr))
		return;
	CHECK(mces.list[0].addr == 0x1000 && !mces.list[0].cpuid, "one without its last line");
	CHECK(mces.list[1].addr == 0x2000 && mces.list[1].cpuid == 0x50654, "the other");
	mces_free(&mces);
}

static void mce_log__what_users_write_is_not_believed(void)
{
	static const char *const lines[] = {
		HW "CPU 0: Machine Check: 0 Bank 1: 9000000000000151", NULL,
	};
	struct mces mces = of_log(lines, 12);

	CHECK(!mces.nr, "facility 1 is a user's");
	mces = of_log(lines, -1);
	CHECK(!mces.nr, "no priority belongs to no record");
}

static void mce_log__halves_and_noise_make_no_error(void)
{
	static const char *const lines[] = {
		HW "TSC 0 ADDR 1000 ", HW "PROCESSOR 0:50654 TIME 1 SOCKET 0 APIC 0 microcode 1",
		HW "CPU 0: Machine Check: 0 Bank", HW "CPU x: Machine Check: 0 Bank 1: 1",
		HW "RIP 10:<1>", HW, "CPU 0: Machine Check: 0 Bank 1: 9000000000000151", "", NULL,
	};
	struct mces mces = of_log(lines, 0);

	CHECK(!mces.nr, "%u", mces.nr);
	mces_free(&mces);
}

int main(void)
{
	TAP_RUN(mce_join__printed_and_read_on_the_way_down_is_one);
	TAP_RUN(mce_join__what_the_status_calls_invalid_does_not_count);
	TAP_RUN(mce_join__two_of_one_source_are_two);
	TAP_RUN(mce_join__what_was_reported_has_left_its_bank);
	TAP_RUN(mce_join__what_was_there_at_load_is_told_again_once);
	TAP_RUN(mce_join__unknown_sources_and_the_log_stay_alone);
	TAP_RUN(mce_join__nothing_that_one_of_them_knew_is_lost);
	TAP_RUN(mce_join__cpus_of_a_socket_may_read_one_bank);
	TAP_RUN(mce_join__they_are_in_the_order_of_time);
	TAP_RUN(mce_log__one_of_5_10_is_read);
	TAP_RUN(mce_log__one_of_an_amd_machine_is_read);
	TAP_RUN(mce_log__lines_in_between_do_not_matter);
	TAP_RUN(mce_log__what_users_write_is_not_believed);
	TAP_RUN(mce_log__halves_and_noise_make_no_error);
	return tap_done();
}
