// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  One bit of a pointer is clear, as of bad memory; it was clear_bit() with a bit number past the word in front of it.
 *
 * pattern: bit number out of range of an unsigned long; a pointer in the next word loses a bit
 * upstream: the class of set_bit()/clear_bit() with nr >= BITS_PER_LONG (ath10k vdev map, ice/qed state bits, wifi link ids)
 * finding: phy->ops differs from the address of serdes_ops by bit 62 only: phy_unlock_lane() did clear_bit(lane * 16 + 14) on phy->state with lane 7, i.e. bit 126, which is bit 62 of the ops pointer behind the 64 bits of state; phy-link did this before phy_poll() (phy-poll) used ops
 * never: bad RAM or a cosmic bit flip as the finding; freed memory; phy_poll() as the cause; an overrun from a neighbour object
 * guest: insmod /test/phy-lanes.ko
 */
#include "crash.h"
#include <linux/bitops.h>

#define LANE_UP		2
#define LANE_LOCKED	14

struct phy;

struct phy_ops {
	u32 (*read)(struct phy *phy, u32 reg);
};

struct phy {
	char name[16];
	u32 lanes, polls;
	unsigned long state;		/* 16 bits a lane */
	const struct phy_ops *ops;
	u32 regs[32];
};

static u32 serdes_read(struct phy *phy, u32 reg)
{
	return phy->regs[reg & 31]++;
}

static const struct phy_ops serdes_ops = { .read = serdes_read };

static noinline void phy_unlock_lane(struct phy *phy, u32 lane)
{
	clear_bit(lane * 16 + LANE_LOCKED, &phy->state);
}

static noinline void phy_lock_lane(struct phy *phy, u32 lane)
{
	set_bit(lane * 16 + LANE_LOCKED, &phy->state);
}

static noinline u32 phy_poll(struct phy *phy)
{
	phy->polls++;
	return phy->ops->read(phy, 4) + 1;
}

static int phy_poller(void *data)
{
	u32 sum = 0;

	for (;;) {
		sum += phy_poll(data);
		schedule_timeout_idle(3 * HZ);
	}
	return sum;
}

static int phy_link(void *data)
{
	struct phy *phy = data;
	u32 lane;

	msleep(500);
	for (lane = 0; lane < 4; lane++)
		phy_lock_lane(phy, lane);
	msleep(700);
	phy_unlock_lane(phy, READ_ONCE(phy->lanes) - 1);
	return 0;
}

static int __init phy_init(void)
{
	struct phy *phy = kzalloc(sizeof(*phy), GFP_KERNEL);

	if (!phy)
		return -ENOMEM;
	strscpy(phy->name, "serdes2", sizeof(phy->name));
	phy->lanes = 8;
	phy->ops = &serdes_ops;
	run_thread(phy_poller, phy, 0, "phy-poll");
	return run_thread(phy_link, phy, 1, "phy-link");
}
module_init(phy_init);
