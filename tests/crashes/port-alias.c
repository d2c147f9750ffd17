// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A long alias is written over the member behind it, which is the port's operations; the poll timer dies of it.
 *
 * pattern: copy of a user's string into a member without regard to its size
 * upstream: the class of strcpy/sprintf overflows in structs (CVE-2021-20292 kind, wireless SSID copies)
 * finding: the alias of a port was written over the pointer `ops` behind it, by alias_write()
 * never: sw_read_counters() as the cause; a neighbour
 * must: ^shown: sw_read_counters\(\) .*is the text
 * not: freed
 * guest: insmod /test/port-alias.ko
 * guest: sleep 1
 * guest: sh -c 'echo uplink-2 >/proc/port_alias'
 * guest: sleep 1
 * guest: sh -c 'echo uplink-to-core-switch-two >/proc/port_alias'
 * guest: sleep 1
 */
#include "crash.h"

struct sw_port;

struct sw_ops {
	u32 (*link)(struct sw_port *p);
	u64 (*octets)(struct sw_port *p);
};

struct sw_port {
	u32 nr, flaps;
	u64 octets;
	char alias[16];
	const struct sw_ops *ops;
	struct timer_list poll;
	u32 polls, up;
};

static struct sw_port *ports[4];

static u32 phy_link(struct sw_port *p)
{
	return p->polls % 16 != 15;
}

static u64 phy_octets(struct sw_port *p)
{
	return p->octets + 1500;
}

static const struct sw_ops phy_ops = { .link = phy_link, .octets = phy_octets };

static noinline void sw_read_counters(struct sw_port *p)
{
	p->octets = p->ops->octets(p);
}

static void sw_poll(struct timer_list *t)
{
	struct sw_port *p = from_timer(p, t, poll);

	p->polls++;
	sw_read_counters(p);
	mod_timer(&p->poll, jiffies + HZ * 2);
}

static noinline void sw_trim_copy(char *to, const char *from)
{
	while (*from && *from != '\n')
		*to++ = *from++;
	*to = 0;
}

static ssize_t alias_write(struct file *file, const char __user *ubuf, size_t n, loff_t *pos)
{
	char text[64] = "";

	if (n >= sizeof(text) || copy_from_user(text, ubuf, n))
		return -EINVAL;
	sw_trim_copy(UNKNOWN(&ports[2]->alias[0]), text);
	return n;
}

static const struct proc_ops alias_pops = { .proc_write = alias_write };

static int __init sw_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(ports); i++) {
		struct sw_port *p = kzalloc(sizeof(*p), GFP_KERNEL);

		if (!p)
			return -ENOMEM;
		p->nr = i;
		snprintf(p->alias, sizeof(p->alias), "port%d", i);
		p->ops = &phy_ops;
		ports[i] = p;
		timer_setup(&p->poll, sw_poll, 0);
		mod_timer(&p->poll, jiffies + HZ + i);
	}
	return proc_create("port_alias", 0200, NULL, &alias_pops) ? 0 : -ENOMEM;
}
module_init(sw_init);
