// SPDX-License-Identifier: GPL-2.0-or-later
#include "joint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFUTING_EVENTS	100	/* fewer may be of entries that the host's trace lost */
#define REFUTING_SHARE	20
#define STOPPED_NS	2000000000ULL	/* in which a host that ends has stopped the CPUs that run its guests */
#define SAME_DAY_NS	5000000000ULL	/* by which the clocks on two walls may differ; no reboot is as short */

/* Of a guest that nothing in the host's dump is known of. */
static const struct kvm_guest no_vm;

/* --- which guest of the host it is ---------------------------------------- */

static u64 real_at(const struct postmortem *pm, u64 mono)
{
	return pm_real(pm, &(struct item){ .kind = ITEM_EXTRA, .time = mono });
}

static u64 last_of_guest(const struct joint_guest *guest)
{
	return guest->pm.total.any ? guest->pm.total.last : guest->pm.end.time;
}

/* Both say the same time of day: else the offset may be of a later boot of the guest, whose counter began at 0 again. */
static int check_time_of_day(const struct joint *joint, const struct joint_guest *guest, struct err *err)
{
	u64 last = last_of_guest(guest), mono, own, hosts;

	if (guest_time_host(&guest->time, last, &mono) != GUEST_PLACED)
		return 0;
	own = real_at(&guest->pm, last);
	hosts = real_at(joint->host, mono);
	if (own && hosts && (own > hosts ? own - hosts : hosts - own) > SAME_DAY_NS)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "its last event would be %llu s %s what its own clock says", (own > hosts ? own - hosts : hosts - own) / 1000000000,
			       own > hosts ? "before" : "behind");
	return 0;
}

/* The events of the guest lie where the host ran it. */
static int check_guest_place(const struct joint *joint, const struct joint_guest *guest, struct err *err)
{
	u64 mono;

	switch (guest_time_host(&guest->time, last_of_guest(guest), &mono)) {
	case GUEST_BEFORE:
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "its last event would lie before its process was started, or its counter set");
	case GUEST_AFTER:
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "its last event would lie behind the end of the host");
	case GUEST_PLACED:
		break;
	}
	return check_time_of_day(joint, guest, err);
}

/*
 * Its memory has the offset's boot, and perhaps the region of a boot before.  Where its kernel is there too, that
 * says which: its clock may be wrong then.
 */
static int check_boot(const struct joint *joint, const struct joint_guest *guest, struct err *err)
{
	const struct recording *recording = guest->pm.recording;
	struct kernel *own = NULL;
	struct err why = ERR_INIT;
	enum guest_boot boot;

	if (!recording)
		return 0;
	if (!guest->pm.kernel && kernel_open(&own, guest->pm.dump, &why))
		own = NULL;
	boot = own || guest->pm.kernel ?
	       guest_boot_of(&recording->clock, own ? &own->clock : &guest->pm.kernel->clock) : GUEST_BOOT_UNKNOWN;
	kernel_close(own);
	if (boot == GUEST_BOOT_OTHER)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "its recorder and its kernel say another time of day: it may have been reset since it recorded");
	return boot == GUEST_BOOT_SAME ? 0 : check_time_of_day(joint, guest, err);
}

static int relate_guest(struct joint *joint, struct joint_guest *guest, const struct kvm_guest *vm, struct err *err)
{
	struct postmortem *host = joint->host;
	struct tsc_clock own, hosts;

	guest->vm = vm;
	tsc_clock_find(&hosts, host, joint->kernel, host->ftrace != NULL);
	tsc_clock_find(&own, &guest->pm, NULL, false);
	return guest_time_find(&guest->time, &hosts, &own, vm, host->end.how == OUTCOME_UNKNOWN ? ~0ULL : host->end.time + STOPPED_NS,
			       err);
}

static void call_vm(char *name, size_t size, const struct kvm_guest *vm)
{
	if (*vm->name)
		snprintf(name, size, "%s", vm->name);
	else
		snprintf(name, size, "process-%lld", vm->pid);
}

