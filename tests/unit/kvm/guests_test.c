// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Virtual machines out of the dump of their host: which there are, and their memory.
 *
 * build: tests/lib/kmem_image.c @extractor -Wl,-z,muldefs
 */
#include <bpf/btf.h>
#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "kvm/guest_dump.h"
#include "kvm/guests.h"
#include "kvm/process_memory.h"
#include "kmem_image.h"
#include "tap.h"

#define PAGE		4096ULL
#define USER		0x7f0000000000ULL	/* where the process has its guest's memory */
#define ARGUMENTS	0x7ffe00000000ULL
#define TEXT_SIZE	((2ULL << 20) - PAGE)	/* of what the kernel has, before the tables of the process */
#define PRESENT		1ULL
#define PROTNONE	(1ULL << 8)
#define PADDR_MASK	((1ULL << 52) - PAGE)

/* As the test's BTF has them. */
struct node {
	u64 parent, right, left;
};

struct kvm_memory_slot {
	struct node gfn_node[2];
	u64 base_gfn, npages, userspace_addr;
};

struct kvm_memslots {
	u64 gfn_tree;
	u32 node_idx, used_slots;
	struct kvm_memory_slot memslots[3];
};

struct vcpu {
	u64 pid, l1_tsc_offset, l1_tsc_scaling_ratio;
	u32 clock_mult;
	signed char clock_shift, unused[3];
	u32 vcpu_id, unused2;
	u64 arm64[228];			/* its struct kvm_vcpu_arch there */
};

struct kvm {
	u64 next, prev;
	u64 mm;
	u64 memslots[2];
	u64 vcpu_array;
	u32 userspace_pid;
	u32 use_master_clock;
	u64 master_kernel_ns, master_cycle_now;
	s64 kvmclock_offset;
};

struct mm {
	u64 pgd, owner, arg_start, arg_end;
};

struct pid {
	u64 unused[2];
	u32 nr;
};

static const struct kmem_paging x86_4 = { KMEM_X86_64, 12, 48, 4 }, arm64_4 = { KMEM_ARM64, 12, 48, 4 };

static u64 list_head;

static bool is_list_hidden;	/* it has no symbol, and KVM's functions have theirs */

/* The only symbols that are asked for. */
bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	*ret = list_head;
	return list_head && !strcmp(name, is_list_hidden ? "kvm_get_kvm" : "vm_list");
}

static int add_u64(struct btf *btf, const char *name, size_t offset)
{
	return btf__add_field(btf, name, btf__find_by_name_kind(btf, "u64", BTF_KIND_INT), 8 * offset, 0);
}

static void add_u32(struct btf *btf, const char *name, size_t offset)
{
	btf__add_field(btf, name, btf__find_by_name_kind(btf, "u32", BTF_KIND_INT), 8 * offset, 0);
}

static void add_slot_types(struct btf *btf, int u32_id, bool is_old)
{
	int root, nodes, slots;

	btf__add_struct(btf, "rb_node", sizeof(struct node));
	add_u64(btf, "rb_right", 8);
	add_u64(btf, "rb_left", 16);
	nodes = btf__add_array(btf, u32_id, btf__find_by_name(btf, "rb_node"), 2);
	root = btf__add_struct(btf, "rb_root", 8);
	add_u64(btf, "rb_node", 0);
	btf__add_struct(btf, "kvm_memory_slot", sizeof(struct kvm_memory_slot));
	if (!is_old)
		btf__add_field(btf, "gfn_node", nodes, 0, 0);
	add_u64(btf, "base_gfn", offsetof(struct kvm_memory_slot, base_gfn));
	add_u64(btf, "npages", offsetof(struct kvm_memory_slot, npages));
	add_u64(btf, "userspace_addr", offsetof(struct kvm_memory_slot, userspace_addr));
	slots = btf__add_array(btf, u32_id, btf__find_by_name(btf, "kvm_memory_slot"), 0);
	btf__add_struct(btf, "kvm_memslots", sizeof(struct kvm_memslots));
	if (is_old) {
		add_u32(btf, "used_slots", offsetof(struct kvm_memslots, used_slots));
		btf__add_field(btf, "memslots", slots, 8 * offsetof(struct kvm_memslots, memslots), 0);
	} else {
		btf__add_field(btf, "gfn_tree", root, 0, 0);
		add_u32(btf, "node_idx", offsetof(struct kvm_memslots, node_idx));
	}
}

static void add_process_types(struct btf *btf, int u32_id)
{
	int text, upid, numbers;

	btf__add_struct(btf, "mm_struct", sizeof(struct mm));
	add_u64(btf, "pgd", offsetof(struct mm, pgd));
	add_u64(btf, "owner", offsetof(struct mm, owner));
	add_u64(btf, "arg_start", offsetof(struct mm, arg_start));
	add_u64(btf, "arg_end", offsetof(struct mm, arg_end));
	text = btf__add_array(btf, u32_id, btf__add_int(btf, "char", 1, 0), 16);
	btf__add_struct(btf, "task_struct", 16);
	btf__add_field(btf, "comm", text, 0, 0);
	upid = btf__add_struct(btf, "upid", 16);
	add_u32(btf, "nr", 0);
	numbers = btf__add_array(btf, u32_id, upid, 0);
	btf__add_struct(btf, "pid", sizeof(struct pid));
	btf__add_field(btf, "numbers", numbers, 8 * offsetof(struct pid, nr), 0);
}

/* As before 6.15, in what is said to the guest. */
static bool has_old_clock;

static int add_clock_type(struct btf *btf)
{
	int id = btf__add_struct(btf, "kvm_arch", sizeof(struct kvm) - offsetof(struct kvm, use_master_clock));
	size_t from = offsetof(struct kvm, use_master_clock);

	add_u32(btf, "use_master_clock", 0);
	add_u64(btf, "master_kernel_ns", offsetof(struct kvm, master_kernel_ns) - from);
	add_u64(btf, "master_cycle_now", offsetof(struct kvm, master_cycle_now) - from);
	add_u64(btf, "kvmclock_offset", offsetof(struct kvm, kvmclock_offset) - from);
	return id;
}

/* Factor and shift, @at bytes from its beginning. */
static int add_rate_type(struct btf *btf, const char *name, const char *mult, const char *shift, size_t at)
{
	int id = btf__add_struct(btf, name, at + 8);

	if (!mult)
		return id;
	add_u32(btf, mult, at);
	btf__add_field(btf, shift, btf__find_by_name(btf, "char"), 8 * (at + 4), 0);
	return id;
}

