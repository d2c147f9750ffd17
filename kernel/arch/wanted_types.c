// SPDX-License-Identifier: GPL-2.0-only
/*
 * Types that `epitaph` asks a dump for by name, of a kernel that has no BTF.  Of this object pahole makes
 * some, and they become a part of the module: docs/kernel-memory.md.  The compiler describes all that is
 * reached from here, also by pointers.  What no header has, as struct rq, is not there.
 */
#include <linux/blkdev.h>
#include <linux/bio.h>
#include <linux/blk-mq.h>
#include <linux/cdev.h>
#include <linux/clocksource.h>
#include <linux/completion.h>
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/elf.h>
#include <linux/extable.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/if_arp.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/jump_label.h>
#include <linux/kernfs.h>
#include <linux/kobject.h>
#include <linux/kthread.h>
#include <linux/mempool.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/page-flags.h>
#include <linux/pagemap.h>
#include <linux/percpu-rwsem.h>
#include <linux/pid_namespace.h>
#include <linux/pipe_fs_i.h>
#include <linux/ptrace.h>
#include <linux/rcuwait.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/semaphore.h>
#include <linux/seq_file.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/swait.h>
#include <linux/timekeeper_internal.h>
#include <linux/timer.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <linux/wait_bit.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/sock.h>
#if __has_include(<linux/sched_clock.h>)
#include <linux/sched_clock.h>
#endif
#if __has_include(<linux/genhd.h>)
#include <linux/genhd.h>
#endif
#ifdef CONFIG_X86_64
#include <asm/cpu_entry_area.h>
#include <asm/desc.h>
#include <asm/orc_types.h>
#include <asm/processor.h>
#include <asm/switch_to.h>
#include <asm/timer.h>
#endif
#ifdef CONFIG_S390
#include <asm/lowcore.h>
#include <asm/stacktrace.h>
#endif

#define WANTED(type, name) type *epitaph_wanted_##name

WANTED(struct task_struct, task);
WANTED(union thread_union, thread_union);
WANTED(struct signal_struct, signal);
WANTED(struct pid_namespace, pid_namespace);
WANTED(struct pt_regs, pt_regs);
WANTED(struct module, module);
WANTED(struct module_notes_attrs, module_notes);
WANTED(struct exception_table_entry, exception_table_entry);
WANTED(struct mutex, mutex);
WANTED(struct rt_mutex, rt_mutex);
WANTED(struct rw_semaphore, rw_semaphore);
WANTED(struct percpu_rw_semaphore, percpu_rw_semaphore);
WANTED(struct semaphore, semaphore);
WANTED(struct completion, completion);
WANTED(struct wait_queue_entry, wait_queue_entry);
WANTED(struct wait_bit_queue_entry, wait_bit_queue_entry);
WANTED(struct wait_page_queue, wait_page_queue);
WANTED(struct swait_queue, swait_queue);
WANTED(struct timer_list, timer);
WANTED(struct hrtimer_sleeper, hrtimer_sleeper);
WANTED(struct tasklet_struct, tasklet);
WANTED(struct delayed_work, delayed_work);
WANTED(struct kthread_work, kthread_work);
WANTED(struct clocksource, clocksource);
WANTED(struct tk_read_base, tk_read_base);
WANTED(struct timekeeper, timekeeper);
WANTED(struct clock_read_data, clock_read_data);
WANTED(struct page, page);
WANTED(enum pageflags, page_flags);
WANTED(mempool_t, mempool);
WANTED(struct vmap_area, vmap_area);
WANTED(struct vm_struct, vm_struct);
WANTED(struct mm_struct, mm);
WANTED(struct file, file);
WANTED(struct inode, inode);
WANTED(struct dentry, dentry);
WANTED(struct super_block, super_block);
WANTED(struct vfsmount, vfsmount);
WANTED(struct files_struct, files);
WANTED(struct seq_file, seq_file);
WANTED(struct pipe_inode_info, pipe);
WANTED(struct kernfs_node, kernfs_node);
WANTED(struct xa_node, xa_node);
WANTED(struct gendisk, gendisk);
WANTED(struct request, request);
WANTED(struct blk_mq_hw_ctx, hw_ctx);
WANTED(struct bio, bio);
WANTED(struct device, device);
WANTED(struct kset, kset);
WANTED(struct bin_attribute, bin_attribute);
WANTED(struct irq_desc, irq_desc);
WANTED(struct net_device, net_device);
WANTED(struct sk_buff, sk_buff);
WANTED(struct sock, sock);
WANTED(struct dma_fence, dma_fence);
WANTED(enum dma_fence_flag_bits, dma_fence_flags);
WANTED(struct new_utsname, utsname);
WANTED(struct trace_event_call, trace_event_call);
WANTED(struct trace_event_file, trace_event_file);
WANTED(struct trace_entry, trace_entry);
WANTED(Elf64_Sym, elf_symbol);
#ifdef CONFIG_X86_64
WANTED(struct cyc2ns_data, cyc2ns);
WANTED(struct orc_entry, orc_entry);
WANTED(struct inactive_task_frame, inactive_task_frame);
WANTED(struct cpu_entry_area, cpu_entry_area);
#endif
#ifdef CONFIG_S390
WANTED(struct lowcore, lowcore);
WANTED(struct stack_frame, stack_frame);
#endif
