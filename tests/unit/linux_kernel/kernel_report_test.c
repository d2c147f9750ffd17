// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a kernel's log says it died of: lines as kernels from 5.10 to 7.2 print them, and logs that
 * are cut, mixed or made up.
 *
 * build: extractor/linux_kernel/kernel_report.c extractor/base/err.c extractor/base/escape.c
 */
#include <string.h>

#include "linux_kernel/kernel_report.h"
#include "tap.h"

#define NO_ONE	KERNEL_REPORT_NO_CALLER

struct log {
	struct report_line lines[4096];
	u32 nr;
	struct kernel_reports reports;
};

static struct log a_log;

static void say(u64 caller, const char *text)
{
	a_log.lines[a_log.nr] = (struct report_line){
		.time = a_log.nr * 1000000ULL, .caller = caller, .text = text, .len = strlen(text),
	};
	a_log.nr++;
}

static void say_all(u64 caller, const char *const *lines)
{
	for (; *lines; lines++)
		say(caller, *lines);
}

static void begin(void)
{
	kernel_reports_free(&a_log.reports);
	a_log.nr = 0;
}

static const struct kernel_reports *read_all(void)
{
	kernel_reports_free(&a_log.reports);
	kernel_reports_read(&a_log.reports, a_log.lines, a_log.nr, NULL);
	return &a_log.reports;
}

static const struct kernel_reports *read_lines(const char *const *lines)
{
	begin();
	say_all(NO_ONE, lines);
	return read_all();
}

static bool is(struct report_text text, const char *want)
{
	bool same = want ? text.len == strlen(want) && !memcmp(text.text, want, text.len) : !text.text;

	if (!same)
		printf("# it says: %.*s\n", (int)text.len, text.text ? text.text : "");
	return same;
}

#define LINES(...) (const char *const []){ __VA_ARGS__, NULL }

static void report__a_null_dereference_has_address_place_task_and_frames(void)
{
	const struct kernel_reports *r = read_lines(LINES(
		"BUG: kernel NULL pointer dereference, address: 0000000000000008",
		"#PF: supervisor read access in kernel mode",
		"#PF: error_code(0x0000) - not-present page",
		"PGD 0 P4D 0 ",
		"Oops: 0000 [#1] PREEMPT SMP NOPTI",
		"CPU: 0 PID: 110 Comm: left Kdump: loaded Tainted: G           OE      6.1.0-56-amd64 #1",
		"Hardware name: QEMU Standard PC (Q35 + ICH9, 2009)",
		"RIP: 0010:page_read+0x5/0x10 [victim]",
		"Code: 00 00 00 0f 1f 44 00 00 48 8b 07 c3",
		"RSP: 0018:ff5a8993403fbf10 EFLAGS: 00010246",
		"Call Trace:",
		" <TASK>",
		" ? __die_body.cold+0x1a/0x1f",
		" left+0x2b/0x30 [victim]",
		" asm_sysvec_apic_timer_interrupt+0x16/0x20",
		"RIP: 0010:default_idle+0xf/0x20",
		"RSP: 0018:ffffffffa6603e98 EFLAGS: 00000246",
		" kthread+0xda/0x100",
		" </TASK>",
		"Modules linked in: victim(OE) epitaph(OE)",
		"---[ end trace 0000000000000000 ]---",
		"RIP: 0010:page_read+0x5/0x10 [victim]"));

	if (!CHECK(r->nr == 1, "%u reports", r->nr))
		return;
	CHECK(r->list[0].kind == KERNEL_REPORT_OOPS, "%d", r->list[0].kind);
	CHECK(is(r->list[0].title, "BUG: kernel NULL pointer dereference, address: 0000000000000008"), " ");
	CHECK(r->list[0].nr_lines == 1 && is(r->list[0].lines[0], "Oops: 0000 [#1] PREEMPT SMP NOPTI"),
	      "%u lines", r->list[0].nr_lines);
	CHECK(is(r->list[0].place, "page_read+0x5/0x10 [victim]"), " ");
	CHECK(is(r->list[0].cpu, "0") && is(r->list[0].pid, "110") && is(r->list[0].comm, "left"), " ");
	CHECK(r->list[0].nr_frames == 3 && is(r->list[0].frames[0], "left+0x2b/0x30 [victim]") &&
	      is(r->list[0].frames[2], "kthread+0xda/0x100"), "%u frames", r->list[0].nr_frames);
}

