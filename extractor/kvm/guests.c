// SPDX-License-Identifier: GPL-2.0-or-later
#include "guests.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cycle_check.h"
#include "base/parse_number.h"
#include "kernel_state/xarray.h"
#include "process_memory.h"
#include "guest_layout.h"
#include "guest_name.h"
#include "memory_slots.h"

#define MAX_ARGUMENTS	(64U << 10)	/* bytes of a command line */

/* --- virtual CPUs ---------------------------------------------------------- */

struct vcpu_walk {
	const struct guest_layout *at;
	struct kvm_guest *guest;
	struct kvm_guests *all;
	bool failed;
};

static s64 thread_of_vcpu(const struct guest_layout *at, u64 vcpu)
{
	u64 pid, number;

	if (at->numbers.kind != KKIND_ARRAY || !guest_layout_number(at, &at->vcpu_pid, vcpu, &pid) || !pid ||
	    !vmem_number(at->kernel->vmem, pid + at->numbers.offset, 4, &number))
		return -1;
	return (s32)number;
}

static void take_clock_rate(const struct guest_layout *at, struct kvm_vcpu *vcpu, u64 va)
{
	u64 mult, shift;

	if (!guest_layout_number(at, &at->clock_mult, va, &mult) || !guest_layout_number(at, &at->clock_shift, va, &shift))
		return;
	vcpu->clock_mult = mult;
	vcpu->clock_shift = (signed char)shift;
}

static void take_tsc(const struct guest_layout *at, struct kvm_vcpu *vcpu, u64 va)
{
	u64 catches_up;

	vcpu->has_tsc = guest_layout_number(at, &at->tsc_offset, va, &vcpu->tsc_offset);
	if (vcpu->has_tsc && guest_layout_number(at, &at->tsc_ratio, va, &vcpu->tsc_ratio) && vcpu->tsc_ratio <= 1)
		vcpu->tsc_ratio = KVM_TSC_UNSCALED;
	/* A processor that scales no clock: KVM moves the offset with each entry, if the guest's is faster. */
	if (guest_layout_number(at, &at->tsc_catchup, va, &catches_up) && catches_up)
		vcpu->tsc_moves = true;
}

/* What a pointer leads to; 0: there is none. */
static bool read_offset_part(const struct guest_layout *at, const struct btf_member_place *member, u64 va, u64 *ret)
{
	*ret = 0;
	return guest_layout_number(at, member, va, &va) && (!va || vmem_u64(at->kernel->vmem, va, ret));
}

/* arm64: CNTVCT is the host's counter less CNTVOFF; nothing scales it. */
static void take_cntvct(const struct guest_layout *at, struct kvm_vcpu *vcpu, u64 va)
{
	u64 voff, of_vcpu = 0;

	if (at->timer_vm_offset.size)
		vcpu->has_tsc = read_offset_part(at, &at->timer_vm_offset, va, &voff) &&
				(!at->timer_vcpu_offset.size || read_offset_part(at, &at->timer_vcpu_offset, va, &of_vcpu));
	else
		vcpu->has_tsc = guest_layout_number(at, &at->sysreg_voff, va, &voff);
	if (!vcpu->has_tsc)
		return;
	vcpu->tsc_offset = -(voff + of_vcpu);
	vcpu->tsc_ratio = KVM_TSC_UNSCALED;
}

static bool take_vcpu(u64 va, void *priv)
{
	struct vcpu_walk *w = priv;
	const struct guest_layout *at = w->at;
	struct kvm_guest *guest = w->guest;
	struct kvm_vcpu *vcpu;
	u64 id;

	if (w->all->nr_vcpus == KVM_VCPUS_MAX)
		return false;
	if (!guest_layout_number(at, &at->vcpu_id, va, &id))
		return true;
	if (!(guest->nr_vcpus & (guest->nr_vcpus - 1))) {
		void *p = reallocarray(guest->vcpus, guest->nr_vcpus ? 2 * guest->nr_vcpus : 1,
				       sizeof(*guest->vcpus));

		if (!p) {
			w->failed = true;
			return false;
		}
		guest->vcpus = p;
	}
	vcpu = &guest->vcpus[guest->nr_vcpus++];
	*vcpu = (struct kvm_vcpu){ .id = id, .pid = thread_of_vcpu(at, va) };
	if (at->is_arm64)
		take_cntvct(at, vcpu, va);
	else
		take_tsc(at, vcpu, va);
	take_clock_rate(at, vcpu, va);
	return ++w->all->nr_vcpus < KVM_VCPUS_MAX;
}

