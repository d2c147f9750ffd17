// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scanner is unplugged while a process has its file open; the next read uses what disconnect freed.
 *
 * pattern: disconnect frees the device although files are open
 * upstream: CVE-2019-19528 (USB: iowarrior: fix use-after-free on disconnect), and the class (ldusb, idmouse, adutux)
 * finding: scan_read() used what scan_disconnect() had freed by scan_free(), while its file was open; the
 *	memory is of eventd's by then
 * never: dd; eventd, which owns the memory
 * must: ^likely: scan_read\(\) .*It is of another kind
 * not: event_add|eventd-
 * guest: insmod /test/usb-scanner.ko
 * guest: sleep 1
 * guest: ls -l /dev/scan0
 * guest: sh -c 'exec 3</dev/scan0; while :; do dd bs=16 count=1 <&3 >/dev/null; sleep 1; done' &
 */
#include "crash.h"
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct scanner;

struct scan_ops {
	int (*read_line)(struct scanner *sc, char *to, size_t n);
	int (*stop)(struct scanner *sc);
};

struct scanner {
	struct mutex lock;
	const struct scan_ops *ops;
	struct miscdevice misc;
	struct delayed_work unplug;
	u32 lines, open_count;
	char model[32];
	u8 line[512];
};

/* What the rest of the system does with memory of that size. */
struct event_rec {
	u32 seq;
	char text[900];
};

static struct scanner *the_scanner;
static struct event_rec *event_log[4096];

static int scan_read_line(struct scanner *sc, char *to, size_t n)
{
	sc->lines++;
	n = min(n, sizeof(sc->line));
	memcpy(to, sc->line, n);
	return n;
}

static int scan_stop(struct scanner *sc)
{
	sc->lines = 0;
	return 0;
}

static const struct scan_ops flatbed_ops = {
	.read_line = scan_read_line,
	.stop = scan_stop,
};

static int scan_open(struct inode *inode, struct file *file)
{
	struct scanner *sc = container_of(file->private_data, struct scanner, misc);

	sc->open_count++;
	file->private_data = sc;
	return 0;
}

static ssize_t scan_read(struct file *file, char __user *ubuf, size_t n, loff_t *pos)
{
	struct scanner *sc = file->private_data;
	char line[64];
	int got;

	got = sc->ops->read_line(sc, line, min(n, sizeof(line)));
	if (got > 0 && copy_to_user(ubuf, line, got))
		return -EFAULT;
	return got;
}

static int scan_release(struct inode *inode, struct file *file)
{
	struct scanner *sc = file->private_data;

	sc->open_count--;
	return 0;
}

static const struct file_operations scan_fops = {
	.owner = THIS_MODULE,
	.open = scan_open,
	.read = scan_read,
	.release = scan_release,
};

static void event_add(u32 seq)
{
	struct event_rec *rec = kmalloc(sizeof(*rec), GFP_KERNEL);

	if (!rec)
		return;
	rec->seq = seq;
	memset(rec->text, ' ', sizeof(rec->text));
	snprintf(rec->text, 64, "user event %u: paper tray opened", seq);
	kfree(event_log[seq % ARRAY_SIZE(event_log)]);
	event_log[seq % ARRAY_SIZE(event_log)] = rec;
}

static int eventd(void *first)
{
	u32 seq = (unsigned long)first;

	for (;;) {
		event_add(seq);
		seq += 2;
		msleep(4);
	}
	return 0;
}

static noinline void scan_free(struct scanner *sc)
{
	misc_deregister(&sc->misc);
	kfree(sc);
}

static struct work_struct disconnect_work;

static void scan_disconnect(struct work_struct *work)
{
	struct scanner *sc = the_scanner;

	the_scanner = NULL;
	pr_info("%s: disconnected\n", sc->model);
	sc->ops->stop(sc);
	scan_free(sc);
}

static int hotplug(void *unused)
{
	msleep(5000);
	schedule_work_on(1, &disconnect_work);
	return 0;
}

static int __init scan_probe(void)
{
	struct scanner *sc = kzalloc(sizeof(*sc), GFP_KERNEL);
	int err;

	if (!sc)
		return -ENOMEM;
	mutex_init(&sc->lock);
	sc->ops = &flatbed_ops;
	strscpy(sc->model, "FlatBed 3000", sizeof(sc->model));
	sc->misc.minor = MISC_DYNAMIC_MINOR;
	sc->misc.name = "scan0";
	sc->misc.fops = &scan_fops;
	err = misc_register(&sc->misc);
	if (err)
		return err;
	the_scanner = sc;
	INIT_WORK(&disconnect_work, scan_disconnect);
	run_thread(eventd, (void *)0, 0, "eventd/0");
	run_thread(eventd, (void *)1, 1, "eventd/1");
	return run_thread(hotplug, NULL, -1, "hotplug");
}
module_init(scan_probe);
