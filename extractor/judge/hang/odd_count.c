// SPDX-License-Identifier: GPL-2.0-or-later
#include "odd_count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/function_code.h"
#include "judge/words.h"
#include "linux_kernel/vmem.h"
#include "long_run.h"
#include "owners.h"

#define NEAR_WRITER	4	/* frames from where an interrupt came to, up to the writer */
#define MOST_STEPS	12	/* of a loop: it has six or less */

/* --- the loop ------------------------------------------------------------- */

/**
 * struct loop - read_seqcount_begin(), as far as a way through it was followed
 * @load: the load of the count, at @load_at, and @test what is done with it
 * @has_load, @has_test, @has_pause: were on the way
 * @nr: of instructions
 */
struct loop {
	struct instruction load;
	u32 load_at;
	struct instruction test;
	bool has_load;
	bool has_test;
	bool has_pause;
	u32 nr;
};

/* The register that a 4-byte load without an index writes; -1: it is no such load. */
static s32 loaded_register(const struct instruction *instruction)
{
	const struct instruction_access *access = &instruction->accesses[0];
	u32 written = instruction->written;

	if (strncmp(instruction->text, "mov ", 4) || instruction->nr_accesses != 1 || access->size != 4 || access->writes ||
	    !access->reads || access->is_relative || access->index >= 0 || !written || (written & (written - 1)) ||
	    (access->base >= 0 && written & 1U << access->base))
		return -1;
	return __builtin_ctz(written);
}

/* "test al, 1" of that register: bit 0 says that a writer is in its section. */
static bool is_test_of(const struct instruction *instruction, s32 reg)
{
	static const char *const names[][2] = {
		{ "al", "eax" }, { "cl", "ecx" }, { "dl", "edx" }, { "bl", "ebx" }, { "spl", "esp" }, { "bpl", "ebp" }, { "sil", "esi" },
		{ "dil", "edi" }, { "r8b", "r8d" }, { "r9b", "r9d" }, { "r10b", "r10d" }, { "r11b", "r11d" }, { "r12b", "r12d" },
		{ "r13b", "r13d" }, { "r14b", "r14d" }, { "r15b", "r15d" },
	};
	char text[24];

	for (u32 i = 0; reg < (s32)ARRAY_SIZE(names) && i < 2; i++) {
		snprintf(text, sizeof(text), "test %s, 1", names[reg][i]);
		if (!strcmp(instruction->text, text))
			return true;
	}
	return false;
}

/* False: no instruction of such a loop. */
static bool take_step(struct loop *loop, const struct instruction *instruction, u32 at)
{
	s32 reg = loaded_register(instruction);

	if (reg >= 0 && !loop->has_load) {
		loop->load = *instruction;
		loop->load_at = at;
		loop->has_load = true;
		return true;
	}
	if (instruction->pauses) {
		loop->has_pause = true;
		return true;
	}
	if (!strncmp(instruction->text, "test ", 5) && !loop->has_test) {
		loop->test = *instruction;
		loop->has_test = true;
		return true;
	}
	return !instruction->is_call && (instruction->jumps ? instruction->target : !strncmp(instruction->text, "nop", 3));
}

/* The instruction @at behind the function's start, of the main part. */
static bool decode_at(struct instruction *instruction, const struct function_code *code, u32 at)
{
	return at >= code->from && at - code->from < code->len &&
	       function_code_decode(code, at - code->from, instruction);
}

/* Does a way from @at lead back to @code->at by nothing but such a loop? */
static bool loops(struct loop *loop, const struct function_code *code, u32 at)
{
	struct instruction instruction;
	struct loop other;

	if (loop->nr && at == code->at)
		return loop->has_load && loop->has_test && loop->has_pause && is_test_of(&loop->test, loaded_register(&loop->load));
	if (loop->nr++ == MOST_STEPS || !decode_at(&instruction, code, at) || !take_step(loop, &instruction, at))
		return false;
	other = *loop;
	if (instruction.jumps && instruction.target - code->start < code->size &&
	    loops(&other, code, (u32)(instruction.target - code->start))) {
		*loop = other;
		return true;
	}
	return instruction.goes_on && loops(loop, code, at + instruction.len);
}

#define MOST_BETWEEN	4	/* instructions from the second load to the comparison */

