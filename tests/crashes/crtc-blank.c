// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task holds the console's lock and waits for the vertical blank, whose thread wants the console's lock.
 *
 * pattern: a deadlock over console_lock(), which is a semaphore and has no owner
 * upstream: the class of "fbdev: fix deadlock on console_lock" (fbcon, crtc_blank, i915 and vmwgfx suspend)
 * finding: a deadlock of two: crtc_blank() of task sh has called console_lock() and waits for the completion of the vertical blank; crtc-vsync, whose crtc_vsync() completes it, waits for console_lock() in crtc_apply_mode()
 * never: crtc-cursor, which only waits for the console's lock, as its holder; that a device did not answer
 * must: ^likely: A deadlock: .*crtc-vsync-[0-9]*
 * not: crtc-cursor-[0-9]* holds|device
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/crtc-blank.ko
 * guest: sleep 1
 * guest: echo 1 >/proc/crtc-blank
 */
#include "crash.h"
#include <linux/completion.h>
#include <linux/console.h>

struct crtc_mode {
	u32 xres, yres, refresh;
	u32 blanked;
};

struct crtc {
	struct crtc_mode mode, next;
	struct completion vblank;
	bool mode_pending;
	u64 frames, blinks;
};

static struct crtc crtc0 = { .mode = { 1024, 768, 60 } };

static noinline void crtc_apply_mode(struct crtc *crtc)
{
	console_lock();
	crtc->mode = crtc->next;
	crtc->mode_pending = false;
	console_unlock();
}

static noinline void crtc_vsync(struct crtc *crtc)
{
	crtc->frames++;
	if (READ_ONCE(crtc->mode_pending))
		crtc_apply_mode(crtc);
	complete_all(&crtc->vblank);
}

static int vsync_thread(void *data)
{
	for (;;) {
		crtc_vsync(data);
		msleep(16);
	}
	return 0;
}

static int cursor_thread(void *data)
{
	struct crtc *crtc = data;

	for (;;) {
		console_lock();
		if (!crtc->mode.blanked)
			crtc->blinks++;
		console_unlock();
		msleep(200);
	}
	return 0;
}

static noinline int crtc_wait_for_vblank(struct crtc *crtc)
{
	reinit_completion(&crtc->vblank);
	wait_for_completion(&crtc->vblank);
	return 0;
}

static noinline int crtc_blank(unsigned int level)
{
	struct crtc *crtc = &crtc0;
	int err;

	console_lock();
	crtc->next = crtc->mode;
	crtc->next.blanked = level;
	WRITE_ONCE(crtc->mode_pending, true);
	err = crtc_wait_for_vblank(crtc);
	console_unlock();
	return err;
}

PROC_NUMBER(blank, crtc_blank);

static int __init crtc_init(void)
{
	int err;

	init_completion(&crtc0.vblank);
	if (!proc_create("crtc-blank", 0200, NULL, &blank_pops))
		return -ENOMEM;
	err = run_thread(cursor_thread, &crtc0, -1, "crtc-cursor");
	return err ?: run_thread(vsync_thread, &crtc0, -1, "crtc-vsync");
}
module_init(crtc_init);
