// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests, in debugfs: all formats, to be compared with the kernel's, and who evaluates filters.
 */
#include <linux/debugfs.h>
#include <linux/rcupdate.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>
#include "control/event_config.h"
#include "probe.h"

#define TEXT_SIZE	(32 << 10)
#define ALL_SIZE	(2 << 20)	/* a guess: seq_file starts again if it is short */

struct show {
	struct seq_file *m;
	int (*text)(struct epitaph_event *ev, char *buf, size_t size);
	char *buf;
};

static void show_event(struct epitaph_event *ev, void *data)
{
	struct show *show = data;
	int n;

	seq_printf(show->m, "# %s:%s %s\n", ev->system, ev->name, ev->on ? "on" : "off");
	/* What ev->call leads to stays while this is held; see struct epitaph_event. */
	rcu_read_lock();
	n = show->text(ev, show->buf, TEXT_SIZE);
	rcu_read_unlock();
	if (n > 0)
		seq_puts(show->m, show->buf);
}

static int show_all(struct seq_file *m, void *unused)
{
	struct show show = { .m = m, .text = m->private, .buf = vmalloc(TEXT_SIZE) };

	if (!show.buf)
		return -ENOMEM;
	epitaph_for_each_event(show_event, &show);
	vfree(show.buf);
	return 0;
}

static int open(struct inode *inode, struct file *file)
{
	return single_open_size(file, show_all, inode->i_private, ALL_SIZE);
}

static const struct file_operations fops = {
	.owner = THIS_MODULE,
	.open = open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static void show_filter(struct epitaph_event *ev, void *m)
{
	const struct epitaph_steer *steer;

	rcu_read_lock();
	steer = READ_ONCE(ev->steer);
	if (steer && steer->filter)
		seq_printf(m, "%s:%s %s\n", ev->system, ev->name,
			   steer->program ? "compiled" : "kernel");
	rcu_read_unlock();
}

/* Who evaluates the filter of an event. */
static int filters_show(struct seq_file *m, void *unused)
{
	epitaph_for_each_event(show_filter, m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(filters);

static struct dentry *dir;

void epitaph_format_files_add(void)
{
	dir = debugfs_create_dir("epitaph", NULL);
	debugfs_create_file("formats", 0400, dir, epitaph_format_text, &fops);
	debugfs_create_file("formats_compiled", 0400, dir, epitaph_format_text_compiled,
			    &fops);
	debugfs_create_file("filters", 0400, dir, NULL, &filters_fops);
}

void epitaph_format_files_remove(void)
{
	debugfs_remove_recursive(dir);
}