static bool is_same_memory(const struct instruction *a, const struct instruction *b)
{
	const struct instruction_access *x = a->accesses, *y = b->accesses;

	return a->nr_accesses && b->nr_accesses && x->base == y->base && x->index == y->index && x->offset == y->offset &&
	       x->is_absolute == y->is_absolute && x->is_relative == y->is_relative && x->size == y->size;
}

/*
 * Is the count read again behind the loop, and compared, as read_seqcount_retry() does? A loop that waits for bit 0 of
 * anything else, such as a register of a device, looks the same.
 */
static bool reads_again(const struct loop *loop, const struct function_code *code)
{
	struct instruction instruction;
	u32 since = MOST_BETWEEN + 1;

	for (u32 at = loop->load_at + loop->load.len; decode_at(&instruction, code, at); at += instruction.len) {
		bool is_again = is_same_memory(&loop->load, &instruction), compares = !strncmp(instruction.text, "cmp ", 4);

		if (compares && (is_again || since <= MOST_BETWEEN))
			return true;
		since = is_again ? 0 : since + (since <= MOST_BETWEEN);
	}
	return false;
}

/* --- the count ------------------------------------------------------------ */

/* The address of the memory; false: a register, or where the code is, is not known. */
static bool address_of(u64 *address, const struct instruction_access *memory, const struct function_code *code, const struct fault_text *regs)
{
	u64 base = 0;

	if (memory->is_relative || memory->index >= 0 || (memory->is_absolute && !code->start) ||
	    (memory->base >= 0 && !fault_text_register(regs, instruction_register(code->set, memory->base), &base)))
		return false;
	*address = base + (u64)memory->offset;
	return true;
}

static void put_count_name(struct odd_count *count, const struct explain *explain)
{
	char symbol[KERNEL_SYMBOL_MAX];
	struct kernel_object object;

	if (words_symbol(explain, count->address, symbol, sizeof(symbol))) {
		/* "clock+0x8/0x40 [module]": how long it is does not matter. */
		symbol[strcspn(symbol, strstr(symbol, "+0x0/") ? "+" : "/")] = '\0';
		snprintf(count->name, sizeof(count->name), " %.120s (%016llx)", symbol, count->address);
	}
	else if (explain->pm->kernel && kernel_object_at(explain->pm->kernel, count->address, &object))
		snprintf(count->name, sizeof(count->name), " at %016llx (0x%llx of an object of cache %s)", count->address,
			 count->address - object.start, object.cache);
	else
		snprintf(count->name, sizeof(count->name), " at %016llx", count->address);
}

/*
 * What the loop loaded, by the register that it tests. The dump's memory must still have it: a writer that is in its
 * section for a moment goes on while the kernel prints the report.
 */
static bool take_count(struct odd_count *count, const struct loop *loop, const struct function_code *code,
		       const struct explain *explain)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct fault_text regs = { 0 };
	u64 value, now;

	words_registers_below(&regs, explain, explain->cause->place);
	if (!fault_text_register(&regs, instruction_register(code->set, loaded_register(&loop->load)), &value))
		return false;
	if (address_of(&count->address, loop->load.accesses, code, &regs))
		put_count_name(count, explain);
	snprintf(count->module, sizeof(count->module), "%s", code->module);
	count->has_offset = loop->load.accesses[0].base >= 0;
	count->offset = loop->load.accesses[0].offset;
	count->is_in_memory = *count->name && kernel && vmem_number(kernel->vmem, count->address, 4, &now);
	count->value = (u32)value;
	return count->value & 1 && (!count->is_in_memory || now == count->value);
}

bool odd_count_find(struct odd_count *count, const struct explain *explain)
{
	struct function_code *code;
	struct loop loop = { .nr = 0 };
	bool is_odd;

	*count = (struct odd_count){ .value = 0 };
	if (!instruction_can_decode() || !explain->cause || !explain->cause->place.text)
		return false;
	code = calloc(1, sizeof(*code));
	is_odd = code && function_code_read(code, explain->pm->kernel, explain->death, explain->cause) &&
		 loops(&loop, code, code->at) && reads_again(&loop, code) && take_count(count, &loop, code, explain);
	free(code);
	return is_odd;
}

/* --- the writer ----------------------------------------------------------- */

