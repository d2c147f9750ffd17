// SPDX-License-Identifier: GPL-2.0-only
/*
 * The period of an hrtimer becomes 0.  Its function restarts it at a time that is past, and the interrupt on
 * CPU 1 never ends.  A person presses the NMI button.
 *
 * pattern: an interval of user space that is not checked, as with CAN BCM, sound and taprio
 * finding: CPU 1 stays in an interrupt, in the hrtimer's function send_frame(); irqs are off there
 * never: "player", which was interrupted; "meter" or the other task on CPU 0; the kernel's timer code; hardware
 * x86: a button for an NMI
 * must: ^likely: CPU 1, in an interrupt that runs the timer function send_frame\(\)
 * not: player|meter|swapper|hardware
 * guest: echo 1 >/proc/sys/kernel/unknown_nmi_panic
 * guest: echo "guest: the button is pressed soon"
 * guest: insmod /test/hrtimer-period-of-zero.ko
 * when: guest: the button is pressed soon=>sleep 20; nmi
 */
#include <linux/hrtimer.h>
#include "crash.h"

static struct hrtimer frame_timer;
static u64 period = 1000000;
static u64 frames;

static noinline enum hrtimer_restart send_frame(struct hrtimer *timer)
{
	frames++;
	hrtimer_add_expires_ns(timer, READ_ONCE(period));
	return HRTIMER_RESTART;
}

static int player(void *unused)
{
	hrtimer_init(&frame_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	frame_timer.function = send_frame;
	hrtimer_start(&frame_timer, ns_to_ktime(period), HRTIMER_MODE_REL_PINNED_HARD);
	msleep(300);
	WRITE_ONCE(period, 0);
	while (!kthread_should_stop())
		schedule_timeout_idle(HZ);
	return 0;
}

static int meter(void *unused)
{
	while (!kthread_should_stop())
		cond_resched();
	return 0;
}

static int __init frame_init(void)
{
	run_thread(meter, NULL, 0, "meter");
	return run_thread(player, NULL, 1, "player");
}
module_init(frame_init);
