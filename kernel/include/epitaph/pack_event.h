/* SPDX-License-Identifier: GPL-2.0-only */
/* Which events are packed, and how a probe does it. */
#ifndef _EPITAPH_PACK_EVENT_H
#define _EPITAPH_PACK_EVENT_H

#include <linux/percpu.h>
#include <epitaph/pack.h>
#include <epitaph/record.h>

/*
 * Classes whose events are packed, if all their fields are of a fixed size, or one is an array that
 * is mostly empty.
 */
#define EPITAPH_PACK_block_rq ,
#define EPITAPH_PACK_block_rq_completion ,
#define EPITAPH_PACK_block_rq_requeue ,
#define EPITAPH_PACK_hrtimer_class ,
#define EPITAPH_PACK_hrtimer_expire_entry ,
#define EPITAPH_PACK_hrtimer_init ,
#define EPITAPH_PACK_hrtimer_start ,
#define EPITAPH_PACK_irq_handler_exit ,
#define EPITAPH_PACK_sched_migrate_task ,
#define EPITAPH_PACK_sched_process_fork ,
#define EPITAPH_PACK_sched_process_template ,
#define EPITAPH_PACK_sched_process_wait ,
#define EPITAPH_PACK_sched_switch ,
#define EPITAPH_PACK_sched_wakeup_template ,
#define EPITAPH_PACK_signal_deliver ,
#define EPITAPH_PACK_signal_generate ,
#define EPITAPH_PACK_softirq ,
#define EPITAPH_PACK_tick_stop ,
#define EPITAPH_PACK_timer_class ,
#define EPITAPH_PACK_timer_expire_entry ,
#define EPITAPH_PACK_timer_start ,
#define EPITAPH_PACK_workqueue_activate_work ,
#define EPITAPH_PACK_workqueue_execute_end ,
#define EPITAPH_PACK_workqueue_execute_start ,

#define EPITAPH_EMPTY_block_rq ,
#define EPITAPH_EMPTY_block_rq_completion ,
#define EPITAPH_EMPTY_block_rq_requeue ,

/*
 * Those that a table packs, if they are not as usual: a disk's request takes longer than the loop.
 * None of their fields is a task.
 */
#define EPITAPH_STEPS_block_rq ,
#define EPITAPH_STEPS_block_rq_completion ,
#define EPITAPH_STEPS_block_rq_requeue ,

/* Those that come so seldom, or from so few drivers, that a straight way is not worth its kilobyte. */
#define EPITAPH_SELDOM_block_rq_remap ,
#define EPITAPH_SELDOM_block_rq_requeue ,

/* Those of a task that ends: what comes last of it is some ms behind the rest, of which no slot is left. */
#define EPITAPH_LAST_sched_process_template ,

/* Those that come so often that they have a way of their own for what is usual. */
#define EPITAPH_OFTEN_block_rq ,
#define EPITAPH_OFTEN_block_rq_completion ,
#define EPITAPH_OFTEN_hrtimer_class ,
#define EPITAPH_OFTEN_hrtimer_expire_entry ,
#define EPITAPH_OFTEN_hrtimer_start ,
#define EPITAPH_OFTEN_sched_process_fork ,
#define EPITAPH_OFTEN_sched_process_template ,
#define EPITAPH_OFTEN_sched_process_wait ,
#define EPITAPH_OFTEN_sched_switch ,
#define EPITAPH_OFTEN_sched_wakeup_template ,
#define EPITAPH_OFTEN_signal_generate ,
#define EPITAPH_OFTEN_timer_class ,
#define EPITAPH_OFTEN_timer_expire_entry ,
#define EPITAPH_OFTEN_timer_start ,
#define EPITAPH_OFTEN_workqueue_execute_end ,
#define EPITAPH_OFTEN_workqueue_execute_start ,

extern struct epitaph_slots __percpu *epitaph_slots;

/* Of the payload. */
#define epitaph_bytes(raw) (sizeof(raw) - sizeof(struct epitaph_entry))

/* Whether all of it is one number; then it has ids of its own, or is not packed. */
#define epitaph_is_small(raw) (epitaph_bytes(raw) == sizeof(u32))

static __always_inline bool epitaph_put_small(const struct epitaph_event *ev, const u32 *payload)
{
	return likely(pack_small(this_cpu_ptr(ev->rings), ev->small, *payload));
}

/**
 * epitaph_pack_usual() - record an event packed, if that is easy
 * @ev: is_usual
 * @raw: a struct trace_event_raw_x, of which no others get a pointer
 * @fields: calls epitaph_pack_field() for each of them, and ends where that returns false
 *
 * Context: any, NMI included; preemption is off.
 * Return: false: nothing has begun, and epitaph_pack_any() does it.
 */
#define epitaph_pack_usual(ev, raw, fields)				\
	pack_usual(this_cpu_ptr((ev)->rings), this_cpu_ptr(epitaph_slots), (ev)->packing, raw, fields)

/**
 * epitaph_pack_any() - record an event packed
 *
 * Arguments and context as those of epitaph_pack_usual(), but that @ev is_packed.
 * Return: false: it does not pack.
 */
#define epitaph_pack_any(ev, raw, fields)				\
	({								\
		if (pack_layout(raw, fields).has_address && unlikely((ev)->nr_syms)) { \
			/* Had @raw itself left the function, it would have to be in memory. */ \
			typeof(raw) __copy = raw;			\
									\
			epitaph_note_symbols(ev, &__copy);		\
		}							\
		epitaph_is_small(raw) ?					\
			epitaph_put_small(ev, (const void *)&(raw) +	\
					  sizeof(struct epitaph_entry)) :	\
			pack_any_event(this_cpu_ptr((ev)->rings), this_cpu_ptr(epitaph_slots), \
				       (ev)->packing, raw, fields);	\
	})

#endif /* _EPITAPH_PACK_EVENT_H */
