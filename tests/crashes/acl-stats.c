// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The destructor of a device frees its per-CPU counters, and the error path frees them again; in between another module's
 * part was given them.  Then a third is given the same area: two owners, of whom one clears what the other has.
 *
 * pattern: free_percpu() twice: in a destructor and in the error path of who called it
 * upstream: cf124db566e6 ("net: Fix inconsistent teardown and release of private netdev state")
 * finding: nat_hit() of nat-worker found NULL in its per-CPU area, which acl_stats_new() of acl-init was given as well, since tun_setup() freed its own area twice: two owners of one per-CPU area
 * never: nat_new() did not set the pointer; a use after free by nat-worker; acl_stats_new(), which clears what it was given
 * not: nat_new|freed|acl_stats_new
 * guest: insmod /test/acl-stats.ko
 */
#include <linux/percpu.h>
#include <linux/smp.h>
#include "crash.h"

struct nat_pcpu {
	u64 *table;
	u64 hits, misses;
	u64 bins[13];
};

struct acl_pcpu {
	u64 packets, bytes;
	u64 drops[14];
};

struct tun {
	char name[16];
	u64 __percpu *stats;
};

static struct nat_pcpu __percpu *nat;
static struct acl_pcpu __percpu *acl;
static u64 nat_table[64];

static noinline void tun_destroy(struct tun *tun)
{
	free_percpu(tun->stats);
}

static noinline int tun_register(struct tun *tun)
{
	tun_destroy(tun);
	return -EEXIST;
}

static noinline int nat_new(void)
{
	int cpu;

	nat = __alloc_percpu(sizeof(*nat), 64);
	if (!nat)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(nat, cpu)->table = nat_table;
	return 0;
}

static noinline int tun_setup(struct tun *tun)
{
	int err;

	tun->stats = __alloc_percpu(128, 64);
	if (!tun->stats)
		return -ENOMEM;
	err = tun_register(tun);
	if (err) {
		msleep(400);
		free_percpu(tun->stats);
	}
	return err;
}

static noinline void nat_hit(u32 i)
{
	struct nat_pcpu *p = get_cpu_ptr(nat);

	p->table[i & 63]++;
	p->hits++;
	put_cpu_ptr(nat);
}

static int nat_worker(void *unused)
{
	u32 i = 0;

	while (!READ_ONCE(nat))
		msleep(5);
	for (;;) {
		nat_hit(i++);
		msleep(20);
	}
	return 0;
}

static noinline void acl_stats_new(void)
{
	int cpu;

	acl = __alloc_percpu(sizeof(*acl), 64);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(acl, cpu), 0, sizeof(*acl));
}

static int acl_thread(void *unused)
{
	msleep(1500);
	acl_stats_new();
	return 0;
}

static int nat_thread(void *unused)
{
	msleep(900);
	return nat_new();
}

static int tun_thread(void *unused)
{
	static struct tun tun = { .name = "tun7" };

	msleep(700);
	return tun_setup(&tun);
}

static int __init acl_init(void)
{
	run_thread(nat_worker, NULL, -1, "nat-worker");
	run_thread(tun_thread, NULL, -1, "tun-setup");
	run_thread(nat_thread, NULL, -1, "nat-init");
	return run_thread(acl_thread, NULL, -1, "acl-init");
}
module_init(acl_init);
