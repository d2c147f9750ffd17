// SPDX-License-Identifier: GPL-2.0-only
/*
 * A port is drained with interrupts off, by waiting for what the port's own timer on the same CPU would say.
 *
 * pattern: busy wait under spin_lock_irqsave() for an interrupt handler's flag (serial set_termios/shutdown)
 * finding: port_drain() of "setserial" spins with interrupts off and port->lock held, for tx_busy
 * never: getty, who waits for the lock and is the one of the soft lockup
 * must: likely: .*Probably CPU [0-9]+, task setserial-[0-9]+, in port_drain\(\) of module uart_drain
 * shows: it started the timer of port_tx_done\(\) of module uart_drain
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/uart-drain.ko
 */
#include <linux/hrtimer.h>
#include "crash.h"

struct port {
	spinlock_t lock;
	struct hrtimer tx_timer;
	int tx_busy;
	unsigned int baud;
	unsigned int head, tail;
	u8 fifo[64];
};

static struct port port;

static enum hrtimer_restart port_tx_done(struct hrtimer *timer)
{
	struct port *p = container_of(timer, struct port, tx_timer);

	p->tail = p->head;
	WRITE_ONCE(p->tx_busy, 0);
	return HRTIMER_NORESTART;
}

static noinline void port_write(struct port *p, u8 c)
{
	spin_lock_bh(&p->lock);
	p->fifo[p->head++ % 64] = c;
	spin_unlock_bh(&p->lock);
}

static noinline void port_start_tx(struct port *p)
{
	WRITE_ONCE(p->tx_busy, 1);
	hrtimer_start(&p->tx_timer, ms_to_ktime(5), HRTIMER_MODE_REL_PINNED);
}

static noinline void port_drain(struct port *p)
{
	while (READ_ONCE(p->tx_busy))
		cpu_relax();
}

static noinline void port_set_baud(struct port *p, unsigned int baud)
{
	unsigned long flags;

	spin_lock_irqsave(&p->lock, flags);
	port_start_tx(p);
	port_drain(p);
	p->baud = baud;
	spin_unlock_irqrestore(&p->lock, flags);
}

static int getty(void *data)
{
	for (;;) {
		port_write(data, '#');
		msleep(20);
	}
	return 0;
}

static int setserial(void *data)
{
	msleep(500);
	port_set_baud(data, 115200);
	return 0;
}

static int __init port_init(void)
{
	spin_lock_init(&port.lock);
	hrtimer_init(&port.tx_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED);
	port.tx_timer.function = port_tx_done;
	run_thread(getty, &port, 0, "getty");
	return run_thread(setserial, &port, 1, "setserial");
}
module_init(port_init);
