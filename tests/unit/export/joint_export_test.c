// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A host and its guest as text, JSON and a page: tests/golden/host-of-a-guest and guest-of-a-host, whose counter is
 * the host's less a second.  What is printed is in tests/golden/host-and-guest-*.expect; ACCEPT=1 writes that anew.
 *
 * build: @extractor
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/explain.h"
#include "export/export.h"
#include "report/together.h"
#include "tap.h"

#define OFFSET	(-1000000000ULL)

static char dir[] = "/tmp/epitaph-joint-XXXXXX";

/* The host's dump would say this of its guest. */
static struct kvm_vcpu vcpus[] = {
	{ .id = 0, .pid = 700, .has_tsc = true, .tsc_offset = OFFSET, .tsc_ratio = 1ULL << 32 },
	{ .id = 1, .pid = 701, .has_tsc = true, .tsc_offset = OFFSET, .tsc_ratio = 1ULL << 32 },
};
static struct kvm_guest vm = { .pid = 699, .vcpus = vcpus, .nr_vcpus = 2, .started = 1 };

/* What is shown in place of it, once its times are known. */
static struct kvm_guest *shown[2] = { &vm, &vm };
static u32 nr_shown = 1;

static void open_part(struct postmortem *pm, const char *name)
{
	char path[sizeof(dir) + 40];
	char *paths[] = { path };
	struct dump_files files;
	struct err err = ERR_INIT;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	files = dump_take_files(paths, 1);
	if (pm_open(pm, &files, 0, GENERATION_NEWEST, &err) || pm_scan(pm, &err)) {
		printf("# %s\n", err.msg);
		exit(99);
	}
}

static void relate(struct joint *joint, struct joint_guest *guest)
{
	struct tsc_clock hosts = { .recorder = &joint->host->recording->clock, .khz = 1000000 };
	struct tsc_clock own = { .recorder = &guest->pm.recording->clock, .khz = 1000000 };
	struct err err = ERR_INIT;

	if (guest_time_find(&guest->time, &hosts, &own, &vm, joint->host->end.time, &err)) {
		printf("# %s\n", err.msg);
		exit(99);
	}
}

static void open_joint(struct joint *joint, struct postmortem *host)
{
	*joint = (struct joint){ .host = host, .nr = nr_shown };
	open_part(host, "host-of-a-guest");
	for (u32 i = 0; i < joint->nr; i++) {
		struct joint_guest *guest = &joint->list[i];

		open_part(&guest->pm, "guest-of-a-host");
		relate(joint, guest);
		guest->vm = shown[i];
		guest->is_related = true;
		strcpy(guest->name, i ? "late" : "web</script>1");
	}
	if (joint_index_threads(joint, NULL))
		exit(99);
}

typedef int print_fn(FILE *f, struct joint *joint, const struct window *window, struct err *err);

static int print_text(FILE *f, struct joint *joint, const struct window *window, struct err *err)
{
	return print_together(f, joint, window, false, err);
}

static int print_page(FILE *f, struct joint *joint, const struct window *window, struct err *err)
{
	struct finding *finding = malloc(sizeof(*finding));
	int ret = finding ? explain_death(finding, joint->host, err) : err_sys(err, "a finding");

	if (!ret)
		ret = export_html_joint(f, joint, window, finding, err);
	free(finding);
	return ret;
}

static char *print_joint(print_fn *print, const struct window *window)
{
	struct postmortem host;
	struct joint joint;
	struct err err = ERR_INIT;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	open_joint(&joint, &host);
	CHECK(!print(f, &joint, window, &err), "%s", err.msg);
	fclose(f);
	joint_close(&joint);
	pm_close(&host);
	return text;
}

/* @text is what tests/golden/@name has. */
static void check_golden(const char *name, const char *text)
{
	char path[80], command[300];
	FILE *f;

	snprintf(path, sizeof(path), getenv("ACCEPT") ? "tests/golden/%s" : "%s/%s", getenv("ACCEPT") ? name : dir, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(99);
	snprintf(command, sizeof(command), "diff -u tests/golden/%s %s | sed 's/^/# /' | tee %s/diff", name, path, dir);
	CHECK(!system(command), "diff");
	snprintf(command, sizeof(command), "test ! -s %s/diff", dir);
	CHECK(!system(command), "%s is another", name);
}

static struct window all = WINDOW_INIT;

static void joint_export__text_has_both_and_the_gap(void)
{
	char *text = print_joint(print_text, &all);

	check_golden("host-and-guest-text.expect", text);
	free(text);
}

static void joint_export__json_has_the_same_lines(void)
{
	char *text = print_joint(print_together_json, &all);

	check_golden("host-and-guest-json.expect", text);
	free(text);
}

/* What is left out stays so. */
static void joint_export__json_has_the_window(void)
{
	struct window last = WINDOW_INIT;
	char *text;

	last.kind = WINDOW_LAST_EVENTS;
	last.events = 1;
	text = print_joint(print_together_json, &last);
	CHECK(strstr(text, "\"value\":4") && !strstr(text, "\"value\":1"), "%s", text);
	free(text);
}

/* tests/unit/export/html_check looks into it, and a browser. */
static void check_page(const char *name, const char *what, const char *argument)
{
	char *text = print_joint(print_page, &all), path[80], command[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.html", getenv("PAGES") ? getenv("PAGES") : dir, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(99);
	snprintf(command, sizeof(command), "tests/unit/export/html_check %s %s %s", what, path, argument);
	CHECK(!system(command), "the page is another");
	free(text);
}

static void joint_export__a_page_has_lanes_of_the_guest(void)
{
	check_page("page", "joint", "tests/golden/host-and-guest-text.expect");
}

static void joint_export__what_is_of_no_known_cpu_is_in_its_guests_own_lane(void)
{
	shown[0] = &(struct kvm_guest){ .pid = 699, .started = 1 };
	check_page("no-cpus", "own", "0 7");
	shown[0] = &vm;
}

/* A dump may claim more virtual CPUs than a page has lanes. */
static void joint_export__each_guest_has_a_lane_however_many_cpus_another_has(void)
{
	struct kvm_guest many = { .pid = 999, .started = 1, .nr_vcpus = 40000 };

	many.vcpus = calloc(many.nr_vcpus, sizeof(*many.vcpus));
	if (!many.vcpus)
		exit(99);
	for (u32 i = 0; i < many.nr_vcpus; i++)
		many.vcpus[i] = (struct kvm_vcpu){ .id = i, .pid = 1000 + i };
	shown[0] = &many;
	nr_shown = 2;
	check_page("crowded", "own", "1 7");
	shown[0] = &vm;
	nr_shown = 1;
	free(many.vcpus);
}

int main(void)
{
	char command[200];

	all.kind = WINDOW_ALL;
	/* From the top, or from tests/unit. */
	if ((access("tests/golden", F_OK) && chdir("../..")) || !mkdtemp(dir))
		return 99;
	snprintf(command, sizeof(command), "tests/golden/mkregion tests/golden/host-of-a-guest.region tests/golden/guest-of-a-host.region %s/", dir);
	if (system(command))
		return 99;
	TAP_RUN(joint_export__text_has_both_and_the_gap);
	TAP_RUN(joint_export__json_has_the_same_lines);
	TAP_RUN(joint_export__json_has_the_window);
	TAP_RUN(joint_export__a_page_has_lanes_of_the_guest);
	TAP_RUN(joint_export__what_is_of_no_known_cpu_is_in_its_guests_own_lane);
	TAP_RUN(joint_export__each_guest_has_a_lane_however_many_cpus_another_has);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) ? 99 : tap_done();
}