static bool has_mnemonic(const struct instruction *instruction, const char *word)
{
	return !strncmp(instruction->text, word, strlen(word));
}

/*
 * Does @instruction, of a writer, change the count? Of a function on a task's stack, whose registers are not known
 * (@regs of NULL), the distance is compared: two structures may have a number there.
 */
static bool changes(const struct odd_count *count, const struct instruction *instruction, const struct function_code *code,
		    const struct fault_text *regs)
{
	static const struct fault_text none;
	const struct instruction_access *memory = instruction->accesses;
	u64 address;

	if (!instruction->nr_accesses || !memory->writes || memory->size != 4 ||
	    (!has_mnemonic(instruction, "add ") && !has_mnemonic(instruction, "inc ") && !has_mnemonic(instruction, "mov ")))
		return false;
	if (address_of(&address, memory, code, regs ?: &none))
		return address == count->address;
	return !regs && count->has_offset && memory->base >= 0 && memory->index < 0 && !memory->is_relative && memory->offset == count->offset &&
	       !has_mnemonic(instruction, "mov ") && *code->module && !strcmp(code->module, count->module);
}

/**
 * struct write_ways - through a function up to the place where it stood
 * @todo: nr of them: twice an offset, and 1 if the count was changed an odd number of times before that
 * @seen: of each of these
 */
struct write_ways {
	u32 todo[2 * FUNCTION_CODE_MAX];
	u32 nr;
	bool seen[2 * FUNCTION_CODE_MAX];
};

static void take_way(struct write_ways *ways, u64 at, bool is_odd)
{
	if (at >= FUNCTION_CODE_MAX || ways->seen[2 * at + is_odd])
		return;
	ways->seen[2 * at + is_odd] = true;
	ways->todo[ways->nr++] = 2 * (u32)at + is_odd;
}

/* Is the count changed an odd number of times on each way to where the code stood? */
static bool is_odd_there(struct write_ways *ways, const struct odd_count *count, const struct function_code *code, const struct fault_text *regs)
{
	struct instruction instruction;

	take_way(ways, 0, false);
	while (ways->nr) {
		u32 one = ways->todo[--ways->nr], at = one / 2;
		bool is_odd = one & 1;

		if (at == code->at || !decode_at(&instruction, code, at))
			continue;
		is_odd ^= changes(count, &instruction, code, regs);
		if (instruction.jumps && instruction.target - code->start < code->size)
			take_way(ways, instruction.target - code->start, is_odd);
		if (instruction.goes_on)
			take_way(ways, at + instruction.len, is_odd);
	}
	return code->at < FUNCTION_CODE_MAX && ways->seen[2 * code->at + 1] && !ways->seen[2 * code->at];
}

/* Has the code of @place, before that place, changed the count an odd number of times? As write_seqcount_begin() alone does. */
static bool has_begun(const struct explain *explain, const struct odd_count *count, struct report_text place, const struct fault_text *regs)
{
	struct function_code *code = calloc(1, sizeof(*code));
	struct write_ways *ways = calloc(1, sizeof(*ways));
	bool has = code && ways && place.text && function_code_read_caller(code, explain->pm->kernel, place) && is_odd_there(ways, count, code, regs);

	free(ways);
	free(code);
	return has;
}

/* What an interrupt or a softirq came into, and that is a writer: it cannot go on before the reader ends. */
static bool add_interrupted_writer(struct explain *explain, const struct odd_count *count, u32 cpu, const char *place, const char *task)
{
	struct report_text at = explain->cause->interrupted;
	struct fault_text regs = { 0 };
	char writer[2 * WORDS_FUNCTION];

	if (!at.text)
		return false;
	words_registers_below(&regs, explain, at);
	if (!has_begun(explain, count, at, &regs))
		return false;
	words_place(writer, at);
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "CPU %u waits for itself: %.80s waits for the seqcount%s to become even, and came as an interrupt into its writer %.80s, of task %s.",
		      cpu, place, count->name, writer, task);
	finding_open(explain->finding, "Whether the writer has to turn interrupts or softirqs off: write_seqlock_irqsave(), write_seqlock_bh().");
	return true;
}

