// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request of a netlink family is parsed, and one attribute is read that the sender left out.
 *
 * pattern: tb[ATTR] used without a check that it is there
 * upstream: the class of "check that attribute is present" (netfilter: nfnl_acct, nf_tables, openvswitch, nl80211)
 * finding: a NULL pointer: nl_quota_new() reads 4 behind tb[QUOTA_LIMIT], an attribute that the request of nl-quota-set lacks
 * never: a use after free; the parser __nla_parse(); that memory was overwritten
 * must: NULL.*nl_quota_new|nl_quota_new.*NULL
 * not: freed|overwritten|nla_parse
 * guest: insmod /test/nl-quota.ko
 */
#include <net/netlink.h>
#include "crash.h"

enum { QUOTA_UNSPEC, QUOTA_NAME, QUOTA_LIMIT, QUOTA_FLAGS, QUOTA_END };

static const struct nla_policy quota_policy[QUOTA_END] = {
	[QUOTA_NAME] = { .type = NLA_NUL_STRING, .len = 15 },
	[QUOTA_LIMIT] = { .type = NLA_U32 },
	[QUOTA_FLAGS] = { .type = NLA_U32 },
};

struct quota {
	char name[16];
	u32 limit, flags;
	struct list_head list;
};

static LIST_HEAD(quotas);
static DEFINE_MUTEX(quotas_lock);

static noinline int nl_quota_new(const struct nlattr *const tb[])
{
	struct quota *q = kzalloc(sizeof(*q), GFP_KERNEL);

	if (!q)
		return -ENOMEM;
	if (!tb[QUOTA_NAME]) {
		kfree(q);
		return -EINVAL;
	}
	nla_strscpy(q->name, tb[QUOTA_NAME], sizeof(q->name));
	if (tb[QUOTA_FLAGS])
		q->flags = nla_get_u32(tb[QUOTA_FLAGS]);
	q->limit = nla_get_u32(tb[QUOTA_LIMIT]);
	mutex_lock(&quotas_lock);
	list_add_tail(&q->list, &quotas);
	mutex_unlock(&quotas_lock);
	return 0;
}

static noinline int nl_quota_rcv(struct sk_buff *skb)
{
	struct nlattr *tb[QUOTA_END];
	int err = nla_parse(tb, QUOTA_END - 1, (struct nlattr *)skb->data, skb->len, quota_policy, NULL);

	return err ? err : nl_quota_new((const struct nlattr *const *)tb);
}

static int nl_quota_set(void *data)
{
	unsigned int i;

	for (i = 0; ; i++) {
		struct sk_buff *skb = nlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);

		if (!skb)
			continue;
		nla_put_string(skb, QUOTA_NAME, i & 1 ? "guest" : "staff");
		if (i != 6)
			nla_put_u32(skb, QUOTA_LIMIT, 4096 * i);
		nla_put_u32(skb, QUOTA_FLAGS, i);
		nl_quota_rcv(skb);
		nlmsg_free(skb);
		msleep(150);
	}
	return 0;
}

static int __init nl_quota_init(void)
{
	return run_thread(nl_quota_set, NULL, 0, "nl-quota-set");
}
module_init(nl_quota_init);
