// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_layout.h"

#include <elf.h>
#include <string.h>

#include "base/text.h"

/* A symbol of KVM, which is a module or built in. */
static bool kvm_symbol(const struct kernel *kernel, const char *name, u64 *ret)
{
	const struct kernel_modules *modules = kernel->modules;
	char found[KALLSYMS_NAME_MAX], type;

	for (u32 k = 0; modules && k < modules->nr; k++) {
		if (strcmp(modules->list[k].name, "kvm"))
			continue;
		for (u32 i = 0; kernel_modules_symbol(modules, &modules->list[k], i, ret, &type, found); i++)
			if (!strcmp(found, name))
				return true;
	}
	return kallsyms_address(kernel->kallsyms, name, ret);
}

static void find_optional(const struct guest_layout *at, const char *type, const char *path,
		     struct btf_member_place *ret)
{
	if (!kernel_btf_member(at->types, type, path, ret))
		*ret = (struct btf_member_place){ 0 };
}

/* The first of two names that a member has had. */
static void find_renamed(const struct guest_layout *at, const char *type, const char *path,
			    const char *older, struct btf_member_place *ret)
{
	if (!kernel_btf_member(at->types, type, path, ret))
		find_optional(at, type, older, ret);
}

/* The element of an array that an enumerator names. */
static bool find_element(const struct guest_layout *at, const char *array, const char *type, const char *name,
			 struct btf_member_place *ret)
{
	s64 nr;

	if (!kernel_btf_member(at->types, "kvm_vcpu", array, ret) || ret->kind != KKIND_ARRAY || !ret->nr ||
	    !kernel_btf_enum_value(at->types, type, name, &nr) || nr < 0 || nr >= ret->nr)
		return false;
	ret->size /= ret->nr;
	ret->offset += nr * ret->size;
	return true;
}

/*
 * What KVM writes to CNTVOFF_EL2 when it runs a virtual CPU: since 6.4 what two pointers of its timer lead to, of
 * which a guest that has no guests of its own has the first alone; before, a register of the virtual CPU.
 */
static void find_counter_offset(struct guest_layout *at)
{
	struct btf_member_place timer, part;

	if (find_element(at, "arch.timer_cpu.timers", "kvm_arch_timers", "TIMER_VTIMER", &timer) &&
	    kernel_btf_member(at->types, "arch_timer_context", "offset.vm_offset", &part)) {
		at->timer_vm_offset = part;
		at->timer_vm_offset.offset += timer.offset;
		if (kernel_btf_member(at->types, "arch_timer_context", "offset.vcpu_offset", &part)) {
			at->timer_vcpu_offset = part;
			at->timer_vcpu_offset.offset += timer.offset;
		}
	} else if (!find_element(at, "arch.ctxt.sys_regs", "vcpu_sysreg", "CNTVOFF_EL2", &at->sysreg_voff)) {
		at->sysreg_voff = (struct btf_member_place){ 0 };
	}
}

