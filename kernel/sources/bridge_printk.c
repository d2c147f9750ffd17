// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace_printk(), by kprobes on the four functions that it comes down to.  They
 * are called whether ftrace records or not.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include "arch/arch.h"
#include "bridge.h"
#include "events/prototype.h"
#include "recorder.h"

#define MAX_TEXT	1024	/* as ftrace has it */
#define NR_LEVELS	4	/* who interrupts whom, and prints as well */

struct texts {
	int depth;
	char text[NR_LEVELS][MAX_TEXT];
};
static struct texts __percpu *texts;

/* (ip, format, va_list) */
static int took_format(struct kprobe *kp, struct pt_regs *regs)
{
	unsigned long ip = epitaph_arch_argument(regs, 0);
	const char *format = (const char *)epitaph_arch_argument(regs, 1);
	unsigned long list = epitaph_arch_argument(regs, 2);
	struct texts *mine = this_cpu_ptr(texts);
	va_list args;
	char *to;

	if (mine->depth >= NR_LEVELS)
		return 0;
	to = mine->text[mine->depth++];
	barrier();
	va_copy(args, *epitaph_arch_va_list(&list));
	epitaph_bridge_text(ip, to, vscnprintf(to, MAX_TEXT, format, args));
	va_end(args);
	barrier();
	mine->depth--;
	return 0;
}

/* (ip, text); before 7.0 the length is a third argument, and always that of the text. */
static int took_string(struct kprobe *kp, struct pt_regs *regs)
{
	const char *string = (const char *)epitaph_arch_argument(regs, 1);

	epitaph_bridge_text(epitaph_arch_argument(regs, 0), string, strlen(string));
	return 0;
}

static const struct {
	const char *function;
	kprobe_pre_handler_t took;
} functions[] = {
	{ "trace_vbprintk", took_format },
	{ "trace_vprintk", took_format },
	{ "__trace_puts", took_string },
	{ "__trace_bputs", took_string },
};

static struct kprobe probes[ARRAY_SIZE(functions)];

static void watch(int i)
{
	int err;

	probes[i] = (struct kprobe) { };
	if (epitaph_prototype_is_other(functions[i].function))
		return;
	probes[i] = (struct kprobe) {
		.symbol_name = functions[i].function, .pre_handler = functions[i].took,
	};
	err = register_kprobe(&probes[i]);
	if (!err)
		return;
	pr_warn("%s(): error %d; what trace_printk() says by it is not recorded\n",
		functions[i].function, err);
	probes[i].pre_handler = NULL;
}

/* No text is being made on this CPU. */
void epitaph_bridge_printk_abandon(void)
{
	struct texts __percpu *made = READ_ONCE(texts);

	if (made)
		this_cpu_ptr(made)->depth = 0;
}

void epitaph_bridge_printk_start(void)
{
	int i;

	texts = alloc_percpu(struct texts);
	if (!texts) {
		pr_warn("no memory for the texts of trace_printk(): they are not recorded\n");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		watch(i);
}

void epitaph_bridge_printk_stop(void)
{
	struct texts __percpu *made = texts;
	int i;

	for (i = 0; texts && i < ARRAY_SIZE(probes); i++)
		if (probes[i].pre_handler)
			unregister_kprobe(&probes[i]);
	WRITE_ONCE(texts, NULL);
	synchronize_rcu();	/* a switch may look at them */
	free_percpu(made);
}
