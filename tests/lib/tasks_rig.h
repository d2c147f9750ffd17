/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small dump with tasks and their stacks, whose types, symbols and ORC tables are made by hand.
 * A test links it in front of the extractor (-Wl,-z,muldefs): what is asked of the kernel's symbols
 * is answered here.
 */
#ifndef EPITAPH_TESTS_TASKS_RIG_H
#define EPITAPH_TESTS_TASKS_RIG_H

#include "kernel_state/waits.h"
#include "kmem_image.h"

#define STACK_SIZE	16384
#define CODE		(KMEM_TEXT + 0x200000)	/* nothing of it is in the dump: only its rows are */

/* What __switch_to_asm() saved: r15 to r12, bx, bp, and where it returns to. */
#define SAVED(bp, ip)	0, 0, 0, 0, 0, bp, CODE + (ip)

/* struct task_struct of this kernel; bytes of what is before each member do not matter. */
struct test_task {
	u64 stack, next, prev, signal, node_next, node_prev, fp, sp, pc, pid_link, thread_pid, worker_private;
	u32 state, exit_state, flags, cpu, pid, tgid;
	char comm[16];
};

/* struct pt_regs of arm64, as far as it matters. */
struct arm64_regs {
	u64 x[31], sp, pc, pstate;
	u64 record[2], type;
};

/* struct pt_regs of s390x, and what a frame begins with. */
struct s390_regs {
	u64 mask, addr, gprs[16];
};

struct s390_frame {
	u64 empty[9], gprs[10], back_chain;
};

/**
 * struct rig_kernel - what the next rig is; all 0: x86-64
 * @has_meta: of arm64, since 6.13
 * @is_renumbered: its ORC has the numbers of 7.2: 3 is the stack pointer, 8 is what the caller had
 * @has_rings: its mutexes lead to the first of a ring of waiters, as since 7.1
 * @thunk: which of its functions is the code of indirect calls; 0: none
 */
extern struct rig_kernel {
	bool is_arm64, has_meta, is_s390, is_renumbered, has_rings;
	u32 thunk;
} rig_kernel;

/* A row of ORC: from @at in the code on; the type as since 6.4. */
struct row {
	u32 at;
	int16_t sp_offset;
	u8 sp_reg, bp_reg, type;
};

#define REG_BP	4
#define REG_SP	5
#define TYPE_END	1
#define TYPE_CALL	2

struct rig {
	struct kmem k;
	struct kernel kernel;
	struct kernel_tasks *tasks;
	struct kernel_unwinder *unwinder;
	struct kernel_waits *waits;
	struct kernel_stack stack;
};

void rig_make(struct rig *rig);
void rig_add_symbol(const char *name, u64 va);

/* The ORC of its functions; @is_old: as before 6.4. */
void rig_put_rows(struct rig *rig, bool is_old);

/* A stack that begins with these words. Return: its address. */
u64 rig_put_words(struct rig *rig, const u64 *words, u32 nr);

/* A thread of the kernel that sleeps with the stack pointer @sp. Return: the address of its task_struct. */
u64 rig_put_task(struct rig *rig, u32 pid, u64 stack, u64 sp);
struct test_task *rig_task(struct rig *rig, u64 va);

/* Link the tasks to a list of processes; the last leads to the one of number @to. */
void rig_link_tasks(struct rig *rig, const u64 *tasks, u32 nr, u32 to);

/* The dump is whole: tasks, unwinder and waits are open. */
void rig_open(struct rig *rig, bool is_old);
void rig_close(struct rig *rig);

/* The next of always the same numbers, of 24 bits. */
u32 rig_random(u32 *seed);

#endif
