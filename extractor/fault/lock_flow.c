// SPDX-License-Identifier: GPL-2.0-or-later
#include "lock_flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "calls.h"
#include "instruction/instruction.h"
#include "origins.h"
#include "veneer.h"

#define MOST_DEPTH	2	/* functions that call functions */
#define MOST_PASSES	64
#define MOST_INSTRUCTIONS 8000	/* of all functions that are followed for one */
#define MOST_CALLS	40	/* of one function, that take or give */

/* Of a call that says by what it returns whether it took the lock, up to the jump that looks at it. */
#define IF_ZERO		8
#define IF_NOT_ZERO	16
#define IF_NO_CARRY	32
#define IF_ANY		(IF_ZERO | IF_NOT_ZERO | IF_NO_CARRY)

enum lock_effect { EFFECT_NONE, EFFECT_TAKE, EFFECT_TAKE_IF_ZERO, EFFECT_TAKE_IF_NOT_ZERO, EFFECT_TAKE_IF_NO_CARRY, EFFECT_GIVE,
		   EFFECT_END, EFFECT_UNKNOWN };

/* What a function does to the lock that its first argument points to; those of the console have theirs, CONSOLE_LOCK. */
struct effect_word {
	const char *name;
	enum lock_effect effect;
};

#define CONSOLE_WORDS	"console_"
#define CONSOLE_LOCK	"console_sem"	/* kernel/printk/printk.c */

static const struct effect_word words[NR_LOCK_FAMILIES][16] = {
	[LOCK_MUTEX] = { { "mutex_lock", EFFECT_TAKE }, { "mutex_lock_io", EFFECT_TAKE }, { "mutex_lock_interruptible", EFFECT_TAKE_IF_ZERO },
			 { "mutex_lock_killable", EFFECT_TAKE_IF_ZERO }, { "mutex_trylock", EFFECT_TAKE_IF_NOT_ZERO },
			 { "mutex_unlock", EFFECT_GIVE }, { "ww_mutex_unlock", EFFECT_GIVE } },
	[LOCK_RWSEM_READ] = { { "down_read", EFFECT_TAKE }, { "down_read_interruptible", EFFECT_TAKE_IF_ZERO },
			      { "down_read_killable", EFFECT_TAKE_IF_ZERO }, { "down_read_trylock", EFFECT_TAKE_IF_NOT_ZERO },
			      { "up_read", EFFECT_GIVE } },
	[LOCK_RWSEM_WRITE] = { { "down_write", EFFECT_TAKE }, { "down_write_killable", EFFECT_TAKE_IF_ZERO },
			       { "down_write_trylock", EFFECT_TAKE_IF_NOT_ZERO }, { "up_write", EFFECT_GIVE }, { "downgrade_write", EFFECT_GIVE } },
	[LOCK_SEMAPHORE] = { { "down", EFFECT_TAKE }, { "down_interruptible", EFFECT_TAKE_IF_ZERO }, { "down_killable", EFFECT_TAKE_IF_ZERO },
			     { "down_timeout", EFFECT_TAKE_IF_ZERO }, { "down_trylock", EFFECT_TAKE_IF_ZERO }, { "up", EFFECT_GIVE },
			     { "console_lock", EFFECT_TAKE }, { "console_trylock", EFFECT_TAKE_IF_NOT_ZERO },
			     { "console_unlock", EFFECT_GIVE } },
	[LOCK_BIT] = { { "out_of_line_wait_on_bit_lock", EFFECT_TAKE }, { "wake_up_bit", EFFECT_GIVE } },
	[LOCK_SPIN] = { { "_raw_spin_lock", EFFECT_TAKE }, { "_raw_spin_lock_irq", EFFECT_TAKE }, { "_raw_spin_lock_bh", EFFECT_TAKE },
			{ "_raw_spin_lock_irqsave", EFFECT_TAKE }, { "_raw_spin_trylock", EFFECT_TAKE_IF_NOT_ZERO },
			{ "_raw_spin_trylock_bh", EFFECT_TAKE_IF_NOT_ZERO }, { "_raw_spin_unlock", EFFECT_GIVE }, { "_raw_spin_unlock_irq", EFFECT_GIVE },
			{ "_raw_spin_unlock_bh", EFFECT_GIVE }, { "_raw_spin_unlock_irqrestore", EFFECT_GIVE },
			{ "_raw_spin_lock_irqsave_nested", EFFECT_TAKE } },
	[LOCK_RW_READ] = { { "_raw_read_lock", EFFECT_TAKE }, { "_raw_read_lock_irq", EFFECT_TAKE }, { "_raw_read_lock_bh", EFFECT_TAKE },
			   { "_raw_read_lock_irqsave", EFFECT_TAKE }, { "_raw_read_trylock", EFFECT_TAKE_IF_NOT_ZERO }, { "_raw_read_unlock", EFFECT_GIVE },
			   { "_raw_read_unlock_irq", EFFECT_GIVE }, { "_raw_read_unlock_bh", EFFECT_GIVE }, { "_raw_read_unlock_irqrestore", EFFECT_GIVE } },
	[LOCK_RW_WRITE] = { { "_raw_write_lock", EFFECT_TAKE }, { "_raw_write_lock_irq", EFFECT_TAKE }, { "_raw_write_lock_bh", EFFECT_TAKE },
			    { "_raw_write_lock_irqsave", EFFECT_TAKE }, { "_raw_write_trylock", EFFECT_TAKE_IF_NOT_ZERO },
			    { "_raw_write_unlock", EFFECT_GIVE }, { "_raw_write_unlock_irq", EFFECT_GIVE }, { "_raw_write_unlock_bh", EFFECT_GIVE },
			    { "_raw_write_unlock_irqrestore", EFFECT_GIVE } },
	[LOCK_SRCU] = { { "__srcu_read_lock", EFFECT_TAKE }, { "__srcu_read_unlock", EFFECT_GIVE } },
};

