// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that says why the kernel dies: the code that died and that of its callers, the stack, and
 * what registers and the stack point to.  Runs in a dying kernel, in NMI as well, with locks that others
 * hold: takes none, allocates nothing, and reads only what is memory for sure.  How long it takes is
 * bounded by the size of the section.
 */
#include <linux/atomic.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/page-flags.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "arch/arch.h"
#include "core/bytes.h"
#include "core/lost.h"
#include "compat.h"
#include "kept_memory.h"
#include "kept_pieces.h"
#include "recorder.h"

#define MOST_ASKED	(1U << 20)
#define MOST_STACK	4096	/* bytes */
#define WHOLE_CODE	4096	/* bytes of a function that are kept as a whole */
#define CODE_BEFORE	768	/* bytes of a larger one, before the place and behind it */
#define CODE_BEHIND	256
#define NR_CALLERS	8	/* functions on the stack whose code is kept */
#define NR_NAMES	160	/* names of functions that are kept */
#define MOST_OF_FUNCTION	(1UL << 24)	/* a module's last symbol may have any size */
#define DATA_BEFORE	128	/* bytes around what a pointer points to, within its page */
#define DATA_BEHIND	256
#define STACK_WORDS	64	/* pointers that are looked for on the stack */
#define LEAST_POINTER	4096

static u64 kept_memory = 64 << 10;

static int set_kept_memory(const char *text, const struct kernel_param *param)
{
	u64 size;

	if (epitaph_bytes_only(text, &size) || size > MOST_ASKED) {
		pr_err("kept_memory=%s is no size up to 1M: a number of bytes, or with K or M, such as 64K, or 0 for none\n",
		       text);
		return -EINVAL;
	}
	kept_memory = size;
	return 0;
}

static const struct kernel_param_ops kept_memory_ops = { .set = set_kept_memory };
module_param_cb(kept_memory, &kept_memory_ops, NULL, 0);
MODULE_PARM_DESC(kept_memory, "bytes for the memory that says why the kernel died, as 32K; 0: keep none (default: 64K, and at most a 64th of a generation)");

static struct epitaph_kept_pieces pieces;
static atomic_t is_busy = ATOMIC_INIT(0);
static bool is_over;

/* Not on the stack, which may be one of a page: of a function, and of whatever may be asked for meanwhile. */
static char function[KSYM_SYMBOL_LEN], any[KSYM_SYMBOL_LEN];

/* What is left of the stack on which it died, which need not be the task's: up to the end. */
static unsigned long stack_from, stack_end;

/* Where each of the names in @pieces begins. */
static unsigned long named[NR_NAMES];
static u32 nr_named;

/* A kernel that checks each access would report ours, and takes locks for that. */
void epitaph_kept_memory_find(void)
{
	if (IS_ENABLED(CONFIG_KASAN) || IS_ENABLED(CONFIG_KMSAN))
		kept_memory = 0;
	epitaph_layout_want_memory(kept_memory);
}

/* --- what may be read ------------------------------------------------------ */

/* sprint_symbol() of @addr: "name+0x1/0x20 [module]"; or false, where nothing has a name. */
static bool find_name(unsigned long addr, char name[KSYM_SYMBOL_LEN], unsigned long *at, unsigned long *size)
{
	const char *plus;
	char *end;

	sprint_symbol(name, addr);
	plus = strrchr(name, '+');
	if (!plus)
		return false;
	*at = simple_strtoul(plus + 1, &end, 16);
	if (*end != '/')
		return false;
	*size = simple_strtoul(end + 1, &end, 16);
	return *at < *size && *size < MOST_OF_FUNCTION;
}

static bool has_name(unsigned long addr)
{
	unsigned long at, size;

	return find_name(addr, any, &at, &size);
}

/* Device memory has no such page; memory that was taken away is not online. */
static bool is_good_page(unsigned long pfn, bool is_image)
{
	struct page *page = epitaph_online_page(pfn), copy;

	if (!page || copy_from_kernel_nofault(&copy, page, sizeof(copy)) || PageHWPoison(&copy) || PageOffline(&copy))
		return false;
	/* Of what is reserved, only the kernel's image is memory for sure. */
	return is_image || !PageReserved(&copy);
}

/*
 * What a program has in its memory, or in its files, says nothing of why the kernel dies. Of a copy, as a page's
 * structure may be what was overwritten, and the way to its head with it.
 */