/* "web1 (...); web2 (...)"; where it is full, "..." is at its end. */
static void say_misfit(char *list, size_t size, const struct kvm_guest *vm, const char *why)
{
	char name[KVM_NAME_MAX];
	size_t n = strlen(list);
	int len;

	call_vm(name, sizeof(name), vm);
	len = snprintf(list + n, size - n, "%s%s%s%s%s", n ? "; " : "", name, *why ? " (" : "", why,
		       *why ? ")" : "");
	if (len < 0 || (size_t)len >= size - n)
		memcpy(list + size - sizeof("..."), "...", sizeof("..."));
}

static int find_fitting_vm(struct joint *joint, struct joint_guest *guest, const char *path, struct err *err)
{
	const struct kvm_guest *found = NULL;
	char misfits[300] = "", fits[200] = "";
	u32 nr = 0;

	for (u32 i = 0; i < joint->vms->nr; i++) {
		const struct kvm_guest *vm = &joint->vms->list[i];
		struct err why = ERR_INIT;

		if (relate_guest(joint, guest, vm, &why) || check_guest_place(joint, guest, &why)) {
			say_misfit(misfits, sizeof(misfits), vm, why.msg);
			continue;
		}
		say_misfit(fits, sizeof(fits), vm, "");
		found = vm;
		nr++;
	}
	if (nr > 1)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s: %u guests of the host may have recorded this: %s; name the one that is meant: --with guest=NAME:%s",
			       path, nr, fits, path);
	if (!nr)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "%s: is of no guest of this host; it runs %s; look whether it is of another host, or name the guest: --with guest=NAME:%s",
			       path, *misfits ? misfits : "none", path);
	return relate_guest(joint, guest, found, err);
}

/* No guest has such a name: a file is meant. Return: the error that is there already. */
static int say_missing_file(const char *which, struct err *err)
{
	if (strchr(which, '/'))
		err_while(err, "there is no file that --with guest=%s could mean", which);
	return -err->code;
}

/* @has_path: it may be of another guest than the one that is named. */
static int find_named_vm(struct joint *joint, struct joint_guest *guest, const char *which, bool has_path, struct err *err)
{
	const struct kvm_guest *vm;
	struct err why = ERR_INIT;
	int ret = kvm_guests_find(joint->vms, which, &vm, err);

	if (ret)
		return has_path ? ret : say_missing_file(which, err);
	if (relate_guest(joint, guest, vm, &why) ||
	    (has_path ? check_guest_place(joint, guest, &why) : check_boot(joint, guest, &why)))
		snprintf(guest->why, sizeof(guest->why), "%.*s", (int)sizeof(guest->why) - 1, why.msg);
	guest->is_related = !*guest->why;
	return 0;
}

/* --- opening --------------------------------------------------------------- */

static int open_guest(struct joint_guest *guest, const struct dump_files *files, const struct joint_want *want,
		      u32 sources, struct err *err)
{
	struct dump_files own;
	char *path = (char *)want->path;
	int ret;

	if (path) {
		own = dump_take_files(&path, 1);
		ret = pm_open(&guest->pm, &own, sources, GENERATION_NEWEST, err);
	} else {
		ret = pm_open_guest(&guest->pm, files, want->vm, sources, GENERATION_NEWEST, err);
	}
	return ret ? ret : pm_scan(&guest->pm, err);
}

/* Clones of one snapshot have one boot id, but they did not do the same until the end. */
static bool is_same_recording(const struct postmortem *a, const struct postmortem *b)
{
	return a->origin.has_boot_id && b->origin.has_boot_id &&
	       !memcmp(a->origin.boot_id, b->origin.boot_id, sizeof(a->origin.boot_id)) && a->end.time == b->end.time &&
	       a->total.last == b->total.last;
}

static bool is_same_guest(const struct joint_guest *guest, const struct joint_guest *other)
{
	return guest->vm != &no_vm ? other->vm == guest->vm : is_same_recording(&guest->pm, &other->pm);
}

static int refuse_same(const struct joint *joint, const struct joint_guest *guest, struct err *err)
{
	for (const struct joint_guest *other = joint->list; other < guest; other++)
		if (is_same_guest(guest, other))
			return err_set(err, ERR_USAGE, ERR_NO_OFF, "guest %s is given twice; leave one of them out", guest->name);
	return 0;
}

