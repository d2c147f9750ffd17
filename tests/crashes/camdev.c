// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two open a camera at once, and are counted as one.
 *
 * pattern: users counted without a lock in open (v4l2, drm, comedi, snd-seq: race of open and release)
 * finding: cam_open() of preview and recorder, at once, made users 1; cam_close() of preview freed the stream of recorder
 * never: recorder, cam_read
 * must: shown: cam_read\(\) of module camdev read 4 bytes at 0x10 of a NULL pointer
 * shows: preview-[0-9]+ ran, the only one of the tasks within this module since recorder-[0-9]+ slept last
 * guest: insmod /test/camdev.ko
 * guest: while :; do read line </proc/uptime; sleep 0.1; done
 */
#include <linux/wait.h>
#include "crash.h"

struct cam_stream {
	u64 frames, bytes;
	u32 width, height;
	u8 lut[64];
};

struct cam {
	char name[16];
	struct cam_stream *stream;
	u32 users, opens, closes;
	u32 plugs;
	wait_queue_head_t plug;
};

static struct cam *cam;

static noinline struct cam_stream *stream_start(struct cam *c)
{
	struct cam_stream *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (s) {
		s->width = 640;
		s->height = 480;
		usleep_range(6000, 8000);
	}
	return s;
}

static noinline void stream_stop(struct cam *c)
{
	kfree(c->stream);
	c->stream = NULL;
}

static noinline void cam_open(struct cam *c)
{
	u32 users = c->users;

	c->opens++;
	if (!users)
		c->stream = stream_start(c);
	c->users = users + 1;
}

static noinline void cam_close(struct cam *c)
{
	c->closes++;
	if (--c->users == 0)
		stream_stop(c);
}

static noinline u64 cam_read(struct cam *c)
{
	struct cam_stream *s = c->stream;

	s->frames++;
	s->bytes += s->width * 2;
	return s->frames;
}

static void cam_use(struct cam *c, int frames)
{
	cam_open(c);
	while (frames--) {
		cam_read(c);
		usleep_range(5000, 6000);
	}
	cam_close(c);
}

static int preview(void *data)
{
	struct cam *c = data;
	u32 seen = 0;

	for (;;) {
		wait_event_interruptible(c->plug, c->plugs != seen);
		seen = c->plugs;
		cam_use(c, 10);
	}
	return 0;
}

static int recorder(void *data)
{
	struct cam *c = data;
	u32 seen = 0;

	for (;;) {
		wait_event_interruptible(c->plug, c->plugs >= seen + 4);
		seen = c->plugs;
		cam_use(c, 40);
	}
	return 0;
}

static int usbhub(void *data)
{
	struct cam *c = data;

	for (;;) {
		msleep(200);
		c->plugs++;
		wake_up_interruptible(&c->plug);
	}
	return 0;
}

static int __init cam_init(void)
{
	cam = kzalloc(sizeof(*cam), GFP_KERNEL);
	if (!cam)
		return -ENOMEM;
	strscpy(cam->name, "video0", sizeof(cam->name));
	init_waitqueue_head(&cam->plug);
	run_thread(preview, cam, -1, "preview");
	run_thread(recorder, cam, -1, "recorder");
	return run_thread(usbhub, cam, -1, "usbhub");
}
module_init(cam_init);
