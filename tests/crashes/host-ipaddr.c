// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A session is made known to its host before all of it is there.  The pool of requests cannot be had, and the session is torn
 * down and freed; the host has the pointer still, and a program reads the host's attribute.
 *
 * pattern: a pointer is published early and stays where it was on the error path
 * upstream: drawn from Debian's changelog: "scsi: iscsi_tcp: Fix UAF during login when accessing the shost ipaddress"
 * finding: host_ipaddress_show() of cat used a session that session_create() of login freed on its error path (r2t_pool_alloc() failed) with host->session still pointing to it
 * never: host_ipaddress_show() or cat as the guilty ones; portal_line(), which has the memory now by right; r2t_pool_alloc()
 * must: ^shown: ip4_string\(\) 
 * not: portal_line\(\) (freed|overwrote)|r2t_pool_alloc\(\) freed|twice
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/host-ipaddr.ko
 * guest: while :; do cat /sys/kernel/iscsi-host/ipaddress >/dev/null; sleep 0.2; done
 */
#include <linux/kobject.h>
#include <linux/sysfs.h>
#include "crash.h"

struct conn {
	u32 id;
	u8 ip[16];
};

struct session {
	u64 isid;
	u32 cmdsn, window;
	u8 target[160];
	struct conn *lead;
	void *r2t_pool;
	u64 stats[8];
};

struct host {
	struct kobject *kobj;
	struct session *session;
	u32 logins;
};

static struct host host;
static struct conn lead = { .id = 1, .ip = { 10, 0, 0, 7 } };
static char *portals[700];

static ssize_t ipaddress_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf);
static struct kobj_attribute ipaddress_attr = __ATTR(ipaddress, 0444, ipaddress_show, NULL);

static noinline ssize_t host_ipaddress_show(struct host *h, char *buf)
{
	struct session *s = READ_ONCE(h->session);

	if (!s)
		return -ENOTCONN;
	return sysfs_emit(buf, "%pI4\n", s->lead->ip);
}

static ssize_t ipaddress_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return host_ipaddress_show(&host, buf);
}

static noinline int r2t_pool_alloc(struct session *s, u32 n)
{
	if (n > 128)
		return -ENOMEM;
	s->r2t_pool = kcalloc(n, 16, GFP_KERNEL);
	return s->r2t_pool ? 0 : -ENOMEM;
}

static noinline void session_teardown(struct session *s)
{
	kfree(s->r2t_pool);
	kfree(s);
}

static noinline int session_create(struct host *h, u32 window)
{
	struct session *s = kzalloc(sizeof(*s), GFP_KERNEL);
	int err;

	if (!s)
		return -ENOMEM;
	s->window = window;
	s->lead = &lead;
	WRITE_ONCE(h->session, s);
	err = r2t_pool_alloc(s, window);
	if (err)
		session_teardown(s);
	h->logins++;
	return err;
}

static noinline void portal_line(int i)
{
	portals[i] = kmalloc(250, GFP_KERNEL);
	if (portals[i])
		snprintf(portals[i], 250, "%0240d", i);
}

static int login_thread(void *unused)
{
	int i;

	session_create(&host, 64);
	msleep(1500);
	session_create(&host, 4096);
	for (i = 0; i < ARRAY_SIZE(portals); i++)
		portal_line(i);
	return 0;
}

static int __init host_init(void)
{
	BUILD_BUG_ON(sizeof(struct session) != 256 || offsetof(struct session, lead) < 128);
	host.kobj = kobject_create_and_add("iscsi-host", kernel_kobj);
	if (!host.kobj || sysfs_create_file(host.kobj, &ipaddress_attr.attr))
		return -ENOMEM;
	return run_thread(login_thread, NULL, -1, "login");
}
module_init(host_init);