/* Offsets as Debian's kernels of arm64 have them: 6.1, and 6.12. */
static enum { HOST_X86, HOST_ARM64_REGISTER, HOST_ARM64_TIMER } machine;

#define CNTVOFF_EL2	110	/* of 123 registers */
#define SYS_REGS	832	/* from the beginning of struct kvm_cpu_context */
#define NR_TIMERS	4
#define VTIMER		1	/* which of them */
#define TIMER_SIZE	104
#define TIMER_OFFSET	80	/* struct arch_timer_offset in one */

static int add_register_type(struct btf *btf, int u32_id)
{
	int regs = btf__add_array(btf, u32_id, btf__find_by_name(btf, "u64"), 123), context, arch;

	btf__add_enum(btf, "vcpu_sysreg", 4);
	btf__add_enum_value(btf, "__INVALID_SYSREG__", 0);
	btf__add_enum_value(btf, "CNTVOFF_EL2", CNTVOFF_EL2);
	context = btf__add_struct(btf, "kvm_cpu_context", SYS_REGS + 123 * 8);
	btf__add_field(btf, "sys_regs", regs, 8 * SYS_REGS, 0);
	arch = btf__add_struct(btf, "kvm_vcpu_arch", SYS_REGS + 123 * 8);
	btf__add_field(btf, "ctxt", context, 0, 0);
	return arch;
}

static int add_timer_type(struct btf *btf, int u32_id)
{
	int offset = btf__add_struct(btf, "arch_timer_offset", 16), context, timers, timer_cpu, arch;

	add_u64(btf, "vm_offset", 0);
	add_u64(btf, "vcpu_offset", 8);
	btf__add_enum(btf, "kvm_arch_timers", 4);
	btf__add_enum_value(btf, "TIMER_PTIMER", 0);
	btf__add_enum_value(btf, "TIMER_VTIMER", VTIMER);
	context = btf__add_struct(btf, "arch_timer_context", TIMER_SIZE);
	btf__add_field(btf, "offset", offset, 8 * TIMER_OFFSET, 0);
	timers = btf__add_array(btf, u32_id, context, NR_TIMERS);
	timer_cpu = btf__add_struct(btf, "arch_timer_cpu", NR_TIMERS * TIMER_SIZE);
	btf__add_field(btf, "timers", timers, 0, 0);
	arch = btf__add_struct(btf, "kvm_vcpu_arch", NR_TIMERS * TIMER_SIZE);
	btf__add_field(btf, "timer_cpu", timer_cpu, 0, 0);
	return arch;
}

static int add_vcpu_arch_type(struct btf *btf, int u32_id)
{
	int clock, arch;

	if (machine != HOST_X86)
		return machine == HOST_ARM64_TIMER ? add_timer_type(btf, u32_id) : add_register_type(btf, u32_id);
	clock = has_old_clock ? add_rate_type(btf, "pvclock_vcpu_time_info", "tsc_to_system_mul", "tsc_shift", 0) : 0;
	arch = add_rate_type(btf, "kvm_vcpu_arch", has_old_clock ? NULL : "pvclock_tsc_mul", "pvclock_tsc_shift", 16);
	if (clock)
		btf__add_field(btf, "hv_clock", clock, 8 * 16, 0);
	add_u64(btf, "l1_tsc_offset", 0);
	add_u64(btf, "l1_tsc_scaling_ratio", 8);
	return arch;
}

static void add_vm_types(struct btf *btf, int u32_id)
{
	int u64_id = btf__find_by_name(btf, "u64"), slots = btf__add_array(btf, u32_id, u64_id, 2), array, arch, nodes, kvm_arch;

	nodes = btf__add_array(btf, u32_id, u64_id, 64);
	btf__add_struct(btf, "xa_node", 8 + 64 * 8);
	btf__add_field(btf, "shift", btf__find_by_name(btf, "char"), 0, 0);
	btf__add_field(btf, "slots", nodes, 64, 0);
	array = btf__add_struct(btf, "xarray", 8);
	add_u64(btf, "xa_head", 0);
	kvm_arch = add_clock_type(btf);
	btf__add_struct(btf, "kvm", sizeof(struct kvm));
	add_u64(btf, "vm_list", 0);
	add_u64(btf, "mm", offsetof(struct kvm, mm));
	btf__add_field(btf, "memslots", slots, 8 * offsetof(struct kvm, memslots), 0);
	btf__add_field(btf, "vcpu_array", array, 8 * offsetof(struct kvm, vcpu_array), 0);
	add_u32(btf, "userspace_pid", offsetof(struct kvm, userspace_pid));
	btf__add_field(btf, "arch", kvm_arch, 8 * offsetof(struct kvm, use_master_clock), 0);
	arch = add_vcpu_arch_type(btf, u32_id);
	btf__add_struct(btf, "kvm_vcpu", sizeof(struct vcpu));
	add_u64(btf, "pid", 0);
	btf__add_field(btf, "arch", arch, machine == HOST_X86 ? 64 : 8 * offsetof(struct vcpu, arm64), 0);
	add_u32(btf, "vcpu_id", offsetof(struct vcpu, vcpu_id));
}

static struct kernel_btf *make_vm_types(bool is_old)
{
	struct btf *btf = btf__new_empty();
	int u32_id = btf__add_int(btf, "u32", 4, 0);
	struct kernel_btf *kt = NULL;
	const void *data;
	u32 size;

	btf__add_int(btf, "u64", 8, 0);
	add_slot_types(btf, u32_id, is_old);
	add_process_types(btf, u32_id);
	add_vm_types(btf, u32_id);
	data = btf__raw_data(btf, &size);
	if (!CHECK(!kernel_btf_parse(&kt, data, size, NULL), "types"))
		exit(99);
	btf__free(btf);
	return kt;
}

/*
 * A host with one guest, of three slots and one virtual CPU.
 * @at_slots: address of its struct kvm_memslots
 */
struct host {
	struct kmem k;
	struct kernel kernel;
	u64 at_vm, at_slots;
	struct kvm_guests *guests;
};

