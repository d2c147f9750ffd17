// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace_printk() with all that its arguments can be, into ftrace's own buffer.
 * A module of its own: the kernel warns of any that has such a call in it.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>

static int width = 7;

/* Not in the part that goes away behind the start, and its name with it. */
static noinline void print_all(void)
{
	const char *text = "a text";
	u32 address = htonl(0xc0a80102);

	trace_printk("only a text\n");
	trace_printk("int %d %i %u %x %#X %o\n", -1, 2, 3U, 0xabcU, 0xabcU, 8U);
	trace_printk("long %ld %lu %lx %llx %zu\n", -1L, 2UL, 0xffff0000ffffUL, ~0ULL, sizeof(width));
	trace_printk("small %hd %hhx %c %5d|%-5d|%05d|%+d\n", (short)-2, (unsigned char)0x1ff, 'c', 42, 42, 42, 42);
	trace_printk("%c%c %d %c %lld\n", 'a', 'b', 3, 'd', 5LL);
	trace_printk("text %s|%10s|%-10s|%.3s|%s\n", text, text, text, text, "");
	trace_printk("%*d %.*s %d\n", width, 1, 2, text, 3);
	trace_printk("function %ps %pS, of ours %ps, 100%%\n", schedule, schedule, print_all);
	trace_printk("address %pI4 %pM %d\n", &address, "\1\2\3\4\5\6", 1);
}

typedef int puts_fn(unsigned long ip, const char *text, long third);

/*
 * Kernels before 7.0 want the length of the text as a third argument.  Later ones have none,
 * and the register has what the caller left there.
 */
static noinline void put_texts(void)
{
	static const long left[] = { 0, 1, 5000, 0x7fffffff, -0x7fffffff, ~0UL << 31 };
	puts_fn *put = (puts_fn *)(void *)__trace_puts;
	char text[24];
	int i;

	for (i = 0; i < ARRAY_SIZE(left); i++) {
		snprintf(text, sizeof(text), "put with %d\n", i);
		put(_THIS_IP_, text, left[i]);
	}
}

static int __init printer_init(void)
{
	print_all();
	put_texts();
	return 0;
}

static void __exit printer_exit(void)
{
}

module_init(printer_init);
module_exit(printer_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Prints into ftrace's buffer");
