// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a trace can come back from, and whether it has: read by this very program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/reexec.h"
#include "deliberate_crash.h"
#include "host/kdump_dir.h"

#define STORE	"/var/lib/epitaph"
#define HOOK	"/usr/lib/epitaph/capture"
#define MOTD	"/run/motd.d/epitaph"	/* until epitaph report --latest has shown the crash */
#define PATHS	512

/* struct trace_report - what epitaph report says of a file */
struct trace_report {
	bool has_token;
	int status;	/* of the program; -1: it did not run */
};

static bool has_line(FILE *f, const char *text)
{
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (f && getline(&line, &room, f) >= 0)
		found |= line[0] != '#' && strstr(line, text);
	free(line);
	return found;
}

/* Not its log: that has the token as well. */
static void read_report(struct trace_report *report, const struct crash_test *test, const char *path)
{
	const char *const argv[] = { "report", "--no-pager", "--all", "--source", "region", "--",
				     path, NULL };
	struct self self = reexec_run(argv, 0, false);
	char text[64];

	snprintf(text, sizeof(text), "test crash %s", test->token);
	report->has_token = has_line(self.out, text);
	report->status = reexec_wait(&self);
}

/* struct crash_file_search - for the newest of such files, in the directories of @dir */
struct crash_file_search {
	const struct crash_test *test;
	const struct doctor *d;
	const char *dir;
	const char *prefix;	/* of a directory's name; "": any */
	bool (*is_it)(const char *name);
	char sub[256];
	char found[PATHS];
	s64 mtime;	/* of that; the capture kernel's clock may be another one */
};

static bool take_newest_file(const char *name, void *arg)
{
	struct crash_file_search *s = arg;
	char path[PATHS];
	s64 mtime;

	if (!s->is_it(name))
		return false;
	snprintf(path, sizeof(path), "%.200s/%.200s/%.100s", s->dir, s->sub, name);
	mtime = machine_mtime(s->d->root, path);
	if (mtime > s->mtime) {
		strcpy(s->found, path);
		s->mtime = mtime;
	}
	return false;
}

static bool search_crash_dir(const char *name, void *arg)
{
	struct crash_file_search *s = arg;
	char path[PATHS];

	if (strncmp(name, s->prefix, strlen(s->prefix)))
		return false;
	snprintf(s->sub, sizeof(s->sub), "%s", name);
	snprintf(path, sizeof(path), "%.250s/%.250s", s->dir, name);
	return machine_each(s->d->root, path, take_newest_file, s);
}

static bool is_region(const char *name)
{
	return !strcmp(name, "region");
}

/* Of kdump-tools, of kdumpctl and of our own capture kernel. */
static bool is_vmcore(const char *name)
{
	return !strncmp(name, "dump.", 5) || !strcmp(name, "vmcore") || !strncmp(name, "vmcore.", 7);
}

static void report_found_trace(const struct crash_file_search *s, struct doctor *d, const char *name,
		     const struct trace_report *report)
{
	char when[64] = "";

	if (s->mtime >= s->test->when)
		snprintf(when, sizeof(when), "%lld s after the crash, ",
			 (long long)(s->mtime - s->test->when));
	if (report->status)
		doctor_say(d, name, DOCTOR_WARNING, "epitaph check says what is damaged",
			   "%s: %sup to the crash, with damage or loss", s->found, when);
	else
		doctor_say(d, name, DOCTOR_OK, NULL, "%s: %swhole, up to the crash", s->found, when);
	doctor_took(d, s->mtime - s->test->when);
}

/*
 * @missing: what it means if there is none, and what to do about it then
 *
 * Return: is the trace of this crash there?
 */
static bool check_crash_file(const struct crash_file_search *wanted, struct doctor *d, const char *name,
		  enum doctor_verdict missing, const char *advice)
{
	struct trace_report report = { false, -1 };
	struct crash_file_search s = *wanted;
	char whole[4096];

	machine_each(d->root, s.dir, search_crash_dir, &s);
	machine_path(d->root, whole, sizeof(whole), s.found);
	if (s.found[0])
		read_report(&report, s.test, whole);
	if (report.has_token)
		report_found_trace(&s, d, name, &report);
	else if (s.mtime < s.test->when)
		doctor_say(d, name, missing, advice, "nothing of this crash is in %s", s.dir);
	else
		doctor_say(d, name, DOCTOR_FAILURE, "epitaph info says what it has; epitaph doctor, what is wrong",
			   "%s does not have the trace of this crash (status %d)", s.found,
			   report.status);
	return report.has_token;
}

