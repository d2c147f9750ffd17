// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A pointer is tested, and read again behind the test: another task has set it to NULL in between.
 *
 * pattern: check and use of a pointer that is read twice
 * upstream: the class of "use READ_ONCE() once, not twice" of net_device rx_handler, xdp_prog, sk->sk_prot
 * finding: port_xmit() tests port->handler and reads it again after port_account(); port_detach() of thread port-cfg set it to NULL in between
 * never: that handler was never set; freed memory; port_account() as the one that cleared it
 * must: ^shown: port_xmit\(\).* NULL pointer
 * not: never set|freed|port_account
 * guest: insmod /test/tx-handler.ko
 */
#include "crash.h"

struct port;

struct tx_handler {
	const char *name;
	u32 users;
	int (*xmit)(struct port *port, u32 len);
};

struct port {
	struct tx_handler *handler;
	u64 packets, bytes, dropped;
	u32 backlog[16];
	struct mutex cfg_lock;
};

static struct port port0;

static noinline int direct_xmit(struct port *port, u32 len)
{
	port->backlog[len & 15] = 0;
	return 0;
}

static struct tx_handler direct = { "direct", 0, direct_xmit };

static noinline void port_account(struct port *port, u32 len)
{
	unsigned int i;

	port->packets++;
	port->bytes += len;
	for (i = 0; i < 16; i++) {
		port->backlog[i] += len;
		udelay(20);
	}
}

static noinline int port_xmit(struct port *port, u32 len)
{
	if (!port->handler) {
		port->dropped++;
		return -ENOTCONN;
	}
	port_account(port, len);
	return port->handler->xmit(port, len);
}

static int port_tx(void *data)
{
	u32 len;

	for (len = 60;; len = len % 1500 + 60) {
		port_xmit(data, len);
		if (len % 7 == 0)
			usleep_range(50, 100);
		cond_resched();
	}
	return 0;
}

static noinline void port_attach(struct port *port, struct tx_handler *handler)
{
	mutex_lock(&port->cfg_lock);
	handler->users++;
	WRITE_ONCE(port->handler, handler);
	mutex_unlock(&port->cfg_lock);
}

static noinline void port_detach(struct port *port)
{
	mutex_lock(&port->cfg_lock);
	port->handler->users--;
	WRITE_ONCE(port->handler, NULL);
	mutex_unlock(&port->cfg_lock);
}

static int port_cfg(void *data)
{
	msleep(1000);
	for (;;) {
		port_detach(data);
		msleep(10);
		port_attach(data, &direct);
		msleep(30);
	}
	return 0;
}

static int __init port_init(void)
{
	int err;

	mutex_init(&port0.cfg_lock);
	port_attach(&port0, &direct);
	err = run_thread(port_tx, &port0, 1, "port-tx");
	return err ?: run_thread(port_cfg, &port0, 0, "port-cfg");
}
module_init(port_init);
