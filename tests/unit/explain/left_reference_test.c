// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks that wait for the last reference of a percpu_ref or of a device, or for a fence, by a small memory. And those that wait beside one.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "fault/completions.h"
#include "fault/frame_register.h"
#include "fault/tail_jump.h"
#include "judge/hang/chain_claims.h"
#include "linux_kernel/btf.h"
#include "tap.h"

#define OBJECT	0xffff888000002000ULL
#define REF	(OBJECT + 0x10)
#define DATA	0xffff888000003000ULL
#define WAIT	(OBJECT + 0x40)
#define FENCE	0xffff888000004000ULL
#define OPS	0xffffffffc0500000ULL
#define RELEASE	0xffffffffc0400000ULL
#define NAME	0xffffffffc0400040ULL

static u64 back, pointer, left, completed, flags, operation;
static s64 signalled;
static struct kernel_task task = { .pid = 118, .comm = "tgt-del" };
static bool is_of_fence, is_sure;

#define DEVICE	(OBJECT + 0x20)
#define TYPE	0xffffffff81c00000ULL

static u64 device_type, of_class;

bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret)
{
	(void)kernel;
	*ret = (struct kernel_object){ .start = OBJECT, .size = 128, .state = KOBJECT_IN_USE, .cache = "kmalloc-128" };
	return va - OBJECT < 128;
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va, u64 *ret)
{
	static const struct {
		const char *type, *path;
		u64 va, *from;
	} members[] = {
		{ "percpu_ref", "percpu_count_ptr", REF, &pointer }, { "percpu_ref_data", "ref", DATA, &back },
		{ "percpu_ref_data", "count", DATA, &left }, { "dma_fence", "flags", FENCE, &flags }, { "dma_fence_ops", "get_driver_name", OPS, &operation },
		{ "device", "kobj.ktype", DEVICE, &device_type }, { "device", "kobj.kref.refcount.refs.counter", DEVICE, &left },
		{ "class", "dev_release", OPS, &of_class },
	};

	(void)kernel;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		if (strcmp(type, members[i].type) || strcmp(path, members[i].path) || va != members[i].va)
			continue;
		*ret = *members[i].from;
		return true;
	}
	if (!strcmp(type, "device")) {
		*ret = !strcmp(path, "class") ? OPS : 0;
		return va == DEVICE && strcmp(path, "kobj.name");
	}
	*ret = !strcmp(path, "data") ? DATA : !strcmp(path, "release") ? RELEASE : !strcmp(path, "ops") ? OPS : 3;
	return strcmp(path, "data") ? va == DATA || va == FENCE : va == REF;
}

bool kallsyms_address(struct kallsyms *kallsyms, const char *name, u64 *ret)
{
	(void)kallsyms;
	*ret = TYPE;
	return !strcmp(name, "device_ktype");
}

bool kernel_btf_enum_value(const struct kernel_btf *kt, const char *type, const char *name, s64 *ret)
{
	(void)kt;
	*ret = signalled;
	return signalled >= 0 && !strcmp(type, "dma_fence_flag_bits") && !strcmp(name, "DMA_FENCE_FLAG_SIGNALED_BIT");
}

bool completions_read(struct completions *ret, const struct kernel *kernel, u64 start, u64 object, u64 lock)
{
	(void)kernel;
	*ret = (struct completions){ .nr = 1, .nr_it = lock == completed };
	return start == RELEASE && object == (device_type ? DEVICE : REF);
}

bool words_symbol(const struct explain *explain, u64 address, char *name, size_t size)
{
	(void)explain;
	snprintf(name, size, "%s+0x%llx/0x40 [tgt]", address - NAME < 0x40 ? "tgt_name" : "tgt_free", address % 0x40);
	return address - RELEASE < 0x80;
}

void owners_name_wait(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *of, char name[KERNEL_SYMBOL_MAX])
{
	(void)owners;
	(void)kernel;
	(void)of;
	snprintf(name, KERNEL_SYMBOL_MAX, "tgt_destroy+0x10/0x40 [tgt]");
}

void owners_name_module(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *of, char by[2 * WORDS_FUNCTION])
{
	(void)owners;
	(void)kernel;
	(void)of;
	snprintf(by, 2 * WORDS_FUNCTION, "tgt_idle() of module tgt");
}

bool owners_is_within(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *of, const char *word)
{
	(void)owners;
	(void)kernel;
	(void)of;
	return is_of_fence && !strcmp(word, "dma_fence_default_wait");
}

void kernel_unwind(struct kernel_unwinder *unwinder, const struct kernel_task *of, struct kernel_stack *stack)
{
	(void)unwinder;
	(void)of;
	*stack = (struct kernel_stack){ .nr = 2, .nr_sure = 2 };
}

u32 owners_frame(const struct kernel *kernel, const struct kernel_stack *stack, const char *word, u32 from)
{
	(void)kernel;
	(void)stack;
	(void)word;
	return from;
}

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	(void)frame;
	return (size_t)snprintf(buf, size, "dma_fence_wait_timeout+0x1/0x2");
}

bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame)
{
	(void)code;
	(void)kernel;
	return frame.len;
}

bool tail_jump_call_before(struct instruction *call, struct function_code *code)
{
	(void)call;
	(void)code;
	return true;
}

bool frame_given(u64 *ret, const struct kernel *kernel, const struct kernel_task *of, const struct kernel_stack *stack, u32 frame,
		 const struct function_code *code, u32 at)
{
	(void)kernel;
	(void)of;
	(void)stack;
	(void)code;
	(void)at;
	*ret = FENCE;
	return frame == 1;
}

bool instruction_can_decode(void)
{
	return true;
}