/* The tree: the middle one, the first to its left, the last to its right; of node 1. */
static void put_slots(struct host *h, struct kvm_memslots *all)
{
	u64 first = offsetof(struct kvm_memslots, memslots), step = sizeof(struct kvm_memory_slot);
	u64 node = offsetof(struct kvm_memory_slot, gfn_node[1]);

	all->gfn_tree = h->at_slots + first + step + node;
	all->memslots[1].gfn_node[1].left = h->at_slots + first + node;
	all->memslots[1].gfn_node[1].right = h->at_slots + first + 2 * step + node;
	all->memslots[1].gfn_node[0].left = 0x123;
	memcpy(kmem_at(&h->k, h->at_slots), all, sizeof(*all));
}

static struct kvm_memslots three_slots(void)
{
	return (struct kvm_memslots){
		.node_idx = 1, .used_slots = 3,
		.memslots = {
			[0] = { .base_gfn = 0, .npages = 160, .userspace_addr = USER },
			[1] = { .base_gfn = 256, .npages = 64, .userspace_addr = USER + 0x100000 },
			[2] = { .base_gfn = 0xfffc0, .npages = 16, .userspace_addr = USER + 0x800000 },
		},
	};
}

/* The process' tables are the kernel's: what is mapped at low addresses is its own. */
static u64 put_process(struct host *h, const char *arguments, size_t size)
{
	struct mm mm = { .arg_start = ARGUMENTS + 16, .arg_end = ARGUMENTS + 16 + size };
	char comm[16] = "qemu-system-x86";
	u64 pgd = KMEM_TEXT + TEXT_SIZE;

	mm.owner = kmem_put(&h->k, comm, sizeof(comm));
	kmem_map(&h->k, ARGUMENTS, 0x600000, 0);
	kmem_map(&h->k, ARGUMENTS + PAGE, 0x601000, 0);
	memcpy(h->k.mem + 0x600000 + 16, arguments, size);
	kmem_map(&h->k, pgd, h->k.root, 0);
	mm.pgd = pgd;
	return kmem_put(&h->k, &mm, sizeof(mm));
}

static u64 unscaled = ~0ULL;

static void make_host(struct host *h, const char *arguments, size_t size, bool is_old)
{
	struct pid pid = { .nr = 4711 };
	struct vcpu vcpu = { .l1_tsc_offset = -77, .l1_tsc_scaling_ratio = 1ULL << 32, .vcpu_id = 3,
			     .clock_mult = 0x80000001, .clock_shift = -1 };
	struct kvm kvm = { .userspace_pid = 4700, .use_master_clock = 1, .master_kernel_ns = 5000, .master_cycle_now = 1ULL << 50,
			   .kvmclock_offset = -4000 };
	struct kvm_memslots slots = three_slots();

	*h = (struct host){ .k = kmem_make(machine == HOST_X86 ? &x86_4 : &arm64_4) };
	for (u64 at = 0; machine != HOST_X86 && at < TEXT_SIZE; at += PAGE)
		kmem_map(&h->k, KMEM_TEXT + at, h->k.text + at, 0);
	h->kernel.machine = machine == HOST_X86 ? EM_X86_64 : EM_AARCH64;
	if (unscaled != ~0ULL)
		vcpu.l1_tsc_scaling_ratio = unscaled;
	vcpu.pid = kmem_put(&h->k, &pid, sizeof(pid));
	kvm.vcpu_array = kmem_put(&h->k, &vcpu, sizeof(vcpu));
	kvm.mm = put_process(h, arguments, size);
	h->at_slots = kmem_put(&h->k, &slots, sizeof(slots));
	put_slots(h, &slots);
	kvm.memslots[0] = h->at_slots;
	list_head = kmem_put(&h->k, (u64[2]){ 0 }, 16);
	kvm.next = list_head;
	h->at_vm = kmem_put(&h->k, &kvm, sizeof(kvm));
	memcpy(kmem_at(&h->k, list_head), &h->at_vm, 8);
	h->kernel.ktypes = make_vm_types(is_old);
}

static void open_host(struct host *h)
{
	struct err err = ERR_INIT;

	if (!CHECK(!dump_open_fd(&h->kernel.dump, kmem_fd(&h->k), &err) &&
		   !vmem_open(&h->kernel.vmem, h->kernel.dump, &err) &&
		   !kvm_guests_open(&h->guests, &h->kernel, true, &err), "%s", err.msg))
		exit(99);
}

static void close_host(struct host *h)
{
	kvm_guests_close(h->guests);
	kernel_btf_close(h->kernel.ktypes);
	vmem_close(h->kernel.vmem);
	dump_close(h->kernel.dump);
	kmem_free(&h->k);
}

#define ARGS(s) (s), sizeof(s)

static void check_slots(const struct host *h)
{
	const struct kvm_guest *g = &h->guests->list[0];

	if (!CHECK(h->guests->nr == 1 && g->nr_slots == 3, "%u guests, %u slots", h->guests->nr, g->nr_slots))
		exit(99);
	CHECK(!g->slots[0].paddr && g->slots[0].size == 160 * PAGE && g->slots[0].host == USER, "the first");
	CHECK(g->slots[1].paddr == 256 * PAGE && g->slots[1].host == USER + 0x100000, "the second");
	CHECK(g->slots[2].paddr == 0xfffc0 * PAGE && g->slots[2].size == 16 * PAGE, "the third");
	CHECK(g->size == 240 * PAGE, "%llu", g->size);
	CHECK(!h->guests->notes.nr && !g->notes.nr, "%s", g->notes.nr ? g->notes.list[0].text : "");
}

static void guests__name_process_vcpus_and_slots_are_found(void)
{
	struct host h;
	const struct kvm_guest *g;

	make_host(&h, ARGS("qemu\0-name\0guest=web1,debug-threads=on\0-uuid\0"
			   "6b0c0000-0000-4000-8000-000000000001\0-m\00064"), false);
	open_host(&h);
	check_slots(&h);
	g = &h.guests->list[0];
	CHECK(g->pid == 4700 && !strcmp(g->comm, "qemu-system-x86"), "%lld %s", g->pid, g->comm);
	CHECK(!strcmp(g->name, "web1") && !strcmp(g->uuid, "6b0c0000-0000-4000-8000-000000000001"), "%s %s",
	      g->name, g->uuid);
	CHECK(g->nr_vcpus == 1 && g->vcpus[0].id == 3 && g->vcpus[0].pid == 4711 && g->vcpus[0].has_tsc &&
	      g->vcpus[0].tsc_offset == (u64)-77 && g->vcpus[0].tsc_ratio == 1ULL << 32, "vcpu");
	close_host(&h);
}

