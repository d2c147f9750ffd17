// SPDX-License-Identifier: GPL-2.0-or-later
#include "together.h"

#include <string.h>

#include "timeline/joint_show.h"
#include "death.h"
#include "json_common.h"

/* --- the first line --------------------------------------------------------- */

/* The guest's end on the host's timeline; null if it has no place there. */
static void json_guest_end(struct json *j, const struct joint_guest *guest)
{
	const struct postmortem_end *end = &guest->pm.end;
	u64 time = 0;
	bool is_placed = guest->is_related && guest_time_host(&guest->time, end->time, &time) == GUEST_PLACED;

	if (end->how == OUTCOME_UNKNOWN)
		return json_null(j, "end");
	json_open(j, "end", '{');
	json_str(j, "how", end->how == OUTCOME_CRASHED ? "crashed" : "ended");
	json_known(j, "ts_ns", time, is_placed);
	json_field(j, "reason", end->reason, sizeof(end->reason));
	json_close(j, '}');
}

static void json_joint_guest(struct json *j, const struct joint *joint, const struct joint_guest *guest)
{
	struct joint_bound bound = { 0 };

	if (guest->is_related)
		bound = joint_bound(joint, guest);
	json_open(j, NULL, '{');
	json_field(j, "name", guest->name, sizeof(guest->name));
	json_known(j, "process", guest->vm->pid, guest->vm->pid);
	json_open(j, "threads", '[');
	for (u32 i = 0; i < guest->vm->nr_vcpus; i++)
		json_s64(j, NULL, guest->vm->vcpus[i].pid);
	json_close(j, ']');
	json_guest_end(j, guest);
	json_known(j, "bound_ns", bound.most, guest->is_related);
	json_known(j, "bound_of_others_ns", bound.others, guest->is_related);
	json_known(j, "set_back_ns", guest->time.set_back, guest->is_related && guest->time.set_back);
	json_str(j, "why_not_related", guest->is_related ? NULL : guest->why);
	json_u64(j, "inside", guest->inside);
	json_u64(j, "outside", guest->outside);
	json_u64(j, "left_before", guest->left_before);
	json_u64(j, "left_after", guest->left_after);
	json_u64(j, "events", guest->pm.total.events);
	json_u64(j, "lost", pm_lost(&guest->pm));
	json_u64(j, "damage_notes", pm_damage(&guest->pm));
	json_close(j, '}');
}

static int put_joint_head(FILE *f, const struct joint *joint, struct err *err)
{
	struct json json = { .f = f }, *j = &json;
	struct death death;
	int ret = death_read(&death, joint->host, err);

	if (!ret) {
		json_open(j, NULL, '{');
		json_head_members(j, joint->host, &death);
		json_open(j, "guests", '[');
		for (u32 i = 0; i < joint->nr; i++)
			json_joint_guest(j, joint, &joint->list[i]);
		json_close(j, ']');
		json_close(j, '}');
		json_end(j);
	}
	death_free(&death);
	return ret;
}

/* --- the others ------------------------------------------------------------- */

static void json_joint_vcpu(struct json *j, const char *key, const struct joint_guest *guest, u32 cpu)
{
	if (!guest)
		return json_null(j, key);
	json_open(j, key, '{');
	json_field(j, "guest", guest->name, sizeof(guest->name));
	json_u64(j, "cpu", cpu);
	json_close(j, '}');
}

/* The time of day is the host's. */
static void put_json_event(struct json *j, const struct joint *joint, const struct joint_event *event)
{
	const struct item *item = event->item;
	u64 real = pm_real(joint->host, event->guest ? &(struct item){ .kind = ITEM_EXTRA, .time = item->time } : item);
	u32 cpu = 0;

	if (item->kind == ITEM_MARK || item->kind == ITEM_CRASH)
		return;
	json_open(j, NULL, '{');
	json_item_members(j, joint->host, event->guest ? &event->guest->pm : joint->host, item, real);
	if (event->guest)
		json_field(j, "guest", event->guest->name, sizeof(event->guest->name));
	else
		json_null(j, "guest");
	json_joint_vcpu(j, "runs", event->guest ? NULL : joint_guest_of(joint, item->pid, &cpu), cpu);
	json_close(j, '}');
	json_end(j);
}

static void put_json_gap_fields(struct json *j, const struct vcpu_wait *wait)
{
	static const char *const causes[] = {
		[VCPU_WAIT_CPU] = "cpu", [VCPU_WAIT_BLOCKED] = "blocked", [VCPU_WAIT_STOPPED] = "stopped",
	};
	char words[VCPU_WAIT_WORDS];

	vcpu_wait_words(words, sizeof(words), wait);
	json_open(j, "fields", '{');
	json_u64(j, "from_ns", wait->from);
	json_u64(j, "to_ns", wait->to);
	json_bool(j, "open", wait->is_open);
	json_str(j, "cause", causes[wait->kind]);
	json_known(j, "host_cpu", wait->host_cpu, wait->host_cpu != NO_CPU);
	json_known(j, "pid", wait->pid, wait->pid >= 0);
	json_str(j, "comm", wait->pid > 0 ? wait->comm : NULL);
	json_known(j, "ran_ns", wait->ran, wait->pid >= 0);
	json_str(j, "text", words);
	json_close(j, '}');
}

/* An event of the guest's CPU, which nothing recorded. */
static void put_json_gap(struct json *j, const struct joint *joint, const struct vcpu_wait *wait)
{
	const struct postmortem *host = joint->host;
	u64 real = pm_real(host, &(struct item){ .kind = ITEM_EXTRA, .time = wait->to });

	json_open(j, NULL, '{');
	json_u64(j, "ts_ns", wait->to);
	json_known(j, "wall_ns", real, real);
	if (host->end.how == OUTCOME_CRASHED)
		json_s64(j, "before_crash_ns", (s64)(host->end.time - wait->to));
	else
		json_null(j, "before_crash_ns");
	json_u64(j, "cpu", wait->cpu);
	json_null(j, "channel");
	json_str(j, "event", "epitaph:vcpu_wait");
	json_null(j, "pid");
	json_null(j, "comm");
	put_json_gap_fields(j, wait);
	json_open(j, "marks", '[');
	json_close(j, ']');
	json_field(j, "guest", wait->guest->name, sizeof(wait->guest->name));
	json_null(j, "runs");
	json_close(j, '}');
	json_end(j);
}

int print_together_json(FILE *f, struct joint *joint, const struct window *asked, struct err *err)
{
	struct json j = { .f = f };
	struct joint_window window;
	struct joint_shown shown;
	struct joint_show *show;
	int ret = joint_window_choose(&window, asked, joint, err);

	if (!ret)
		ret = put_joint_head(f, joint, err);
	if (!ret)
		ret = joint_show_open(&show, joint, &window, JOINT_LONG_GAP_NS, err);
	if (ret)
		return ret;
	while (!ferror(f) && joint_show_next(show, &shown)) {
		if (shown.event)
			put_json_event(&j, joint, shown.event);
		else
			put_json_gap(&j, joint, shown.wait);
	}
	joint_show_close(show);
	return 0;
}