/* What does not come back, and leaves no lock to anyone: the machine, or the task, ends. */
static const char *const ending[] = { "panic", "__stack_chk_fail", "fortify_panic", "do_exit", "make_task_dead", "__ubsan_handle_builtin_unreachable" };

/* What ends a thread, which keeps its locks then. */
static const char *const leaving[] = { "kthread_exit", "kthread_complete_and_exit", "module_put_and_kthread_exit" };

const char *lock_flow_word(enum lock_family family)
{
	static const char *const names[NR_LOCK_FAMILIES] = { "mutex_unlock()", "up_read()", "up_write()", "up()", "clear_bit_unlock()", "spin_unlock()",
						       "read_unlock()", "write_unlock()", "srcu_read_unlock()" };

	return names[family];
}

/**
 * struct lock_step - an instruction
 * @at: its offset; behind FUNCTION_CODE_MAX: in the part that lies apart
 * @is_of_module: @effect is of a function of the module that it calls: its argument is not the lock, as a rule
 * @in: states in which ways come to it
 */
struct lock_step {
	struct instruction instruction;
	u32 at;
	enum lock_effect effect;
	bool is_end;
	bool is_of_module;
	u8 in;
};

/**
 * struct lock_steps - a function
 * @number: of the step at each offset; -1: none begins there
 * @depth: of calls to it
 * @left: instructions that may be decoded yet
 */
struct lock_steps {
	const struct function_code *code;
	enum lock_family family;
	struct lock_step *list;
	u32 nr;
	s32 *number;
	bool is_whole;
	u32 depth;
	u32 *left;
};

static bool run_key(struct lock_way *way, bool *gives_other, struct lock_steps *steps, const bool *is_of_key, u8 entry);
static bool read_steps(struct lock_steps *steps);
static void free_steps(struct lock_steps *steps);

/* --- what an instruction does ---------------------------------------------- */

