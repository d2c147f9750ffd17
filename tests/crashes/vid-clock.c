// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pixel clock is not there yet: -EPROBE_DEFER as a pointer passes a check for NULL; the first mode set uses it.
 * An earlier warning, of the EDID, is innocent.
 *
 * pattern: error pointer checked for NULL only
 * upstream: the class of "IS_ERR() instead of NULL check" of clk_get() and others
 * finding: the member `pclk` is an error number, which vid_get_clocks() wrote, as it did not look at
 *	IS_ERR()
 * never: the earlier warning of vid_read_edid()
 * must: ^likely: vid_enable_clock\(\) .*ERR_PTR\(-517\)
 * not: vid_read_edid
 * guest: insmod /test/vid-clock.ko
 */
#include "crash.h"

struct vclk {
	const char *name;
	u32 users;
	u64 rate;
	int (*set_rate)(struct vclk *clk, u64 rate);
};

struct vmode {
	u32 width, height, refresh;
};

struct vid {
	char name[16];
	struct mutex lock;
	struct vclk *pclk, *axi;
	struct vmode mode;
	u8 edid[128];
	u32 modesets, edid_errors;
};

static struct vclk axi = { .name = "axi", .rate = 200000000 };
static struct vid *vid;

static noinline struct vclk *vclk_get(const char *name)
{
	if (!strcmp(name, "axi"))
		return &axi;
	return ERR_PTR(-EPROBE_DEFER);
}

static noinline void vid_read_edid(struct vid *v)
{
	u8 sum = 0;
	int i;

	for (i = 0; i < sizeof(v->edid); i++)
		v->edid[i] = i * 3;
	for (i = 0; i < sizeof(v->edid); i++)
		sum += v->edid[i];
	if (WARN_ONCE(sum, "%s: EDID checksum is %#x\n", v->name, sum))
		v->edid_errors++;
}

static noinline int vid_enable_clock(struct vid *v, u64 rate)
{
	struct vclk *clk = v->pclk;

	if (clk->rate == rate)
		return 0;
	clk->users++;
	return clk->set_rate(clk, rate);
}

static noinline int vid_mode_set(struct vid *v, u32 width, u32 height, u32 refresh)
{
	int err;

	mutex_lock(&v->lock);
	v->mode.width = width;
	v->mode.height = height;
	v->mode.refresh = refresh;
	err = vid_enable_clock(v, (u64)width * height * refresh);
	v->modesets++;
	mutex_unlock(&v->lock);
	return err;
}

static int compositor(void *data)
{
	msleep(2000);
	vid_mode_set(data, 1920, 1080, 60);
	return 0;
}

static noinline int vid_get_clocks(struct vid *v)
{
	v->axi = vclk_get("axi");
	v->pclk = vclk_get("pixel");
	if (!v->axi || !v->pclk)
		return -ENODEV;
	return 0;
}

static int __init vid_probe(void)
{
	int err;

	vid = kzalloc(sizeof(*vid), GFP_KERNEL);
	if (!vid)
		return -ENOMEM;
	strscpy(vid->name, "vid0", sizeof(vid->name));
	mutex_init(&vid->lock);
	err = vid_get_clocks(vid);
	if (err)
		return err;
	vid_read_edid(vid);
	return run_thread(compositor, vid, -1, "compositor");
}
module_init(vid_probe);
