// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a host's side adds to the finding of its guest: when it is the cause, and when it is only said.
 *
 * build: @extractor -lbpf -lelf -lzstd -llzo2 -lz -lsnappy -lcapstone
 */
#include <string.h>

#include "explain/explain.h"
#include "tap.h"

#define SECOND	1000000000ULL

/* The guest's end is 1000 s of its host's and 400 s of its own; the gap of @ns ended 2 s before it. */
static struct guest_run not_run(u64 ns)
{
	return (struct guest_run){
		.end = 1000 * SECOND, .last = 1000 * SECOND, .not_run = ns, .has_end = true, .is_of_end = true,
		.longest = {
			.cpu = 1, .from = 998 * SECOND - ns, .to = 998 * SECOND, .kind = VCPU_WAIT_CPU, .host_cpu = 3, .pid = 77,
			.comm = "kswapd0", .ran = ns,
		},
	};
}

static struct finding *add_run(const char *kind, bool is_noticed, const struct guest_run *run)
{
	static struct finding finding;

	memset(&finding, 0, sizeof(finding));
	finding_claim(&finding, kind, FINDING_SHOWN, "CPU 1 was stuck.");
	strcpy(finding.signature, kind);
	finding.is_noticed = is_noticed;
	both_sides_add(&finding, run, 400 * SECOND);
	return &finding;
}

static struct finding *add_to(const char *kind, u64 ns)
{
	struct guest_run run = not_run(ns);

	return add_run(kind, false, &run);
}

static void both_sides__a_guest_that_hung_and_was_not_run_has_its_cause(void)
{
	struct finding *finding = add_to("soft-lockup", 12 * SECOND);

	CHECK(!strcmp(finding->kind, "not-run") && finding->strength == FINDING_LIKELY, "%s", finding->kind);
	CHECK(!strcmp(finding->claim,
		      "Its host did not run CPU 1 of this guest for 12.000 s without a break, right before its end."), "%s",
	      finding->claim);
	CHECK(!strcmp(finding->signature, "not-run"), "%s", finding->signature);
	CHECK(finding->also.nr == 1 && strstr(finding->also.list[0], "CPU 1 was stuck."), "what the guest says is kept");
}

static void both_sides__the_gap_is_evidence_at_its_time_in_the_guest(void)
{
	struct finding *finding = add_to("soft-lockup", 12 * SECOND);

	if (!CHECK(finding->nr_evidence == 1, "%u", finding->nr_evidence))
		return;
	CHECK(finding->evidence[0].time == 398 * SECOND, "%llu", finding->evidence[0].time);
	CHECK(!strcmp(finding->evidence[0].text, "host: CPU 1 of the guest waited 12.000 s: host CPU 3 ran kswapd0-77"), "%s",
	      finding->evidence[0].text);
}

#define CHECK_KEPT(finding, what) \
	CHECK(strcmp((finding)->kind, "not-run") && (finding)->strength == FINDING_SHOWN && (finding)->also.nr == 1, "%s: %s", what, \
	      (finding)->kind)