/* The first frame behind the interrupts that the CPU was in; nr_frames: it was in none. */
static u32 frame_interrupted(const struct stopped_cpu *stopped)
{
	static const char *const words[] = { "sysvec_", "asm_sysvec_", "common_interrupt", "asm_common_interrupt", NULL };
	char function[WORDS_FUNCTION];
	u32 found = stopped->nr_frames;

	for (u32 i = 0; i < stopped->nr_frames; i++) {
		words_function(function, stopped->frames[i]);
		if (plumbing_begins(function, words))
			found = i + 1;
	}
	return found;
}

#define MOST_OF_STACK	4096	/* bytes, from what the interrupt saved up to the writer's end */

/* Is @value among the registers that the interrupt saved, or on the stack from there up to the end of @writer's frame? */
static bool stack_has(const struct explain *explain, const struct kernel_stack *stack, struct report_text writer, u64 value)
{
	char name[KERNEL_SYMBOL_MAX];
	u64 from = 0, here;

	for (u32 i = 0; i < stack->nr_sure; i++) {
		const struct kernel_frame *frame = &stack->frames[i];

		if (frame->regs)
			from = frame->regs;
		if (!from || !kernel_frame_name(explain->pm->kernel, frame, name, sizeof(name)) || strlen(name) != writer.len || memcmp(name, writer.text, writer.len))
			continue;
		for (u64 at = from; at < frame->top && at - from < MOST_OF_STACK; at += 8)
			if (vmem_number(explain->pm->kernel->vmem, at, 8, &here) && here == value)
				return true;
		return false;
	}
	return false;
}

/* Had the writer that count? Another structure may have a number at the same distance. */
static bool is_of_count(const struct explain *explain, const struct odd_count *count, u64 pid, struct report_text writer)
{
	struct kernel_stack *stack = count->has_offset ? malloc(sizeof(*stack)) : NULL;
	struct owners owners = { .tasks = NULL };
	const struct kernel_task *task;
	bool is = !count->has_offset;

	if (stack && owners_open(&owners, explain) && (task = owners_task(&owners, pid))) {
		kernel_unwind(owners.unwinder, task, stack);
		is = stack_has(explain, stack, writer, count->address - (u64)count->offset);
	}
	owners_close(&owners);
	free(stack);
	return is;
}

/* Another CPU stands in the same function, and in an interrupt that came into the writer: the one that was reported waits for that. */
static bool add_writer_elsewhere(struct explain *explain, const struct odd_count *count, u32 cpu)
{
	char reader[WORDS_FUNCTION], function[WORDS_FUNCTION], place[2 * WORDS_FUNCTION], writer[2 * WORDS_FUNCTION];

	words_function(reader, explain->cause->place);
	for (u32 i = 0; i < explain->history.nr_cpus; i++) {
		const struct history_cpu *other = history_cpu(&explain->history, i);
		struct stopped_cpu stopped;
		u32 from;

		if (i == cpu || !other || !stopped_cpu_read(&stopped, explain->pm, i) || !stopped.nr_frames)
			continue;
		words_function(function, stopped.frames[0]);
		from = frame_interrupted(&stopped);
		for (u32 k = from; k < stopped.nr_frames && k - from < NEAR_WRITER && !strcmp(function, reader); k++) {
			if (!has_begun(explain, count, stopped.frames[k], NULL) || !is_of_count(explain, count, other->pid, stopped.frames[k]))
				continue;
			words_place(place, explain->cause->place);
			words_place(writer, stopped.frames[k]);
			finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
				      "CPU %u waits for itself: %.80s waits for the seqcount%s to become even, and came as an interrupt into its writer %.80s, of task %s-%llu. CPU %u waits for the same.",
				      i, place, count->name, writer, other->comm, other->pid, cpu);
			finding_open(explain->finding, "Whether the writer has to turn interrupts or softirqs off: write_seqlock_irqsave(), write_seqlock_bh(). The task that was reported is innocent.");
			return true;
		}
	}
	return false;
}

