// SPDX-License-Identifier: GPL-2.0-or-later
/* What only a host and its guest together show of the guest's end: docs/host-and-guest.md. */
#include "explain.h"

#include <stdio.h>
#include <string.h>

#include "timeline/report_lines.h"

#define LATEST_NS	5000000000ULL	/* before its end, in which a watchdog of the guest has seen that it was stuck */
#define WORTH_NS	1000000000ULL	/* less is not spoken of */
#define MOST_LINES	4		/* of the host's log */

/* --- what follows ---------------------------------------------------------- */

/*
 * A soft lockup says no more than that a CPU let no task run for so long, which it cannot if it is not run itself.
 * What has a cause of its own in the guest keeps that: a lock, a task that waits, an interrupt that is not answered.
 */
static bool is_explained_by(const struct finding *finding, const struct guest_run *run)
{
	const struct vcpu_wait *longest = &run->longest;

	return !strcmp(finding->kind, "soft-lockup") && !finding->is_noticed && run->is_of_end &&
	       longest->to - longest->from >= GUEST_STUCK_NS && longest->to + LATEST_NS >= run->end;
}

/* A time of the host in the guest's clock: both run alike but for what NTP does to them. */
static u64 in_guests_time(const struct guest_run *run, u64 time, u64 end)
{
	if (time >= run->last)
		return end + (time - run->last);
	return run->last - time < end ? end - (run->last - time) : 0;
}

/* What its own file claims becomes one of what is also found. */
static void claim_not_run(struct finding *finding, const char *claim)
{
	char own[FINDING_TEXT];

	memcpy(own, finding->claim, sizeof(own));
	finding_claim(finding, "not-run", FINDING_LIKELY, "%s", claim);
	snprintf(finding->signature, sizeof(finding->signature), "not-run");
	finding_note(&finding->also, "by the guest's own file: %s", own);
}

/* It explains nothing: the guest's own clock went on where it stood.  But perhaps its new host is another machine. */
static void add_resumption(struct finding *finding, const struct guest_run *run, u64 end)
{
	u64 before = run->set < run->end ? run->end - run->set : 0;

	if (!run->older)
		return;
	finding_note(&finding->also, "it was resumed here, or came from another host, %llu s before %s: its counter was set then",
		     before / 1000000000, run->has_end ? "its end" : "the end of the host");
	finding_evidence(finding, in_guests_time(run, run->set, end), (struct finding_item){ 0 },
			 "host: its counter was set; %llu older event%s of the guest %s no place on the host's timeline",
			 run->older, run->older == 1 ? "" : "s", run->older == 1 ? "has" : "have");
}

/* QEMU keeps kvm-clock while a guest is stopped, and sets it when the guest goes on: the guest lost that time. */
static void add_clock_set(struct finding *finding, const struct guest_run *run, u64 end)
{
	if (!run->clock_set || run->clock_set >= run->end)
		return;
	finding_note(&finding->also, "its host set its kvm-clock %llu s before %s, as when it was stopped and went on: its clock may have jumped then",
		     (run->end - run->clock_set) / 1000000000, run->has_end ? "its end" : "the end of the host");
	finding_evidence(finding, in_guests_time(run, run->clock_set, end), (struct finding_item){ 0 }, "host: its kvm-clock was set");
}

static void add_gaps(struct finding *finding, const struct guest_run *run, u64 end)
{
	const struct vcpu_wait *longest = &run->longest;
	char words[VCPU_WAIT_WORDS], claim[200];
	u64 ms = run->not_run / 1000000, once = (longest->to - longest->from) / 1000000;

	if (run->not_run < WORTH_NS)
		return;
	vcpu_wait_words(words, sizeof(words), longest);
	if (is_explained_by(finding, run)) {
		snprintf(claim, sizeof(claim),
			 "Its host did not run CPU %u of this guest for %llu.%03llu s without a break, right before its end.",
			 longest->cpu, once / 1000, once % 1000);
		claim_not_run(finding, claim);
		finding_open(finding, "whether it would have gone on if it had been run");
	} else {
		finding_note(&finding->also, "its host did not run CPU %u of this guest for %llu.%03llu s of the last %llu s%s",
			     longest->cpu, ms / 1000, ms % 1000, GUEST_RUN_NS / 1000000000,
			     run->has_end ? "" : " before the end of the host");
	}
	finding_evidence(finding, in_guests_time(run, longest->to, end), (struct finding_item){ 0 }, "host: CPU %u of the guest %s",
			 longest->cpu, words);
}

