// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each frame gets a new buffer of vmalloc(), and none is freed.
 *
 * pattern: leak of vmalloc()
 * upstream: the class of vmalloc() leaks: vb2, dm, bpf maps, zram
 * finding: out of memory: most is of vmalloc(), asked for by grab_frame() of this module
 * never: head, tail or init; slab; tmpfs
 * must: ^shown: .*vmalloc\(\), called by grab_frame\(\) of module frame_grabber
 * not: head-|slab[)] have
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: insmod /test/frame-grabber.ko
 * guest: while :; do head -c 1000000 /dev/zero | tail -c 10 >/dev/null; done
 */
#include <linux/vmalloc.h>
#include "crash.h"

struct frame {
	u32 number;
	u8 *pixels;
};

static struct frame current_frame;

static noinline int grab_frame(struct frame *f)
{
	u8 *pixels = vmalloc(48 * 1024);

	if (!pixels)
		return -ENOMEM;
	pixels[0] = f->number;
	f->pixels = pixels;
	f->number++;
	return 0;
}

static int grab(void *unused)
{
	for (;;) {
		if (grab_frame(&current_frame))
			msleep(20);
		if (current_frame.number % 20 == 0)
			msleep(1);
	}
	return 0;
}

static int __init grab_init(void)
{
	return run_thread(grab, NULL, -1, "grab");
}
module_init(grab_init);
