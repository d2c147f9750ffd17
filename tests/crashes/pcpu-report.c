// SPDX-License-Identifier: GPL-2.0-only
/*
 * A per-CPU cookie is passed on as void * and dereferenced without per_cpu_ptr().
 *
 * pattern: raw use of a __percpu pointer
 * upstream: the class of missing per_cpu_ptr()/this_cpu_ptr() (sparse address-space warnings; wireguard, macsec, ip_tunnel tstats)
 * finding: stat_read_one() read a __percpu pointer (the cookie vnet->stats of alloc_percpu(), an offset, not an address) as if it was a plain struct: vnet_register() passed it as void * in stat_source.priv of source "vnet-tstats"; the other sources are plain memory
 * never: a NULL struct member as such; a user pointer; freed or corrupted memory; an uninitialised pointer
 * guest: insmod /test/pcpu-report.ko
 * guest: sleep 1
 * guest: echo 0 >/proc/stat_export
 * guest: sleep 2
 * guest: echo 2 >/proc/stat_export
 */
#include "crash.h"
#include <linux/percpu.h>

struct net_counts {
	u64 packets, bytes, drops, errors;
};

struct stat_source {
	char name[24];
	void *priv;
	u64 (*sum)(void *priv);
	u32 reads;
};

struct vnet {
	char name[16];
	struct net_counts __percpu *stats;
	struct net_counts total;
};

static struct stat_source source[4];
static u64 exported;

static noinline u64 stat_read_one(void *priv)
{
	struct net_counts *c = priv;

	return READ_ONCE(c->packets) + READ_ONCE(c->bytes) + READ_ONCE(c->drops);
}

static int stat_export(unsigned int nr)
{
	struct stat_source *s = &source[nr & 3];

	if (!s->sum)
		return -ENOENT;
	s->reads++;
	exported += s->sum(s->priv);
	return 0;
}

static noinline void stat_register(int nr, const char *name, void *priv)
{
	strscpy(source[nr].name, name, sizeof(source[nr].name));
	source[nr].priv = priv;
	source[nr].sum = stat_read_one;
}

static noinline int vnet_register(struct vnet *v)
{
	v->stats = alloc_percpu(struct net_counts);
	if (!v->stats)
		return -ENOMEM;
	this_cpu_add(v->stats->packets, 3);
	stat_register(0, "vnet-total", &v->total);
	stat_register(2, "vnet-tstats", (void __force *)v->stats);
	return 0;
}

PROC_NUMBER(stat_export, stat_export);

static int __init stat_init(void)
{
	struct vnet *v = kzalloc(sizeof(*v), GFP_KERNEL);

	if (!v)
		return -ENOMEM;
	strscpy(v->name, "vnet4", sizeof(v->name));
	proc_create("stat_export", 0200, NULL, &stat_export_pops);
	return vnet_register(v);
}
module_init(stat_init);
