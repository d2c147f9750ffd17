// SPDX-License-Identifier: GPL-2.0-only
/*
 * A clock is made the child of its own grandchild; the next question for a rate has no end and runs over the stack.
 *
 * pattern: recursion over parents that form a ring, nothing checks when the parent is set
 * upstream: the class of unbounded recursion (clk orphan loops, dm stacking, ovl/ecryptfs depth)
 * finding: the stack is full: factor_recalc() and soc_clk_rate() call one another without end
 * never: "baud-watch"; large variables
 * must: ^likely: The kernel's stack was full: factor_recalc\(\)
 * not: baud-watch
 * guest: insmod /test/clk-loop.ko
 * guest: sleep 1
 * guest: sh -c 'echo 1 >/proc/clk_parent'
 * guest: sleep 1
 */
#include "crash.h"

struct soc_clk;

struct soc_clk_ops {
	u64 (*recalc)(struct soc_clk *clk);
};

struct soc_clk {
	const char *name;
	const struct soc_clk_ops *ops;
	struct soc_clk *parent;
	u32 mul, div, asked;
};

static struct soc_clk *osc, *pll, *bus, *uart;

static noinline u64 soc_clk_rate(struct soc_clk *clk)
{
	u64 rate;

	clk->asked++;
	rate = clk->ops->recalc(clk);
	return rate + 0 * clk->asked;
}

static u64 factor_recalc(struct soc_clk *clk)
{
	u64 rate = soc_clk_rate(clk->parent);

	return rate * clk->mul / clk->div;
}

static u64 osc_recalc(struct soc_clk *clk)
{
	return 24000000;
}

static const struct soc_clk_ops factor_ops = { .recalc = factor_recalc };
static const struct soc_clk_ops osc_ops = { .recalc = osc_recalc };

static struct soc_clk *soc_clk_register(const char *name, const struct soc_clk_ops *ops,
					struct soc_clk *parent, u32 mul, u32 div)
{
	struct soc_clk *clk = kzalloc(sizeof(*clk), GFP_KERNEL);

	if (!clk)
		return NULL;
	clk->name = name;
	clk->ops = ops;
	clk->parent = parent;
	clk->mul = mul;
	clk->div = div;
	return clk;
}

static noinline int soc_clk_set_parent(struct soc_clk *clk, struct soc_clk *parent)
{
	if (!parent)
		return -EINVAL;
	clk->parent = parent;
	return 0;
}

static int clk_choose(unsigned int nr)
{
	return soc_clk_set_parent(pll, nr == 1 ? uart : osc);
}

PROC_NUMBER(clk, clk_choose);

static int baud_watch(void *unused)
{
	u64 rate;

	for (;;) {
		rate = soc_clk_rate(uart);
		if (rate < 1000)
			pr_warn("uart: rate is %llu\n", rate);
		msleep(300);
	}
	return 0;
}

static int __init clk_init(void)
{
	osc = soc_clk_register("osc24", &osc_ops, NULL, 1, 1);
	pll = soc_clk_register("pll0", &factor_ops, osc, 50, 1);
	bus = soc_clk_register("apb", &factor_ops, pll, 1, 6);
	uart = soc_clk_register("uart2", &factor_ops, bus, 1, 4);
	if (!osc || !pll || !bus || !uart)
		return -ENOMEM;
	if (!proc_create("clk_parent", 0200, NULL, &clk_pops))
		return -ENOMEM;
	return run_thread(baud_watch, NULL, -1, "baud-watch");
}
module_init(clk_init);
