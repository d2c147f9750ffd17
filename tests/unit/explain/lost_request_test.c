// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thread that idles, and a request that is in none of its queues; and one that has it still, or is in the midst of it.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "fault/frame_register.h"
#include "instruction/instruction.h"
#include "judge/hang/chain_claims.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define WAKE_UP	0xffffffff81100000ULL
#define BUS	0xffff888000001000ULL	/* an object: what is shared; QUEUE lies in it */
#define QUEUE	(BUS + 0x40)
#define OTHER	0xffff888000002000ULL	/* another object */
#define STACK	0xffffc90000100000ULL	/* of who waits */
#define REQUEST	(STACK + 0x3e00)
#define SIZE	0x80
#define LOCAL	0xffffc90000200000ULL	/* on the stack of the thread */

static u64 bus[SIZE / 8], other[SIZE / 8];
static u8 bytes[32];
static u32 len;

bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	(void)k;
	*ret = (struct ksym){ .start = WAKE_UP, .size = 16 };
	strcpy(ret->name, "__wake_up");
	return addr == WAKE_UP;
}

const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr)
{
	static const struct kernel_module module = { .name = "spi" };

	(void)modules;
	return addr - CODE < sizeof(bytes) ? &module : NULL;
}

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	(void)frame;
	return (size_t)snprintf(buf, size, "bus_sync+0x10/0x20 [spi]");
}

/* What the thread does behind its wait: it comes back, with all registers as they were. */
static const u8 comes_back[] = { 0x5b, 0x5d, 0x41, 0x5c, 0x41, 0x5d, 0x41, 0x5e, 0x41, 0x5f, 0xc3 };
static u8 behind[32];
static bool is_of_thread;

bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame)
{
	(void)frame;
	memset(code, 0, sizeof(*code));
	code->set = &instruction_set_x86_64;
	code->start = CODE;
	code->size = code->len = is_of_thread ? sizeof(behind) : len;
	code->at = is_of_thread ? 0 : len;
	code->is_whole = true;
	code->kernel = kernel;
	memcpy(code->bytes, is_of_thread ? behind : bytes, code->len);
	return true;
}

/* RBP has the address of the shared object; RBX of the thread has that of the request, from its last round. */
bool frame_register(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame, s32 reg)
{
	(void)kernel;
	(void)stack;
	(void)frame;
	*ret = task->pid == 6 && reg == 3 ? REQUEST : BUS;
	return true;
}

static u64 local;	/* of the thread's function */

void kernel_unwind(struct kernel_unwinder *unwinder, const struct kernel_task *task, struct kernel_stack *stack)
{
	(void)unwinder;
	is_of_thread = task->pid == 6;
	*stack = (struct kernel_stack){ .nr = 1, .nr_sure = 1, .frames = { { .ip = CODE + 8, .sp = REQUEST - 0x80 } } };
	if (is_of_thread)
		stack->frames[0] = (struct kernel_frame){ .ip = CODE, .sp = LOCAL, .top = LOCAL + 8 };
}

bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret)
{
	(void)kernel;
	*ret = (struct kernel_object){ .start = va < OTHER ? BUS : OTHER, .size = SIZE, .state = KOBJECT_IN_USE };
	return va - BUS < SIZE || va - OTHER < SIZE;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	(void)size;
	*ret = va == LOCAL ? local : va < OTHER ? bus[(va - BUS) / 8] : other[(va - OTHER) / 8];
	return va == LOCAL || va - BUS < SIZE || va - OTHER < SIZE;
}

/* --- a chain -------------------------------------------------------------------- */

static struct kernel_task tasks[2];
static struct kernel_chain chain;
static struct finding finding;