static void guests__the_kvm_clock_is_found_of_old_and_new_kernels(void)
{
	const struct kvm_guest *g;
	struct host h;

	for (int old = 0; old < 2; old++) {
		has_old_clock = old;
		make_host(&h, ARGS("qemu\0"), false);
		open_host(&h);
		g = &h.guests->list[0];
		CHECK(h.guests->nr == 1 && g->clock_is_steady && g->clock_ns == 1000 && g->clock_counter == 1ULL << 50, "%llu %llu",
		      g->clock_ns, g->clock_counter);
		CHECK(g->nr_vcpus == 1 && g->vcpus[0].clock_mult == 0x80000001 && g->vcpus[0].clock_shift == -1, "%x %d",
		      g->vcpus[0].clock_mult, g->vcpus[0].clock_shift);
		close_host(&h);
	}
	has_old_clock = false;
}

/* As KVM has it where the processor scales no clock: 0, and since 5.16 1. */
static void guests__a_clock_that_is_not_scaled_has_a_ratio_of_one(void)
{
	struct host h;

	for (u64 ratio = 0; ratio < 2; ratio++) {
		unscaled = ratio;
		make_host(&h, ARGS("qemu\0"), false);
		open_host(&h);
		CHECK(h.guests->nr == 1 && h.guests->list[0].nr_vcpus == 1 && h.guests->list[0].vcpus[0].tsc_ratio == KVM_TSC_UNSCALED,
		      "%llu", ratio);
		close_host(&h);
	}
	unscaled = ~0ULL;
}

/* @parts: of its virtual timer, or the register; 0: there is no such part. */
static void check_cntvoff(u64 vm_part, u64 vcpu_part, u64 wanted)
{
	u64 at_vcpu, *offset;
	struct kvm *vm;
	struct host h;

	make_host(&h, ARGS("qemu-system-aarch64\0-name\0guest=web1"), false);
	vm = kmem_at(&h.k, h.at_vm);
	at_vcpu = vm->vcpu_array + offsetof(struct vcpu, arm64);
	if (machine == HOST_ARM64_REGISTER) {
		memcpy(kmem_at(&h.k, at_vcpu + SYS_REGS + 8 * CNTVOFF_EL2), &vm_part, 8);
	} else {
		offset = kmem_at(&h.k, at_vcpu + VTIMER * TIMER_SIZE + TIMER_OFFSET);
		offset[0] = vm_part ? kmem_put(&h.k, &vm_part, 8) : 0;
		offset[1] = vcpu_part ? kmem_put(&h.k, &vcpu_part, 8) : 0;
	}
	open_host(&h);
	if (CHECK(h.guests->nr == 1 && h.guests->list[0].nr_vcpus == 1, "%u guests", h.guests->nr)) {
		const struct kvm_vcpu *vcpu = &h.guests->list[0].vcpus[0];

		CHECK(vcpu->has_tsc && vcpu->tsc_offset == wanted && vcpu->tsc_ratio == KVM_TSC_UNSCALED, "%d %#llx", vcpu->has_tsc,
		      vcpu->tsc_offset);
		CHECK(vcpu->pid == 4711 && !strcmp(h.guests->list[0].name, "web1"), "%lld %s", vcpu->pid, h.guests->list[0].name);
	}
	close_host(&h);
}

/* CNTVCT is the host's counter less CNTVOFF. */
static void guests__the_counter_of_arm64_is_found_of_old_and_new_kernels(void)
{
	machine = HOST_ARM64_REGISTER;
	check_cntvoff(0x123456789a, 0, -0x123456789aULL);
	machine = HOST_ARM64_TIMER;
	check_cntvoff(0x123456789a, 0, -0x123456789aULL);
	check_cntvoff(0x1000, 0x234, -0x1234ULL);
	check_cntvoff(0, 0, 0);
	machine = HOST_X86;
}

/* No address of one that is known is taken. */
static void guests__the_counter_of_arm64_without_its_types_is_not_known(void)
{
	struct host h;

	make_host(&h, ARGS("qemu-system-aarch64\0"), false);
	h.kernel.machine = EM_AARCH64;
	open_host(&h);
	CHECK(h.guests->nr == 1 && h.guests->list[0].nr_vcpus == 1 && !h.guests->list[0].vcpus[0].has_tsc, "known");
	close_host(&h);
}

static void guests__slots_are_an_array_in_older_kernels(void)
{
	struct host h;

	make_host(&h, ARGS("qemu"), true);
	open_host(&h);
	check_slots(&h);
	CHECK(!*h.guests->list[0].name && !*h.guests->list[0].uuid, "no name");
	close_host(&h);
}

static void check_named(const char *arguments, size_t size, const char *name)
{
	struct host h;

	make_host(&h, arguments, size, false);
	open_host(&h);
	CHECK(!strcmp(h.guests->list[0].name, name), "'%s', not '%s'", h.guests->list[0].name, name);
	close_host(&h);
}

static void guests__the_name_is_what_QEMU_takes_for_it(void)
{
	check_named(ARGS("q\0-name\0db"), "db");
	check_named(ARGS("q\0--name\0process=x,guest=db,debug-threads=on"), "db");
	check_named(ARGS("q\0-name\0a,,b,debug-threads=on"), "a,b");
	check_named(ARGS("q\0-name\0debug-threads=on"), "");
	check_named(ARGS("q\0-append\0name=db"), "");
	check_named("q\0-name\0db", 10, "");	/* its end is not there */
}

/* @which is looked for among two guests of the same name. */
static int find_of_two(const char *which, s64 *pid)
{
	struct kvm_guest two[2] = {
		{ .pid = 10, .name = "web" }, { .pid = 11, .name = "web", .uuid = "6B0C0000-0000-4000-8000-000000000001" },
	};
	struct kvm_guests guests = { .list = two, .nr = 2 };
	const struct kvm_guest *found = NULL;
	int ret = kvm_guests_find(&guests, which, &found, NULL);

	*pid = found ? found->pid : 0;
	return ret;
}

