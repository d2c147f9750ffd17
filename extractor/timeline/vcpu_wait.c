// SPDX-License-Identifier: GPL-2.0-or-later
#include "vcpu_wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "event/field_iter.h"
#include "trace_hole.h"

#define NR_RIVALS	8	/* tasks that are counted one by one while one vCPU waits */
#define MAX_WATCHED	4096	/* vCPUs; each switch of the host is looked at for each of them */
#define SAME_NS		1000000	/* the recorder and the host's own trace have one event within it */

/* include/linux/sched.h; above them stands "preempted" */
#define STATE_BLOCKED	2
#define STATE_STOPPED	(4 | 8)
#define STATE_ANY	0xff

/* Who had the host's CPU meanwhile. */
struct rival {
	s64 pid;
	char comm[17];
	u64 ran;
};

enum vcpu_state { VCPU_UNKNOWN, VCPU_RUNS, VCPU_SLEEPS, VCPU_WAITS };

/*
 * @since: it sleeps or waits
 * @host_cpu: on which it waits
 * @rivals: of that CPU; the current one is rivals[now], since @now_since
 */
struct watched_vcpu {
	const struct joint_guest *guest;
	u32 cpu;
	s64 pid;
	enum vcpu_state state;
	enum vcpu_wait_kind kind;
	u64 since;
	u32 host_cpu;
	struct rival rivals[NR_RIVALS];
	u32 nr_rivals;
	s32 now;
	u64 now_since;
};

/*
 * @running: by CPU, what it was switched to last; a pid of -1: not known
 * @holes: in the host's switches
 */
struct vcpu_waits {
	const struct kvm_guests *vms;
	struct watched_vcpu *list;
	struct rival *running;
	struct trace_holes holes;
	u32 nr;
	u32 next_rest;
	struct vcpu_wait found;
};

/* What its CPUs and the virtual ones do is not known, until they are seen again. */
static void forget_switches(struct vcpu_waits *waits)
{
	for (u32 i = 0; i < TRACE_HOLE_CPUS; i++)
		waits->running[i] = (struct rival){ .pid = -1 };
	for (u32 i = 0; i < waits->nr; i++)
		waits->list[i].state = VCPU_UNKNOWN;
}

int vcpu_waits_new(struct vcpu_waits **ret, const struct joint *joint, struct err *err)
{
	struct vcpu_waits *waits = calloc(1, sizeof(*waits));
	u32 nr = 1;

	for (u32 i = 0; i < joint->nr; i++)
		nr += joint->list[i].vm->nr_vcpus;
	if (waits)
		waits->vms = joint->vms;
	if (waits)
		waits->list = calloc(nr, sizeof(*waits->list));
	if (waits)
		waits->running = calloc(TRACE_HOLE_CPUS, sizeof(*waits->running));
	if (!waits || !waits->list || !waits->running) {
		vcpu_waits_free(waits);
		return err_sys(err, "memory for virtual CPUs");
	}
	forget_switches(waits);
	for (u32 i = 0; i < joint->nr; i++)
		for (u32 k = 0; k < joint->list[i].vm->nr_vcpus && waits->nr < MAX_WATCHED; k++)
			waits->list[waits->nr++] = (struct watched_vcpu){
				.guest = &joint->list[i], .cpu = k, .pid = joint->list[i].vm->vcpus[k].pid, .now = -1,
			};
	*ret = waits;
	return 0;
}

void vcpu_waits_free(struct vcpu_waits *waits)
{
	if (!waits)
		return;
	free(waits->list);
	free(waits->running);
	free(waits);
}

/* --- who has the CPU ------------------------------------------------------- */

static void stop_rival(struct watched_vcpu *vcpu, u64 time)
{
	if (vcpu->now >= 0 && time > vcpu->now_since)
		vcpu->rivals[vcpu->now].ran += time - vcpu->now_since;
	vcpu->now = -1;
}

static void start_rival(struct watched_vcpu *vcpu, u64 time, const struct rival *task)
{
	u32 i;

	stop_rival(vcpu, time);
	for (i = 0; i < vcpu->nr_rivals && vcpu->rivals[i].pid != task->pid; i++)
		;
	if (i == NR_RIVALS || task->pid < 0)
		return;
	if (i == vcpu->nr_rivals)
		vcpu->rivals[vcpu->nr_rivals++] = *task;
	/* It may have another name by now. */
	memcpy(vcpu->rivals[i].comm, task->comm, sizeof(task->comm));
	vcpu->now = i;
	vcpu->now_since = time;
}

