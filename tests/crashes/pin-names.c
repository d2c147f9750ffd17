// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table of pins is made at the start; the name of one (uart1_cts) cannot be copied, which is not checked.
 * Much later a pin is looked for by its name, and strcmp() gets the name that is not there.
 *
 * pattern: decoy: strcmp(), bsearch() and the comparison are on top, and innocent
 * upstream: the class of "check the return value of kstrdup/kasprintf" (pinctrl: mediatek, ti, rockchip, equilibrium)
 * finding: strcmp() got NULL from pin_cmp(): the name of an entry of the table; the search is pin_lookup(), from pin_mux_write(); pins_parse() left the name NULL
 * never: strcmp() or bsearch() as guilty; a use after free; overwritten; sh gave a bad pointer
 * must: shown: strcmp\(\), which worked for pin_(mux_write|cmp|lookup)\(\) .*NULL pointer
 * not: freed|overwritten|user
 * guest: insmod /test/pin-names.ko
 * guest: sleep 1
 * guest: echo uart1_cts >/proc/pin_mux
 */
#include <linux/bsearch.h>
#include <linux/string.h>
#include "crash.h"

struct pin {
	u16 number, bank;
	const char *name;
	u32 mux;
};

static const char *const pin_words[] = {
	"gpio0", "i2c0_scl", "i2c0_sda", "pwm1", "spi0_clk", NULL, "uart1_rx", "uart2_tx", "usb_id",
};

static struct pin *pins;

static noinline void pins_parse(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pin_words); i++) {
		pins[i].number = i;
		pins[i].bank = i / 4;
		pins[i].name = kstrdup(pin_words[i], GFP_KERNEL);
	}
}

static int pin_cmp(const void *key, const void *elt)
{
	const struct pin *pin = elt;

	return strcmp(key, pin->name);
}

static noinline struct pin *pin_lookup(const char *name)
{
	return bsearch(name, pins, ARRAY_SIZE(pin_words), sizeof(*pins), pin_cmp);
}

static ssize_t pin_mux_write(struct file *file, const char __user *ubuf, size_t n, loff_t *pos)
{
	char name[16] = "";
	struct pin *pin;

	if (n >= sizeof(name) || copy_from_user(name, ubuf, n))
		return -EINVAL;
	pin = pin_lookup(strim(name));
	if (!pin)
		return -ENOENT;
	pin->mux++;
	return n;
}

static const struct proc_ops pin_mux_ops = { .proc_write = pin_mux_write };

static int __init pins_init(void)
{
	pins = kcalloc(ARRAY_SIZE(pin_words), sizeof(*pins), GFP_KERNEL);
	if (!pins)
		return -ENOMEM;
	pins_parse();
	return proc_create("pin_mux", 0200, NULL, &pin_mux_ops) ? 0 : -ENOMEM;
}
module_init(pins_init);
