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
#define EPITAPH_PACK_tick_stop ,
#define EPITAPH_PACK_timer_class ,
#define EPITAPH_PACK_timer_expire_entry ,
#define EPITAPH_PACK_timer_start ,
#define EPITAPH_PACK_workqueue_activate_work ,
#define EPITAPH_PACK_workqueue_execute_end ,
#define EPITAPH_PACK_workqueue_execute_start ,

extern struct epitaph_slots __percpu *epitaph_slots;

/* record.c: as the format has it; @raw is @bytes, and the common ones before them. */
void epitaph_record_raw(const struct epitaph_event *ev, const void *raw, unsigned int bytes);

/**
 * epitaph_pack() - record an event packed, or if it does not pack as it is
 * @ev: is_packed
 * @raw: struct trace_event_raw_x
 * @bytes: of it, behind the common ones
 * @fields: calls epitaph_pack_field() for each of them
 *
 * Context: any, NMI included; preemption is off.
 */
#define epitaph_pack(ev, raw, bytes, fields)				\
	do {								\
		const struct epitaph_event *__ev = (ev);		\
		enum epitaph_packed __how;				\
		struct epitaph_pack __pack __attribute__((uninitialized)); \
		struct pack_state __state __attribute__((uninitialized)); \
		int __tries = 2;					\
									\
		if (unlikely(__ev->nr_syms))				\
			epitaph_note_symbols(__ev, raw);		\
		do {							\
			__state = pack_begin(&__pack, this_cpu_ptr(__ev->rings), \
					     this_cpu_ptr(epitaph_slots), \
					     __ev->packing, __ev->pack_head); \
			fields(&__state, raw);				\
			__how = pack_end(&__state);			\
		} while (unlikely(__how == EPITAPH_PACK_AGAIN) && --__tries); \
		if (unlikely(__how != EPITAPH_PACK_DONE))		\
			epitaph_record_raw(__ev, raw, bytes);		\
	} while (0)

#endif /* _EPITAPH_PACK_EVENT_H */