static bool is_lock_word(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Of a function of the same module: what it does to the lock of its caller; by all of its ways alike, or it is not known. */
static enum lock_effect effect_of_module(const struct lock_steps *caller, u64 target)
{
	const struct kernel *kernel = caller->code->kernel;
	struct lock_steps steps = { .family = caller->family, .depth = caller->depth + 1, .left = caller->left };
	struct function_code *code;
	enum lock_effect effect = EFFECT_NONE;
	struct lock_way way = { 0 };
	bool gives = false, *all = NULL;

	if (!kernel->modules || steps.depth > MOST_DEPTH || !kernel_modules_at(kernel->modules, target))
		return EFFECT_NONE;
	code = malloc(sizeof(*code));
	steps.code = code;
	if (code && function_code_read_function(code, kernel, target) && read_steps(&steps)) {
		bool takes = false;

		all = malloc(steps.nr * sizeof(*all));
		for (u32 i = 0; all && i < steps.nr; i++) {
			all[i] = steps.list[i].effect != EFFECT_NONE;
			takes |= all[i] && steps.list[i].effect != EFFECT_END;
		}
		if (takes && run_key(&way, &gives, &steps, all, LOCK_NOT_YET)) {
			effect = way.ends == LOCK_HELD ? EFFECT_TAKE : way.ends & LOCK_HELD ? EFFECT_UNKNOWN : EFFECT_NONE;
			/* What takes it and gives it back does nothing to the caller's. */
			if (way.ends == LOCK_NOT_YET && gives) {
				run_key(&way, &gives, &steps, all, LOCK_HELD);
				effect = !(way.ends & LOCK_HELD) ? EFFECT_GIVE : way.ends != LOCK_HELD ? EFFECT_UNKNOWN : EFFECT_NONE;
			}
		}
	}
	free(all);
	free_steps(&steps);
	free(code);
	return effect;
}

static const struct effect_word *lock_word_of(enum lock_family family, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(words[0]) && words[family][i].name; i++)
		if (!strcmp(name, words[family][i].name))
			return &words[family][i];
	return NULL;
}

static enum lock_effect effect_of_call(const struct lock_steps *steps, u64 target, bool *is_end)
{
	const struct kernel *kernel = steps->code->kernel;
	const struct effect_word *word;
	struct ksym symbol;

	if (!target || !kernel || target - steps->code->start < steps->code->size)
		return EFFECT_NONE;
	if (kernel->modules && kernel_modules_at(kernel->modules, target))
		return effect_of_module(steps, target);
	if (!kernel->kallsyms || !kallsyms_find(kernel->kallsyms, target, &symbol))
		return EFFECT_NONE;
	word = lock_word_of(steps->family, symbol.name);
	if (word)
		return word->effect;
	*is_end = is_lock_word(symbol.name, leaving, ARRAY_SIZE(leaving));
	return is_lock_word(symbol.name, ending, ARRAY_SIZE(ending)) ? EFFECT_END : EFFECT_NONE;
}

/* Of a bit lock that is taken, or given back, in line. */
static enum lock_effect effect_in_line(const struct lock_steps *steps, const struct instruction *instruction)
{
	if (steps->family == LOCK_BIT && !strncmp(instruction->text, "lock bts", 8))
		return EFFECT_TAKE_IF_NO_CARRY;
	if (steps->family == LOCK_BIT && (!strncmp(instruction->text, "lock btr", 8) || !strncmp(instruction->text, "lock and", 8)))
		return EFFECT_GIVE;
	/* Some kernels give spinlocks back in line. */
	if (steps->family == LOCK_SPIN && instruction->nr_accesses == 1 && instruction->accesses[0].size == 1 && instruction->accesses[0].stores == STORED_ZERO && !instruction->accesses[0].is_relative)
		return EFFECT_GIVE;
	return instruction->is_bug ? EFFECT_END : EFFECT_NONE;
}

/* --- decoding -------------------------------------------------------------- */