static void check_reboot(const struct crash_test *test, struct doctor *d)
{
	s64 seconds = machine_boot(d->root) - test->when;

	/* Without a clock that goes on it is 1970, until the network says the time. */
	if (seconds < 0)
		doctor_say(d, "reboot", DOCTOR_OK, NULL, "another kernel runs; by its clock it started before the crash");
	else
		doctor_say(d, "reboot", DOCTOR_OK, NULL, "this kernel started %lld s after the crash",
			   (long long)seconds);
	doctor_took(d, seconds);
}

/* A step of this boot is done; @when: s since 1970, of an earlier boot or 0 where it is not known. */
static void report_step(const struct crash_test *test, struct doctor *d, const char *name, s64 when,
			const char *what)
{
	s64 seconds = when - test->when;

	if (when < machine_boot(d->root) || seconds < 0) {
		doctor_say(d, name, DOCTOR_OK, NULL, "%s", what);
		return;
	}
	doctor_say(d, name, DOCTOR_OK, NULL, "%s, since %lld s after the crash", what,
		   (long long)seconds);
	doctor_took(d, seconds);
}

/* The next crash has to leave a trace as well, and who logs in hears of this one. */
static void check_ready(const struct crash_test *test, struct doctor *d)
{
	s64 loaded = 0, told = machine_mtime(d->root, MOTD);

	if (machine_exists(d->root, "/sys/kernel/epitaph/current"))
		report_step(test, d, "recorder", machine_birth(d->root, "/dev/epitaph"),
			    "the recorder is loaded again");
	else
		doctor_say(d, "recorder", DOCTOR_FAILURE, "epitaph doctor says why",
			   "the recorder is not loaded in this boot: the next crash leaves nothing");
	machine_number(d->root, "/sys/kernel/kexec_crash_loaded", &loaded);
	if (!test->warm && loaded)
		report_step(test, d, "kdump", machine_mtime(d->root, "/var/crash/kexec_cmd"),
			    "a capture kernel is loaded again");
	else if (!test->warm)
		doctor_say(d, "kdump", DOCTOR_FAILURE, "epitaph doctor says why",
			   "no capture kernel is loaded in this boot: the next crash is not dumped");
	if (told)
		report_step(test, d, "login", told, "a line at login says so");
}

static bool has_rebooted(const struct crash_test *test, struct doctor *d)
{
	char boot[CRASH_TEST_BOOT];

	machine_read(d->root, "/proc/sys/kernel/random/boot_id", boot, sizeof(boot));
	if (strcmp(boot, test->boot))
		return true;
	doctor_say(d, "reboot", DOCTOR_FAILURE, "epitaph test-crash, and verify after the reboot",
		   "the machine has not crashed: it is still the same boot");
	return false;
}

/* Return: has the capture kernel saved the trace? */
static bool check_kdump(const struct crash_test *test, struct doctor *d)
{
	char dir[KDUMP_DIR];
	struct crash_file_search s = { .test = test, .d = d, .dir = dir, .prefix = "epitaph-",
			    .is_it = is_region };
	bool has_hook = machine_exists(d->root, HOOK), is_captured;

	kdump_dir(d->root, dir, NULL);
	is_captured = check_crash_file(&s, d, "capture", has_hook ? DOCTOR_FAILURE : DOCTOR_WARNING,
	      has_hook ? "see the console of the capture kernel; epitaph doctor looks for the hook" :
			 "install epitaph-kdump: it saves the trace before the vmcore");
	s.prefix = "";
	s.is_it = is_vmcore;
	check_crash_file(&s, d, "vmcore", DOCTOR_FAILURE,
	      "see the console of the capture kernel; a larger crashkernel= is the usual cure, or more time for a hardware watchdog");
	return is_captured;
}

void crash_test_verify(const struct crash_test *test, struct doctor *d)
{
	struct crash_file_search s = { .test = test, .d = d, .dir = STORE, .prefix = test->boot,
			    .is_it = is_region };

	if (!has_rebooted(test, d))
		return;
	check_reboot(test, d);
	/* What was captured is not harvested again. */
	if (test->warm || !check_kdump(test, d))
		check_crash_file(&s, d, "harvest", test->warm ? DOCTOR_FAILURE : DOCTOR_WARNING,
		      "epitaph harvest, if it has not run; else firmware has cleared the memory, or the region moved");
	check_ready(test, d);
}