/* A lock, a task that waits: the guest's own file has the cause, and a gap of seconds is none of it. */
static void both_sides__a_cause_in_the_guest_stays(void)
{
	static const char *const kinds[] = { "spinning", "hung-task", "rcu-stall", "hard-lockup", "nmi", "reset", "null-pointer" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		CHECK_KEPT(add_to(kinds[i], 12 * SECOND), kinds[i]);
}

static void both_sides__gaps_that_cannot_be_the_cause_are_only_said(void)
{
	struct guest_run run = not_run(9 * SECOND);

	CHECK_KEPT(add_run("soft-lockup", false, &run), "a short one");
	run.not_run = 15 * SECOND;
	CHECK_KEPT(add_run("soft-lockup", false, &run), "many short ones");
	run = not_run(12 * SECOND);
	CHECK_KEPT(add_run("soft-lockup", true, &run), "another CPU's report");
	run.is_of_end = false;
	CHECK_KEPT(add_run("soft-lockup", false, &run), "another CPU's gap");
	run = not_run(12 * SECOND);
	run.longest.from -= 4 * SECOND;
	run.longest.to -= 4 * SECOND;
	CHECK_KEPT(add_run("soft-lockup", false, &run), "it went on for 6 s");
	CHECK(!add_to("soft-lockup", SECOND / 2)->also.nr, "nothing is said of half a second");
}

/* Its counter was set @ns before its end, on the host's timeline. */
static struct finding *add_set_to(const char *kind, u64 ns)
{
	struct guest_run run = not_run(0);

	run.older = 77;
	run.set = run.end - ns;
	return add_run(kind, false, &run);
}

/* Its own clock went on where it stood, so its watchdog saw nothing of that. */
static void both_sides__a_guest_that_was_resumed_keeps_its_cause(void)
{
	static const char *const kinds[] = { "soft-lockup", "null-pointer", "reset" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct finding *finding = add_set_to(kinds[i], 26 * SECOND);

		CHECK(!strcmp(finding->kind, kinds[i]) && finding->strength == FINDING_SHOWN && !strcmp(finding->signature, kinds[i]), "%s: %s",
		      kinds[i], finding->kind);
		CHECK(finding->also.nr == 1 && strstr(finding->also.list[0], "it was resumed here, or came from another host, 26 s before its end"),
		      "%s", finding->also.list[0]);
		CHECK(finding->nr_evidence == 1 && finding->evidence[0].time == 374 * SECOND &&
		      strstr(finding->evidence[0].text, "host: its counter was set; 77 older events"), "%s", finding->evidence[0].text);
	}
	CHECK(!add_to("reset", 0)->also.nr, "it was not");
}

static void both_sides__a_clock_that_was_set_is_said(void)
{
	struct guest_run run = not_run(0);
	struct finding *finding;

	run.clock_set = run.end - 7 * SECOND;
	finding = add_run("soft-lockup", false, &run);
	CHECK(!strcmp(finding->kind, "soft-lockup") && finding->also.nr == 1 &&
	      strstr(finding->also.list[0], "its host set its kvm-clock 7 s before its end"), "%s", finding->also.list[0]);
	CHECK(finding->nr_evidence == 1 && finding->evidence[0].time == 393 * SECOND, "%u", finding->nr_evidence);
	run.clock_set = run.end + SECOND;
	CHECK(!add_run("reset", false, &run)->also.nr, "behind its end");
}

/* --- the host's log --------------------------------------------------------- */

#define MAX_SAID	8

/* What the host's log said of @kind, at 990 s. */
static struct finding *add_lines_to(const char *kind, const char *const *texts)
{
	static struct kvm_vcpu vcpus[] = { { .pid = 138 }, { .pid = 139 } };
	static struct kvm_guest vm = { .pid = 124, .vcpus = vcpus, .nr_vcpus = 2 };
	static struct klog_line lines[MAX_SAID];
	static struct recording recording;
	static struct kernel kernel;	/* with an empty log */
	static struct joint joint;
	static struct postmortem host;
	struct guest_run run = not_run(0);
	struct finding *finding = add_run(kind, false, &run);
	u32 nr = 0;

	for (; texts[nr]; nr++)
		lines[nr] = (struct klog_line){ .mono_ns = 990 * SECOND + nr, .priority = 3, .len = strlen(texts[nr]), .text = texts[nr] };
	recording.klog.lines = lines;
	recording.klog.nr = nr;
	host = (struct postmortem){ .recording = &recording, .kernel = &kernel, .end = { .how = OUTCOME_CRASHED, .time = 1000 * SECOND } };
	joint.host = &host;
	joint.list[0].vm = &vm;
	joint.list[0].pm.end.time = 400 * SECOND;
	CHECK(!both_sides_add_lines(finding, &run, &joint, &joint.list[0], NULL), "no memory");
	return finding;
}

#define LINES(...)	((const char *const []){ __VA_ARGS__, NULL })

static void both_sides__a_machine_check_that_the_host_may_have_forwarded_is_said(void)
{
	struct finding *finding = add_lines_to("machine-check",
		LINES("Memory failure: 0x12345: Sending SIGBUS to CPU 1/KVM:139 due to hardware memory corruption"));

	CHECK(!strcmp(finding->kind, "machine-check") && finding->strength == FINDING_SHOWN, "%s", finding->kind);
	CHECK(finding->also.nr == 1 && strstr(finding->also.list[0], "its machine check may have been forwarded"), "%s", finding->also.list[0]);
	CHECK(finding->nr_evidence == 1 && finding->evidence[0].time == 390 * SECOND &&
	      strstr(finding->evidence[0].text, "host: Memory failure: 0x12345"), "%s", finding->evidence[0].text);
	/* Another end, and another guest's thread. */
	finding = add_lines_to("null-pointer", LINES("Memory failure: 0x1: Sending SIGBUS to CPU 1/KVM:139 due to hardware memory corruption"));
	CHECK(!finding->also.nr && finding->nr_evidence == 1, "of another end");
	finding = add_lines_to("machine-check", LINES("Memory failure: 0x1: Sending SIGBUS to CPU 1/KVM:1390 due to hardware memory corruption"));
	CHECK(!finding->also.nr && !finding->nr_evidence, "another guest's");
	/* That one it never saw. */
	finding = add_lines_to("machine-check",
		LINES("Memory failure: 0x1: forcibly killing CPU 1/KVM:139 because of failure to unmap corrupted page"));
	CHECK(!finding->also.nr && finding->nr_evidence == 1, "killed: %u, %u", finding->also.nr, finding->nr_evidence);
}

static void both_sides__a_full_disk_of_the_host_is_also_found(void)
{
	struct finding *finding = add_lines_to("filesystem",
		LINES("device-mapper: thin: 253:4: switching pool to out-of-data-space (queue IO) mode", "a line of something else"));

	CHECK(!strcmp(finding->kind, "filesystem") && finding->also.nr == 1 && !finding->nr_evidence, "%u", finding->also.nr);
	CHECK(strstr(finding->also.list[0], "its host said: device-mapper: thin: 253:4: switching pool to out-of-data-space"), "%s",
	      finding->also.list[0]);
	finding = add_lines_to("reset", LINES("loop0: No space left on device", "I/O error, dev sdb, sector 8 op 0x1:(WRITE)"));
	CHECK(finding->also.nr == 2, "%u", finding->also.nr);
}

static void both_sides__a_host_that_killed_its_guest_is_evidence(void)
{
	struct finding *finding = add_lines_to("reset",
		LINES("Out of memory: Killed process 124 (qemu-system-x86) total-vm:1kB, anon-rss:1kB, UID:107 pgtables:1kB"));

	CHECK(finding->nr_evidence == 1 && strstr(finding->evidence[0].text, "host: Out of memory: Killed process 124 "), "%u",
	      finding->nr_evidence);
	CHECK(!add_lines_to("reset", LINES("Out of memory: Killed process 107 (x) UID:124 pgtables:1kB"))->nr_evidence, "another");
}

int main(void)
{
	TAP_RUN(both_sides__a_guest_that_hung_and_was_not_run_has_its_cause);
	TAP_RUN(both_sides__the_gap_is_evidence_at_its_time_in_the_guest);
	TAP_RUN(both_sides__a_cause_in_the_guest_stays);
	TAP_RUN(both_sides__gaps_that_cannot_be_the_cause_are_only_said);
	TAP_RUN(both_sides__a_guest_that_was_resumed_keeps_its_cause);
	TAP_RUN(both_sides__a_clock_that_was_set_is_said);
	TAP_RUN(both_sides__a_machine_check_that_the_host_may_have_forwarded_is_said);
	TAP_RUN(both_sides__a_full_disk_of_the_host_is_also_found);
	TAP_RUN(both_sides__a_host_that_killed_its_guest_is_evidence);
	return tap_done();
}