/* Since 5.16 in an xarray, before in an array. */
static bool read_vcpus(const struct guest_layout *at, struct kvm_guest *guest, struct kvm_guests *all)
{
	struct vcpu_walk w = { .at = at, .guest = guest, .all = all };
	u64 head, va;

	if (guest_layout_number(at, &at->vcpu_xarray, guest->va, &head)) {
		kernel_xarray_each(at->kernel, head, &all->vcpu_nodes_left, take_vcpu, &w);
		return !w.failed;
	}
	for (u32 i = 0; i < at->vcpus.nr && i < KVM_VCPUS_MAX; i++)
		if (!vmem_u64(at->kernel->vmem, guest->va + at->vcpus.offset + 8 * i, &va) || !va ||
		    !take_vcpu(va, &w))
			break;
	return !w.failed;
}

/* --- the process ----------------------------------------------------------- */

static void read_arguments(const struct guest_layout *at, struct kvm_guest *guest)
{
	struct process_memory *memory;
	u64 start, end;
	char *words;

	if (!guest_layout_number(at, &at->arg_start, guest->mm, &start) ||
	    !guest_layout_number(at, &at->arg_end, guest->mm, &end) || end <= start ||
	    process_memory_open(&memory, at->kernel, guest->mm, NULL))
		return;
	end = end - start < MAX_ARGUMENTS ? end - start : MAX_ARGUMENTS;
	words = malloc(end);
	if (words)
		guest_name_take(guest, words, process_memory_read(memory, start, words, end));
	free(words);
	process_memory_close(memory);
}

static void read_process(const struct guest_layout *at, struct kvm_guest *guest)
{
	u64 task;

	if (!guest_layout_number(at, &at->owner, guest->mm, &task) || !task)
		return;
	if (at->comm.size && at->comm.size < sizeof(guest->comm) &&
	    !vmem_get(at->kernel->vmem, task + at->comm.offset, guest->comm, at->comm.size))
		guest->comm[0] = '\0';
	if (!guest_layout_number(at, &at->started, task, &guest->started))
		guest->started = 0;
}

/* A vCPU that is added counts as a write, but sets no other offset; a host that woke has changed them all. */
static void read_tsc_written(const struct guest_layout *at, struct kvm_guest *guest)
{
	guest->tsc_adjusted = guest_layout_number(at, &at->tsc_written, guest->va, &guest->tsc_written) && !guest->tsc_written;
	if (!guest_layout_number(at, &at->tsc_begun, guest->va, &guest->tsc_written) &&
	    !guest_layout_number(at, &at->tsc_written, guest->va, &guest->tsc_written))
		guest->tsc_written = 0;
}

/* KVM makes it of the host's TSC once, if that is the host's clock; else anew whenever a virtual CPU moves. */
static void read_clock(const struct guest_layout *at, struct kvm_guest *guest)
{
	u64 steady, offset;

	guest->clock_is_steady = guest_layout_number(at, &at->clock_steady, guest->va, &steady) && steady &&
				 guest_layout_number(at, &at->clock_counter, guest->va, &guest->clock_counter) &&
				 guest_layout_number(at, &at->clock_ns, guest->va, &guest->clock_ns) &&
				 guest_layout_number(at, &at->clock_offset, guest->va, &offset);
	if (guest->clock_is_steady)
		guest->clock_ns += offset;
}

/* --- guests ---------------------------------------------------------------- */

static int read_guest(const struct guest_layout *at, struct kvm_guest *guest, struct kvm_guests *all,
		      struct err *err)
{
	u64 pid;

	if (guest_layout_number(at, &at->pid, guest->va, &pid))
		guest->pid = (s32)pid;
	else
		guest->pid = -1;
	if (!guest_layout_number(at, &at->mm, guest->va, &guest->mm))
		guest->mm = 0;
	read_tsc_written(at, guest);
	read_clock(at, guest);
	if (guest->mm) {
		read_process(at, guest);
		read_arguments(at, guest);
	}
	if (all->has_vcpus && !read_vcpus(at, guest, all))
		return err_sys(err, "memory for virtual CPUs");
	return memory_slots_read(at, guest, all, err);
}

static int walk_guests(const struct guest_layout *at, struct kvm_guests *guests, struct err *err)
{
	struct passed passed = { 0 };
	u64 node = at->list;
	int ret = 0;

	while (!ret && vmem_u64(at->kernel->vmem, node, &node) && node != at->list) {
		if (passed_before(&passed, node) || guests->nr == KVM_GUESTS_MAX) {
			damage_notes_add(&guests->notes, NOTE_NOWHERE,
					 "the list of virtual machines leads back into itself behind %u of them", guests->nr);
			return 0;
		}
		guests->list[guests->nr].va = node - at->vm_list.offset;
		ret = read_guest(at, &guests->list[guests->nr++], guests, err);
	}
	if (!ret && node != at->list)
		damage_notes_add(&guests->notes, NOTE_NOWHERE, "the list of virtual machines breaks off behind %u of them: %s",
				 guests->nr, vmem_why(at->kernel->vmem));
	return ret;
}