static void guests__one_is_found_by_name_uuid_or_process(void)
{
	s64 pid;

	CHECK(!find_of_two("10", &pid) && pid == 10, "%lld", pid);
	CHECK(!find_of_two("6b0c0000-0000-4000-8000-000000000001", &pid) && pid == 11, "%lld", pid);
	CHECK(find_of_two("web", &pid) == -ERR_USAGE, "two have the name");
	CHECK(find_of_two("we", &pid) == -ERR_NOT_OURS, "none");
	CHECK(find_of_two("", &pid) == -ERR_NOT_OURS, "no name");
}

/* What a guest's process calls itself does not hide another guest's process; an address is one guest. */
static void guests__a_name_that_is_another_ones_number_hides_nothing(void)
{
	struct kvm_guest three[3] = {
		{ .va = 0xffff888100000000, .pid = 10, .name = "11" },
		{ .va = 0xffff888100010000, .pid = 11, .name = "@ffff888100020000" },
		{ .va = 0xffff888100020000, .pid = 10, .name = "x" },
	};
	struct kvm_guests guests = { .list = three, .nr = 3 };
	const struct kvm_guest *found = NULL;
	struct err err = ERR_INIT;

	CHECK(!kvm_guests_find(&guests, "11", &found, NULL) && found == &three[1], "by its process");
	CHECK(!kvm_guests_find(&guests, "@0xffff888100020000", &found, NULL) && found == &three[2], "by its address");
	CHECK(!kvm_guests_find(&guests, "@ffff888100020000", &found, NULL) && found == &three[2], "by its address");
	CHECK(kvm_guests_find(&guests, "@0xffff888100020001", &found, NULL) == -ERR_NOT_OURS, "by no address");
	CHECK(kvm_guests_find(&guests, "10", &found, &err) == -ERR_USAGE &&
	      strstr(err.msg, "@0xffff888100000000 and @0xffff888100020000"), "%s", err.msg);
}

static void guests__a_list_that_is_cut_says_so(void)
{
	static struct kvm_guest many[100];
	struct kvm_guests guests = { .list = many, .nr = 100 };
	const struct kvm_guest *found;
	struct err err = ERR_INIT;

	for (u32 i = 0; i < 100; i++)
		many[i] = (struct kvm_guest){ .pid = 1000 + i };
	CHECK(kvm_guests_find(&guests, "web", &found, &err) == -ERR_NOT_OURS && strstr(err.msg, "process 1016, ...") , "%s", err.msg);
}

/* Its nodes lead into each other, or overlap. */
static void guests__a_damaged_tree_of_slots_has_an_end(void)
{
	struct kvm_memslots slots = three_slots();
	struct host h;

	make_host(&h, ARGS("q"), false);
	put_slots(&h, &slots);
	slots.memslots[0].gfn_node[1].left = slots.gfn_tree;
	slots.memslots[0].gfn_node[1].right = slots.gfn_tree;
	memcpy(kmem_at(&h.k, h.at_slots), &slots, sizeof(slots));
	open_host(&h);
	CHECK(h.guests->list[0].nr_slots <= 3 && h.guests->list[0].notes.nr == 1, "%u slots", h.guests->list[0].nr_slots);
	close_host(&h);
}

static void guests__slots_that_cannot_be_are_left_out(void)
{
	struct kvm_memslots slots = three_slots();
	struct host h;

	make_host(&h, ARGS("q"), false);
	slots.memslots[0].npages = ~0ULL / PAGE;		/* overlaps both others */
	slots.memslots[1].userspace_addr = USER + 1;
	slots.memslots[2].base_gfn = ~0ULL;
	put_slots(&h, &slots);
	open_host(&h);
	CHECK(h.guests->list[0].nr_slots == 0 && h.guests->list[0].notes.nr == 1, "%u slots", h.guests->list[0].nr_slots);
	close_host(&h);
}

/* The list's last one leads to its first. */
static void guests__a_list_that_is_a_circle_has_an_end(void)
{
	struct host h;

	make_host(&h, ARGS("q"), false);
	memcpy(kmem_at(&h.k, h.at_vm), &h.at_vm, 8);
	open_host(&h);
	CHECK(h.guests->nr && h.guests->nr < 10 && h.guests->notes.nr, "%u guests", h.guests->nr);
	close_host(&h);
}

/* Guests in one chain, of the same slots, whose tree has no end, and the same 262 144 vCPUs. */
static void put_many_guests(struct host *h, u32 nr)
{
	struct kvm_memslots slots = three_slots();
	u8 node[8 + 64 * 8] = { 0 };
	struct kvm kvm;
	u64 va, at, first;

	put_slots(h, &slots);
	slots.memslots[0].gfn_node[1].left = slots.gfn_tree;
	slots.memslots[0].gfn_node[1].right = 0;
	memcpy(kmem_at(&h->k, h->at_slots), &slots, sizeof(slots));
	memcpy(&kvm, kmem_at(&h->k, h->at_vm), sizeof(kvm));
	for (u32 i = 0; i < 64; i++)
		memcpy(node + 8 + 8 * i, &kvm.vcpu_array, 8);
	for (u8 shift = 0; shift <= 12; shift += 6) {
		node[0] = shift;
		at = kmem_put(&h->k, node, sizeof(node)) + 2;
		for (u32 i = 0; i < 64; i++)
			memcpy(node + 8 + 8 * i, &at, 8);
	}
	kvm.vcpu_array = at;
	first = h->at_vm;
	for (u32 i = 0; i < nr; i++) {
		kvm.next = first;
		kvm.mm = 0;
		va = kmem_put(&h->k, &kvm, sizeof(kvm));
		first = va;
	}
	memcpy(kmem_at(&h->k, list_head), &first, 8);
}

/* What is read is bounded of all guests together, and a guest that is read needs no vCPUs. */
static void guests__many_that_are_damaged_share_the_limits(void)
{
	u64 nr_vcpus = 0, nr_notes = 0;
	struct host h;

	make_host(&h, ARGS("q"), false);
	put_many_guests(&h, 1000);
	open_host(&h);
	for (u32 i = 0; i < h.guests->nr; i++) {
		nr_vcpus += h.guests->list[i].nr_vcpus;
		nr_notes += h.guests->list[i].notes.nr;
	}
	CHECK(h.guests->nr == 1001 && nr_notes >= 1000, "%u guests", h.guests->nr);
	CHECK(nr_vcpus == KVM_VCPUS_MAX, "%llu vCPUs", nr_vcpus);
	CHECK(h.guests->slots_visited < KVM_SLOTS_MAX + 2 * h.guests->nr, "%u slots", h.guests->slots_visited);
	CHECK(h.guests->notes.nr == 1 && strstr(h.guests->notes.list[0].text, "more than 65536 virtual CPUs"), "noted");
	kvm_guests_close(h.guests);
	if (!CHECK(!kvm_guests_open(&h.guests, &h.kernel, false, NULL), "again"))
		exit(99);
	CHECK(h.guests->nr == 1001 && !h.guests->list[0].nr_vcpus, "no vCPUs");
	close_host(&h);
}

