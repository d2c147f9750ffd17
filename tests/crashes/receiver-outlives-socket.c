// SPDX-License-Identifier: GPL-2.0-only
/*
 * A receiver thread is asked to stop, and not waited for; the socket is freed under it.
 *
 * pattern: kthread that still uses what its creator frees
 * upstream: CVE-2021-46990 and its like; af_vsock, rds: a socket freed before its worker ended
 * finding: freed memory (poison), read through a pointer of the freed socket in receive()
 * never: receive() as who freed it; "innocent", which frees another object of the same cache
 * append: slub_debug=P
 * must: ^likely: receive\(\) .*poison 0x6b
 * not: innocent|receive.* freed it
 * guest: insmod /test/receiver-outlives-socket.ko
 */
#include "crash.h"

struct peer {
	u64 packets[4];
};

struct a_socket {
	u8 head[0x40];
	struct peer *peer;
	u8 tail[0x200];
};

static struct a_socket *sock, *other;

static noinline void receive(struct a_socket *s)
{
	s->peer->packets[2]++;
}

static int receiver(void *unused)
{
	struct a_socket *s = sock;

	for (;;) {
		receive(s);
		msleep(50);
	}
	return 0;
}

static int closer(void *unused)
{
	msleep(1200);
	kfree(sock);
	return 0;
}

static int innocent(void *unused)
{
	msleep(1190);
	kfree(other);
	return 0;
}

static int __init sock_init(void)
{
	sock = kzalloc(sizeof(*sock), GFP_KERNEL);
	other = kzalloc(sizeof(*other), GFP_KERNEL);
	sock->peer = kzalloc(sizeof(struct peer), GFP_KERNEL);
	run_thread(receiver, NULL, -1, "receiver");
	run_thread(innocent, NULL, -1, "innocent");
	return run_thread(closer, NULL, -1, "closer");
}
module_init(sock_init);