/* What runs on the CPU that it waits for, where that is known. */
static void meet_running(const struct vcpu_waits *waits, struct watched_vcpu *vcpu, u64 time)
{
	if (vcpu->host_cpu < TRACE_HOLE_CPUS && vcpu->kind == VCPU_WAIT_CPU)
		start_rival(vcpu, time, &waits->running[vcpu->host_cpu]);
}

/* --- gaps ------------------------------------------------------------------ */

static const struct kvm_guest *guest_of_thread(const struct kvm_guests *vms, s64 pid)
{
	for (u32 i = 0; vms && i < vms->nr; i++)
		for (u32 k = 0; k < vms->list[i].nr_vcpus; k++)
			if (vms->list[i].vcpus[k].pid == pid)
				return &vms->list[i];
	return NULL;
}

static const struct vcpu_wait *finish_wait(struct vcpu_waits *waits, struct watched_vcpu *vcpu, u64 time, bool is_open)
{
	const struct rival *most = NULL;

	stop_rival(vcpu, time);
	if (time < vcpu->since || time - vcpu->since < VCPU_WAIT_NS)
		return NULL;
	waits->found = (struct vcpu_wait){
		.guest = vcpu->guest, .cpu = vcpu->cpu, .from = vcpu->since, .to = time, .kind = vcpu->kind,
		.host_cpu = vcpu->host_cpu, .pid = -1, .is_open = is_open,
	};
	for (u32 i = 0; i < vcpu->nr_rivals; i++)
		if (!most || vcpu->rivals[i].ran > most->ran)
			most = &vcpu->rivals[i];
	/* Who had it for less is not the cause. */
	if (most && most->ran >= (time - vcpu->since) / 2) {
		waits->found.pid = most->pid;
		waits->found.ran = most->ran;
		waits->found.other = guest_of_thread(waits->vms, most->pid);
		memcpy(waits->found.comm, most->comm, sizeof(most->comm));
	}
	return &waits->found;
}

static void begin_wait(struct watched_vcpu *vcpu, enum vcpu_wait_kind kind, u64 time, u32 host_cpu)
{
	vcpu->state = VCPU_WAITS;
	vcpu->kind = kind;
	vcpu->since = time;
	vcpu->host_cpu = host_cpu;
	vcpu->nr_rivals = 0;
	vcpu->now = -1;
}

/* What it leaves its CPU for.  The recorder and the host's own trace may both have seen it. */
static void leave_cpu(struct watched_vcpu *vcpu, const struct item *item, u64 state)
{
	if ((vcpu->state == VCPU_SLEEPS || vcpu->state == VCPU_WAITS) && item->time <= vcpu->since + SAME_NS)
		return;
	if (state & STATE_BLOCKED)
		return begin_wait(vcpu, VCPU_WAIT_BLOCKED, item->time, item->cpu);
	if (state & STATE_STOPPED)
		return begin_wait(vcpu, VCPU_WAIT_STOPPED, item->time, item->cpu);
	if (!(state & STATE_ANY))
		return begin_wait(vcpu, VCPU_WAIT_CPU, item->time, item->cpu);
	vcpu->state = VCPU_SLEEPS;
	vcpu->since = item->time;
}

static bool get_number(const struct item *item, const char *name, u64 *ret)
{
	struct field field;

	if (!field_iter_find(item, name, &field) || field.kind != FIELD_NUMBER)
		return false;
	*ret = field.number;
	return true;
}

static const struct vcpu_wait *take_switch(struct vcpu_waits *waits, const struct item *item)
{
	const struct vcpu_wait *found = NULL;
	struct rival task = { 0 };
	struct field comm;
	u64 prev, next, state;

	if (!get_number(item, "prev_pid", &prev) || !get_number(item, "next_pid", &next) ||
	    !get_number(item, "prev_state", &state))
		return NULL;
	task.pid = (s64)next;
	if (field_iter_find(item, "next_comm", &comm) && comm.kind == FIELD_TEXT)
		snprintf(task.comm, sizeof(task.comm), "%.*s", (int)comm.size, (const char *)comm.data);
	if (item->cpu < TRACE_HOLE_CPUS)
		waits->running[item->cpu] = task;
	for (u32 i = 0; i < waits->nr; i++) {
		struct watched_vcpu *vcpu = &waits->list[i];

		if (vcpu->pid == (s64)next) {
			if (vcpu->state == VCPU_WAITS)
				found = finish_wait(waits, vcpu, item->time, false);
			vcpu->state = VCPU_RUNS;
			continue;
		}
		if (vcpu->pid == (s64)prev)
			leave_cpu(vcpu, item, state);
		if (vcpu->state == VCPU_WAITS && vcpu->kind == VCPU_WAIT_CPU && vcpu->host_cpu == item->cpu)
			start_rival(vcpu, item->time, &task);
	}
	return found;
}