static bool is_of_users(unsigned long pfn)
{
	struct page copy, *head;

	if (copy_from_kernel_nofault(&copy, pfn_to_page(pfn), sizeof(copy)))
		return true;
	head = compound_head(&copy);
	if (head != &copy && (copy_from_kernel_nofault(&copy, head, sizeof(copy)) || PageTail(&copy)))
		return true;
	return PageLRU(&copy);
}

static bool is_on_stack(unsigned long addr)
{
	unsigned long stack = (unsigned long)task_stack_page(current);

	return stack && addr >= stack && addr - stack < THREAD_SIZE;
}

static bool may_read(unsigned long addr)
{
	struct page *page;
	unsigned long pfn;

	if (is_on_stack(addr) || (addr >= stack_from && addr < stack_end))
		return true;
	if (epitaph_arch_is_module(addr)) {
		page = vmalloc_to_page((void *)addr);
		return page && is_good_page(page_to_pfn(page), false);
	}
	/* Pages that a confidential guest has not accepted yet would end it. */
	if (virt_addr_valid((void *)addr) && !epitaph_arch_is_confidential()) {
		pfn = PHYS_PFN(__pa(addr));
		if (is_good_page(pfn, false))
			return !is_of_users(pfn);
	}
	return has_name(addr) && is_good_page(PHYS_PFN(__pa_symbol(addr)), true);
}

size_t epitaph_kept_read(void *to, u64 addr, size_t size)
{
	size_t done = 0, n;

	while (done < size) {
		n = min_t(size_t, size - done, PAGE_SIZE - offset_in_page(addr + done));
		if (!may_read(addr + done) || copy_from_kernel_nofault(to + done, (void *)(unsigned long)(addr + done), n))
			break;
		done += n;
	}
	return done;
}

/* --- code ------------------------------------------------------------------ */

/* A function that the code goes to: a reader has no other table of names. */
static void keep_name(unsigned long to)
{
	unsigned long at, size;
	u32 i;

	for (i = 0; i < nr_named; i++)
		if (named[i] == to)
			return;
	/* A target may lie behind endbr64. */
	if (nr_named == NR_NAMES || !find_name(to, function, &at, &size) || at > 4)
		return;
	named[nr_named++] = to;
	if (at && !find_name(to - at, function, &at, &size))
		return;
	epitaph_kept_add(&pieces, EPITAPH_KEPT_NAME, to - at, 0, function);
}

static void keep_names(const u8 *code, unsigned long addr, size_t size)
{
	unsigned long to;
	size_t i;

	for (i = 0; i < size; i++)
		if (epitaph_arch_goes_to(code, size, i, addr, &to) && to - addr >= size)
			keep_name(to);
}

/* The function that @ip is in, or what lies around @ip. */
static void keep_code(unsigned long ip)
{
	unsigned long at, size, from, end;
	size_t used;

	if (!find_name(ip, function, &at, &size))
		return;
	from = ip - at;
	end = from + size;
	keep_name(from);
	if (size > WHOLE_CODE) {
		from = max(from, ip - CODE_BEFORE);
		end = min(end, ip + CODE_BEHIND);
	}
	used = pieces.used;
	epitaph_kept_add(&pieces, EPITAPH_KEPT_CODE, from, end - from, "");
	if (pieces.used - used >= sizeof(struct epitaph_kept) + end - from)
		keep_names(pieces.base + used + sizeof(struct epitaph_kept), from, end - from);
}

/* --- data ------------------------------------------------------------------ */

static void keep_data(unsigned long to)
{
	unsigned long page = to & PAGE_MASK, from, end;
	bool is_kept;

	if (to < LEAST_POINTER || to >= -LEAST_POINTER || is_on_stack(to) || (to >= stack_from && to < stack_end))
		return;
	is_kept = epitaph_kept_has(&pieces, to);
	if (!is_kept && !may_read(to))
		return;
	from = max(page, to - DATA_BEFORE);
	end = min(page + PAGE_SIZE, to + DATA_BEHIND);
	/* A table of functions says by them what it is. */
	if (!virt_addr_valid((void *)to) || has_name(to))
		keep_name(to);
	if (!is_kept)
		epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, from, end - from, "");
}