static void note_limits(struct kvm_guests *guests)
{
	if (guests->nr_vcpus == KVM_VCPUS_MAX || (guests->has_vcpus && !guests->vcpu_nodes_left))
		damage_notes_add(&guests->notes, NOTE_NOWHERE, "the host has more than %u virtual CPUs, or their lists are damaged: the others are not read",
				 guests->nr_vcpus);
	if (guests->slots_visited == KVM_SLOT_VISITS)
		damage_notes_add(&guests->notes, NOTE_NOWHERE, "the host has more than %u memory slots, or their trees are damaged: the others are not read",
				 guests->slots_visited);
}

int kvm_guests_open(struct kvm_guests **ret, const struct kernel *kernel, bool has_vcpus, struct err *err)
{
	struct kvm_guests *guests = NULL;
	struct guest_layout at;
	int res = guest_layout_find(&at, kernel, err);

	if (!res) {
		guests = calloc(1, sizeof(*guests));
		if (guests)
			*guests = (struct kvm_guests){
				.list = calloc(KVM_GUESTS_MAX, sizeof(*guests->list)),
				.has_vcpus = has_vcpus, .vcpu_nodes_left = XARRAY_NODES,
			};
		res = guests && guests->list ? walk_guests(&at, guests, err) : err_sys(err, "memory for guests");
	}
	guest_layout_close(&at);
	if (res) {
		kvm_guests_close(guests);
		return res;
	}
	note_limits(guests);
	*ret = guests;
	return 0;
}

void kvm_guests_close(struct kvm_guests *guests)
{
	if (!guests)
		return;
	for (u32 i = 0; guests->list && i < guests->nr; i++) {
		free(guests->list[i].vcpus);
		free(guests->list[i].slots);
		damage_notes_free(&guests->list[i].notes);
	}
	damage_notes_free(&guests->notes);
	free(guests->list);
	free(guests);
}

/* --- which one ------------------------------------------------------------- */

/* How sure it is that a guest is meant: what its process says of itself counts last. */
enum match { MATCH_NONE, MATCH_WORDS, MATCH_PROCESS, MATCH_ADDRESS };

static bool is_at(const struct kvm_guest *guest, const char *which)
{
	char *end;

	return which[0] == '@' && isxdigit((unsigned char)which[1]) && strtoull(which + 1, &end, 16) == guest->va && !*end;
}

static enum match match_guest(const struct kvm_guest *guest, const char *which)
{
	u64 pid;

	if (is_at(guest, which))
		return MATCH_ADDRESS;
	if (parse_number(which, INT32_MAX, &pid) && (s64)pid == guest->pid)
		return MATCH_PROCESS;
	return (*guest->name && !strcmp(guest->name, which)) || (*guest->uuid && !strcasecmp(guest->uuid, which)) ?
	       MATCH_WORDS : MATCH_NONE;
}

/* "web1 (process 123), process 456"; cut off where it is full. */
static void list_guests(const struct kvm_guests *guests, char *text, size_t size)
{
	size_t n = 0;

	*text = '\0';
	for (u32 i = 0; i < guests->nr; i++) {
		const struct kvm_guest *guest = &guests->list[i];

		if (n + KVM_NAME_MAX + 40 >= size) {
			snprintf(text + n, size - n, ", ...");
			return;
		}
		n += snprintf(text + n, size - n, "%s%s%sprocess %lld%s", i ? ", " : "", guest->name,
			      *guest->name ? " (" : "", guest->pid, *guest->name ? ")" : "");
	}
}

int kvm_guests_find(const struct kvm_guests *guests, const char *which, const struct kvm_guest **ret,
		    struct err *err)
{
	const struct kvm_guest *found = NULL, *other = NULL;
	enum match best = MATCH_NONE, match;
	char all[400];

	for (u32 i = 0; i < guests->nr; i++) {
		match = match_guest(&guests->list[i], which);
		if (match == MATCH_NONE || match < best)
			continue;
		other = match == best ? found : NULL;
		found = &guests->list[i];
		best = match;
	}
	if (other)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s is what two guests are called, @0x%llx and @0x%llx, of processes %lld and %lld; name the one that is meant by this address",
			       which, other->va, found->va, other->pid, found->pid);
	if (!found) {
		list_guests(guests, all, sizeof(all));
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the host runs no guest %s; %s%s%s%s%s", which,
			       *all ? "it runs " : "it runs none", all, guests->notes.kept ? " (" : "",
			       guests->notes.kept ? guests->notes.list[0].text : "", guests->notes.kept ? ")" : "");
	}
	*ret = found;
	return 0;
}
