// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops that make events of the kernel's own: what they take longer while somebody records is
 * what that costs.  A module of its own, which needs no recorder, so that one boot has all of
 * them one after the other.
 *
 * Reading /sys/kernel/debug/epitaph_bench_real runs the loops once and prints, for each,
 * hundredths of a tick of the CPU's counter a round.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/bottom_half.h>
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <asm/timex.h>

#include "compat.h"

#define ROUNDS	16384
#define DISK	"/dev/nullb0"

/* What two threads share that yield to each other. */
struct turns {
	int left;
	u64 ticks;
	struct completion ended;
};

static struct tasklet_struct tasklet;

static int take_turns(void *data)
{
	struct turns *turns = data;
	u64 begin = get_cycles();

	while (turns->left-- > 0)
		yield();
	if (!turns->ticks)
		turns->ticks = get_cycles() - begin;
	complete(&turns->ended);
	return 0;
}

/* A round is a sched_switch. */
static int time_switches(u64 *ticks)
{
	struct turns turns = { .left = ROUNDS };
	struct task_struct *one, *other;

	init_completion(&turns.ended);
	one = kthread_create(take_turns, &turns, "one_of_them");
	if (IS_ERR(one))
		return PTR_ERR(one);
	other = kthread_create(take_turns, &turns, "the_other");
	if (IS_ERR(other)) {
		kthread_stop(one);
		return PTR_ERR(other);
	}
	sched_set_fifo(one);
	sched_set_fifo(other);
	/* Neither begins before both are awake: the guest has one CPU. */
	preempt_disable();
	wake_up_process(one);
	wake_up_process(other);
	preempt_enable();
	wait_for_completion(&turns.ended);
	wait_for_completion(&turns.ended);
	*ticks = turns.ticks;
	return 0;
}

static void do_nothing(struct tasklet_struct *unused)
{
}

/* A round is a softirq_raise, a softirq_entry and a softirq_exit. */
static u64 time_softirqs(void)
{
	u64 begin = get_cycles();
	int i;

	for (i = 0; i < ROUNDS; i++) {
		local_bh_disable();
		tasklet_schedule(&tasklet);
		local_bh_enable();
	}
	return get_cycles() - begin;
}

static int read_page(struct block_device *disk, struct page *page, sector_t sector)
{
	struct bio_vec vec;
	struct bio bio;
	int err;

	bench_bio_init(&bio, disk, &vec);
	bio.bi_iter.bi_sector = sector;
	__bio_add_page(&bio, page, PAGE_SIZE, 0);
	err = submit_bio_wait(&bio);
	bio_uninit(&bio);
	return err;
}

/* A round is a block_rq_issue and a block_rq_complete: null_blk with irqmode=0 completes at once. */
static int time_reads(u64 *ticks)
{
	struct file *disk = filp_open(DISK, O_RDONLY, 0);
	struct page *page = alloc_page(GFP_KERNEL);
	int i, err = IS_ERR(disk) ? PTR_ERR(disk) : page ? 0 : -ENOMEM;
	u64 begin = get_cycles();

	for (i = 0; i < ROUNDS && !err; i++)
		err = read_page(I_BDEV(disk->f_mapping->host), page, i * (PAGE_SIZE / SECTOR_SIZE));
	*ticks = get_cycles() - begin;
	if (page)
		__free_page(page);
	if (!IS_ERR(disk))
		fput(disk);
	return err;
}

static int show(struct seq_file *s, void *unused)
{
	u64 ticks, reads;
	int err = time_switches(&ticks) ?: time_reads(&reads);

	if (err)
		return err;
	seq_printf(s, "sched_switch %llu\n", ticks * 100 / ROUNDS);
	seq_printf(s, "read %llu\n", reads * 100 / ROUNDS);
	seq_printf(s, "softirq %llu\n", time_softirqs() * 100 / ROUNDS);
	return 0;
}

static int real_open(struct inode *inode, struct file *f)
{
	return single_open(f, show, NULL);
}

static const struct file_operations real_fops = {
	.owner = THIS_MODULE,
	.open = real_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static int __init real_init(void)
{
	tasklet_setup(&tasklet, do_nothing);
	debugfs_create_file("epitaph_bench_real", 0400, NULL, NULL, &real_fops);
	return 0;
}

/* No module_exit: nothing waits until the threads have left this code. */
module_init(real_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("What an event of the kernel's own costs");