/* What the words of pieces from @at on point to, up to @end of the section. */
static void keep_pointed_to(size_t at, size_t end)
{
	const struct epitaph_kept *piece;
	size_t size, off;

	for (; at < end; at += round_up(sizeof(*piece) + size, EPITAPH_KEPT_ALIGN)) {
		piece = (const void *)(pieces.base + at);
		size = le32_to_cpu(piece->size);
		if (le32_to_cpu(piece->what) != EPITAPH_KEPT_DATA)
			continue;
		for (off = 0; off + sizeof(long) <= size; off += sizeof(long))
			keep_data(get_unaligned((unsigned long *)((u8 *)(piece + 1) + off)));
	}
}

static void keep_registers(const struct pt_regs *regs, bool entered)
{
	__le64 values[EPITAPH_NR_REGS];
	u32 i, nr = epitaph_arch_registers(values, regs, entered);

	for (i = 0; i < nr; i++)
		keep_data(le64_to_cpu(values[i]));
}

/* --- the stack -------------------------------------------------------------- */

static unsigned long find_stack_end(const struct epitaph_stack_walk *walk, unsigned long sp)
{
	if (is_on_stack(sp))
		return (unsigned long)task_stack_page(current) + THREAD_SIZE;
	return epitaph_arch_stack_end(walk, sp);
}

static void keep_stack(const struct epitaph_stack_walk *walk, unsigned long sp)
{
	stack_from = round_down(sp, sizeof(long));
	stack_end = find_stack_end(walk, sp);
	if (stack_end > stack_from)
		epitaph_kept_add(&pieces, EPITAPH_KEPT_STACK, stack_from, min_t(unsigned long, stack_end - stack_from, MOST_STACK), "");
}

/* It died where no code is: what called that is on top of the stack, where calls leave it there. */
static void keep_code_of_call(void)
{
	unsigned long caller;

	if (stack_end > stack_from && !copy_from_kernel_nofault(&caller, (void *)stack_from, sizeof(caller)))
		keep_code(caller - 1);
}

static void keep_callers(struct epitaph_stack_walk *walk)
{
	struct epitaph_frame frame;
	u32 i;

	for (i = 0; i < NR_CALLERS && pieces.used < pieces.size / 2 && epitaph_arch_walk_next(walk, &frame); i++)
		keep_code(frame.is_interrupted ? frame.addr : frame.addr - 1);
}

/* The stack is the first piece. */
static void keep_stack_pointers(void)
{
	const struct epitaph_kept *stack = (const void *)pieces.base;
	const unsigned long *words = (const void *)(stack + 1);
	size_t i, nr = le32_to_cpu(stack->size) / sizeof(long);

	if (le32_to_cpu(stack->what) != EPITAPH_KEPT_STACK)
		return;
	for (i = 0; i < nr && i < STACK_WORDS; i++)
		if (!has_name(words[i]))
			keep_data(words[i]);
}

/* --- all -------------------------------------------------------------------- */

static void keep_all(struct pt_regs *regs, bool entered)
{
	struct epitaph_stack_walk walk;
	size_t data, end;

	epitaph_kept_begin(&pieces);
	nr_named = 0;
	epitaph_arch_walk_start(&walk, regs, entered);
	keep_stack(&walk, kernel_stack_pointer(regs));
	if (has_name(instruction_pointer(regs)))
		keep_code(instruction_pointer(regs));
	else
		keep_code_of_call();
	keep_callers(&walk);
	data = pieces.used;
	keep_registers(regs, entered);
	end = pieces.used;
	keep_stack_pointers();
	keep_pointed_to(data, end);
}

void epitaph_kept_memory_save(struct pt_regs *regs, bool entered)
{
	size_t size;

	if (epitaph_lost() || READ_ONCE(is_over) || user_mode(regs) || atomic_cmpxchg(&is_busy, 0, 1))
		return;
	pieces.base = epitaph_section(EPITAPH_SEC_MEMORY, &size);
	pieces.size = size;
	pieces.salt = epitaph_region.salt;
	pieces.clock = epitaph_clock();
	pieces.cpu = raw_smp_processor_id();
	pieces.pid = current->pid;
	if (size >= sizeof(struct epitaph_kept))
		keep_all(regs, entered);
	atomic_set_release(&is_busy, 0);
}

void epitaph_kept_memory_end(void)
{
	WRITE_ONCE(is_over, true);
}