void both_sides_add(struct finding *finding, const struct guest_run *run, u64 end)
{
	add_gaps(finding, run, end);
	add_resumption(finding, run, end);
	add_clock_set(finding, run, end);
}

/* --- the host's log --------------------------------------------------------- */

static bool line_has_words(const struct report_line *line, const char *words)
{
	return memmem(line->text, line->len, words, strlen(words));
}

/* "Memory failure: 0x1234: Sending SIGBUS to CPU 0/KVM:927 due to hardware memory corruption"; it was "Killing". */
static bool is_sigbus(const struct report_line *line)
{
	return (line_has_words(line, "Sending SIGBUS to ") || line_has_words(line, "Killing ")) &&
	       line_has_words(line, " due to hardware memory corruption");
}

static bool names_thread(const struct report_line *line, const struct joint_guest *guest)
{
	char killed[40], signalled[40], forced[40];

	for (u32 i = 0; i <= guest->vm->nr_vcpus; i++) {
		long long pid = i < guest->vm->nr_vcpus ? guest->vm->vcpus[i].pid : guest->vm->pid;

		/* Other numbers of the line, as "UID:107 ", are none of a thread. */
		snprintf(killed, sizeof(killed), "Killed process %lld ", pid);
		snprintf(signalled, sizeof(signalled), ":%lld due to ", pid);
		snprintf(forced, sizeof(forced), ":%lld because of ", pid);
		if (line_has_words(line, killed) || (is_sigbus(line) && line_has_words(line, signalled)) ||
		    (line_has_words(line, "forcibly killing ") && line_has_words(line, forced)))
			return true;
	}
	return false;
}

static bool is_of_disk(const struct report_line *line)
{
	static const char *const words[] = {
		"I/O error, dev ", "Buffer I/O error on dev ", "No space left on device", "out-of-data-space", "lost async page write",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (line_has_words(line, words[i]))
			return true;
	return false;
}

static void add_line(struct finding *finding, const struct report_line *line, u64 time)
{
	finding_evidence(finding, time, (struct finding_item){ 0 }, "host: %.*s", (int)line->len, line->text);
}

int both_sides_add_lines(struct finding *finding, const struct guest_run *run, struct joint *joint,
			 const struct joint_guest *guest, struct err *err)
{
	struct report_lines lines;
	bool is_forwarded = false;
	u32 nr = 0;
	int ret = report_lines_read(&lines, joint->host, err);

	for (u32 i = 0; i < lines.nr && !ret && nr < MOST_LINES; i++) {
		const struct report_line *line = &lines.list[i];

		if (line->time > run->end || line->time + GUEST_RUN_NS < run->end)
			continue;
		if (is_sigbus(line) && names_thread(line, guest) && !is_forwarded && !strcmp(finding->kind, "machine-check")) {
			/* Which page of the guest it was, the line does not say. */
			finding_note(&finding->also, "its machine check may have been forwarded: its host sent it a SIGBUS for bad memory of the host");
			is_forwarded = true;
		}
		if (names_thread(line, guest))
			add_line(finding, line, in_guests_time(run, line->time, guest->pm.end.time));
		else if (is_of_disk(line))
			/* Whose disk it is, is not known. */
			finding_note(&finding->also, "its host said: %.*s", (int)line->len, line->text);
		else
			continue;
		nr++;
	}
	report_lines_free(&lines);
	return ret;
}
