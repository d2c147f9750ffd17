#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How a boot in the text of a console ended, and what is said of that: by lines as kernels print them.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# at TIME LINE...: each a microsecond later
at() {
	from=$1
	shift
	printf '%s\n' "$@" | awk -v from="$from" '{ printf "[%12.6f] %s\n", from + NR / 1000000, $0 }'
}

begins() {
	at 0.0 'Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12) #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)' \
		'Command line: root=/dev/sda1 ro console=ttyS0,115200' 'smpboot: Allowing 4 CPUs, 0 hotplug CPUs'
	at 12.1 'e1000: eth0 NIC Link is Up 1000 Mbps Full Duplex, Flow Control: RX'
}

later() {
	at 400.1 'usb 1-1: new high-speed USB device number 5 using ehci-pci'
}

# What both commands say of the text "log".
pages() {
	: >pages
	for command in explain report; do
		"$epitaph" "$command" log >>pages || [ $? = 1 ] || return
	done
	"$epitaph" explain --json log >json || [ $? = 1 ] || return
	jq -r '"claim \(.kind) \(.strength): \(.claim)", "open \(.why_not_more)", "evidence \(.evidence[].text)", "also \(.also[])",
		"not found \(.not_found[])", "missing \(.missing[])", "end \(.end)"' json >>pages
}

says() {
	grep -F -- "$1" pages || { cat pages; return 1; }
}

never() {
	! grep -F -- "$1" pages || { cat pages; return 1; }
}

# --- machine checks ----------------------------------------------------------

corrected() {
	{
		begins
		at 300.1 'mce: [Hardware Error]: Machine check events logged' \
			'mce: [Hardware Error]: CPU 1: Machine Check: 0 Bank 7: 8c00004000010091' \
			'mce: [Hardware Error]: TSC 0 ADDR 7f8a4000 MISC 140 ' \
			'mce: [Hardware Error]: PROCESSOR 0:306f2 TIME 1700000000 SOCKET 0 APIC 2 microcode 49'
		later
	} >log
}

corrected_machine_checks() {
	corrected && pages && says 'also 1 machine check, none of which stopped the kernel' && never 'not found a machine check'
}

fatal_machine_check() {
	{
		begins
		at 300.1 'mce: [Hardware Error]: CPU 1: Machine Check Exception: 5 Bank 4: be00000000800400' \
			'mce: [Hardware Error]: RIP !INEXACT! 33:<00007f1f5ea8719d> ' 'mce: [Hardware Error]: TSC 1234 MISC 86 ' \
			'mce: [Hardware Error]: PROCESSOR 0:306f2 TIME 1700000000 SOCKET 0 APIC 2 microcode 49' \
			"mce: [Hardware Error]: Run the above through 'mcelog --ascii'" 'Kernel panic - not syncing: Fatal machine check'
	} >log
	pages && says 'claim machine-check shown: The hardware failed: a fatal machine check of bank 4 on CPU 1.' &&
		says 'printed in the kernel' && never 'recording began'
}

# An older record is not what it is for.
firmware_says_so() {
	{
		begins
		at 100.1 '{1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 1' \
			'{1}[Hardware Error]: event severity: corrected' '{1}[Hardware Error]:   section_type: memory error'
		at 300.1 '{2}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 3' \
			'{2}[Hardware Error]: event severity: fatal' '{2}[Hardware Error]:  Error 0, type: fatal' \
			'{2}[Hardware Error]:   section_type: PCIe error' '{2}[Hardware Error]:   device_id: 0000:3b:00.0' \
			'Kernel panic - not syncing: Fatal hardware error!'
	} >log
	pages && says 'claim machine-check shown: The hardware failed: the firmware reported a fatal PCIe error.' &&
		says 'evidence {2}[Hardware Error]:   device_id: 0000:3b:00.0' && never 'evidence {1}' && never 'not in this file'
}

# As 6.12 writes it, without "!".
firmware_of_arm64_says_so() {
	{
		at 0.0 'Booting Linux on physical CPU 0x0000000000 [0x411fd070]' 'Linux version 6.12.9-arm64 (gcc) #1 SMP Debian 6.12.9-1'
		at 300.1 '{3}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 1' \
			'{3}[Hardware Error]: event severity: fatal' '{3}[Hardware Error]:  Error 0, type: fatal' \
			'{3}[Hardware Error]:   section_type: ARM processor error' \
			'{3}[Hardware Error]:   Multiprocessor Affinity Register (MPIDR): 0x0000000080000001' \
			'{3}[Hardware Error]:    error_type: 0x08: bus error' '{3}[Hardware Error]:    physical fault address: 0x0000000040001000' \
			'Kernel panic - not syncing: GHES: Fatal hardware error'
	} >log
	pages && says 'claim machine-check shown: The hardware failed: the firmware reported a fatal ARM processor error.' &&
		says 'evidence {3}[Hardware Error]:    error_type: 0x08: bus error' &&
		says 'evidence {3}[Hardware Error]:   Multiprocessor Affinity Register (MPIDR): 0x0000000080000001'
}

