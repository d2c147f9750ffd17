// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver's disconnect frees its context while a request is still at the host controller; the memory goes to a
 * table of another function before the request is given back.
 *
 * pattern: use after free of the completion context: disconnect does not kill its requests
 * upstream: the class of missing usb_kill_urb() in disconnect (usbtv, pegasus, ath6kl, mceusb; CVE-2023-52445, pvrusb2)
 * finding: hcd-giveback called cam->complete of a context that cam_disconnect() had freed, by thread cam-unplug, and that log_grow() had taken since; guilty is cam_disconnect(): frees with a request in flight
 * never: hcd-giveback or giveback() as the culprit; log_grow() or log-writer as one that wrote out of bounds; a NULL pointer
 * must: .*giveback\(\)
 * not: log_grow\(\) .*(wrote|overran)|^shown: .*freed
 * kernels: 6.1
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/urb-after-disconnect.ko
 */
#include "crash.h"

struct cam {
	void (*complete)(struct cam *cam, int status);
	u32 frames, errors;
	u8 buffer[112];
};

struct request {
	struct cam *context;
	unsigned long due;
	int status;
};

static struct request in_flight;
static u64 *log_table;

static noinline void cam_frame(struct cam *cam, int status)
{
	if (status)
		cam->errors++;
	cam->frames++;
}

static noinline void giveback(struct request *rq)
{
	struct cam *cam = rq->context;

	cam->complete(cam, rq->status);
}

static int hcd_giveback(void *unused)
{
	while (!in_flight.due || time_before(jiffies, in_flight.due))
		msleep(20);
	giveback(&in_flight);
	return 0;
}

static noinline void cam_disconnect(struct cam *cam)
{
	cam->frames = 0;
	kfree(cam);
}

static int cam_unplug(void *data)
{
	msleep(700);
	cam_disconnect(data);
	return 0;
}

static noinline void log_grow(void)
{
	int i;

	log_table = kmalloc(128, GFP_KERNEL);
	for (i = 0; log_table && i < 16; i++)
		log_table[i] = 0x1122334400000000 + i * 17;
}

static int log_writer(void *unused)
{
	int i;

	msleep(900);
	for (i = 0; i < 4000; i++)
		log_grow();
	return 0;
}

static int __init cam_init(void)
{
	struct cam *cam = kzalloc(sizeof(*cam), GFP_KERNEL);

	if (!cam)
		return -ENOMEM;
	cam->complete = UNKNOWN(&cam_frame);
	in_flight.context = cam;
	run_thread(hcd_giveback, NULL, 0, "hcd-giveback");
	run_thread(log_writer, NULL, 1, "log-writer");
	run_thread(cam_unplug, cam, 1, "cam-unplug");
	in_flight.due = jiffies + 2 * HZ;
	return 0;
}
module_init(cam_init);
