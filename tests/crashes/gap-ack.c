// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A message says how many gaps it acknowledges; that the message has as many is not checked.  What is behind it, in the same
 * buffer, is of an earlier message, and acknowledges a packet that was never sent.
 *
 * pattern: a count of a message is not compared with the message's length
 * upstream: drawn from Debian's changelog: "tipc: fix out-of-bounds read in broadcast Gap ACK blocks (CVE-2026-64450)"
 * finding: link_gap_acks() found NULL in link.window[]: the number of the packet it read in gacks[2] of a message which has two: cnt (9) is more than the message's length allows, and was not checked
 * never: link_xmit(), which puts packets into the window and takes none away; a packet that was acknowledged twice; freed memory
 * must: ^shown: link_gap_acks\(\) .*NULL pointer
 * not: link_xmit|twice|freed
 * guest: insmod /test/gap-ack.ko
 */
#include "crash.h"

struct gap_ack {
	u16 ack, gap;
};

struct gap_msg {
	u16 len, type;
	u16 cnt, reserved;
	struct gap_ack gacks[14];
};

struct packet {
	u32 seqno, acked;
	u8 data[120];
};

struct link {
	u32 next, rcvd;
	struct packet *window[64];
	struct gap_msg rx;
};

static struct link *link0;

static noinline void link_xmit(struct link *l)
{
	struct packet *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return;
	p->seqno = l->next;
	l->window[l->next++ % 64] = p;
}

static noinline u32 link_gap_acks(struct link *l, const struct gap_msg *m)
{
	u32 i, acked = 0;

	for (i = 0; i < m->cnt; i++) {
		struct packet *p = l->window[m->gacks[i].ack % 64];

		p->acked++;
		acked += m->gacks[i].gap;
	}
	return acked;
}

static noinline void link_rcv(struct link *l, u16 type, u16 cnt, u16 blocks)
{
	struct gap_msg *m = &l->rx;
	u16 i;

	m->type = type;
	m->cnt = cnt;
	m->len = 8 + blocks * sizeof(struct gap_ack);
	for (i = 0; i < blocks; i++) {
		m->gacks[i].ack = type == 7 ? i : 40 + 5 * i;
		m->gacks[i].gap = 1;
	}
	if (type == 7)
		l->rcvd += link_gap_acks(l, m);
}

static int tipc_rcv(void *data)
{
	struct link *l = data;
	u32 n;

	for (n = 1; n <= 24; n++) {
		link_xmit(l);
		msleep(15);
		link_rcv(l, 3, 0, 12);		/* of names, not of packets */
		link_rcv(l, 7, 2, 2);
	}
	link_rcv(l, 7, 9, 2);
	return 0;
}

static int __init tipc_init(void)
{
	link0 = kzalloc(sizeof(*link0), GFP_KERNEL);
	if (!link0)
		return -ENOMEM;
	link_xmit(link0);
	return run_thread(tipc_rcv, link0, -1, "tipc-rcv");
}
module_init(tipc_init);