serror() {
	{
		at 0.0 'Booting Linux on physical CPU 0x0000000000 [0x411fd070]' 'Linux version 6.12.9-arm64 (gcc) #1 SMP Debian 6.12.9-1'
		at 100.1 'SError Interrupt on CPU3, code 0x00000000be000011 -- SError' \
			'CPU: 3 UID: 0 PID: 0 Comm: swapper/3 Not tainted 6.12.9-arm64 #1' 'pc : cpuidle_enter_state+0xb8/0x300' \
			'Kernel panic - not syncing: Asynchronous SError Interrupt' 'CPU: 3 UID: 0 PID: 0 Comm: swapper/3 Not tainted 6.12.9-arm64 #1' \
			'Call trace:' ' dump_backtrace+0xa0/0x128' ' panic+0x384/0x3e8' ' nmi_panic+0x94/0xa0' ' arm64_serror_panic+0x78/0x90' \
			' do_serror+0x34/0x88' ' el1h_64_error+0x80/0x88' ' cpuidle_enter_state+0xb8/0x300'
	} >log
	pages && says 'claim machine-check shown: The hardware reported an error to the CPU (SError)' && never 'called panic()'
}

the_source_is_the_text() {
	fatal_machine_check >/dev/null && says 'source: the text of a console' && never 'the recorder kept'
}

# --- boots -------------------------------------------------------------------

dies() {
	at 300.1 'BUG: kernel NULL pointer dereference, address: 0000000000000010' '#PF: supervisor read access in kernel mode' \
		'Oops: 0000 [#1] PREEMPT SMP PTI' 'CPU: 2 PID: 4711 Comm: badd Tainted: G           OE      6.1.0-18-amd64 #1' \
		'RIP: 0010:foo_read+0x1a/0x40 [foo]' 'CR2: 0000000000000010 CR3: 0000000102a5a000 CR4: 00000000000006e0' \
		'Call Trace:' ' <TASK>' ' vfs_read+0x9f/0x310' ' </TASK>' '---[ end trace 0000000000000000 ]---'
}

panics() {
	at 300.2 'Kernel panic - not syncing: Fatal exception'
}

# Each source of a text is the boot that was asked for.
a_boot_is_the_same_for_all() {
	{ begins; dies; panics; begins; later; } >log
	"$epitaph" explain --json --generation 2 log | jq -e '.end == "unknown" and .kind == "reset"' || return
	for source in log all; do
		"$epitaph" report --source "$source" --generation 2 log >printed && grep 'boot 2 of 2' printed || return
		! "$epitaph" report --source "$source" --generation 3 log 2>printed && grep 'there is no boot 3' printed || return
	done
}

# 300.100005 without its first digit, or its second.
a_digit_is_lost() {
	for lost in '  00.100005' '   0.100005' '  30.100005'; do
		{ begins; dies; panics; } | sed "s/^\[  300\.100005\]/[ $lost]/" >log
		grep -F "[ $lost]" log && pages && says 'boot 1 of 1' && says 'claim null-pointer shown: foo_read()' || return
	done
	"$epitaph" report --all log >printed
	grep -E 'T[-+]0\.[0-9]* *: log: RIP|T[-+]0\.[0-9]*: log: RIP' printed
}

# As programs number what they do.
a_program_is_no_oops() {
	for words in 'systemd[1]: Oops: 0000 [#1] SMP' 'web1 ci[7]: build failed [#12] again' 'usb 1-1: quirk [#x]'; do
		{ begins; at 300.1 "$words"; begins; } >log
		pages && says 'boot 2 of 2' && says 'end unknown' || return
	done
}

# As of a text that begins later, and of one that says nothing of it.
the_kernel_by_its_oops() {
	{ dies; panics; } >log
	pages && says '# kernel: 6.1.0-18-amd64 #1, x86-64' && says 'kernel    6.1.0-18-amd64 at' || return
	{ at 300.1 'CPU: 2 PID: 4711 Comm: a #1' 'CPU: #1 Comm: ' 'CPU:  Comm: #1'; panics; } >log
	pages && says '# kernel: unknown' && says 'kernel    unknown kernel'
}

