// SPDX-License-Identifier: GPL-2.0-or-later
#include "latency_flags.h"

#include <string.h>

#include "formats.h"
#include "stream.h"

enum {				/* enum recording_flag_type */
	IRQS_OFF = 0x01,
	RESCHED_LAZY = 0x02,
	RESCHED = 0x04,
	HARDIRQ = 0x08,
	SOFTIRQ = 0x10,
	PREEMPT_RESCHED = 0x20,
	NMI = 0x40,
	BH_OFF = 0x80,
};

/* Each column by its flags, in the order of bits. */
static const char irqs_letters[] = ".dbD", resched_letters[] = ".lnbpLNB", context_letters[] = ".shHzzZZ";

static char depth(u8 n)
{
	return n ? "0123456789abcdef"[n] : '.';
}

void latency_flags(char text[LATENCY_FLAGS + 1], u8 flags, u8 preempt)
{
	u32 irqs = (flags & IRQS_OFF ? 1 : 0) + (flags & BH_OFF ? 2 : 0);
	u32 resched = (flags & RESCHED_LAZY ? 1 : 0) + (flags & RESCHED ? 2 : 0) +
		      (flags & PREEMPT_RESCHED ? 4 : 0);
	u32 context = (flags & SOFTIRQ ? 1 : 0) + (flags & HARDIRQ ? 2 : 0) + (flags & NMI ? 4 : 0);

	text[0] = irqs_letters[irqs];
	text[1] = resched_letters[resched];
	text[2] = context_letters[context];
	text[3] = depth(preempt & 15);
	text[4] = depth(preempt >> 4);
	text[5] = 0;
}

/* Which letter of @letters it is; false: none. */
static bool letter_of(const char *letters, char c, u32 *ret)
{
	const char *at = memchr(letters, c, strlen(letters));

	if (at)
		*ret = at - letters;
	return at;
}

static bool depth_of(char c, u32 *ret)
{
	*ret = 0;
	return c == '.' || letter_of("0123456789abcdef", c, ret);
}

bool latency_flags_parse(const char *text, u32 len, s32 *flags, u8 *preempt)
{
	u32 irqs, resched, context, depth, migration = 0;

	/* Kernels before 5.15 do not say how often migration is disabled. */
	if ((len != LATENCY_FLAGS && len != LATENCY_FLAGS - 1) || !letter_of(irqs_letters, text[0], &irqs) ||
	    !letter_of(resched_letters, text[1], &resched) || !letter_of(context_letters, text[2], &context) ||
	    !depth_of(text[3], &depth) || (len == LATENCY_FLAGS && !depth_of(text[4], &migration)))
		return false;
	*flags = (irqs & 1 ? IRQS_OFF : 0) | (irqs & 2 ? BH_OFF : 0) | (resched & 1 ? RESCHED_LAZY : 0) |
		 (resched & 2 ? RESCHED : 0) | (resched & 4 ? PREEMPT_RESCHED : 0) | (context & 1 ? SOFTIRQ : 0) |
		 (context & 2 ? HARDIRQ : 0) | (context & 4 ? NMI : 0);
	*preempt = migration << 4 | depth;
	return true;
}

static bool byte_of(const struct item *item, const struct layout_field *field, u8 *ret)
{
	if (field->off >= item->size)
		return false;
	*ret = ((const u8 *)item->payload)[field->off];
	return true;
}

bool latency_of(const struct item *item, u8 *ret_flags, u8 *ret_preempt)
{
	const struct format *format;

	if (item->flags != ITEM_NO_FLAGS) {
		*ret_flags = item->flags;
		*ret_preempt = item->preempt;
		return true;
	}
	if (item->kind != ITEM_EVENT || !item->stream)
		return false;
	format = formats_get(item->stream->formats, item->id);
	return format->irq && format->preempt &&
	       byte_of(item, format->irq, ret_flags) &&
	       byte_of(item, format->preempt, ret_preempt);
}