/* It wants to run from now on, on the CPU that it was woken for. */
static void take_wakeup(struct vcpu_waits *waits, const struct item *item)
{
	u64 pid, cpu;

	if (!get_number(item, "pid", &pid) || !get_number(item, "target_cpu", &cpu))
		return;
	/* Whether it runs there would not be seen. */
	if (!trace_known_until(&waits->holes, (u32)cpu))
		return;
	for (u32 i = 0; i < waits->nr; i++)
		if (waits->list[i].pid == (s64)pid && waits->list[i].state == VCPU_SLEEPS) {
			begin_wait(&waits->list[i], VCPU_WAIT_CPU, item->time, (u32)cpu);
			meet_running(waits, &waits->list[i], item->time);
		}
}

static void take_migration(struct vcpu_waits *waits, const struct item *item)
{
	u64 pid, cpu;

	if (!get_number(item, "pid", &pid) || !get_number(item, "dest_cpu", &cpu))
		return;
	for (u32 i = 0; i < waits->nr; i++)
		if (waits->list[i].pid == (s64)pid && waits->list[i].state == VCPU_WAITS && waits->list[i].host_cpu != cpu) {
			stop_rival(&waits->list[i], item->time);
			if (!trace_known_until(&waits->holes, (u32)cpu))
				waits->list[i].state = VCPU_UNKNOWN;
			waits->list[i].host_cpu = (u32)cpu;
			meet_running(waits, &waits->list[i], item->time);
		}
}

/* It runs, so a switch is missing. */
static void take_run(struct vcpu_waits *waits, const struct item *item)
{
	for (u32 i = 0; i < waits->nr; i++)
		if (waits->list[i].pid == item->pid && item->time > waits->list[i].since + SAME_NS)
			waits->list[i].state = VCPU_RUNS;
}

const struct vcpu_wait *vcpu_waits_take(struct vcpu_waits *waits, const struct item *item)
{
	const char *name = item->kind == ITEM_EVENT ? item_name(item) : "";
	bool is_switch = !strcmp(name, "sched:sched_switch");

	if (!waits->nr)
		return NULL;
	if (trace_hole_before(&waits->holes, item, is_switch))
		forget_switches(waits);
	if (is_switch)
		return take_switch(waits, item);
	if (!strcmp(name, "kvm:kvm_entry") || !strcmp(name, "kvm:kvm_exit"))
		take_run(waits, item);
	if (!strcmp(name, "sched:sched_wakeup"))
		take_wakeup(waits, item);
	else if (!strcmp(name, "sched:sched_migrate_task"))
		take_migration(waits, item);
	return NULL;
}

const struct vcpu_wait *vcpu_waits_rest(struct vcpu_waits *waits, u64 end)
{
	const struct vcpu_wait *found = NULL;

	while (!found && waits->next_rest < waits->nr) {
		struct watched_vcpu *vcpu = &waits->list[waits->next_rest++];
		u64 until = trace_known_until(&waits->holes, vcpu->host_cpu);

		if (vcpu->state == VCPU_WAITS)
			found = finish_wait(waits, vcpu, until < end ? until : end, true);
	}
	return found;
}

void vcpu_wait_words(char *text, size_t size, const struct vcpu_wait *wait)
{
	u64 ms = (wait->to - wait->from) / 1000000;
	char comm[sizeof(wait->comm) * 4], name[40 * 4] = "", why[sizeof(comm) + sizeof(name) + 80] = "";

	escape_text(comm, sizeof(comm), wait->comm, strlen(wait->comm));
	if (wait->other)
		escape_text(name, sizeof(name), wait->other->name, strnlen(wait->other->name, 40 - 1));
	if (wait->kind == VCPU_WAIT_BLOCKED)
		snprintf(why, sizeof(why), ": it waited in the host's kernel (state D)");
	else if (wait->kind == VCPU_WAIT_STOPPED)
		snprintf(why, sizeof(why), ": its thread was stopped by a signal");
	else if (!wait->pid)
		snprintf(why, sizeof(why), ": host CPU %u was idle", wait->host_cpu);
	else if (wait->pid > 0)
		snprintf(why, sizeof(why), ": host CPU %u ran %s-%lld%s%s", wait->host_cpu, comm, wait->pid,
			 *name ? " of guest " : "", name);
	snprintf(text, size, "waited %llu.%03llu s%s%s", ms / 1000, ms % 1000, wait->is_open ? " or more" : "", why);
}