explain_says_which_boot() {
	{ begins; dies; panics; begins; later; } >log
	pages && grep '^kernel  .*boot 1 of 2' pages || return
	{ begins; dies; panics; } >log
	pages && ! grep '^kernel  .*boot' pages
}

# arch/x86/kernel/reboot.c at boot, of machines that it knows.
quirk() {
	at 0.6 'reboot: Dell Inc. OptiPlex 7040 series board detected. Selecting PCI-method for reboots.'
}

how_it_will_reboot_is_no_end() {
	{ begins | head -n 3; quirk; later; } >log
	pages && says 'end unknown' && never 'ended in order' || return
	{ begins | head -n 3; quirk; dies; begins; } >log
	pages && says 'end crashed' && says 'boot 1 of 2'
}

ends_in_order() {
	for words in 'reboot: Restarting system' "reboot: Restarting system with command 'fast'" 'reboot: Power down' \
		'reboot: System halted' 'reboot: machine restart' 'kexec_core: Starting new kernel'; do
		{ begins; at 500.1 "$words"; } >log
		pages && says 'end ended' && says "ended in order: ${words#*: }" || return
	done
}

# --- whose it is -------------------------------------------------------------

# vfs_read() did not read there.
the_line_of_the_place_is_lost() {
	{ begins; dies; panics; } | grep -v 'RIP: 0010' >log
	pages && says 'claim null-pointer shown: A function that vfs_read() called read address 0x10'
}

# A notifier of the panic dies on another CPU.
a_fault_behind_the_panic_is_not_its_task() {
	{
		begins; dies; panics
		at 300.5 'BUG: unable to handle page fault for address: 00000000deadbeef' 'Oops: 0002 [#2] PREEMPT SMP PTI' \
			'CPU: 0 PID: 815 Comm: other Tainted: G           OE      6.1.0-18-amd64 #1' 'RIP: 0010:drv_notify+0x10/0x20 [drv]'
	} >log
	pages && grep '^kernel  .* CPU 2, task badd-4711$' pages && says 'also after the panic: BUG: unable to handle page fault'
}

# by CALLER: of lines
by() {
	sed "s/\] /][$1] /"
}

two_cpus_at_once() {
	dies | by ' T4711' >one
	dies | sed 's/CPU: 2 PID: 4711 Comm: badd/CPU: 0 PID: 815 Comm: other/; s/foo_read/bar_poll/; s/#1/#2/' | by '  T815' >other
	{ begins | by '    T0'; paste -d'\n' one other; panics | by ' T4711'; } >log
	pages && says 'claim null-pointer shown: foo_read()' && grep '^kernel  .* CPU 2, task badd-4711$' pages
}

# --- no word of the end ------------------------------------------------------

# locked_up TIME SECONDS
locked_up() {
	at "$1" "watchdog: BUG: soft lockup - CPU#1 stuck for ${2}s! [badd:4711]" \
		'CPU: 1 PID: 4711 Comm: badd Tainted: G           OE      6.1.0-18-amd64 #1' 'RIP: 0010:foo_loop+0x1a/0x40 [foo]' \
		'Call Trace:' ' <TASK>' ' vfs_write+0xb8/0x3e0' ' </TASK>'
}

stalls() {
	at "$1" 'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:' \
		'rcu: 	1-...!: (1 GPs behind) idle=f3c/1/0x4000000000000000 softirq=1234/1235 fqs=0 ' \
		'	(detected by 0, t=5252 jiffies, g=4321, q=99 ncpus=4)' 'Sending NMI from CPU 0 to CPUs 1:' 'NMI backtrace for cpu 1' \
		'CPU: 1 PID: 4711 Comm: badd Tainted: G           OE      6.1.0-18-amd64 #1' 'RIP: 0010:foo_loop+0x1a/0x40 [foo]'
}

warns() {
	at "$1" 'WARNING: CPU: 0 PID: 0 at net/sched/sch_generic.c:525 dev_watchdog+0x207/0x210' \
		'CPU: 0 PID: 0 Comm: swapper/0 Tainted: G           OE      6.1.0-18-amd64 #1' 'RIP: 0010:dev_watchdog+0x207/0x210'
}