static bool find_members(struct guest_layout *at)
{
	const struct kernel_btf *kt = at->types;

	find_optional(at, "kvm", "vcpu_array.xa_head", &at->vcpu_xarray);
	find_optional(at, "kvm", "vcpus", &at->vcpus);
	find_optional(at, "kvm", "arch.last_tsc_nsec", &at->tsc_written);
	find_optional(at, "kvm", "arch.cur_tsc_nsec", &at->tsc_begun);
	find_optional(at, "kvm", "arch.use_master_clock", &at->clock_steady);
	find_optional(at, "kvm", "arch.master_cycle_now", &at->clock_counter);
	find_optional(at, "kvm", "arch.master_kernel_ns", &at->clock_ns);
	find_optional(at, "kvm", "arch.kvmclock_offset", &at->clock_offset);
	find_optional(at, "kvm_memslots", "gfn_tree.rb_node", &at->tree);
	find_optional(at, "kvm_memslots", "node_idx", &at->index);
	find_optional(at, "kvm_memslots", "memslots", &at->array);
	find_optional(at, "kvm_memslots", "used_slots", &at->used);
	find_optional(at, "kvm_memory_slot", "gfn_node", &at->node);
	find_optional(at, "rb_node", "rb_left", &at->left);
	find_optional(at, "rb_node", "rb_right", &at->right);
	find_optional(at, "kvm_vcpu", "vcpu_id", &at->vcpu_id);
	find_optional(at, "kvm_vcpu", "pid", &at->vcpu_pid);
	find_renamed(at, "kvm_vcpu", "arch.l1_tsc_offset", "arch.tsc_offset", &at->tsc_offset);
	find_renamed(at, "kvm_vcpu", "arch.l1_tsc_scaling_ratio", "arch.tsc_scaling_ratio", &at->tsc_ratio);
	find_optional(at, "kvm_vcpu", "arch.tsc_always_catchup", &at->tsc_catchup);
	/* Since 6.15 the factor alone; before, all that was said to the guest. */
	find_renamed(at, "kvm_vcpu", "arch.pvclock_tsc_mul", "arch.hv_clock.tsc_to_system_mul", &at->clock_mult);
	find_renamed(at, "kvm_vcpu", "arch.pvclock_tsc_shift", "arch.hv_clock.tsc_shift", &at->clock_shift);
	if (at->is_arm64)
		find_counter_offset(at);
	find_optional(at, "pid", "numbers", &at->numbers);
	find_optional(at, "mm_struct", "owner", &at->owner);
	find_optional(at, "mm_struct", "arg_start", &at->arg_start);
	find_optional(at, "mm_struct", "arg_end", &at->arg_end);
	find_optional(at, "task_struct", "comm", &at->comm);
	find_optional(at, "task_struct", "start_time", &at->started);
	return kernel_btf_member(kt, "kvm", "vm_list", &at->vm_list) &&
	       kernel_btf_member(kt, "kvm", "userspace_pid", &at->pid) &&
	       kernel_btf_member(kt, "kvm", "mm", &at->mm) &&
	       kernel_btf_member(kt, "kvm", "memslots", &at->memslots) &&
	       kernel_btf_size(kt, "kvm_memory_slot", &at->slot_size) &&
	       kernel_btf_member(kt, "kvm_memory_slot", "base_gfn", &at->gfn) &&
	       kernel_btf_member(kt, "kvm_memory_slot", "npages", &at->npages) &&
	       kernel_btf_member(kt, "kvm_memory_slot", "userspace_addr", &at->user);
}

/* A built-in KVM's list may be without a symbol, as all data is in Debian's 6.1 of arm64. */
static int refuse_kernel(const struct kernel *kernel, struct err *err)
{
	u64 va;

	if (kvm_symbol(kernel, "kvm_get_kvm", &va))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "the kernel has KVM, and no symbol of its list of virtual machines (CONFIG_KALLSYMS_ALL): they cannot be found");
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the kernel runs no virtual machines: it has no KVM%s",
		       kernel->kallsyms ? "" : " that could be found without its symbols");
}

int guest_layout_find(struct guest_layout *at, const struct kernel *kernel, struct err *err)
{
	int ret;

	*at = (struct guest_layout){ .kernel = kernel, .types = kernel->ktypes };
	if (kernel->machine && kernel->machine != EM_X86_64 && kernel->machine != EM_AARCH64)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "guests are read in the dumps of x86-64 and arm64 hosts only, and this host is %s",
			       text_machine(kernel->machine));
	at->is_arm64 = kernel->machine == EM_AARCH64;
	if (!kvm_symbol(kernel, "vm_list", &at->list))
		return refuse_kernel(kernel, err);
	ret = kernel_open_module_types(kernel, "kvm", &at->owned_types, err);
	if (ret == -ERR_IO)
		return ret;
	if (!ret)
		at->types = at->owned_types;
	if (!find_members(at))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "the kernel has KVM, and no types of it (CONFIG_DEBUG_INFO_BTF_MODULES): its virtual machines cannot be found");
	return 0;
}

void guest_layout_close(struct guest_layout *at)
{
	kernel_btf_close(at->owned_types);
}

bool guest_layout_number(const struct guest_layout *at, const struct btf_member_place *member, u64 va, u64 *ret)
{
	return member->size && vmem_number(at->kernel->vmem, va + member->offset, member->size, ret);
}
