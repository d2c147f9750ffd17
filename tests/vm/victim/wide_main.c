// SPDX-License-Identifier: GPL-2.0-only
/* Emits large events when it is loaded, and in the middle of each of them a smaller one. */
#include <linux/module.h>
#include <linux/slab.h>

#define CREATE_TRACE_POINTS
#include "wide_trace.h"
#include "wide.h"

static int go(const char *val, const struct kernel_param *kp);
static const struct kernel_param_ops go_ops = { .set = go };
module_param_cb(go, &go_ops, NULL, 0200);
MODULE_PARM_DESC(go, "emit: letters of the outer event, and of the inner one");

static u32 number;
static char *outer_text, *inner_text;

static char *letters(unsigned int nr, char letter)
{
	char *text = kmalloc(nr + 1, GFP_KERNEL);

	if (!text)
		return NULL;
	memset(text, letter, nr);
	text[nr] = 0;
	return text;
}

void wide_event_between(void)
{
	if (inner_text)
		trace_inner(number, inner_text);
}

static int go(const char *val, const struct kernel_param *kp)
{
	unsigned int outer, inner;

	if (sscanf(val, "%u %u", &outer, &inner) != 2)
		return -EINVAL;
	outer_text = letters(outer, 'o');
	inner_text = letters(inner, 'i');
	if (outer_text && inner_text)
		trace_outer(number++, outer_text);
	kfree(outer_text);
	kfree(inner_text);
	outer_text = inner_text = NULL;
	return 0;
}

static int __init wide_init(void)
{
	return wide_record();
}

static void __exit wide_exit(void)
{
	wide_record_stop();
}

module_init(wide_init);
module_exit(wide_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Has large events");
