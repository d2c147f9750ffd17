/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: kvm - virtual machines in the dump of their host
 *
 * guests.h lists them, guest_dump.h reads one as a dump of its own. docs/virtual-machines.md says
 * how they are found.
 *
 *	struct kvm_guests *guests;
 *
 *	if (!kvm_guests_open(&guests, kernel, true, &err)) {
 *		for (u32 i = 0; i < guests->nr; i++)
 *			printf("%lld\n", guests->list[i].pid);
 *		kvm_guests_close(guests);
 *	}
 *
 * One thread at a time may use the guests. Texts are not escaped.
 */
#ifndef EPITAPH_KVM_GUESTS_H
#define EPITAPH_KVM_GUESTS_H

#include "dump/nested.h"
#include "linux_kernel/linux_kernel.h"

#define KVM_GUESTS_MAX	4096
#define KVM_VCPUS_MAX	65536	/* of all guests, as the others */
#define KVM_SLOTS_MAX	(1U << 18)
#define KVM_SLOT_VISITS	(1U << 20)	/* reads of slots, kept or not */
#define KVM_NAME_MAX	128

/* KVM has 0 where the processor cannot scale, and since 5.16 1. */
#define KVM_TSC_UNSCALED	(1ULL << 48)

/**
 * struct kvm_vcpu - a virtual CPU
 * @id: its number in the guest
 * @pid: the thread that runs it; -1: unknown
 * @has_tsc: what follows is known
 * @tsc_offset: added to the host's counter, scaled; on arm64 that is CNTVCT, and nothing is scaled
 * @tsc_ratio: by which it is scaled; 0: not known
 * @tsc_moves: but KVM changes @tsc_offset all the time
 * @clock_mult, @clock_shift: of its kvm-clock, ns = (ticks << @clock_shift) * @clock_mult >> 32; 0: not known
 */
struct kvm_vcpu {
	u32 id;
	s64 pid;
	bool has_tsc;
	u64 tsc_offset;
	u64 tsc_ratio;
	bool tsc_moves;
	u32 clock_mult;
	s32 clock_shift;
};

/**
 * struct kvm_guest - a virtual machine
 * @va: of its struct kvm
 * @pid: the process that runs it
 * @mm: the memory of that process, a struct mm_struct; 0: unknown
 * @comm: name of the process; "": unknown
 * @started: CLOCK_MONOTONIC of the host when the process started; 0: unknown
 * @tsc_written: CLOCK_BOOTTIME of the host, as KVM counts it, when its counter was set to another
 *	offset last, as when it began, was reset or came from elsewhere; 0: unknown
 * @tsc_adjusted: when is not known, as the host slept since and KVM changed the offsets when it woke
 * @clock_is_steady: its kvm-clock has been one function of its TSC since it was @clock_ns at @clock_counter, the
 *	host's TSC; false: it has not, or that is unknown
 * @name: as its command line says; "": it does not, or cannot be read
 * @uuid: the same, 36 characters
 * @slots: nr_slots of its memory, by address in the guest
 * @size: bytes of them
 * @notes: what of it cannot be read
 */
struct kvm_guest {
	u64 va;
	s64 pid;
	u64 mm;
	char comm[17];
	u64 started;
	u64 tsc_written;
	bool tsc_adjusted;
	bool clock_is_steady;
	u64 clock_counter;
	u64 clock_ns;
	char name[KVM_NAME_MAX];
	char uuid[37];
	struct kvm_vcpu *vcpus;
	u32 nr_vcpus;
	struct nested_slot *slots;
	u32 nr_slots;
	u64 size;
	struct damage_notes notes;
};

/**
 * struct kvm_guests - all of a host
 * @list: nr of them, in the kernel's order
 * @nr_slots: of all of them; @nr_vcpus as well
 * @slots_visited: of all of them, also those that were damaged
 * @has_vcpus: they are read
 * @vcpu_nodes_left: nodes of their lists that may be read yet
 * @notes: what of their list cannot be read
 */
struct kvm_guests {
	struct kvm_guest *list;
	u32 nr;
	u32 nr_slots;
	u32 nr_vcpus;
	u32 slots_visited;
	bool has_vcpus;
	u32 vcpu_nodes_left;
	struct damage_notes notes;
};

/**
 * kvm_guests_open() - walk KVM's list of virtual machines
 * @ret: for kvm_guests_close(); set only on success
 * @has_vcpus: read the virtual CPUs, too
 *
 * Return: 0, also if there are none, or lists are damaged: see @notes; -ERR_NOT_OURS if the kernel
 *	has no KVM, or no types of it; -ERR_IO without memory.
 */
int kvm_guests_open(struct kvm_guests **ret, const struct kernel *kernel, bool has_vcpus, struct err *err);

/* @guests may be NULL. */
void kvm_guests_close(struct kvm_guests *guests);

/**
 * kvm_guests_find() - the guest that is called @which
 * @which: "@0xADDRESS" of its struct kvm; or the number of its process; or its name or UUID, which are
 *	the words of its process. The first of these that fits a guest is meant
 *
 * Return: 0 and @ret; -ERR_NOT_OURS if there is none, -ERR_USAGE if there are several.
 */
int kvm_guests_find(const struct kvm_guests *guests, const char *which, const struct kvm_guest **ret,
		    struct err *err);

#endif