static void check_page(struct process_memory *m, u64 va, enum process_page page, u64 paddr, u64 len)
{
	u64 at = 0, n;
	enum process_page is = process_memory_find(m, va, &at, &n);

	CHECK(is == page && (page != PROCESS_PAGE_THERE || at == paddr) && n == len, "%#llx: %d at %#llx, %llu",
	      va, is, at, n);
}

static void process_memory__says_what_became_of_a_page(void)
{
	struct process_memory *m = NULL;
	struct host h;
	u64 mm;

	make_host(&h, ARGS("q"), false);
	kmem_map(&h.k, USER, 0x500000, 0);
	kmem_map(&h.k, USER + PAGE, 0x503000, 0);
	/* It may not be touched for now: NUMA balancing looks who does. */
	memcpy(h.k.mem + kmem_entry(&h.k, USER + 2 * PAGE, 0), &(u64){ (0x504000 ^ PADDR_MASK) | PROTNONE }, 8);
	/* A swap entry. */
	memcpy(h.k.mem + kmem_entry(&h.k, USER + 3 * PAGE, 0), &(u64){ 0x0800000000000200 }, 8);
	kmem_map(&h.k, USER + 0x200000, 0x400000, 1);
	/* A table that is not in the dump. */
	memcpy(h.k.mem + kmem_entry(&h.k, USER + 0x400000, 1), &(u64){ 0x70000000 | PRESENT }, 8);
	open_host(&h);
	mm = h.guests->list[0].mm;
	if (!CHECK(!process_memory_open(&m, &h.kernel, mm, NULL), "opens"))
		exit(99);
	check_page(m, USER + 8, PROCESS_PAGE_THERE, 0x500008, PAGE - 8);
	check_page(m, USER + PAGE, PROCESS_PAGE_THERE, 0x503000, PAGE);
	check_page(m, USER + 2 * PAGE, PROCESS_PAGE_THERE, 0x504000, PAGE);
	check_page(m, USER + 3 * PAGE, PROCESS_PAGE_SWAPPED, 0, PAGE);
	check_page(m, USER + 4 * PAGE, PROCESS_PAGE_NONE, 0, 0x200000 - 4 * PAGE);
	check_page(m, USER + 0x200010, PROCESS_PAGE_THERE, 0x400010, 0x200000 - 0x10);
	check_page(m, USER + 0x400000, PROCESS_PAGE_NO_TABLE, 0, 0x200000);
	check_page(m, USER + 0x40000000, PROCESS_PAGE_NONE, 0, 0x40000000);
	check_page(m, USER, PROCESS_PAGE_THERE, 0x500000, PAGE);
	check_page(m, KMEM_TEXT, PROCESS_PAGE_NONE, 0, -KMEM_TEXT);
	check_page(m, 1ULL << 47, PROCESS_PAGE_NONE, 0, -(1ULL << 47));
	process_memory_close(m);
	close_host(&h);
}

static void process_memory__of_arm64_is_found_by_its_tables(void)
{
	struct process_memory *m = NULL;
	struct host h;

	machine = HOST_ARM64_TIMER;
	make_host(&h, ARGS("q"), false);
	kmem_map(&h.k, USER, 0x500000, 0);
	memcpy(h.k.mem + kmem_entry(&h.k, USER + PAGE, 0), &(u64){ 0x0000000000001240 }, 8);
	kmem_map(&h.k, USER + 0x200000, 0x400000, 1);
	open_host(&h);
	if (!CHECK(!process_memory_open(&m, &h.kernel, h.guests->list[0].mm, NULL), "opens"))
		exit(99);
	check_page(m, USER + 8, PROCESS_PAGE_THERE, 0x500008, PAGE - 8);
	check_page(m, USER + PAGE, PROCESS_PAGE_SWAPPED, 0, PAGE);
	check_page(m, USER + 2 * PAGE, PROCESS_PAGE_NONE, 0, 0x200000 - 2 * PAGE);
	check_page(m, USER + 0x200010, PROCESS_PAGE_THERE, 0x400010, 0x200000 - 0x10);
	check_page(m, USER + 0x40000000, PROCESS_PAGE_NONE, 0, 0x40000000);
	check_page(m, KMEM_TEXT, PROCESS_PAGE_NONE, 0, -KMEM_TEXT);
	process_memory_close(m);
	close_host(&h);
	machine = HOST_X86;
}

/* A kernel of which only functions have symbols, as Debian's 6.1 of arm64. */
static void guests__a_list_without_a_symbol_is_no_kernel_without_KVM(void)
{
	struct kvm_guests *guests = NULL;
	struct err err = ERR_INIT;
	struct host h;

	make_host(&h, ARGS("q"), false);
	open_host(&h);
	is_list_hidden = true;
	CHECK(kvm_guests_open(&guests, &h.kernel, true, &err) == -ERR_NOT_OURS && strstr(err.msg, "CONFIG_KALLSYMS_ALL"), "%s", err.msg);
	is_list_hidden = false;
	close_host(&h);
}

/* The lists and tables of another machine would be read as x86-64's. */
static void guests__a_host_of_another_machine_is_refused_by_name(void)
{
	struct kvm_guests *guests = NULL;
	struct err err = ERR_INIT;
	struct host h;

	make_host(&h, ARGS("q"), false);
	open_host(&h);
	h.kernel.machine = EM_S390;
	CHECK(kvm_guests_open(&guests, &h.kernel, true, &err) == -ERR_NOT_OURS && strstr(err.msg, "this host is s390"), "%s", err.msg);
	close_host(&h);
}

static void guests__a_kernel_without_KVM_has_none(void)
{
	struct kvm_guests *guests;
	struct err err = ERR_INIT;
	struct host h;

	make_host(&h, ARGS("q"), false);
	open_host(&h);
	list_head = 0;
	CHECK(kvm_guests_open(&guests, &h.kernel, true, &err) == -ERR_NOT_OURS && strstr(err.msg, "no KVM"), "%s", err.msg);
	close_host(&h);
}