/* "lea rdi, [rbp + offset]; call __wake_up", of a request on the stack of who waits. */
static void begin(u8 offset)
{
	s32 distance = (s32)(WAKE_UP - (CODE + 9));

	memset(bus, 0, sizeof(bus));
	memset(other, 0, sizeof(other));
	memset(&finding, 0, sizeof(finding));
	memcpy(bytes, (const u8 []){ 0x48, 0x8d, 0x7d, offset, 0xe8 }, 5);
	memcpy(bytes + 5, &distance, 4);
	len = 9;
	memcpy(behind, comes_back, sizeof(comes_back));
	local = 0;
	tasks[0] = (struct kernel_task){ .va = 0xffff888000005000ULL, .pid = 5, .comm = "flashd", .state = 'D', .stack = STACK };
	tasks[1] = (struct kernel_task){ .va = 0xffff888000006000ULL, .pid = 6, .comm = "bus-pump", .state = 'S' };
	chain = (struct kernel_chain){ .nr = 2, .last_waits = true, .tasks = { &tasks[0], &tasks[1] } };
	chain.waits[0] = (struct kernel_wait){ .kind = KWAIT_COMPLETION, .lock = REQUEST + 0x20, .owner_kind = KOWNER_COMPLETER, .owner = &tasks[1] };
	chain.waits[1] = (struct kernel_wait){ .kind = KWAIT_QUEUE, .lock = QUEUE };
}

static bool is_lost(void)
{
	static struct kernel_modules modules;
	static struct kernel dump = { .machine = EM_X86_64, .modules = &modules, .kallsyms = (struct kallsyms *)&modules };
	static struct postmortem pm = { .kernel = &dump };
	struct kernel_tasks all = { .list = tasks, .nr = 2, .stack_size = 0x4000 };
	struct owners owners = { .tasks = &all, .chain = &chain };
	struct explain *explain = calloc(1, sizeof(*explain));

	explain->pm = &pm;
	explain->finding = &finding;
	finding.kind = "hung-task";
	lost_request_claim(explain, &owners);
	free(explain);
	CHECK(!*finding.claim || finding.strength == FINDING_LIKELY, "likely");
	return *finding.claim;
}

static void request__an_idle_thread_has_lost_it(void)
{
	begin(0x40);
	/* A lock names its owner, whose memory names its stack. */
	bus[0] = tasks[0].va | 1;
	bus[2] = OTHER;
	CHECK(is_lost() && strstr(finding.claim, "flashd-5 waits for a completion by bus-pump-6"), "%s", finding.claim);
}

static void request__one_in_a_queue_is_not_lost(void)
{
	begin(0x40);
	bus[3] = REQUEST;
	CHECK(!is_lost(), "the object leads to it");
	begin(0x40);
	bus[3] = OTHER;
	other[1] = REQUEST + 8;
	CHECK(!is_lost(), "an object that this leads to does");
}

/* Who wakes another queue gave it work in another way: it may wait for its device, in the midst of the request. */
static void request__a_thread_in_the_midst_of_it_is_innocent(void)
{
	begin(0x48);
	CHECK(!is_lost(), "it waits at another queue than the one that is woken");
	begin(0x40);
	local = REQUEST;
	CHECK(!is_lost(), "its function has it in a variable");
	begin(0x40);
	/* lea rdi, [rbx + 0x20] */
	memcpy(behind, (const u8 []){ 0x48, 0x8d, 0x7b, 0x20 }, 4);
	memcpy(behind + 4, comes_back, sizeof(comes_back));
	CHECK(!is_lost(), "it goes on with it behind its wait");
	begin(0x40);
	tasks[1].state = 'D';
	CHECK(!is_lost(), "it does not idle");
	begin(0x40);
	chain.waits[0].owner_kind = KOWNER_SHOWN;
	CHECK(!is_lost(), "what it holds is a lock");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(request__an_idle_thread_has_lost_it);
	TAP_RUN(request__one_in_a_queue_is_not_lost);
	TAP_RUN(request__a_thread_in_the_midst_of_it_is_innocent);
	instruction_finish();
	return tap_done();
}
