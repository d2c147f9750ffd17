// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two hostile regions, a host's and its guest's, on one timeline by an offset that is hostile as well.  The guest
 * moves and hides no event of the host, and its own have a place where there was a host, or none.
 *
 * The input is a struct joint_head, the host's region and the guest's.
 */
#include "explain/explain.h"
#include "export/export.h"
#include "report/together.h"
#include "timeline/vcpu_wait.h"
#include "print_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct joint_head {
	u32 host_size;
	u32 window;
	u64 offset;
	u64 ratio;
	u64 started;
} __attribute__((packed));

static struct kvm_vcpu vcpus[2];
static struct kvm_guest vm = { .pid = 699, .vcpus = vcpus, .nr_vcpus = 2, .name = "web1" };

static bool open_part(struct postmortem *pm, int nr, const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	*pm = (struct postmortem){ 0 };
	if (size < 4096 || dump_open_fd(&in, memory_file(nr, NULL, 0, data, size), &err))
		return false;
	return !pm_open_dump(pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err) && !pm_scan(pm, NULL);
}

static bool relate(struct joint *joint, const struct joint_head *head)
{
	struct joint_guest *guest = &joint->list[0];
	struct tsc_clock hosts, own;

	for (u32 i = 0; i < 2; i++)
		vcpus[i] = (struct kvm_vcpu){
			.id = i, .pid = 700 + i, .has_tsc = true, .tsc_offset = head->offset, .tsc_ratio = head->ratio,
		};
	vm.started = head->started;
	guest->vm = &vm;
	strcpy(guest->name, "web1");
	tsc_clock_find(&hosts, joint->host, NULL, false);
	tsc_clock_find(&own, &guest->pm, NULL, false);
	/* What the golden regions have counts as one. */
	if (joint->host->recording && !hosts.khz)
		hosts = (struct tsc_clock){ .recorder = &joint->host->recording->clock, .khz = joint->host->recording->clock.khz };
	if (guest->pm.recording && !own.khz)
		own = (struct tsc_clock){ .recorder = &guest->pm.recording->clock, .khz = guest->pm.recording->clock.khz };
	return !guest_time_find(&guest->time, &hosts, &own, &vm,
				joint->host->end.how == OUTCOME_UNKNOWN ? ~0ULL : joint->host->end.time, NULL);
}

static u64 add_to_sum(u64 sum, const struct item *item)
{
	const u64 words[] = { item->time, item->kind, item->cpu, (u64)item->pid, item->id };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		sum = (sum ^ words[i]) * 1099511628211ULL;
	return sum;
}

/* Of all that a timeline has, in its order. */
static u64 sum_of_host(struct postmortem *pm)
{
	const struct item *item;
	struct timeline *tl;
	u64 sum = 1;

	if (timeline_open(&tl, pm, 0, false, NULL))
		return 0;
	while ((item = timeline_next(tl)))
		sum = add_to_sum(sum, item);
	timeline_close(tl);
	return sum;
}

/* The host's events are those of its timeline alone, and the guest's lie where there was a host. */
static void check_walk(struct joint *joint)
{
	const struct guest_time *time = &joint->list[0].time;
	const struct joint_event *event;
	struct joint_walk *walk;
	u64 alone = sum_of_host(joint->host), sum = 1;

	if (!alone || joint_walk_open(&walk, joint, 0, false, NULL))
		return;
	while ((event = joint_next(walk))) {
		if (!event->guest) {
			sum = add_to_sum(sum, event->item);
			continue;
		}
		MUST(event->item->time >= time->first);
		MUST(event->item->time <= time->last || event->item->time - time->last <= time->base);
	}
	MUST(sum == alone);
	joint_walk_close(walk);
}

/* A page has the text of its script. */
static void print_page(struct joint *joint, const struct window *window)
{
	static FILE *nowhere;
	struct finding *finding = calloc(1, sizeof(*finding));

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	MUST(nowhere);
	if (finding)
		export_html_joint(nowhere, joint, window, finding, NULL);
	if (!export_perfetto_joint(nowhere, joint, window, NULL))
		fflush(nowhere);
	free(finding);
}

static void explain(struct joint *joint)
{
	struct joint_guest *guest = &joint->list[0];
	struct finding *finding = malloc(sizeof(*finding));
	struct guest_run run;

	if (finding && guest->is_related && !explain_death(finding, &guest->pm, NULL) && !guest_run_read(&run, joint, guest, NULL)) {
		both_sides_add(finding, &run, guest->pm.end.time);
		both_sides_add_lines(finding, &run, joint, guest, NULL);
	}
	free(finding);
}

static void look_at_both(struct joint *joint, const u8 *head)
{
	struct window window = fuzz_window(head, 8);
	FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = fuzz_take_text });

	MUST(f);
	check_walk(joint);
	print_together(f, joint, &window, false, NULL);
	print_together_json(f, joint, &window, NULL);
	fclose(f);
	print_page(joint, &window);
	explain(joint);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct joint_head head;
	struct postmortem host;
	struct joint joint = { .host = &host, .nr = 1 };
	bool opened;

	if (size < sizeof(head))
		return 0;
	memcpy(&head, data, sizeof(head));
	if (head.host_size > size - sizeof(head))
		return 0;
	opened = open_part(&host, 0, data + sizeof(head), head.host_size);
	opened = open_part(&joint.list[0].pm, 1, data + sizeof(head) + head.host_size, size - sizeof(head) - head.host_size) && opened;
	if (opened && relate(&joint, &head)) {
		joint.list[0].is_related = true;
		if (!joint_index_threads(&joint, NULL))
			look_at_both(&joint, data);
		free(joint.threads);
	}
	pm_close(&joint.list[0].pm);
	pm_close(&host);
	return 0;
}
