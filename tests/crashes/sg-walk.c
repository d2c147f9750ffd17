// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table of pieces is filled entry by entry; none is marked as the last one.  Who walks over it goes on behind its end.
 *
 * pattern: a scatterlist without sg_init_table()/sg_mark_end(); sg_next() to NULL is the loop's only end
 * upstream: the class of missing sg_mark_end() (mmc, usb, crypto drivers)
 * finding: xfer_sum() of xfer-run walked past the end of the table of 8 entries (kmalloc-256), which xfer_fill() filled without a mark of the last one, into the neighbour, and took that for a piece
 * never: freed memory; xfer-log, whose object is the neighbour, as guilty; a page that was unmapped
 * not: freed|xfer-log-[0-9]+ (wrote|overwrote)
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/sg-walk.ko
 */
#include <linux/scatterlist.h>
#include "crash.h"

struct note {
	char text[240];
	u64 seq;
};

static u8 *data[8];
static struct note *notes[64];
static u64 sums;

static noinline void xfer_fill(struct scatterlist *sg, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		sg[i].page_link = (unsigned long)virt_to_page(data[i]);
		sg[i].offset = offset_in_page(data[i]);
		sg[i].length = 64;
	}
}

static noinline u64 xfer_sum(struct scatterlist *sg)
{
	u64 sum = 0;

	for (; sg; sg = sg_next(sg)) {
		u8 *p = sg_virt(sg);
		unsigned int i;

		for (i = 0; i < sg->length; i++)
			sum += p[i];
	}
	return sum;
}

static noinline void xfer_run(int n)
{
	struct scatterlist *sg = kcalloc(n, sizeof(*sg), GFP_KERNEL);

	if (!sg)
		return;
	xfer_fill(sg, n);
	if (n == 8 || sums & 1)
		sums += xfer_sum(sg);
	kfree(sg);
}

static int xfer_runner(void *unused)
{
	msleep(900);
	for (;;) {
		xfer_run(8);
		msleep(100);
	}
	return 0;
}

static int xfer_log(void *unused)
{
	int i;

	for (i = 0;; i++) {
		struct note *n = notes[i & 63];

		n->seq = i;
		memset(n->text, 'a' + (i & 15), sizeof(n->text));
		msleep(5);
	}
	return 0;
}

static int __init xfer_init(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		data[i] = kzalloc(64, GFP_KERNEL);
		if (!data[i])
			return -ENOMEM;
	}
	for (i = 0; i < 64; i++) {
		notes[i] = kzalloc(sizeof(*notes[i]), GFP_KERNEL);
		if (!notes[i])
			return -ENOMEM;
		memset(notes[i]->text, 'A', sizeof(notes[i]->text));
	}
	run_thread(xfer_log, NULL, 0, "xfer-log");
	return run_thread(xfer_runner, NULL, 1, "xfer-run");
}
module_init(xfer_init);