/* The guest's first two pages, a page that is not there and a large one. */
static void map_guest(struct kmem *k)
{
	kmem_map(k, USER, 0x500000, 0);
	kmem_map(k, USER + PAGE, 0x503000, 0);
	memcpy(k->mem + kmem_entry(k, USER + 2 * PAGE, 0), &(u64){ 0x0800000000000200 }, 8);
	memcpy(k->mem + 0x503000, "of the guest", 12);
}

static u64 grown;	/* the host's file ends there, with a hole; 0: it does not */

/* @filesz: bytes of memory that are in the file; the others are said to be zeroes. */
static struct dump *open_guest_of(const struct host *h, u64 filesz, const struct kvm_guest *guest, struct err *err)
{
	struct dump *host = NULL, *in = NULL;
	int fd = kmem_fd(&h->k);

	if (pwrite(fd, &filesz, 8, sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_filesz)) != 8 ||
	    (grown && ftruncate(fd, grown)) ||
	    !CHECK(!dump_open_fd(&host, fd, NULL), "host"))
		exit(99);
	if (guest_dump_make(&in, host, &h->kernel, guest, err))
		dump_close(host);
	return in;
}

static struct dump *open_guest(const struct host *h, const struct kvm_guest *guest, struct err *err)
{
	return open_guest_of(h, KMEM_SIZE, guest, err);
}

static bool is_noted(const struct dump *in, const char *words)
{
	const char *note;

	for (size_t i = 0; (note = dump_damage(in, i)); i++)
		if (strstr(note, words))
			return true;
	return false;
}

static void guest_dump__has_the_memory_of_the_guest(void)
{
	struct err err = ERR_INIT;
	char text[13] = "";
	struct dump *in;
	struct host h;

	make_host(&h, ARGS("q"), false);
	map_guest(&h.k);
	open_host(&h);
	in = open_guest(&h, &h.guests->list[0], &err);
	if (!CHECK(in, "%s", err.msg))
		exit(99);
	CHECK(dump_read(in, PAGE, text, 12, NULL) == 12 && !strcmp(text, "of the guest"), "'%s'", text);
	CHECK(dump_nr_segments(in) == 3 && dump_end(in) == 0xfffd0 * PAGE, "%zu segments", dump_nr_segments(in));
	CHECK(dump_damage(in, 0) && !strncmp(dump_damage(in, 0), "4 KiB of the guest's memory were swapped", 40) &&
	      is_noted(in, "948 KiB of the guest's memory are not mapped: never touched, or taken back by the host") &&
	      !dump_damage(in, 2), "%s", dump_damage(in, 0));
	dump_close(in);
	close_host(&h);
}

static void guest_dump__a_slot_that_is_damaged_is_damage_of_the_dump(void)
{
	struct kvm_memslots slots = three_slots();
	struct err err = ERR_INIT;
	struct dump *in;
	struct host h;

	make_host(&h, ARGS("q"), false);
	slots.memslots[2].userspace_addr = USER + 1;
	put_slots(&h, &slots);
	open_host(&h);
	in = open_guest(&h, &h.guests->list[0], &err);
	CHECK(in && is_noted(in, "1 memory slot of the guest"), "%s", in ? dump_damage(in, 0) : err.msg);
	dump_close(in);
	close_host(&h);
}

/* Its tree of slots is not there. */
static void guest_dump__a_guest_whose_slots_cannot_be_read_is_no_guest_without_memory(void)
{
	struct err err = ERR_INIT;
	struct host h;
	struct kvm *kvm;

	make_host(&h, ARGS("q"), false);
	kvm = kmem_at(&h.k, h.at_vm);
	kvm->memslots[0] = 0x1000;
	open_host(&h);
	CHECK(!open_guest(&h, &h.guests->list[0], &err) && strstr(err.msg, "slots of the guest of process 4700 cannot be read"),
	      "%s", err.msg);
	close_host(&h);
}

static void guests__a_list_that_breaks_off_is_named_where_one_is_not_found(void)
{
	const struct kvm_guest *found;
	struct err err = ERR_INIT;
	struct host h;

	make_host(&h, ARGS("q"), false);
	memcpy(kmem_at(&h.k, h.at_vm), &(u64){ 0x1000 }, 8);
	open_host(&h);
	CHECK(kvm_guests_find(h.guests, "web9", &found, &err) == -ERR_NOT_OURS &&
	      strstr(err.msg, "runs no guest web9") && strstr(err.msg, "(the list of virtual machines breaks off behind "),
	      "%s", err.msg);
	close_host(&h);
}

/* makedumpfile -E leaves pages out as if they were zeroes. */
static void guest_dump__zeroes_that_an_ELF_file_only_speaks_of_are_counted(void)
{
	struct err err = ERR_INIT;
	struct dump *in;
	struct host h;

	make_host(&h, ARGS("q"), false);
	map_guest(&h.k);
	kmem_map(&h.k, USER + 3 * PAGE, 0x700000, 0);
	kmem_map(&h.k, USER + 4 * PAGE, 0x701000, 0);
	open_host(&h);
	in = open_guest_of(&h, 0x700000, &h.guests->list[0], &err);
	if (!CHECK(in, "%s", err.msg))
		exit(99);
	CHECK(is_noted(in, "8 KiB of the guest's memory are zeroes, or were left out"), "%s", dump_damage(in, 0));
	CHECK(!is_noted(in, "not in the host's dump"), "nothing else lacks");
	dump_close(in);
	in = open_guest(&h, &h.guests->list[0], &err);
	CHECK(in && !is_noted(in, "zeroes"), "all of it is in the file");
	dump_close(in);
	close_host(&h);
}

static u64 fill_table(struct host *h, u64 entry, u32 nr)
{
	u64 at = h->k.next;

	h->k.next += PAGE;
	for (u64 i = 0; i < nr; i++)
		memcpy(h->k.mem + at + 8 * i, &entry, 8);
	return at;
}

