// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe stores what the clock's lookup gave, which is an error, and the watch thread uses it a second later.
 *
 * pattern: a getter that gives ERR_PTR(-EPROBE_DEFER); the probe checks for NULL only
 * upstream: the class of "check for IS_ERR() instead of NULL" (clk, phy and gpiod getters; CVE-2024-26789, crypto arm64)
 * finding: rate_show() of the thread uart-watch read behind port->clk, which is ERR_PTR(-517), EPROBE_DEFER, stored by port_probe() as clk_lookup_named() gave it; its result is not checked by IS_ERR()
 * never: a NULL pointer; freed memory; a bit flip; uart-watch
 * must: ^likely: .*ERR_PTR\(-517\).*EPROBE_DEFER
 * not: NULL|freed
 * guest: insmod /test/clock-deferred.ko
 */
#include "crash.h"

struct fake_clk {
	const char *name;
	u64 parent[4];
	u64 rate;
};

struct port {
	u32 line, flags;
	struct fake_clk *clk;
	u64 baud;
};

static struct fake_clk *known;

static noinline struct fake_clk *clk_lookup_named(const char *name)
{
	if (!known)
		return ERR_PTR(-EPROBE_DEFER);
	return known;
}

static noinline int port_probe(struct port *port)
{
	port->clk = clk_lookup_named("uart0");
	if (!port->clk)
		return -ENODEV;
	port->baud = 115200;
	return 0;
}

static noinline u64 rate_show(struct port *port)
{
	return port->clk->rate / port->baud;
}

static int uart_watch(void *data)
{
	struct port *port = data;

	for (;;) {
		msleep(900);
		if (rate_show(port) == 7)
			return 0;
	}
}

static int __init port_init(void)
{
	struct port *port = kzalloc(sizeof(*port), GFP_KERNEL);
	int err = port ? port_probe(port) : -ENOMEM;

	return err ?: run_thread(uart_watch, port, -1, "uart-watch");
}
module_init(port_init);
