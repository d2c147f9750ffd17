/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: joint - a host and its guests on the host's timeline
 *
 *	int ret = joint_open(&joint, &host, &files, wants, nr, sources, &err);
 *
 *	if (!ret)
 *		ret = joint_walk_open(&walk, &joint, from, false, &err);
 *	while (!ret && (event = joint_next(walk)))
 *		...
 *	joint_walk_close(walk);
 *	joint_close(&joint);
 *
 * docs/host-and-guest.md says how clocks are related. One thread at a time may use it.
 */
#ifndef EPITAPH_TIMELINE_JOINT_H
#define EPITAPH_TIMELINE_JOINT_H

#include "guest_time.h"
#include "timeline.h"

#define JOINT_GUESTS_MAX	16

/**
 * struct joint_want - a guest that is asked for
 * @vm: as kvm_guests_find() takes it; NULL: the one that fits @path
 * @path: what it recorded; NULL: its memory is in the host's dump
 */
struct joint_want {
	const char *vm;
	const char *path;
};

/**
 * struct joint_guest - a guest
 * @name: what it is called; not escaped
 * @asked: as it was asked for
 * @vm: the joint's; without virtual CPUs, if the host's guests cannot be found
 * @is_related: @time is known; else @why says why not
 * @left_before: of its events, those that have no place: @left_after as well; a walk counts them
 * @inside: of its events, those that lie between an entry and an exit of their vCPU, where the host recorded
 *	them; the others are @outside
 */
struct joint_guest {
	char name[KVM_NAME_MAX];
	struct joint_want asked;
	struct postmortem pm;
	const struct kvm_guest *vm;
	struct guest_time time;
	bool is_related;
	char why[200];
	u64 left_before;
	u64 left_after;
	u64 inside;
	u64 outside;
};

/* A thread of the host that runs CPU @cpu of guest @guest. */
struct joint_thread {
	s64 pid;
	u32 guest;
	u32 cpu;
};

/**
 * struct joint - a host and its guests
 * @host: the caller's, scanned
 * @kernel: the host's
 * @owned_kernel: @kernel, if it is not @host's
 * @vms: NULL: they cannot be found
 * @why_no_vms: why, in that case
 * @threads: nr_threads of them, by pid
 * @matched: events that fit the window which was chosen last, of all of them
 */
struct joint {
	struct postmortem *host;
	const struct kernel *kernel;
	struct kernel *owned_kernel;
	struct kvm_guests *vms;
	struct joint_guest list[JOINT_GUESTS_MAX];
	u32 nr;
	struct joint_thread *threads;
	u32 nr_threads;
	char why_no_vms[140];
	u64 matched;
};

/**
 * joint_open() - open and scan what @wants says
 * @files: of the host
 * @sources: of the guests
 *
 * Call joint_close() afterwards, also on failure. A guest whose times are not known is no error, nor is one whose
 * file is given while the host's guests cannot be found.
 */
int joint_open(struct joint *joint, struct postmortem *host, const struct dump_files *files,
	       const struct joint_want *wants, u32 nr, u32 sources, struct err *err);
void joint_close(struct joint *joint);

/* For joint_open(), and for a joint that was made without it: @joint->threads is to be freed. */
int joint_index_threads(struct joint *joint, struct err *err);

/*
 * After a walk: what a guest did, it did while the host ran it.  Where that is not so, its times are not known
 * from now on.  Return: there is such a guest.
 */
bool joint_refute(struct joint *joint);

/* A walk for joint_refute() alone. */
int joint_try(struct joint *joint, struct err *err);

/**
 * struct joint_bound - how far its events may be off those of its host, at most; ns
 * @most: where both were stamped by recorders, or by the kernels' own traces
 * @others: where one of them took another clock, or is a line of a log
 */
struct joint_bound {
	u64 most;
	u64 others;
};

struct joint_bound joint_bound(const struct joint *joint, const struct joint_guest *guest);

/* The guest that the host's thread @pid runs, and its CPU; NULL: none. */
const struct joint_guest *joint_guest_of(const struct joint *joint, s64 pid, u32 *cpu);

/* The host's thread that runs @cpu of @guest; -1: not known. */
s64 joint_thread_of(const struct joint_guest *guest, u32 cpu);

/**
 * struct joint_event - an item of one of them
 * @item: its time is the host's
 * @guest: NULL: the host's own
 */
struct joint_event {
	const struct item *item;
	struct joint_guest *guest;
};

struct joint_walk;

/* Begin at @from of the host. Both the host's and the guests' timelines are in use until the end. */
int joint_walk_open(struct joint_walk **ret, struct joint *joint, u64 from, bool with_damaged, struct err *err);

/* The next one, valid until the next call; NULL: there are no more. */
const struct joint_event *joint_next(struct joint_walk *walk);

/* @walk may be NULL. */
void joint_walk_close(struct joint_walk *walk);

#endif
