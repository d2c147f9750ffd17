/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A module with one event, BRIDGED_EVENT(number).  A number that is written to its parameter "go" is
 * the first of more than a hundred: from each depth of the stack, so that what is on it also lies at the end
 * of a page, and from NMIs.  Two such modules, one after the other, get the same number of ftrace's.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#define NR_DEPTHS	120

static int number;
static bool nmi_sent;

static void emit(void)
{
	BRIDGED_EVENT(number++);
}

static int take_nmi(unsigned int cmd, struct pt_regs *regs)
{
	if (!xchg(&nmi_sent, false))
		return NMI_DONE;
	emit();
	return NMI_HANDLED;
}

static void send_nmi(void)
{
	WRITE_ONCE(nmi_sent, true);
	apic->send_IPI(smp_processor_id(), NMI_VECTOR);
}

/* An odd number of words deeper each time. */
static noinline int emit_deeper(int depth)
{
	volatile long words[2] = { depth, depth };

	if (depth % 10 == 0)
		send_nmi();
	emit();
	return words[0] > 1 ? emit_deeper(depth - 1) + words[1] : words[1];
}

static int go(const char *text, const struct kernel_param *param)
{
	int err = kstrtoint(text, 0, &number);

	if (err)
		return err;
	preempt_disable();
	emit_deeper(NR_DEPTHS);
	preempt_enable();
	return 0;
}

static const struct kernel_param_ops go_ops = { .set = go };
module_param_cb(go, &go_ops, NULL, 0200);
MODULE_PARM_DESC(go, "emit events, of which this is the first number");

static int __init bridged_init(void)
{
	return register_nmi_handler(NMI_LOCAL, take_nmi, 0, KBUILD_MODNAME);
}

static void __exit bridged_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, KBUILD_MODNAME);
}

module_init(bridged_init);
module_exit(bridged_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Has an event that only ftrace knows");
