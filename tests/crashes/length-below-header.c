// SPDX-License-Identifier: GPL-2.0-only
/*
 * The length of a message is less than its header; what is left is copied: minus eight bytes.
 *
 * pattern: len - sizeof(header) without a check; unsigned, so memcpy() of nearly 2^64 bytes
 * upstream: the class of "integer underflow in ... parsing" of CVE lists (ksmbd, wifi, Bluetooth)
 * finding: message_copy() wrote (by memcpy) behind the end of its memory; the count is negative: RCX or RDX
 * never: a NULL pointer; a freed object; memcpy() as the culprit
 * must: ^likely: message_copy\(\) .*length was below zero
 * not: NULL|freed
 * guest: insmod /test/length-below-header.ko
 */
#include <linux/vmalloc.h>
#include "crash.h"

struct message {
	u32 type;
	u32 length;
	char text[];
};

static char *store;

static noinline int message_copy(struct message *m)
{
	size_t rest = READ_ONCE(m->length) - sizeof(*m);

	memcpy(store, m->text, rest);
	return 0;
}

static int __init message_init(void)
{
	size_t size = 8192;
	struct message *m;

	OPTIMIZER_HIDE_VAR(size);
	store = vmalloc(size);
	m = vzalloc(1 << 20);
	m->length = 0;
	return message_copy(m);
}
module_init(message_init);