static void begin(void)
{
	device_type = 0;
	of_class = RELEASE;
	back = REF;
	pointer = 3;
	left = 1;
	completed = WAIT;
	flags = 2;
	signalled = 0;
	operation = NAME;
	is_of_fence = false;
	is_sure = true;
}

static struct finding finding;

static bool claims(void (*claim)(struct explain *explain, const struct owners *owners), enum kernel_wait_kind kind)
{
	static struct kernel dump = { .ktypes = (struct kernel_btf *)&dump };
	static struct postmortem pm = { .kernel = &dump };
	static struct kernel_chain chain;
	struct owners owners = { .chain = &chain };
	struct explain *explain = calloc(1, sizeof(*explain));

	memset(&finding, 0, sizeof(finding));
	finding.kind = "hung-task";
	chain = (struct kernel_chain){ .nr = 1, .last_waits = true, .is_sure = is_sure };
	chain.tasks[0] = &task;
	chain.waits[0] = (struct kernel_wait){ .kind = kind, .lock = WAIT };
	explain->pm = &pm;
	explain->finding = &finding;
	claim(explain, &owners);
	free(explain);
	CHECK(!*finding.claim || finding.strength == (is_sure ? FINDING_LIKELY : FINDING_POSSIBLE), "%s", finding.claim);
	return *finding.claim;
}

static void reference__some_are_left(void)
{
	begin();
	CHECK(claims(left_reference_claim, KWAIT_COMPLETION) && strstr(finding.claim, "and 1 is left") && strstr(finding.claim, "tgt_free() of module tgt"), "%s",
	      finding.claim);
	left = 7;
	CHECK(claims(left_reference_claim, KWAIT_COMPLETION) && strstr(finding.claim, "and 7 are left"), "%s", finding.claim);
}

static void reference__what_is_no_such_is_not_claimed(void)
{
	begin();
	completed = WAIT + 0x20;
	CHECK(!claims(left_reference_claim, KWAIT_COMPLETION), "its release completes another one");
	begin();
	left = 0;
	CHECK(!claims(left_reference_claim, KWAIT_COMPLETION), "none is left");
	left = 1ULL << 63;
	CHECK(!claims(left_reference_claim, KWAIT_COMPLETION), "it is not summed up yet");
	begin();
	pointer = 0xffff888000005000ULL;
	CHECK(!claims(left_reference_claim, KWAIT_COMPLETION), "it was not killed");
	begin();
	back = REF + 8;
	CHECK(!claims(left_reference_claim, KWAIT_COMPLETION), "it is no percpu_ref");
	begin();
	CHECK(!claims(left_reference_claim, KWAIT_MUTEX), "it waits for a mutex");
}

static void device__some_references_are_left(void)
{
	begin();
	device_type = TYPE;
	back = 0;
	CHECK(claims(left_reference_claim, KWAIT_COMPLETION) && strstr(finding.claim, "of the device") && strstr(finding.claim, "and 1 is left: tgt_free() of module tgt"), "%s",
	      finding.claim);
	left = 0;
	CHECK(!claims(left_reference_claim, KWAIT_COMPLETION), "none is left");
	left = 1;
	of_class = 0;
	CHECK(!claims(left_reference_claim, KWAIT_COMPLETION), "nothing releases it");
	of_class = RELEASE;
	completed = WAIT + 0x20;
	CHECK(!claims(left_reference_claim, KWAIT_COMPLETION), "its release completes another one");
	begin();
	device_type = TYPE + 8;
	back = 0;
	CHECK(!claims(left_reference_claim, KWAIT_COMPLETION), "it is a kobject of another type");
}

/* What holds on the way there was not found for sure. */
static void a_chain_that_is_not_sure_leads_to_what_is_possible(void)
{
	begin();
	is_sure = false;
	is_of_fence = true;
	CHECK(claims(left_reference_claim, KWAIT_COMPLETION) && claims(fence_claim, KWAIT_QUEUE), "both are found");
}

static void fence__is_not_signalled(void)
{
	begin();
	is_of_fence = true;
	CHECK(claims(fence_claim, KWAIT_QUEUE) && strstr(finding.claim, "in tgt_idle() of module tgt for a fence (dma_fence) that is not signalled: number 3 of context 3") &&
		      strstr(finding.claim, "tgt_name() of module tgt"), "%s", finding.claim);
	/* As of Linux 7.2, where bit 0 says that it was set up. */
	signalled = 3;
	flags = 0x21;
	CHECK(claims(fence_claim, KWAIT_QUEUE), "%s", finding.claim);
}

static void fence__what_is_no_such_is_not_claimed(void)
{
	begin();
	CHECK(!claims(fence_claim, KWAIT_QUEUE), "it waits for something else");
	is_of_fence = true;
	flags = 3;
	CHECK(!claims(fence_claim, KWAIT_QUEUE), "it was signalled");
	signalled = 3;
	flags = 0x28;
	CHECK(!claims(fence_claim, KWAIT_QUEUE), "it was signalled, by a bit that is not the first");
	signalled = -1;
	CHECK(!claims(fence_claim, KWAIT_QUEUE), "the types do not say which bit that is");
	signalled = 0;
	flags = 2;
	operation = NAME + 8;
	CHECK(!claims(fence_claim, KWAIT_QUEUE), "its operations are no functions");
	operation = 0;
	CHECK(!claims(fence_claim, KWAIT_QUEUE), "it has none: it is freed memory");
}

int main(void)
{
	TAP_RUN(reference__some_are_left);
	TAP_RUN(reference__what_is_no_such_is_not_claimed);
	TAP_RUN(device__some_references_are_left);
	TAP_RUN(a_chain_that_is_not_sure_leads_to_what_is_possible);
	TAP_RUN(fence__is_not_signalled);
	TAP_RUN(fence__what_is_no_such_is_not_claimed);
	return tap_done();
}