static void report__a_bug_has_what_was_said_before_it(void)
{
	const struct kernel_reports *r = read_lines(LINES(
		"list_del corruption. prev->next should be ff30d31c7e1afe00, but was 5a5a. (prev=ff30)",
		"------------[ cut here ]------------",
		"kernel BUG at lib/list_debug.c:59!",
		"invalid opcode: 0000 [#1] PREEMPT SMP NOPTI",
		"CPU: 0 PID: 95 Comm: init Tainted: G           OE",
		"RIP: 0010:__list_del_entry_valid.cold+0x37/0x6f",
		"Kernel panic - not syncing: Fatal exception"));

	if (!CHECK(r->nr == 2, "%u reports", r->nr))
		return;
	CHECK(is(r->list[0].title, "kernel BUG at lib/list_debug.c:59!"), " ");
	CHECK(r->list[0].kind == KERNEL_REPORT_OOPS, "%d", r->list[0].kind);
	CHECK(r->list[0].nr_lines == 2 && report_text_has(r->list[0].lines[0], "list_del corruption. ") &&
	      is(r->list[0].lines[1], "invalid opcode: 0000 [#1] PREEMPT SMP NOPTI"),
	      "%u lines", r->list[0].nr_lines);
	CHECK(kernel_reports_cause(r, kernel_report_panic_text(&r->list[1]), 1) == 0, " ");
}

static void report__what_has_nothing_to_do_with_a_bug_stands_before_it_only(void)
{
	const struct kernel_reports *r = read_lines(LINES(
		"usb 1-1: new high-speed USB device",
		"------------[ cut here ]------------",
		"kernel BUG at fs/ext4/inode.c:59!",
		"invalid opcode: 0000 [#1] SMP"));

	CHECK(r->nr == 1 && r->list[0].nr_lines == 1 &&
	      is(r->list[0].before, "usb 1-1: new high-speed USB device"), "%u reports", r->nr);
}

static void report__a_warning_has_its_message(void)
{
	const struct kernel_reports *r = read_lines(LINES(
		"------------[ cut here ]------------",
		"refcount_t: underflow; use-after-free.",
		"WARNING: CPU: 0 PID: 95 at lib/refcount.c:28 refcount_warn_saturate+0xba/0x110",
		"Modules linked in: victim(OE)",
		"CPU: 0 PID: 95 Comm: init Kdump: loaded",
		"RIP: 0010:refcount_warn_saturate+0xba/0x110",
		"Kernel panic - not syncing: kernel: panic_on_warn set ..."));

	if (!CHECK(r->nr == 2, "%u reports", r->nr))
		return;
	CHECK(r->list[0].kind == KERNEL_REPORT_WARNING && r->list[0].nr_lines == 1 &&
	      is(r->list[0].lines[0], "refcount_t: underflow; use-after-free."), "%u", r->list[0].nr_lines);
	CHECK(kernel_reports_cause(r, kernel_report_panic_text(&r->list[1]), 1) == 0, " ");
}

static void report__sleep_in_atomic_context_is_the_cause_of_its_panic(void)
{
	/* With check_panic_on_warn(), as in 6.1, and without, as in 5.10.0 */
	static const char *const panics[] = {
		"Kernel panic - not syncing: scheduling while atomic: panic_on_warn set ...",
		"Kernel panic - not syncing: scheduling while atomic",
	};

	for (size_t i = 0; i < ARRAY_SIZE(panics); i++) {
		const struct kernel_reports *r = read_lines(LINES(
			"BUG: scheduling while atomic: init/94/0x00000002",
			"Modules linked in: victim(OE) epitaph(OE)",
			"WARNING: CPU: 0 PID: 95 at lib/refcount.c:28 refcount_warn_saturate+0xba/0x110",
			panics[i],
			"CPU: 1 PID: 94 Comm: init Kdump: loaded Tainted: G           OE      6.1.0-56-amd64"));

		CHECK(r->nr == 3 &&
		      kernel_reports_cause(r, kernel_report_panic_text(&r->list[2]), 2) == 0,
		      "%u reports; %s", r->nr, panics[i]);
	}
}

