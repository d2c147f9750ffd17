/* SPDX-License-Identifier: GPL-2.0-only */
/* Which events are packed, and how a probe does it. */
#ifndef _EPITAPH_PACK_EVENT_H
#define _EPITAPH_PACK_EVENT_H

#include <linux/percpu.h>
#include <epitaph/pack.h>
#include <epitaph/record.h>

/* Classes whose events are packed, if all their fields are of a fixed size. */
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

extern struct epitaph_slots __percpu *epitaph_slots;

/**
 * epitaph_pack() - record an event packed
 * @ev: is_packed
 * @raw: a struct trace_event_raw_x, of which no others get a pointer
 * @fields: calls epitaph_pack_field() for each of them
 *
 * Context: any, NMI included; preemption is off.
 * Return: false: it does not pack.
 */
#define epitaph_pack(ev, raw, fields)					\
	({								\
		if (epitaph_has_address(raw, fields) && unlikely((ev)->nr_syms)) { \
			/* Had @raw itself left the function, it would have to be in memory. */ \
			typeof(raw) __copy = raw;			\
									\
			epitaph_note_symbols(ev, &__copy);		\
		}							\
		epitaph_is_small(raw) ?					\
			epitaph_put_small(ev, (const void *)&(raw) +	\
					  sizeof(struct trace_entry)) :	\
			epitaph_put_packed(ev, raw, fields);		\
	})

/* Of the payload. */
#define epitaph_bytes(raw) (sizeof(raw) - sizeof(struct trace_entry))

/* Whether all of it is one number; then it has ids of its own, or is not packed. */
#define epitaph_is_small(raw) (epitaph_bytes(raw) == sizeof(u32))

/* Known when compiled. */
#define epitaph_has_address(raw, fields)				\
	({								\
		struct pack_state __look = { .looks = true };		\
									\
		fields(&__look, &(raw));				\
		__look.has_address;					\
	})

static __always_inline bool epitaph_put_small(const struct epitaph_event *ev, const u32 *payload)
{
	return likely(pack_small(this_cpu_ptr(ev->rings), ev->small, *payload));
}

#define epitaph_put_packed(ev, raw, fields)				\
	({								\
		struct epitaph_pack __pack __attribute__((uninitialized)); \
		struct pack_state __state =				\
			pack_begin(&__pack, this_cpu_ptr((ev)->rings),	\
				   this_cpu_ptr(epitaph_slots),		\
				   (ev)->packing, (ev)->pack_head);	\
									\
		fields(&__state, &(raw));				\
		pack_end(&__state);					\
	})

#endif /* _EPITAPH_PACK_EVENT_H */
