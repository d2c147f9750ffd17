// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deaths of one access: which pointer it was, and where that came from.  Some happen in a function
 * of the kernel, whose arguments have types that the kernel keeps.
 */
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <net/failover.h>
#include <linux/slab.h>

#include "victim.h"

/* Guests of an inn.  The host lies where the allocator links what is free: in the middle. */
struct host {
	long bill;
	long paid;
};

struct guest {
	long nights[8];
	struct host *host;
	long room[7];
};

static noinline long guest_owes(struct guest *guest)
{
	long owes = READ_ONCE(READ_ONCE(guest->host)->paid);

	barrier();
	return owes;
}

static noinline long guest_checks_out(struct guest *guest)
{
	long owes = guest_owes(guest);

	barrier();
	return owes + 1;
}

static noinline void inn_forgets(struct guest *guest)
{
	kfree(guest);
	barrier();
}

/* A guest is used after it was freed. */
static void used_after_free(void)
{
	static struct host host;
	struct guest *guest = kzalloc(sizeof(*guest), GFP_KERNEL);

	if (!guest)
		return;
	guest->host = &host;
	guest_checks_out(guest);
	inn_forgets(guest);
	guest_checks_out(guest);
}

/* The same death, but the guest is there: it was written over, and another guest was freed. */
static void written_over(void)
{
	struct guest *guest = kzalloc(sizeof(*guest), GFP_KERNEL);
	struct guest *other = kzalloc(sizeof(*other), GFP_KERNEL);

	if (!guest || !other)
		return;
	memset(guest, 0xa5, sizeof(*guest));
	inn_forgets(other);
	guest_checks_out(guest);
}

/* A file that could not be opened. */
static noinline long long file_length(struct file *file)
{
	long long length = READ_ONCE(file->f_pos);

	barrier();
	return length;
}

static void error_as_pointer(void)
{
	file_length(filp_open("/victim/no/such/file", O_RDONLY, 0));
}

/* A device that is not there. */
static void no_device(void)
{
	static struct rtnl_link_stats64 stats;
	struct net_device *nothing = NULL;

	OPTIMIZER_HIDE_VAR(nothing);
	dev_get_stats(nothing, &stats);
	barrier();
}

/* A device that was never set up: it has no operations. */
static void device_without_ops(void)
{
	static struct rtnl_link_stats64 stats;
	struct net_device *device = kzalloc(sizeof(*device), GFP_KERNEL);

	if (device)
		dev_get_stats(device, &stats);
	barrier();
}

/* A socket whose protocol cannot release it. */
static void socket_without_release(void)
{
	static const struct proto_ops ops;
	static struct socket socket;

	socket.ops = &ops;
	sock_release(&socket);
	barrier();
}

/* A missing failover. It is for a module of the kernel's, which is asked for only here. */
static void no_failover(void)
{
	void (*unregister)(struct failover *failover) = __symbol_get("failover_unregister");

	if (unregister)
		unregister(NULL);
	else
		pr_err("victim: the module failover is not loaded\n");
	barrier();
}

/* A list that ends in a small number.  The argument was good: the loop went on from it. */
static void list_ends_badly(void)
{
	static struct llist_node first;

	first.next = (struct llist_node *)0x40;
	llist_reverse_order(&first);
	barrier();
}

/* Parcels of a shelf; one is taken down while the shelf is walked. */
struct shelf_parcel {
	struct list_head entry;
	long weight;
};

static LIST_HEAD(shelf);

static noinline void parcel_take_down(struct shelf_parcel *parcel)
{
	list_del(&parcel->entry);
	barrier();
}

static noinline long shelf_weigh(struct list_head *head)
{
	struct shelf_parcel *parcel;
	long weight = 0;

	list_for_each_entry(parcel, head, entry) {
		weight += parcel->weight;
		parcel_take_down(parcel);
	}
	return weight;
}

static void walked_while_deleted(void)
{
	static struct shelf_parcel parcels[2];

	list_add(&parcels[0].entry, &shelf);
	list_add(&parcels[1].entry, &shelf);
	shelf_weigh(&shelf);
	barrier();
}

/* Text of the kernel is written to. */
static noinline void text_write(int *text)
{
	WRITE_ONCE(*text, 1);
	barrier();
}

static void text_written(void)
{
	text_write((int *)kernel_read);
}

const struct victim_way victim_ways_of_access[] = {
	{ "used-after-free", used_after_free },
	{ "written-over", written_over },
	{ "error-as-pointer", error_as_pointer },
	{ "no-device", no_device },
	{ "device-without-ops", device_without_ops },
	{ "socket-without-release", socket_without_release },
	{ "no-failover", no_failover },
	{ "list-ends-badly", list_ends_badly },
	{ "walked-while-deleted", walked_while_deleted },
	{ "text-written", text_written },
	{ }
};