static void report__a_fault_that_only_die_names_is_one(void)
{
	const struct kernel_reports *r = read_lines(LINES(
		"general protection fault, probably for non-canonical address 0x4143534942594143: 0000 [#1] SMP",
		"RIP: 0010:parcel_weigh+0x5/0x10 [victim 0123456789abcdef]",
		"Oops: divide error: 0000 [#2] PREEMPT SMP NOPTI",
		"Internal error: Oops: 0000000096000045 [#3] SMP",
		"pc : fire+0x10/0x20"));

	if (!CHECK(r->nr == 3, "%u reports", r->nr))
		return;
	CHECK(report_text_has(r->list[0].title, "0x4143534942594143: 0000 [#1] SMP"), " ");
	CHECK(is(r->list[0].place, "parcel_weigh+0x5/0x10 [victim 0123456789abcdef]"), " ");
	CHECK(is(r->list[2].place, "fire+0x10/0x20"), " ");
}

/* arm64: @lr and the trace from its second line on. */
static const struct kernel_report *of_arm64(const char *pc, const char *lr, const char *first, const char *second)
{
	const struct kernel_reports *r = read_lines(LINES(
		"Unable to handle kernel NULL pointer dereference at virtual address 0000000000000038",
		"Internal error: Oops: 0000000096000006 [#1] SMP",
		pc, lr, "sp : ffff8000805637d0", "Call trace:", first, second, " do_init_module+0x60/0x238",
		"Code: 0eb67f58 ffff95b9 aa1e03e9 d503201f (b9403800) "));

	return CHECK(r->nr == 1, "%u reports", r->nr) ? &r->list[0] : NULL;
}

static void report__of_arm64_a_function_without_a_frame_has_its_caller(void)
{
	static const char pc[] = "pc : tunnel_mtu+0x8/0xff8 [tunnel]", place[] = " tunnel_mtu+0x8/0xff8 [tunnel]";
	static const char next[] = " do_one_initcall+0x64/0x280";
	const struct kernel_report *r;

	r = of_arm64(pc, "lr : tunnel_init+0x38/0xff8 [tunnel]", place, next);
	CHECK(r && r->nr_frames == 3 && is(r->frames[0], "tunnel_init+0x38/0xff8 [tunnel]") && is(r->frames[1], next + 1), "of a leaf");
	/* Since 6.13 */
	r = of_arm64(pc, "lr : tunnel_init+0x38/0xff8 [tunnel]", " tunnel_mtu+0x8/0xff8 [tunnel] (P)", " tunnel_init+0x38/0xff8 [tunnel] (L)");
	CHECK(r && r->nr_frames == 2 && is(r->frames[0], "tunnel_init+0x38/0xff8 [tunnel]"), "which the trace has");
	r = of_arm64(pc, "lr : do_one_initcall+0x64/0x280", place, next);
	CHECK(r && r->nr_frames == 2 && is(r->frames[0], next + 1), "which has made its frame");
	r = of_arm64(pc, "lr : tunnel_mtu+0x4/0xff8 [tunnel]", place, next);
	CHECK(r && r->nr_frames == 2 && is(r->frames[0], next + 1), "behind a call of its own");
	r = of_arm64("pc : 0x0", "lr : tunnel_init+0x38/0xff8 [tunnel]", " 0x0", next);
	CHECK(r && r->nr_frames == 3 && !r->place.text && is(r->frames[0], "tunnel_init+0x38/0xff8 [tunnel]"), "which jumped to NULL");
	r = of_arm64("pc : 0x0", "lr : 0x0", " 0x0", next);
	CHECK(r && r->nr_frames == 2 && is(r->frames[0], next + 1), "which returned to NULL");
}