a_lockup_at_the_end() {
	{ begins; locked_up 300 26; locked_up 328 52; } >log
	pages && says 'claim soft-lockup possible: CPU 1 ran the task badd-4711 in foo_loop() of module foo' &&
		says 'missing how it ended: the text has no panic behind this lockup, and goes on for 0 s' && says 'end unknown'
}

a_lockup_that_was_over() {
	{ begins; locked_up 300 26; later; } >log
	pages && says 'claim reset not known: The kernel did not say how it ended'
}

a_stall_at_the_end() {
	{ begins; stalls 300; } >log
	pages && says 'claim rcu-stall possible: CPU 1 kept RCU waiting' || return
	{ begins; stalls 100; later; } >log
	pages && says 'claim reset not known'
}

# A watchdog of the hardware, as of a machine in which soft lockups do not panic.
reset_in_a_lockup() {
	{ begins; locked_up 300 26; locked_up 328 52; begins; later; } >log
	pages && says 'boot 1 of 2' && says 'claim soft-lockup possible' || return
	{ begins; locked_up 300 26; later; begins; } >log
	pages && says 'boot 2 of 2' || return
	{ begins; locked_up 300 26; at 310 'reboot: machine restart'; begins; } >log
	pages && says 'boot 2 of 2'
}

an_oops_and_then_a_warning() {
	{ begins; dies; warns 330; } >log
	pages && says 'claim null-pointer shown: foo_read() of module foo' && says 'goes on for 29 s; the machine may have gone on' &&
		never 'not found a panic, an oops'
}

sysrq_b() {
	{ begins; at 300 'sysrq: Emergency Sync' 'sysrq: Resetting'; } >log
	pages && says 'claim reset shown: The machine was reset by sysrq-b' && never 'leaves no word' || return
	{ begins; at 300 'sysrq: Resetting'; later; } >log
	pages && says 'claim reset not known' && never 'or a sysrq'
}

softdog() {
	{ begins; at 300 'softdog: Initiating system reboot'; } >log
	pages && says 'claim reset shown: The software watchdog (softdog) reset the machine'
}

asleep() {
	{ begins; at 300 'PM: suspend entry (deep)'; at 301 'printk: Suspending console(s) (use no_console_suspend to debug)'; } >log
	pages && says 'claim reset not known: The kernel went to sleep and did not say that it woke up' &&
		says 'evidence PM: suspend entry (deep)' || return
	{ begins; at 300 'PM: suspend entry (deep)'; at 301 'PM: suspend exit'; later; } >log
	pages && says 'claim reset not known: The kernel did not say how it ended'
}

too_hot() {
	{
		begins
		at 300 'thermal thermal_zone0: acpitz: critical temperature reached' \
			'reboot: HARDWARE PROTECTION shutdown (Temperature too high)'
		at 303 'reboot: Power down'
	} >log
	pages && says 'claim ended shown: This kernel did not crash: it was too hot' && says 'evidence reboot: HARDWARE PROTECTION' ||
		return
	{ begins; at 300 'thermal thermal_zone0: acpitz: critical temperature reached'; at 9000 'reboot: Power down'; } >log
	pages && says 'claim ended shown: This kernel did not crash: it ended in order'
}

# shellcheck disable=SC2154 # lib.sh has dir
cd "$dir" || exit
ok corrected_machine_checks corrected_machine_checks
ok fatal_machine_check fatal_machine_check
ok firmware_says_so firmware_says_so
ok firmware_of_arm64_says_so firmware_of_arm64_says_so
ok serror serror
ok the_source_is_the_text the_source_is_the_text
ok a_boot_is_the_same_for_all a_boot_is_the_same_for_all
ok a_digit_is_lost a_digit_is_lost
ok a_program_is_no_oops a_program_is_no_oops
ok the_kernel_by_its_oops the_kernel_by_its_oops
ok explain_says_which_boot explain_says_which_boot
ok how_it_will_reboot_is_no_end how_it_will_reboot_is_no_end
ok ends_in_order ends_in_order
ok the_line_of_the_place_is_lost the_line_of_the_place_is_lost
ok a_fault_behind_the_panic_is_not_its_task a_fault_behind_the_panic_is_not_its_task
ok two_cpus_at_once two_cpus_at_once
ok a_lockup_at_the_end a_lockup_at_the_end
ok a_lockup_that_was_over a_lockup_that_was_over
ok a_stall_at_the_end a_stall_at_the_end
ok reset_in_a_lockup reset_in_a_lockup
ok an_oops_and_then_a_warning an_oops_and_then_a_warning
ok sysrq_b sysrq_b
ok softdog softdog
ok asleep asleep
ok too_hot too_hot
finish