static void decode_lock_part(struct lock_steps *steps, u32 at, const u8 *bytes, u32 len, u64 ip)
{
	for (u32 done = 0; done < len; ) {
		struct lock_step *step = &steps->list[steps->nr];

		if (!*steps->left || !instruction_decode(&step->instruction, steps->code->set, bytes + done, len - done, ip + done)) {
			steps->is_whole = false;
			return;
		}
		--*steps->left;
		step->instruction.target = veneer_end(steps->code->kernel, step->instruction.target);
		step->at = at + done;
		step->is_end = false;
		step->effect = step->instruction.is_call || step->instruction.jumps ?
			       effect_of_call(steps, step->instruction.target, &step->is_end) : effect_in_line(steps, &step->instruction);
		step->is_of_module = step->effect != EFFECT_NONE && step->effect != EFFECT_END && steps->code->kernel->modules &&
				     kernel_modules_at(steps->code->kernel->modules, step->instruction.target);
		steps->number[step->at] = (s32)steps->nr++;
		done += step->instruction.len;
	}
}

static bool read_steps(struct lock_steps *steps)
{
	const struct function_code *code = steps->code;

	if (!code->is_whole || code->from)
		return false;
	steps->is_whole = true;
	steps->list = calloc(code->len + code->cold_len + 1, sizeof(*steps->list));
	steps->number = malloc(2 * FUNCTION_CODE_MAX * sizeof(*steps->number));
	if (!steps->list || !steps->number)
		return false;
	memset(steps->number, 0xff, 2 * FUNCTION_CODE_MAX * sizeof(*steps->number));
	decode_lock_part(steps, 0, code->bytes, code->len, code->start);
	if (code->cold_start)
		decode_lock_part(steps, FUNCTION_CODE_MAX, code->cold, code->cold_len, code->cold_start);
	return steps->nr;
}

static void free_steps(struct lock_steps *steps)
{
	free(steps->list);
	free(steps->number);
}

/* --- the ways of one lock -------------------------------------------------- */

static u8 go_through_lock(u8 in, enum lock_effect effect, bool *is_known)
{
	/* The answer of an earlier call that was not looked at before this one. */
	if (effect != EFFECT_NONE && in & IF_ANY) {
		*is_known = false;
		in = (in & ~IF_ANY) | LOCK_HELD | LOCK_NOT_YET;
	}
	switch (effect) {
	case EFFECT_TAKE:
		return in ? LOCK_HELD : 0;
	case EFFECT_TAKE_IF_ZERO:
	case EFFECT_TAKE_IF_NOT_ZERO:
	case EFFECT_TAKE_IF_NO_CARRY:
		return (in & LOCK_HELD) | (!(in & ~LOCK_HELD) ? 0 : effect == EFFECT_TAKE_IF_ZERO ? IF_ZERO :
					  effect == EFFECT_TAKE_IF_NOT_ZERO ? IF_NOT_ZERO : IF_NO_CARRY);
	case EFFECT_GIVE:
		return (in & ~LOCK_HELD) | (in & LOCK_HELD ? LOCK_GIVEN : 0);
	case EFFECT_END:
		return 0;
	case EFFECT_UNKNOWN:
		*is_known = false;
		return in ? in | LOCK_HELD : 0;
	default:
		return in;
	}
}

