// SPDX-License-Identifier: GPL-2.0-only
/*
 * The server breaks an oplock: a work item answers it.  The share is unmounted in between, which takes the connection away from the
 * link of the file and does not wait for the work.
 *
 * pattern: a work item that uses what umount takes away without a flush
 * upstream: drawn from Debian's changelog: "cifs: fix potential oops in cifs_oplock_break"
 * finding: oplock_break(), a work item of the file, reads ->server of the link's connection, which is NULL: share_umount() cleared it while the work was on its way or asleep, and neither cancelled nor flushed it
 * never: the kworker; the demultiplexer, smb-demux, which queues the work by right; a connection that was never set; freed memory
 * must: ^likely: tcon_server\(\) .*NULL pointer.*has cleared it in share_umount\(\)
 * not: smb_demux|freed|never set|had not set
 * guest: insmod /test/oplock-brk.ko
 */
#include "crash.h"

struct tcon {
	u32 tid, flags;
	u64 server;
	u64 sent;
};

struct link {
	u32 uid;
	struct tcon *tcon;
};

struct open_file {
	u64 fid;
	u32 level, breaks;
	struct link *link;
	struct work_struct oplock_work;
};

static struct open_file *file;

static noinline void file_write_back(struct open_file *f)
{
	f->level--;
	msleep(25);
}

static noinline u64 tcon_server(struct open_file *f)
{
	return f->link->tcon->server;
}

static void oplock_break(struct work_struct *work)
{
	struct open_file *f = container_of(work, struct open_file, oplock_work);

	file_write_back(f);
	f->breaks += tcon_server(f) != 0;
}

static int smb_demux(void *data)
{
	struct open_file *f = data;

	for (;;) {
		schedule_work(&f->oplock_work);
		msleep(60);
	}
	return 0;
}

static noinline void share_umount(struct open_file *f)
{
	struct tcon *tcon = f->link->tcon;

	WRITE_ONCE(f->link->tcon, NULL);
	msleep(400);
	kfree(tcon);
}

static int umount_thread(void *data)
{
	msleep(1200);
	share_umount(data);
	return 0;
}

static int __init oplock_init(void)
{
	struct tcon *tcon = kzalloc(sizeof(*tcon), GFP_KERNEL);
	struct link *link = kzalloc(sizeof(*link), GFP_KERNEL);

	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!tcon || !link || !file)
		return -ENOMEM;
	tcon->tid = 5;
	tcon->server = 0xc0a80002;
	link->tcon = tcon;
	file->link = link;
	INIT_WORK(&file->oplock_work, oplock_break);
	run_thread(smb_demux, file, -1, "smb-demux");
	return run_thread(umount_thread, file, -1, "smb-umount");
}
module_init(oplock_init);
