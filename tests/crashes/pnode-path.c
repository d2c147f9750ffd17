// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A sound recursion up a tree overflows the stack, as another task moved a node below its own grandchild.
 *
 * pattern: a cycle in parent pointers; unbounded recursion hits the guard page
 * upstream: the class of loop checks (dm/cgroup/clk reparent, net upper-device loops: "net: limit nesting of devices")
 * finding: stack overflow by endless recursion of pnode_path(), which follows parent: the tree has a cycle (the parent of rail3 is rail5, of rail5 rail4, of rail4 rail3), made by pnode_move() in power-plug, which only checks the direct parent and moved rail3 below its own grandchild rail5
 * never: pnode_path() or power-report as the root cause; large locals or a deep but finite call chain; corrupted stack or pointers; an interrupt storm
 * not: called panic
 * guest: insmod /test/pnode-path.ko
 */
#include "crash.h"
#include <linux/string.h>

struct pnode {
	char name[16];
	struct pnode *parent;
	u32 milliwatt, moves;
};

static struct pnode *rail[8];
static u32 reports;

static noinline int pnode_path(struct pnode *n, char *buf, int size)
{
	char piece[40];
	int len = 0, more;

	if (READ_ONCE(n->parent))
		len = pnode_path(n->parent, buf, size);
	more = scnprintf(piece, sizeof(piece), "/%s@%u", n->name, n->milliwatt);
	if (len + more < size) {
		memcpy(buf + len, piece, more + 1);
		len += more;
	}
	return len;
}

static noinline int pnode_move(struct pnode *n, struct pnode *to)
{
	if (to == n || to->parent == n)
		return -ELOOP;
	WRITE_ONCE(n->parent, to);
	n->moves++;
	return 0;
}

static int power_plug(void *unused)
{
	msleep(1000);
	pnode_move(rail[6], rail[2]);
	msleep(500);
	pnode_move(rail[3], rail[5]);
	return 0;
}

static int power_report(void *unused)
{
	char *buf = kmalloc(1024, GFP_KERNEL);
	int i;

	if (!buf)
		return -ENOMEM;
	for (;;) {
		for (i = 7; i >= 0; i--)
			pnode_path(rail[i], buf, 1024);
		reports++;
		schedule_timeout_idle(4 * HZ);
	}
	return 0;
}

static int __init pnode_init(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		rail[i] = kzalloc(sizeof(struct pnode), GFP_KERNEL);
		if (!rail[i])
			return -ENOMEM;
		scnprintf(rail[i]->name, sizeof(rail[i]->name), "rail%d", i);
		rail[i]->milliwatt = 250 * i;
		rail[i]->parent = i ? rail[i - 1] : NULL;
	}
	run_thread(power_plug, NULL, 0, "power-plug");
	return run_thread(power_report, NULL, 1, "power-report");
}
module_init(pnode_init);