/* What goes the way of a jump, and what goes on; an answer that is pending is decided here. */
static void split_by_jump(const struct instruction *instruction, u8 out, u8 *jumped, u8 *fell, bool *is_known)
{
	bool zero = instruction->condition == CONDITION_ZERO, not_zero = instruction->condition == CONDITION_NOT_ZERO;
	bool carry = instruction->condition == CONDITION_CARRY, no_carry = instruction->condition == CONDITION_NO_CARRY;
	u8 pending = out & IF_ANY, rest = out & ~IF_ANY;
	bool has_if_jump;

	*jumped = *fell = out;
	if (!pending || !instruction->jumps || !instruction->goes_on)
		return;
	if (((pending & (IF_ZERO | IF_NOT_ZERO)) && !zero && !not_zero) || ((pending & IF_NO_CARRY) && !carry && !no_carry) ||
	    (pending & (pending - 1)) || (instruction->tested >= 0 && instruction->tested != instruction->set->result)) {
		*is_known = false;
		*jumped = *fell = rest | LOCK_HELD | LOCK_NOT_YET;
		return;
	}
	has_if_jump = pending == IF_ZERO ? zero : pending == IF_NOT_ZERO ? not_zero : no_carry;
	*jumped = rest | (has_if_jump ? LOCK_HELD : LOCK_NOT_YET);
	*fell = rest | (has_if_jump ? LOCK_NOT_YET : LOCK_HELD);
}

static bool come_to(struct lock_steps *steps, u32 at, u8 states)
{
	s32 number = at < 2 * FUNCTION_CODE_MAX ? steps->number[at] : -1;

	if (number < 0) {
		steps->is_whole = false;
		return false;
	}
	if ((steps->list[number].in | states) == steps->list[number].in)
		return false;
	steps->list[number].in |= states;
	return true;
}

/* A jump out of the function is a call at its end, or a return by a thunk. */
static bool come_by_jump(struct lock_steps *steps, const struct lock_step *step, u8 states, struct lock_way *way)
{
	const struct function_code *code = steps->code;
	u64 target = step->instruction.target;

	if (target && target - code->start < code->size)
		return come_to(steps, (u32)(target - code->start), states);
	if (target && code->cold_start && target - code->cold_start < code->cold_len)
		return come_to(steps, FUNCTION_CODE_MAX + (u32)(target - code->cold_start), states);
	if (target ? code->kernel && !function_code_leaves_to(code, target) : !function_code_has_no_tables(code))
		way->is_known = false;
	way->ends |= states;
	return false;
}

static bool run_step(struct lock_steps *steps, u32 i, const bool *is_of_key, struct lock_way *way, bool *gives_other)
{
	struct lock_step *step = &steps->list[i];
	const struct instruction *instruction = &step->instruction;
	enum lock_effect effect = is_of_key[i] || step->effect == EFFECT_END ? step->effect : EFFECT_NONE;
	u8 out = go_through_lock(step->in, effect, &way->is_known), jumped, fell;
	bool changed = false;

	if (effect == EFFECT_TAKE && step->in & LOCK_HELD)
		way->again_at = step->at + instruction->len;
	if (effect == EFFECT_GIVE && step->in & LOCK_NOT_YET)
		*gives_other = true;
	if (step->is_end) {
		way->ends |= out;
		return false;
	}
	split_by_jump(instruction, out, &jumped, &fell, &way->is_known);
	if (instruction->jumps)
		changed |= jumped && come_by_jump(steps, step, jumped, way);
	if (!instruction->goes_on && !instruction->jumps)
		way->ends |= out;
	else if (instruction->goes_on && fell && i + 1 < steps->nr && steps->list[i + 1].at == step->at + instruction->len)
		changed |= come_to(steps, steps->list[i + 1].at, fell);
	return changed;
}

/* All ways, with respect to the calls of @is_of_key. False: they were not followed to their end. */
static bool run_key(struct lock_way *way, bool *gives_other, struct lock_steps *steps, const bool *is_of_key, u8 entry)
{
	bool changed = true;

	*way = (struct lock_way){ .is_known = steps->is_whole };
	for (u32 i = 0; i < steps->nr; i++)
		steps->list[i].in = 0;
	steps->list[0].in = entry;
	for (u32 pass = 0; changed && pass < MOST_PASSES; pass++) {
		changed = false;
		for (u32 i = 0; i < steps->nr; i++)
			if (steps->list[i].in)
				changed |= run_step(steps, i, is_of_key, way, gives_other);
	}
	if (way->ends & IF_ANY) {
		way->ends = (way->ends & ~IF_ANY) | LOCK_HELD | LOCK_NOT_YET;
		way->is_known = false;
	}
	way->is_known &= !changed && steps->is_whole;
	return way->is_known;
}

