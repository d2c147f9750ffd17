// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver answers IRQ_NONE for an interrupt that is its own, of a kind that it does not know.  The kernel sees that
 * no handler takes the line, and disables it.  What waits for the next transfer waits for ever; the device would answer.
 *
 * pattern: IRQ_NONE from the only handler of a line, then "nobody cared"
 * upstream: the class of "return IRQ_HANDLED for ..." fixes behind "irq N: nobody cared" (i2c-designware, spi, sdhci, serial)
 * finding: the kernel disabled the interrupt of spi-level, since spi_irq() answered IRQ_NONE 100000 times: spi-sync waits in spi_transfer() for what spi_irq() completes
 * never: a device that does not answer, or lost a request; a deadlock; spi-sync as guilty; a wakeup that was lost
 * must: ^likely: spi-sync-[0-9]+ waits for a completion by spi_irq\(\) .*the kernel disabled
 * not: deadlock|lost|does not answer
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/spi-level.ko
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include "crash.h"

#define ST_DONE 1
#define ST_WAKE 4

struct spi {
	int irq;
	u32 status, wanted, done;
	struct hrtimer line;
	struct completion xfer;
};

static struct spi spi0;

static irqreturn_t spi_irq(int irq, void *data)
{
	struct spi *spi = data;

	if (!(spi->status & ST_DONE))
		return IRQ_NONE;
	spi->status &= ~ST_DONE;
	spi->done++;
	complete(&spi->xfer);
	return IRQ_HANDLED;
}

/* The device: it ends transfers, and after 60 of them it raises its line for another reason too. */
static enum hrtimer_restart spi_line(struct hrtimer *t)
{
	struct spi *spi = container_of(t, struct spi, line);
	int i;

	if (spi->wanted != spi->done)
		spi->status |= ST_DONE;
	else if (spi->done >= 60)
		spi->status |= ST_WAKE;
	for (i = 0; spi->status && i < 2000; i++)
		generic_handle_irq(spi->irq);
	hrtimer_forward_now(t, ms_to_ktime(10));
	return HRTIMER_RESTART;
}

static noinline void spi_transfer(struct spi *spi)
{
	WRITE_ONCE(spi->wanted, spi->wanted + 1);
	wait_for_completion(&spi->xfer);
}

static int spi_sync(void *data)
{
	for (;;) {
		spi_transfer(data);
		msleep(15);
	}
	return 0;
}

static int __init spi_level_init(void)
{
	struct spi *spi = &spi0;
	int err;

	init_completion(&spi->xfer);
	spi->irq = irq_alloc_desc(numa_node_id());
	if (spi->irq < 0)
		return spi->irq;
	irq_set_chip_and_handler(spi->irq, &dummy_irq_chip, handle_simple_irq);
	err = request_irq(spi->irq, spi_irq, 0, "spi-level", spi);
	if (err)
		return err;
	hrtimer_init(&spi->line, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	spi->line.function = spi_line;
	run_thread(spi_sync, spi, -1, "spi-sync");
	hrtimer_start(&spi->line, ms_to_ktime(10), HRTIMER_MODE_REL_HARD);
	return 0;
}
module_init(spi_level_init);