/* What it recorded is there, and nothing says how its clock follows from the host's. */
static void find_no_vm(const struct joint *joint, struct joint_guest *guest)
{
	const char *path = guest->asked.path, *slash = strrchr(path, '/');

	guest->vm = &no_vm;
	snprintf(guest->name, sizeof(guest->name), "%s", guest->asked.vm ? guest->asked.vm : slash ? slash + 1 : path);
	snprintf(guest->why, sizeof(guest->why), "KVM's offset of its clock is not in the host's dump: %s", joint->why_no_vms);
}

static int add_joint_guest(struct joint *joint, const struct dump_files *files, const struct joint_want *want,
		     u32 sources, struct err *err)
{
	struct joint_guest *guest = &joint->list[joint->nr++];
	int ret = open_guest(guest, files, want, sources, err);

	guest->asked = *want;
	if (ret)
		return ret;
	if (!joint->vms) {
		find_no_vm(joint, guest);
		return refuse_same(joint, guest, err);
	}
	if (want->vm) {
		ret = find_named_vm(joint, guest, want->vm, want->path, err);
	} else {
		ret = find_fitting_vm(joint, guest, want->path, err);
		guest->is_related = !ret;
	}
	if (ret)
		return ret;
	call_vm(guest->name, sizeof(guest->name), guest->vm);
	return refuse_same(joint, guest, err);
}

