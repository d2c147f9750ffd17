// SPDX-License-Identifier: GPL-2.0-only
/*
 * A display has two works.  The function of one finds the display by the offset of the other.
 *
 * pattern: container_of() with the wrong member
 * upstream: the class of wrong container_of() members after a struct got a second work or timer
 * finding: disp_flip(), the function of d->flip, takes its work for d->vblank: its struct disp * is 0x20 bytes off, and what it reads as d->plane is something else of the same object
 * never: memory that was freed; a work that was never set up; disp-vsync or the kworker; a NULL d->plane that was never set
 * must: disp_flip\(\).*(container_of|member|off|within|in front of|behind)
 * not: freed|was never set|did not set
 * guest: insmod /test/disp-flip.ko
 */
#include "crash.h"

struct plane {
	u32 id, fb;
	u64 flips;
};

struct disp {
	u64 seq;
	struct plane *plane;
	struct work_struct vblank;
	struct work_struct flip;
	struct plane planes[2];
	u64 vblanks;
};

static struct disp *disp;

static noinline void plane_show(struct plane *p)
{
	p->fb++;
	p->flips++;
}

static void disp_vblank(struct work_struct *work)
{
	struct disp *d = container_of(work, struct disp, vblank);

	d->vblanks++;
	plane_show(d->plane);
}

static void disp_flip(struct work_struct *work)
{
	struct disp *d = container_of(work, struct disp, vblank);

	d->seq++;
	plane_show(d->plane);
}

static int disp_vsync(void *data)
{
	struct disp *d = data;
	int i;

	for (i = 0;; i++) {
		schedule_work(&d->vblank);
		if (i == 40)
			schedule_work(&d->flip);
		msleep(25);
	}
	return 0;
}

static int __init disp_init(void)
{
	disp = kzalloc(sizeof(*disp), GFP_KERNEL);
	if (!disp)
		return -ENOMEM;
	INIT_WORK(&disp->vblank, disp_vblank);
	INIT_WORK(&disp->flip, disp_flip);
	disp->plane = &disp->planes[0];
	return run_thread(disp_vsync, disp, 1, "disp-vsync");
}
module_init(disp_init);
