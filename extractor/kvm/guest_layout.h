/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where this kernel's KVM keeps what is read of it. */
#ifndef EPITAPH_KVM_GUEST_LAYOUT_H
#define EPITAPH_KVM_GUEST_LAYOUT_H

#include "linux_kernel/linux_kernel.h"

/*
 * struct guest_layout - members; of one that this kernel does not have, the size is 0
 * @types: of KVM's module, or of the kernel
 * @owned_types: @types, if they are the module's
 * @list: address of the list of virtual machines
 * @is_arm64: its guests count by CNTVCT, else by the TSC
 * @sysreg_voff: of struct kvm_vcpu, where CNTVOFF_EL2 is one of its registers (5.9 to 6.3)
 * @timer_vm_offset, @timer_vcpu_offset: of struct kvm_vcpu, where there are pointers to its parts instead
 */
struct guest_layout {
	const struct kernel *kernel;
	const struct kernel_btf *types;
	struct kernel_btf *owned_types;
	u64 list;
	bool is_arm64;
	/* struct kvm */
	struct btf_member_place vm_list, pid, mm, memslots, vcpus, vcpu_xarray, tsc_written, tsc_begun;
	struct btf_member_place clock_steady, clock_counter, clock_ns, clock_offset;
	/* struct kvm_memslots: a tree, or before 5.17 an array of used_slots */
	struct btf_member_place tree, index, array, used;
	u32 slot_size;
	/* struct kvm_memory_slot */
	struct btf_member_place node, gfn, npages, user;
	/* struct rb_node */
	struct btf_member_place left, right;
	/* struct kvm_vcpu */
	struct btf_member_place sysreg_voff, timer_vm_offset, timer_vcpu_offset;
	struct btf_member_place vcpu_id, vcpu_pid, tsc_offset, tsc_ratio, tsc_catchup, clock_mult, clock_shift;
	/* struct pid, mm_struct, task_struct */
	struct btf_member_place numbers, owner, arg_start, arg_end, comm, started;
};

/* For guest_layout_close(), also on failure.  Return: as kvm_guests_open(). */
int guest_layout_find(struct guest_layout *at, const struct kernel *kernel, struct err *err);
void guest_layout_close(struct guest_layout *at);

/* A number that is a member of the struct at @va. */
bool guest_layout_number(const struct guest_layout *at, const struct btf_member_place *member, u64 va, u64 *ret);

#endif
