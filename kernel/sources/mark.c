// SPDX-License-Identifier: GPL-2.0-only
/* Marks: moments that are recorded on request. */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include "core/lost.h"
#include "recorder.h"

static atomic64_t last_seq;

u64 epitaph_marks_written(void)
{
	return atomic64_read(&last_seq);
}

u32 epitaph_marks_kept(void)
{
	size_t size;

	epitaph_section(EPITAPH_SEC_MARKS, &size);
	return size / sizeof(struct epitaph_mark);
}

/*
 * A nested writer takes another number, and so another entry.  The check of an entry that
 * was half written when the CPU stopped is wrong, so a reader skips the entry.
 */
void epitaph_mark(enum epitaph_mark_type type, const char *text)
{
	u64 seq = atomic64_inc_return(&last_seq);
	struct epitaph_mark now = {
		.seq = cpu_to_le64(seq),
		.clock = cpu_to_le64(epitaph_clock()),
		.real_ns = cpu_to_le64(ktime_get_real_fast_ns()),
		.type = cpu_to_le32(type),
		.cpu = cpu_to_le32(raw_smp_processor_id()),
	};
	struct epitaph_mark *marks;
	size_t size;

	strscpy(now.text, text, sizeof(now.text));
	now.check = cpu_to_le64(epitaph_check(epitaph_region.salt, &now,
				offsetof(struct epitaph_mark, check)));
	marks = epitaph_section(EPITAPH_SEC_MARKS, &size);
	/*
	 * Of hibernation: the kernel that resumed this one may have ended there in order.  No image is
	 * made between the question and the store, and who loses a device waits for us.
	 */
	preempt_disable_notrace();
	if (!epitaph_lost())
		marks[(seq - 1) % (size / sizeof(*marks))] = now;
	preempt_enable_notrace();
}