/* An oops before, in code that had made the count odd. */
static bool add_dead_writer(struct explain *explain, const struct odd_count *count, u32 cpu, const char *place, const char *task)
{
	const struct kernel_report *report, *cause = explain->cause;
	char writer[2 * WORDS_FUNCTION], who[WORDS_TASK];
	u64 ns;

	for (u32 i = explain->death->reports.nr; i--; ) {
		struct fault_text regs = { 0 };

		report = &explain->death->reports.list[i];
		if ((report->kind != KERNEL_REPORT_OOPS && report->kind != KERNEL_REPORT_BUG) || report->time > cause->time || !report->place.text)
			continue;
		words_registers_below(&regs, explain, report->place);
		if (!has_begun(explain, count, report->place, &regs))
			continue;
		words_place(writer, report->place);
		words_task(who, report);
		ns = explain->pm->end.time > report->time ? explain->pm->end.time - report->time : 0;
		finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
			      "CPU %u, %s, waited in %.70s for the seqcount%s to become even: its writer %s died in %.70s with it odd, of an oops %llu.%llu s before the end.",
			      cpu, task, place, count->name, who, writer, ns / 1000000000, ns / 100000000 % 10);
		finding_open(explain->finding, "Why that task died: see its oops in the log. The one that waits is innocent. With kernel.panic_on_oops=1 the oops had been the end.");
		return true;
	}
	return false;
}

/* The function on a task's stack that made the count odd, by its code. */
static bool stack_has_begun(const struct explain *explain, const struct odd_count *count, const struct kernel_stack *stack,
			    char function[KERNEL_SYMBOL_MAX])
{
	for (u32 i = 0; i < stack->nr_sure; i++)
		if (kernel_frame_name(explain->pm->kernel, &stack->frames[i], function, KERNEL_SYMBOL_MAX) &&
		    has_begun(explain, count, (struct report_text){ function, strlen(function) }, NULL))
			return true;
	return false;
}

static void look_at_tasks(struct explain *explain, const struct odd_count *count, const struct owners *owners, struct kernel_stack *stack)
{
	char function[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];

	for (u32 i = 0; i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if (task->is_running || !task->stack)
			continue;
		kernel_unwind(owners->unwinder, task, stack);
		if (!stack_has_begun(explain, count, stack, function))
			continue;
		words_place(place, (struct report_text){ function, strlen(function) });
		finding_open(explain->finding, "Which writer. Perhaps %s-%d, which %s in %s: the code there changes such a count before. The one that waits is innocent.",
			     task->comm, task->pid, task->state == 'R' ? "could run, but has no CPU," : "sleeps", place);
		return;
	}
}

/* A writer must neither sleep nor be preempted. */
static void add_sleeping_writer(struct explain *explain, const struct odd_count *count)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct owners owners = { .tasks = NULL };

	if (stack && owners_open(&owners, explain))
		look_at_tasks(explain, count, &owners, stack);
	owners_close(&owners);
	free(stack);
}

static void add_writer(struct explain *explain, const struct odd_count *count, u32 cpu, const char *place, const char *task)
{
	finding_open(explain->finding, "Which writer. It returned, slept, was preempted or died without write_seqcount_end(), or the memory was freed or never set up. The one that waits is innocent.");
	if (count->is_in_memory)
		finding_evidence_timeless(explain->finding, "the seqcount%s is %u by the dump: odd, as while a writer is in its section", count->name,
					  count->value);
	else
		return;
	if (add_interrupted_writer(explain, count, cpu, place, task) || add_writer_elsewhere(explain, count, cpu) ||
	    add_dead_writer(explain, count, cpu, place, task))
		return;
	add_sleeping_writer(explain, count);
}

/* A reader of a seqcount whose writer does not come to an end. Of a report alone it may be so but for that moment. */
void odd_count_claim(struct explain *explain, const char *kind, u32 cpu, const char *place, const char *task, const struct odd_count *count)
{
	enum finding_strength strength = count->is_in_memory ? FINDING_SHOWN : FINDING_LIKELY;
	struct long_run_context context;

	if (long_run_context(&context, explain->cause))
		finding_claim(explain->finding, kind, strength,
			      "CPU %u was in %s, in %.80s (%s %s), and waited for the seqcount%s to become even, which is odd (%u): a writer began and did not end.",
			      cpu, context.what, place, context.task, task, count->name, count->value);
	else
		finding_claim(explain->finding, kind, strength,
			      "CPU %u, task %s, waited in %.80s for the seqcount%s to become even, which is odd (%u): a writer began and did not end.",
			      cpu, task, place, count->name, count->value);
	add_writer(explain, count, cpu, place, task);
}
