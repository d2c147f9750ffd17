// SPDX-License-Identifier: GPL-2.0-or-later
#include "latency_flags.h"

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

static char depth(u8 n)
{
	return n ? "0123456789abcdef"[n] : '.';
}

void latency_flags(char text[LATENCY_FLAGS + 1], u8 flags, u8 preempt)
{
	/* Each column by its flags, in the order of bits. */
	u32 irqs = (flags & IRQS_OFF ? 1 : 0) + (flags & BH_OFF ? 2 : 0);
	u32 resched = (flags & RESCHED_LAZY ? 1 : 0) + (flags & RESCHED ? 2 : 0) +
		      (flags & PREEMPT_RESCHED ? 4 : 0);
	u32 context = (flags & SOFTIRQ ? 1 : 0) + (flags & HARDIRQ ? 2 : 0) + (flags & NMI ? 4 : 0);

	text[0] = ".dbD"[irqs];
	text[1] = ".lnbpLNB"[resched];
	text[2] = ".shHzzZZ"[context];
	text[3] = depth(preempt & 15);
	text[4] = depth(preempt >> 4);
	text[5] = 0;
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