/* As a region has them of s390x: what pr_cont() adds to a line is one of its own. */
static void report__a_place_in_pieces_is_one(void)
{
	const struct kernel_reports *r = read_lines(LINES(
		"Unable to handle kernel pointer dereference in virtual kernel address space",
		"Failing address: 0000000000000000 TEID: 0000000000000483",
		"Oops: 0004 ilc:3 [#1] ",
		"SMP ",
		"CPU: 1 UID: 0 PID: 146 Comm: init Tainted: G           OE      6.12.95+deb12-s390x #1  Debian 6.12.95-1~bpo12+1",
		"Krnl PSW : 0704c00180000000 000003ff7eae7f62",
		" (dereference_null+0xa/0x18 [victim])",
		"Krnl GPRS: 0000000000000000 0000000000000000 0000037ffec97ac0 000003ff7eb06154",
		"Call Trace:",
		" [<000003ff7eae7f62>] dereference_null+0xa/0x18 [victim] ",
		"([<000003ff7eae805c>] bug_write+0x4c/0x130 [victim])"));

	CHECK(r->nr == 1, "%u reports", r->nr);
	CHECK(is(r->list[0].place, "dereference_null+0xa/0x18 [victim]"), " ");
}

static void report__each_panic_has_its_cause(void)
{
	static const struct {
		const char *title;
		const char *panic;
		s64 cause;
	} cases[] = {
		{ "INFO: task sh:12 blocked for more than 120 seconds.", "hung_task: blocked tasks", 0 },
		{ "watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [sh:12]", "softlockup: hung tasks", 0 },
		{ "NMI watchdog: Watchdog detected hard LOCKUP on cpu 1", "Hard LOCKUP", 0 },
		{ "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:", "RCU Stall", 0 },
		{ "sh invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0",
		  "Out of memory: system-wide panic_on_oom is enabled", 0 },
		{ "EXT4-fs error (device vdb): ext4_lookup:1855: inode #2: comm ls: iget: checksum invalid",
		  "EXT4-fs (device vdb): panic forced after error", 0 },
		{ "BUG: KASAN: use-after-free in f+0x1/0x2", "KASAN: panic_on_warn set ...", 0 },
		{ "INFO: task sh:12 blocked for more than 120 seconds.", "Fatal exception", -1 },
		{ "WARNING: CPU: 0 PID: 1 at a.c:1 f+0x1/0x2", "hung_task: blocked tasks", -1 },
		{ "WARNING: CPU: 0 PID: 1 at a.c:1 f+0x1/0x2", "anything else", -1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct kernel_reports *r = read_lines(LINES(cases[i].title));
		struct report_text panic = { cases[i].panic, strlen(cases[i].panic) };

		CHECK(r->nr == 1 && kernel_reports_cause(r, panic, r->nr) == cases[i].cause, "%s",
		      cases[i].title);
	}
}

static void report__a_stall_names_its_cpus(void)
{
	const struct kernel_reports *r = read_lines(LINES(
		"rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
		"rcu: \t1-....: (1 GPs behind) idle=59c4/1/0x4000000000000000 softirq=35/36 fqs=262",
		"\t(detected by 0, t=752 jiffies, g=-1127, q=5 ncpus=2)",
		"rcu: rcu_preempt kthread starved for 755 jiffies! g-803 f0x0 RCU_GP_WAIT_FQS(5)",
		"rcu: \tUnless rcu_preempt kthread gets sufficient CPU time, OOM is now expected behavior."));

	CHECK(r->nr == 1 && r->list[0].nr_lines == 2 && report_text_has(r->list[0].lines[0], "1-....: "),
	      "%u reports", r->nr);
}

static void report__lines_of_two_cpus_are_kept_apart_by_their_callers(void)
{
	const struct kernel_reports *r;

	begin();
	say(1, "BUG: kernel NULL pointer dereference, address: 0000000000000001");
	say(2, "BUG: kernel NULL pointer dereference, address: 0000000000000002");
	say(1, "Oops: 0000 [#1] SMP");
	say(2, "Oops: 0000 [#2] SMP");
	say(2, "CPU: 1 PID: 22 Comm: right Tainted");
	say(1, "CPU: 0 PID: 11 Comm: left Tainted");
	say(1, "RIP: 0010:left+0x1/0x2");
	say(2, "RIP: 0010:right+0x1/0x2");
	r = read_all();
	if (!CHECK(r->nr == 2, "%u reports", r->nr))
		return;
	CHECK(is(r->list[0].place, "left+0x1/0x2") && is(r->list[0].comm, "left"), " ");
	CHECK(is(r->list[1].place, "right+0x1/0x2") && is(r->list[1].comm, "right"), " ");
	CHECK(r->list[0].kind == KERNEL_REPORT_OOPS && r->list[1].kind == KERNEL_REPORT_OOPS, " ");
}

/* Debian's 6.1 with four CPUs, two of which wait for the lock of the other. The panic stops CPU 0 within its trace. */
static const char *const first_lockup[] = {
	"watchdog: BUG: soft lockup - CPU#1 stuck for 11s! [resetter:132]",
	"CPU: 1 PID: 132 Comm: resetter Kdump: loaded Tainted: G           OE      6.1.0-57-amd64 #1",
	"RIP: 0010:native_queued_spin_lock_slowpath+0x30/0x2a0",
	"RSP: 0018:ffffc900003ffed8 EFLAGS: 00000202",
	"CS:  0010 DS: 0000 ES: 0000 CR0: 0000000080050033", NULL,
};

static const char *const second_lockup[] = {
	"watchdog: BUG: soft lockup - CPU#0 stuck for 11s! [transmitter:131]",
	"CPU: 0 PID: 131 Comm: transmitter Kdump: loaded Tainted: G           OE      6.1.0-57-amd64 #1",
	"RIP: 0010:native_queued_spin_lock_slowpath+0x30/0x2a0",
	"RSP: 0018:ffffc900003e7ed8 EFLAGS: 00000202",
	"CS:  0010 DS: 0000 ES: 0000 CR0: 0000000080050033",
	"CR2: 000000000042ee70 CR3: 000000000a210000 CR4: 0000000000750ef0",
	"Call Trace:",
	" <TASK>",
	" _raw_spin_lock+0x25/0x30", NULL,
};

static const char *const rest_of_first_lockup[] = {
	"CR2: 000000000042ee70 CR3: 000000000a210000 CR4: 0000000000750ee0",
	"PKRU: 55555554",
	"Call Trace:",
	" <TASK>",
	" _raw_spin_lock+0x25/0x30",
	" port_reset+0x3e/0x70 [two_spinlocks]",
	" resetter+0x14/0x20 [two_spinlocks]",
	" kthread+0xda/0x100",
	" </TASK>", NULL,
};

static const char *const panic_of_first_lockup[] = {
	"Kernel panic - not syncing: softlockup: hung tasks",
	"CPU: 1 PID: 132 Comm: resetter Kdump: loaded Tainted: G           OEL     6.1.0-57-amd64 #1",
	"Call Trace:",
	" <IRQ>",
	" dump_stack_lvl+0x44/0x5c",
	" panic+0x118/0x2f4",
	" watchdog_timer_fn.cold+0xc/0x16",
	" sysvec_apic_timer_interrupt+0x69/0x90",
	" </IRQ>",
	" <TASK>",
	" asm_sysvec_apic_timer_interrupt+0x16/0x20",
	"RIP: 0010:native_queued_spin_lock_slowpath+0x30/0x2a0",
	"RSP: 0018:ffffc900003ffed8 EFLAGS: 00000202",
	" ? port_reset+0x70/0x70 [two_spinlocks]",
	" _raw_spin_lock+0x25/0x30",
	" port_reset+0x3e/0x70 [two_spinlocks]",
	" resetter+0x14/0x20 [two_spinlocks]",
	" </TASK>", NULL,
};

static const struct kernel_reports *read_two_lockups(u64 cpu0, u64 cpu1)
{
	begin();
	say_all(cpu1, first_lockup);
	say_all(cpu0, second_lockup);
	say_all(cpu1, rest_of_first_lockup);
	say_all(cpu1, panic_of_first_lockup);
	return read_all();
}

static bool is_port_reset(const struct kernel_report *report)
{
	return report->nr_frames >= 3 && is(report->frames[1], "port_reset+0x3e/0x70 [two_spinlocks]");
}

static void report__the_lines_of_two_cpus_alternate_within_their_traces(void)
{
	const struct kernel_reports *r = read_two_lockups(0x80000000, 0x80000001);

	if (!CHECK(r->nr == 3, "%u reports", r->nr))
		return;
	CHECK(is_port_reset(&r->list[0]) && is(r->list[0].cpu, "1"), "%u frames", r->list[0].nr_frames);
	CHECK(r->list[1].nr_frames == 1 && is(r->list[1].cpu, "0"), "%u frames", r->list[1].nr_frames);
	CHECK(kernel_reports_cause(r, kernel_report_panic_text(&r->list[2]), 2) == 0, "the other one");
}

/* A console does not say whose the lines are: that of the panic does, and has the trace of what was interrupted. */
static void report__without_callers_the_panic_says_which_cpu_it_is_for(void)
{
	const struct kernel_reports *r = read_two_lockups(NO_ONE, NO_ONE);

	if (!CHECK(r->nr == 3, "%u reports", r->nr))
		return;
	CHECK(kernel_reports_cause(r, kernel_report_panic_text(&r->list[2]), 2) == 0, "the other one");
	CHECK(is_port_reset(&r->list[0]), "%u frames", r->list[0].nr_frames);
	CHECK(r->list[1].nr_frames == 1, "%u frames", r->list[1].nr_frames);
}

/* Another CPU's watchdog noticed that one is stuck; that of its own CPU was long before. */
static void report__an_old_lockup_of_the_panics_cpu_is_not_its_cause(void)
{
	const struct kernel_reports *r;

	begin();
	say_all(NO_ONE, first_lockup);
	a_log.lines[a_log.nr - 1].time += 30000000000ULL;
	say_all(NO_ONE, second_lockup);
	say_all(NO_ONE, panic_of_first_lockup);
	for (u32 i = ARRAY_SIZE(first_lockup) - 1; i < a_log.nr; i++)
		a_log.lines[i].time += 30000000000ULL;
	r = read_all();
	CHECK(r->nr == 3 && kernel_reports_cause(r, kernel_report_panic_text(&r->list[2]), 2) == 1, "%u reports", r->nr);
}

/* Of another task on that CPU it is not. */
static void report__the_trace_of_a_panic_is_of_its_own_task(void)
{
	static const char *const other[] = {
		"watchdog: BUG: soft lockup - CPU#1 stuck for 11s! [resetter:140]",
		"CPU: 1 PID: 140 Comm: resetter Kdump: loaded Tainted: G           OE      6.1.0-57-amd64 #1",
		"RIP: 0010:native_queued_spin_lock_slowpath+0x30/0x2a0", NULL,
	};
	const struct kernel_reports *r;

	begin();
	say_all(NO_ONE, other);
	say_all(NO_ONE, second_lockup);
	say_all(NO_ONE, panic_of_first_lockup);
	r = read_all();
	CHECK(r->nr == 3 && !r->list[0].nr_frames, "%u reports, %u frames", r->nr, r->list[0].nr_frames);
}

static void report__lines_of_another_caller_belong_to_none(void)
{
	const struct kernel_reports *r;

	begin();
	say(1, "BUG: kernel NULL pointer dereference, address: 0000000000000001");
	say(2, "RIP: 0010:other+0x1/0x2");
	say(2, "Kernel panic - not syncing: other");
	r = read_all();
	CHECK(r->nr == 2 && is(r->list[0].place, NULL) && is(r->list[1].before, "RIP: 0010:other+0x1/0x2"),
	      "%u reports", r->nr);
}

static void report__a_panic_is_for_the_fault_of_its_caller(void)
{
	const struct kernel_reports *r;

	begin();
	say(1, "BUG: kernel NULL pointer dereference, address: 0000000000000001");
	say(1, "Oops: 0000 [#1] SMP");
	say(2, "BUG: kernel NULL pointer dereference, address: 0000000000000002");
	say(2, "Oops: 0000 [#2] SMP");
	say(1, "Kernel panic - not syncing: Fatal exception");
	r = read_all();
	if (!CHECK(r->nr == 3, "%u reports", r->nr))
		return;
	CHECK(kernel_reports_cause(r, kernel_report_panic_text(&r->list[2]), 2) == 0, " ");
	a_log.lines[4].caller = 3;
	r = read_all();
	CHECK(kernel_reports_cause(r, kernel_report_panic_text(&r->list[2]), 2) == 1, " ");
}

static void report__a_fault_is_none_of_what_else_is_called_bug(void)
{
	static const char *const others[] = {
		"BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 33s!",
		"BUG: Bad rss-counter state mm:000000001234abcd type:MM_ANONPAGES val:1",
		"BUG: Bad page map in process sh  pte:8000000123456025 pmd:101234067",
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const struct kernel_reports *r = read_lines(LINES(
			others[i],
			"general protection fault, probably for non-canonical address 0x6b6b6b6b6b6b6b83: 0000 [#1] PREEMPT SMP NOPTI",
			"CPU: 2 PID: 4711 Comm: badd Tainted: G           OE      6.1.0-18-amd64 #1"));

		if (!CHECK(r->nr == 2, "%u reports", r->nr))
			return;
		CHECK(r->list[0].kind == KERNEL_REPORT_BUG && r->list[1].kind == KERNEL_REPORT_OOPS, " ");
		CHECK(is(r->list[1].pid, "4711") && !r->list[0].pid.text, " ");
	}
}

static void report__programs_have_none(void)
{
	const struct kernel_reports *r = read_lines(LINES(
		"systemd[1]: Oops: 0000 [#1] SMP", "systemd[1]: kernel BUG at mm/slub.c:440!",
		"web1 abrtd[77]: x invoked oom-killer: y", "kerneloops[5]: EXT4-fs error (device sda): z"));

	CHECK(!r->nr, "%u reports", r->nr);
	r = read_lines(LINES("Web Content[1] invoked oom-killer: gfp_mask=0x1100dca", "EXT4-fs error (device sda1): a[1]: b",
			     "Internal error: Oops: 0000000096000005 [#1] SMP", "foo []: 0000 [#1]"));
	CHECK(r->nr == 4, "%u reports", r->nr);
}

static void report__a_log_that_ends_anywhere_is_read(void)
{
	static const char *const whole[] = {
		"list_del corruption. next is NULL", "------------[ cut here ]------------",
		"kernel BUG at lib/list_debug.c:59!", "invalid opcode: 0000 [#1] PREEMPT SMP NOPTI",
		"CPU: 0 PID: 95 Comm: init", "RIP: 0010:f+0x37/0x6f", "Call Trace:", " g+0x1/0x2 [m]",
	};

	for (u32 lines = 0; lines < ARRAY_SIZE(whole); lines++)
		for (u32 len = 0; len <= strlen(whole[lines]); len++) {
			begin();
			for (u32 i = 0; i <= lines; i++)
				say(NO_ONE, whole[i]);
			a_log.lines[lines].len = len;
			read_all();
			CHECK(a_log.reports.nr <= 1, "%u reports of %u lines", a_log.reports.nr, lines);
		}
}

/* Pieces of real lines in any order: nothing may be read outside of a line. */
static void report__no_line_is_too_strange(void)
{
	static const char *const pieces[] = {
		"RIP: ", "0010:", "f+0x1/0x2", " [", "m]", "[#1]", "[#", "BUG: ", "Call Trace:", "? ", "+0x",
		"/0x", "CPU: ", " PID: ", " Comm: ", "WARNING: ", " at ", "INFO: task ", " blocked ",
		"------------[ cut here ]", "Kernel panic - not syncing: ", "\t", " ", "<TASK>", "pc : ",
		"Krnl PSW : ", "(", "rcu: ", "INFO: rcu_", "stall", "\xff", "",
		"</IRQ>", "<EOI>  [<ffffffff81000000>] ", "NIP [", "epc : ", "(f) from [<", "[c000000000001234] ", "Backtrace:",
		"rcu_sched_clock_irq+0x1/0x2", "asm_sysvec_x+0x1/0x2",
	};
	static char texts[4096][64];
	u32 seed = 1;

	for (u32 round = 0; round < 50; round++) {
		begin();
		for (u32 i = 0; i < 1000; i++) {
			texts[i][0] = '\0';
			for (u32 k = 0; k < 5; k++) {
				seed = seed * 1103515245 + 12345;
				strncat(texts[i], pieces[(seed >> 16) % ARRAY_SIZE(pieces)],
					sizeof(texts[i]) - 1 - strlen(texts[i]));
			}
			say((seed >> 8) % 4 ? (seed >> 8) % 4 : NO_ONE, texts[i]);
		}
		read_all();
		for (u32 i = 0; i < a_log.reports.nr; i++)
			CHECK(a_log.reports.list[i].nr_lines <= KERNEL_REPORT_LINES &&
			      a_log.reports.list[i].nr_frames <= KERNEL_REPORT_FRAMES, "%u", i);
	}
}

static void report__of_very_many_the_last_ones_are_kept(void)
{
	static struct report_line lines[10000];
	struct kernel_reports r;

	for (u32 i = 0; i < ARRAY_SIZE(lines); i++)
		lines[i] = (struct report_line){ .time = i, .caller = NO_ONE, .text = "BUG: x", .len = 6 };
	kernel_reports_read(&r, lines, ARRAY_SIZE(lines), NULL);
	CHECK(r.nr + r.nr_dropped == ARRAY_SIZE(lines), "%u and %u", r.nr, r.nr_dropped);
	CHECK(r.nr && r.list[r.nr - 1].time == ARRAY_SIZE(lines) - 1, " ");
	kernel_reports_free(&r);
}

int main(void)
{
	TAP_RUN(report__a_null_dereference_has_address_place_task_and_frames);
	TAP_RUN(report__a_bug_has_what_was_said_before_it);
	TAP_RUN(report__what_has_nothing_to_do_with_a_bug_stands_before_it_only);
	TAP_RUN(report__a_warning_has_its_message);
	TAP_RUN(report__sleep_in_atomic_context_is_the_cause_of_its_panic);
	TAP_RUN(report__a_fault_that_only_die_names_is_one);
	TAP_RUN(report__of_arm64_a_function_without_a_frame_has_its_caller);
	TAP_RUN(report__a_place_in_pieces_is_one);
	TAP_RUN(report__each_panic_has_its_cause);
	TAP_RUN(report__a_stall_names_its_cpus);
	TAP_RUN(report__lines_of_two_cpus_are_kept_apart_by_their_callers);
	TAP_RUN(report__the_lines_of_two_cpus_alternate_within_their_traces);
	TAP_RUN(report__without_callers_the_panic_says_which_cpu_it_is_for);
	TAP_RUN(report__an_old_lockup_of_the_panics_cpu_is_not_its_cause);
	TAP_RUN(report__the_trace_of_a_panic_is_of_its_own_task);
	TAP_RUN(report__lines_of_another_caller_belong_to_none);
	TAP_RUN(report__a_panic_is_for_the_fault_of_its_caller);
	TAP_RUN(report__a_fault_is_none_of_what_else_is_called_bug);
	TAP_RUN(report__programs_have_none);
	TAP_RUN(report__a_log_that_ends_anywhere_is_read);
	TAP_RUN(report__no_line_is_too_strange);
	TAP_RUN(report__of_very_many_the_last_ones_are_kept);
	begin();
	return tap_done();
}