/* The root's lower half leads to @table. */
static void check_maps_too_much(struct host *h, u64 table)
{
	struct nested_slot slot = { 0, 1ULL << 46, 0 };
	struct kvm_guest guest = { .pid = 1, .nr_slots = 1, .slots = &slot, .size = slot.size };
	struct err err = ERR_INIT;

	for (u64 i = 0; i < 256; i++)
		memcpy(h->k.mem + h->k.root + 8 * i, &(u64){ table | 0x67 }, 8);
	open_host(h);
	guest.mm = h->guests->nr ? h->guests->list[0].mm : 0;
	CHECK(!open_guest(h, &guest, &err) && err.code == ERR_CORRUPT && strstr(err.msg, "more than a dump of"), "%s", err.msg);
	close_host(h);
}

/* Its tables map a small memory again and again, over all of the address space. */
static void guest_dump__page_tables_in_a_circle_are_refused(void)
{
	struct host h;
	u64 at;

	make_host(&h, ARGS("q"), false);
	at = fill_table(&h, h.k.next | 0x67, 512);
	check_maps_too_much(&h, at);
	grown = 1ULL << 40;
	make_host(&h, ARGS("q"), false);
	at = fill_table(&h, h.k.next | 0x67, 512);
	check_maps_too_much(&h, at);
	grown = 0;
}

/* The same last table for each address, of nothing, and the same large page. */
static void guest_dump__page_tables_that_are_used_again_and_again_are_refused(void)
{
	struct host h;
	u64 at;

	make_host(&h, ARGS("q"), false);
	at = fill_table(&h, 0, 0);
	at = fill_table(&h, at | 0x67, 512);
	check_maps_too_much(&h, fill_table(&h, at | 0x67, 512));
	make_host(&h, ARGS("q"), false);
	check_maps_too_much(&h, fill_table(&h, 0xe7, 512));
}

/* Addresses that no process has are nothing, at once. */
static void guest_dump__a_slot_outside_of_the_address_space_is_not_mapped(void)
{
	struct nested_slot slot = { 0, 1ULL << 62, 1ULL << 62 };
	struct kvm_guest guest = { .nr_slots = 1, .slots = &slot, .size = slot.size };
	struct err err = ERR_INIT;
	struct dump *in;
	struct host h;

	make_host(&h, ARGS("q"), false);
	open_host(&h);
	guest.mm = h.guests->list[0].mm;
	in = open_guest(&h, &guest, &err);
	CHECK(in && is_noted(in, "are not mapped"), "%s", err.msg);
	dump_close(in);
	close_host(&h);
}

/* Some words of all that leads to the guest are others: it ends, and reads nothing that is not there. */
static void guest_dump__any_damage_has_an_end(void)
{
	u64 rnd = 0x24;
	u32 nr_opened = 0;

	for (u32 n = 0; n < 200; n++) {
		struct host h;
		u8 page[PAGE];

		make_host(&h, ARGS("q\0-name\0web"), n & 1);
		map_guest(&h.k);
		for (u32 i = 0; i <= n % 4; i++) {
			u64 word, at;

			rnd = rnd * 6364136223846793005ULL + 1442695040888963407ULL;
			at = rnd >> 33 & 1 ? h.k.text + (rnd >> 34) % h.k.used : 0x10000 + (rnd >> 34) % (h.k.next - 0x10000);
			word = rnd >> 20 & 7 ? KMEM_TEXT + (rnd >> 40) % h.k.used : rnd;
			memcpy(h.k.mem + (at & ~7ULL), &word, 8);
		}
		if (dump_open_fd(&h.kernel.dump, kmem_fd(&h.k), NULL) || vmem_open(&h.kernel.vmem, h.kernel.dump, NULL))
			exit(99);
		if (!kvm_guests_open(&h.guests, &h.kernel, true, NULL)) {
			for (u32 i = 0; i < h.guests->nr && i < 4; i++) {
				struct dump *in = open_guest(&h, &h.guests->list[i], NULL);

				for (u64 at = 0; in && at < 4 * PAGE; at += PAGE)
					nr_opened += dump_read(in, at, page, PAGE, NULL) == (ssize_t)PAGE;
				dump_close(in);
			}
		}
		close_host(&h);
	}
	CHECK(nr_opened > 100, "%u pages were read", nr_opened);
}

int main(void)
{
	alarm(120);
	TAP_RUN(guests__name_process_vcpus_and_slots_are_found);
	TAP_RUN(guests__the_kvm_clock_is_found_of_old_and_new_kernels);
	TAP_RUN(guests__a_clock_that_is_not_scaled_has_a_ratio_of_one);
	TAP_RUN(guests__the_counter_of_arm64_is_found_of_old_and_new_kernels);
	TAP_RUN(guests__the_counter_of_arm64_without_its_types_is_not_known);
	TAP_RUN(guests__a_list_without_a_symbol_is_no_kernel_without_KVM);
	TAP_RUN(process_memory__of_arm64_is_found_by_its_tables);
	TAP_RUN(guests__slots_are_an_array_in_older_kernels);
	TAP_RUN(guests__the_name_is_what_QEMU_takes_for_it);
	TAP_RUN(guests__one_is_found_by_name_uuid_or_process);
	TAP_RUN(guests__a_name_that_is_another_ones_number_hides_nothing);
	TAP_RUN(guests__a_list_that_is_cut_says_so);
	TAP_RUN(guests__a_damaged_tree_of_slots_has_an_end);
	TAP_RUN(guests__slots_that_cannot_be_are_left_out);
	TAP_RUN(guests__a_list_that_is_a_circle_has_an_end);
	TAP_RUN(guests__many_that_are_damaged_share_the_limits);
	TAP_RUN(process_memory__says_what_became_of_a_page);
	TAP_RUN(guests__a_host_of_another_machine_is_refused_by_name);
	TAP_RUN(guests__a_kernel_without_KVM_has_none);
	TAP_RUN(guest_dump__has_the_memory_of_the_guest);
	TAP_RUN(guest_dump__a_slot_that_is_damaged_is_damage_of_the_dump);
	TAP_RUN(guest_dump__a_guest_whose_slots_cannot_be_read_is_no_guest_without_memory);
	TAP_RUN(guests__a_list_that_breaks_off_is_named_where_one_is_not_found);
	TAP_RUN(guest_dump__zeroes_that_an_ELF_file_only_speaks_of_are_counted);
	TAP_RUN(guest_dump__page_tables_in_a_circle_are_refused);
	TAP_RUN(guest_dump__page_tables_that_are_used_again_and_again_are_refused);
	TAP_RUN(guest_dump__a_slot_outside_of_the_address_space_is_not_mapped);
	TAP_RUN(guest_dump__any_damage_has_an_end);
	return tap_done();
}
