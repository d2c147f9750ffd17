// SPDX-License-Identifier: GPL-2.0-only
/*
 * A camera's thread cannot be made, as the task that starts it was killed; the error is stored and stopped later.
 *
 * pattern: kthread_run() not checked; kthread_stop() of an error pointer
 * upstream: the class of unchecked kthread_run() (media, staging, iio triggers)
 * finding: cam_stop() gave kthread_stop() the error -EINTR (-4) for a thread: kthread_run() in cam_start() had failed, as its task was killed, and cam_start() did not check it
 * never: a freed task; a thread that had ended before; the thread cam-watch
 * must: (EINTR|-4).*cam_(stop|start)|cam_(stop|start)\(\).*(EINTR|-4)
 * not: freed|NULL pointer|cam-watch
 * guest: insmod /test/thermal-cam.ko
 * guest: (echo 1 >/proc/cam) & pid=$!; sleep 1; kill -9 $pid; sleep 2; echo 0 >/proc/cam
 */
#include "crash.h"

static struct task_struct *cam;
static u32 frames, looks;

static int cam_stream(void *unused)
{
	while (!kthread_should_stop()) {
		frames++;
		msleep(40);
	}
	return 0;
}

static noinline void cam_start(void)
{
	msleep(2000);
	cam = kthread_run(cam_stream, NULL, "cam-stream");
}

static noinline void cam_stop(void)
{
	if (cam)
		kthread_stop(cam);
	cam = NULL;
}

static noinline int cam_power(unsigned int on)
{
	if (on)
		cam_start();
	else
		cam_stop();
	return 0;
}
PROC_NUMBER(cam, cam_power);

static int cam_watch(void *unused)
{
	for (;;) {
		looks += frames;
		msleep(60);
	}
	return 0;
}

static int __init cam_init(void)
{
	proc_create("cam", 0600, NULL, &cam_pops);
	return run_thread(cam_watch, NULL, 0, "cam-watch");
}
module_init(cam_init);
