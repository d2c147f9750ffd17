// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A parser frees the text behind its leading blanks, not the text: the next object overlaps its neighbour.
 *
 * pattern: kfree() of a pointer that was moved on
 * upstream: the class of "free the original pointer, not the one that strsep() or skip_spaces() moved"
 * finding: policy_parse() gave kfree() an address 8 bytes behind the start of an object of kmalloc-192; the allocator handed it out again, 8 bytes off, and policy_new() wrote apply over the first word of the neighbour, a policy of the list that policy_tick() walks
 * never: policy_tick() or the list's code as the cause; a double free; freed memory; deletion from the list
 * must: ^shown: .* an entry that was written over, .* the function policy_limit\(\)
 * must: ^shown: The CPU jumped to 2020202020202020, .*policy_tick\(\)
 * not: freed already|deleted|freed memory
 * guest: insmod /test/opt-parse.ko
 * guest: i=0; while [ $i -lt 40 ]; do echo "        rate=$i,burst=200,class=interactive,fallback=drop,comment=as-the-customer-ordered-it-in-the-last-quarter-of-the-year,owner=network-operations-center" >/proc/policy; i=$((i + 1)); done
 */
#include "crash.h"
#include <linux/ctype.h>
#include <linux/string.h>

struct policy {
	struct list_head node;
	u32 rate, burst, hits;
	char text[148];
	u64 budget;
	void (*apply)(struct policy *policy);
};

static LIST_HEAD(policies);
static DEFINE_MUTEX(policy_lock);

static noinline void policy_limit(struct policy *policy)
{
	policy->hits++;
	if (policy->budget)
		policy->budget--;
}

static noinline int policy_new(u32 rate, const char *text)
{
	struct policy *policy = kzalloc(sizeof(*policy), GFP_KERNEL);

	if (!policy)
		return -ENOMEM;
	policy->rate = rate;
	policy->budget = 1000;
	policy->apply = policy_limit;
	strscpy(policy->text, text, sizeof(policy->text));
	mutex_lock(&policy_lock);
	list_add_tail(&policy->node, &policies);
	mutex_unlock(&policy_lock);
	return 0;
}

static noinline int policy_parse(const char __user *ubuf, size_t n)
{
	char *line = memdup_user_nul(ubuf, n);
	u32 rate = 0;
	int err;

	if (IS_ERR(line))
		return PTR_ERR(line);
	line = skip_spaces(line);
	if (!strncmp(line, "rate=", 5))
		rate = simple_strtoul(line + 5, NULL, 10);
	err = rate > 1000 ? -ERANGE : 0;
	kfree(line);
	return err ?: policy_new(rate, "");
}

static ssize_t policy_write(struct file *file, const char __user *ubuf, size_t n, loff_t *pos)
{
	int err;

	if (n > 190)
		return -E2BIG;
	err = policy_parse(ubuf, n);
	return err ? err : n;
}

static const struct proc_ops policy_pops = { .proc_write = policy_write };

static int policy_tick(void *unused)
{
	struct policy *policy;

	for (;;) {
		mutex_lock(&policy_lock);
		list_for_each_entry(policy, &policies, node)
			policy->apply(policy);
		mutex_unlock(&policy_lock);
		msleep(30);
	}
	return 0;
}

static int __init policy_init(void)
{
	u32 i;

	for (i = 0; i < 64; i++)
		if (policy_new(i, "default"))
			return -ENOMEM;
	if (!proc_create("policy", 0200, NULL, &policy_pops))
		return -ENOMEM;
	return run_thread(policy_tick, NULL, -1, "policy-tick");
}
module_init(policy_init);