/* --- which locks ------------------------------------------------------------- */

/**
 * struct lock_key - the lock of a call
 * @origin: of its first argument
 */
struct lock_key {
	u32 step;
	struct origin origin;
};

static bool is_same_key(const struct origin *a, const struct origin *b)
{
	return a->reg == b->reg && a->address == b->address && a->nr_loads == b->nr_loads && a->plus == b->plus &&
	       !memcmp(a->loads, b->loads, a->nr_loads * sizeof(*a->loads));
}

/* "mov rdi, 0xffffffffc0401000": a number is no origin. */
static bool read_number(const struct lock_steps *steps, u32 step, u64 *address)
{
	s32 first = steps->code->set->arguments[0];

	for (u32 i = step; i-- && step - i < 8; ) {
		const struct instruction *before = &steps->list[i].instruction;

		if (before->is_call || before->jumps || !before->goes_on)
			return false;
		if (!(before->written & 1U << first))
			continue;
		*address = (u64)before->plus;
		return before->effect == INSTRUCTION_NUMBER && in_kernel_half(*address);
	}
	return false;
}

/* Of a function of the console, whose lock is no argument of it. */
static bool read_own_lock(const struct lock_steps *steps, u32 step, u64 *address)
{
	const struct kernel *kernel = steps->code->kernel;
	u64 target = steps->list[step].instruction.target;
	struct ksym symbol;

	return target && kernel && kernel->kallsyms && kallsyms_find(kernel->kallsyms, target, &symbol) &&
	       !strncmp(symbol.name, CONSOLE_WORDS, strlen(CONSOLE_WORDS)) && lock_word_of(steps->family, symbol.name) &&
	       kallsyms_address(kernel->kallsyms, CONSOLE_LOCK, address);
}

static struct origin lock_key_of(const struct lock_steps *steps, struct function_code *code, u32 step)
{
	struct origins origins;
	struct err err = ERR_INIT;
	struct origin none = { .reg = INSTRUCTION_NO_REGISTER };
	u64 address;

	/* What keeps bits is not an argument of the instruction. */
	if (steps->family == LOCK_BIT)
		return none;
	if (read_own_lock(steps, step, &address) || read_number(steps, step, &address))
		return (struct origin){ .reg = ORIGIN_ADDRESS, .address = address };
	if (steps->list[step].at >= FUNCTION_CODE_MAX)
		return none;
	code->at = steps->list[step].at;
	/* Two calls of one function may return two locks. */
	return origins_find(&origins, code, &err) || origins.of[code->set->arguments[0]].reg == ORIGIN_RESULT ? none : origins.of[code->set->arguments[0]];
}

/* "lock bts qword ptr [rbx + 0x10], 3": where its word is, and which bit. */
static void read_bit(struct lock_way *way, struct function_code *code, const struct lock_step *step)
{
	const struct instruction_access *access = &step->instruction.accesses[0];
	const char *number = strrchr(step->instruction.text, ',');
	struct err err = ERR_INIT;
	struct origins origins;
	char *end;

	if (!number || step->instruction.nr_accesses != 1 || access->is_relative || access->index >= 0 || step->at >= FUNCTION_CODE_MAX)
		return;
	way->bit = (s32)strtoul(number + 1, &end, 0);
	if (end == number + 1 || *end || (!access->is_absolute && access->base < 0))
		way->bit = -1;
	if (access->is_absolute)
		way->address = (u64)access->offset;
	code->at = step->at;
	if (access->is_absolute || access->base < 0 || origins_find(&origins, code, &err) || origins.of[access->base].reg == ORIGIN_RESULT)
		return;
	way->origin = origins.of[access->base];
	way->origin.plus += (s32)access->offset;
}