static int compare_threads(const void *a, const void *b)
{
	const struct joint_thread *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

int joint_index_threads(struct joint *joint, struct err *err)
{
	size_t nr = 1;

	for (u32 i = 0; i < joint->nr; i++)
		nr += joint->list[i].vm->nr_vcpus;
	joint->threads = calloc(nr, sizeof(*joint->threads));
	if (!joint->threads)
		return err_sys(err, "memory for virtual CPUs");
	for (u32 i = 0; i < joint->nr; i++)
		for (u32 k = 0; k < joint->list[i].vm->nr_vcpus; k++)
			joint->threads[joint->nr_threads++] = (struct joint_thread){ joint->list[i].vm->vcpus[k].pid, i, k };
	qsort(joint->threads, joint->nr_threads, sizeof(*joint->threads), compare_threads);
	return 0;
}

static int open_vms(struct joint *joint, struct err *err)
{
	int ret = 0;

	joint->kernel = joint->host->kernel;
	if (!joint->kernel)
		ret = kernel_open(&joint->owned_kernel, joint->host->dump, err);
	if (!joint->kernel)
		joint->kernel = joint->owned_kernel;
	return ret ? ret : kvm_guests_open(&joint->vms, joint->kernel, true, err);
}

/* The first guest of which there is nothing, if the host's dump has none of them; NULL: each has a file. */
static const char *guest_without_path(const struct joint_want *wants, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (!wants[i].path)
			return wants[i].vm;
	return NULL;
}

int joint_open(struct joint *joint, struct postmortem *host, const struct dump_files *files,
	       const struct joint_want *wants, u32 nr, u32 sources, struct err *err)
{
	const char *named = guest_without_path(wants, nr);
	struct err why = ERR_INIT;
	int ret;

	memset(joint, 0, sizeof(*joint));
	joint->host = host;
	ret = open_vms(joint, &why);
	if (ret == -ERR_IO || (ret && named)) {
		*err = why;
		err_while(err, "its guests cannot be found");
		return named ? say_missing_file(named, err) : ret;
	}
	snprintf(joint->why_no_vms, sizeof(joint->why_no_vms), "%.*s", (int)sizeof(joint->why_no_vms) - 1, why.msg);
	ret = 0;
	for (u32 i = 0; i < nr && !ret; i++)
		ret = add_joint_guest(joint, files, &wants[i], sources, err);
	return ret ? ret : joint_index_threads(joint, err);
}

void joint_close(struct joint *joint)
{
	for (u32 i = 0; i < joint->nr; i++)
		pm_close(&joint->list[i].pm);
	free(joint->threads);
	kvm_guests_close(joint->vms);
	kernel_close(joint->owned_kernel);
}

/* --- what is asked of it --------------------------------------------------- */

static u64 larger_of(u64 a, u64 b)
{
	return a > b ? a : b;
}

static bool is_by_recorder_or_trace(const struct stream *stream)
{
	return stream->clock == STREAM_RECORDER || stream->clock == STREAM_LOCAL;
}

#define MAX_WAYS	32	/* a kernel has a few clocks, and 1000 rings */

/* One stream for each way that times of a kernel may have taken; NULL stands for the lines of its log. */
struct clock_ways {
	const struct stream *list[MAX_WAYS];
	u32 nr;
};

static bool is_same_way(const struct stream *a, const struct stream *b)
{
	return a->clock == b->clock && a->ops == b->ops && a->doubt == b->doubt;
}

static void find_ways(struct clock_ways *ways, const struct postmortem *pm)
{
	ways->nr = 0;
	if (pm->aux_events.nr)
		ways->list[ways->nr++] = NULL;
	for (u32 i = 0; i < pm->nr_streams && ways->nr < MAX_WAYS; i++) {
		u32 k = 0;

		while (k < ways->nr && !(ways->list[k] && is_same_way(ways->list[k], pm->streams[i])))
			k++;
		if (k == ways->nr)
			ways->list[ways->nr++] = pm->streams[i];
	}
}

/* The largest at @time. */
static struct joint_bound bound_at(const struct clock_ways *hosts, const struct clock_ways *own, const struct guest_time *guest,
				   u64 time)
{
	u64 most = 0, others = 0, guests = guest->base;

	for (u32 i = 0; i < hosts->nr; i++) {
		u64 bound = guest_time_host_bound(guest, hosts->list[i], time);

		if (hosts->list[i] && is_by_recorder_or_trace(hosts->list[i]))
			most = larger_of(most, bound);
		others = larger_of(others, bound);
	}
	for (u32 i = 0; i < own->nr; i++)
		guests = larger_of(guests, guest_time_bound(guest, own->list[i], time));
	return (struct joint_bound){ guest->base + most, guests + others };
}

static struct joint_bound widest_bound(struct joint_bound a, struct joint_bound b)
{
	return (struct joint_bound){ larger_of(a.most, b.most), larger_of(a.others, b.others) };
}

bool joint_refute(struct joint *joint)
{
	bool any = false;

	for (u32 i = 0; i < joint->nr; i++) {
		struct joint_guest *guest = &joint->list[i];

		if (!guest->is_related || guest->outside < REFUTING_EVENTS || guest->outside < guest->inside / REFUTING_SHARE)
			continue;
		snprintf(guest->why, sizeof(guest->why), "%llu of %llu of its events would lie where the host did not run it",
			 guest->outside, guest->inside + guest->outside);
		guest->is_related = false;
		any = true;
	}
	return any;
}

/* Two ways are furthest apart at an anchor of one of them, or at an end. */
struct joint_bound joint_bound(const struct joint *joint, const struct joint_guest *guest)
{
	const struct clock *anchors = guest->time.host.recorder;
	struct clock_ways hosts, own;
	struct joint_bound bound;
	u64 first, last;

	find_ways(&hosts, joint->host);
	find_ways(&own, &guest->pm);
	if (guest_time_host(&guest->time, guest->pm.total.first, &first) != GUEST_PLACED)
		first = joint->host->total.first;
	if (guest_time_host(&guest->time, guest->pm.total.last, &last) != GUEST_PLACED)
		last = joint->host->total.last;
	bound = widest_bound(bound_at(&hosts, &own, &guest->time, first), bound_at(&hosts, &own, &guest->time, last));
	for (u32 i = 0; anchors && i < anchors->nr; i++)
		if (anchors->anchors[i].mono_ns > first && anchors->anchors[i].mono_ns < last)
			bound = widest_bound(bound, bound_at(&hosts, &own, &guest->time, anchors->anchors[i].mono_ns));
	return bound;
}

const struct joint_guest *joint_guest_of(const struct joint *joint, s64 pid, u32 *cpu)
{
	const struct joint_thread key = { .pid = pid }, *thread;

	if (pid <= 0 || !joint->nr_threads)
		return NULL;
	thread = bsearch(&key, joint->threads, joint->nr_threads, sizeof(key), compare_threads);
	if (!thread)
		return NULL;
	*cpu = thread->cpu;
	return &joint->list[thread->guest];
}

s64 joint_thread_of(const struct joint_guest *guest, u32 cpu)
{
	return cpu < guest->vm->nr_vcpus ? guest->vm->vcpus[cpu].pid : -1;
}