static void add_lock_way(struct lock_flow *flow, struct lock_steps *steps, struct function_code *scratch, const struct lock_key *keys, u32 nr, const struct lock_key *key)
{
	bool *is_of_key = calloc(steps->nr, sizeof(*is_of_key)), gives = false;
	bool is_open = key->origin.reg == INSTRUCTION_NO_REGISTER || steps->list[key->step].is_of_module;
	struct lock_way *way = &flow->ways[flow->nr];
	s32 here = steps->code->at < FUNCTION_CODE_MAX ? steps->number[steps->code->at] : -1;

	if (!is_of_key)
		return;
	for (u32 i = 0; i < nr; i++) {
		const struct lock_step *step = &steps->list[keys[i].step];
		bool is_any = is_open || keys[i].origin.reg == INSTRUCTION_NO_REGISTER || step->is_of_module;

		/* What gives back a lock that is not known may give back this one. */
		is_of_key[keys[i].step] = is_same_key(&keys[i].origin, &key->origin) || (is_any && step->effect == EFFECT_GIVE);
	}
	for (u32 i = 0; i < steps->nr; i++)
		if (steps->list[i].effect == EFFECT_UNKNOWN)
			is_of_key[i] = true;
	run_key(way, &gives, steps, is_of_key, LOCK_NOT_YET);
	if (key->origin.reg == ORIGIN_ADDRESS && !key->origin.nr_loads)
		way->address = key->origin.address + (u64)(s64)key->origin.plus;
	way->offset = key->origin.plus;
	way->origin = key->origin;
	way->bit = -1;
	if (steps->family == LOCK_BIT && steps->list[key->step].effect == EFFECT_TAKE_IF_NO_CARRY)
		read_bit(way, scratch, &steps->list[key->step]);
	way->at = here < 0 ? 0 : steps->list[here].in & ~IF_ANY;
	flow->gives_other |= gives;
	flow->nr++;
	free(is_of_key);
}

static void add_lock_ways(struct lock_flow *flow, struct lock_steps *steps, struct function_code *scratch)
{
	struct lock_key keys[MOST_CALLS];
	u32 nr = 0;

	for (u32 i = 0; i < steps->nr && nr < MOST_CALLS; i++) {
		enum lock_effect effect = steps->list[i].effect;

		if (effect != EFFECT_NONE && effect != EFFECT_END && effect != EFFECT_UNKNOWN)
			keys[nr++] = (struct lock_key){ .step = i, .origin = lock_key_of(steps, scratch, i) };
	}
	for (u32 i = 0; i < nr && flow->nr < LOCK_WAYS; i++) {
		bool is_old = steps->list[keys[i].step].effect == EFFECT_GIVE;

		for (u32 k = 0; k < i && !is_old; k++)
			is_old = steps->list[keys[k].step].effect != EFFECT_GIVE && is_same_key(&keys[k].origin, &keys[i].origin);
		if (!is_old)
			add_lock_way(flow, steps, scratch, keys, nr, &keys[i]);
	}
	if (!flow->nr)
		flow->gives_other = nr;
}

bool lock_flow_names(const struct function_code *code, enum lock_family family)
{
	const char *names[ARRAY_SIZE(words[0]) + 1];
	size_t nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words[0]) && words[family][i].name; i++)
		names[nr++] = words[family][i].name;
	names[nr] = NULL;
	return calls_one_of(code, names);
}

bool lock_flow_read(struct lock_flow *flow, const struct function_code *code, enum lock_family family)
{
	u32 left = MOST_INSTRUCTIONS;
	struct lock_steps steps = { .code = code, .family = family, .left = &left };
	struct function_code *scratch;
	bool is;

	*flow = (struct lock_flow){ 0 };
	if (!instruction_can_decode())
		return false;
	scratch = read_steps(&steps) ? malloc(sizeof(*scratch)) : NULL;
	is = scratch;
	if (scratch) {
		*scratch = *code;
		add_lock_ways(flow, &steps, scratch);
	}
	free(scratch);
	free_steps(&steps);
	return is;
}
