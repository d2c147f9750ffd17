// SPDX-License-Identifier: GPL-2.0-or-later
#include "stopped_cpu.h"

#include <elf.h>
#include <endian.h>
#include <string.h>

#include "words.h"

#define FLAGS		2	/* in struct epitaph_cpu: flags of x86-64, pstate of arm64 */
#define INTERRUPTS_ON	0x200	/* of flags */
#define PSTATE_I	0x80

/**
 * struct machine_state - what is known of a machine's registers
 * @argument: the number of the one with a function's first argument
 */
struct machine_state {
	u16 machine;
	u32 argument;
	u64 mask, when_off;
};

static const struct machine_state *machine_state_of(u16 machine)
{
	static const struct machine_state states[] = {
		{ EM_X86_64, 8, INTERRUPTS_ON, 0 },
		{ EM_AARCH64, 5, PSTATE_I, PSTATE_I },
	};

	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (states[i].machine == machine)
			return &states[i];
	return NULL;
}

static bool find_cpu(struct epitaph_cpu *cpu, const struct postmortem *pm, u32 wanted)
{
	const struct section *sec = generation_section(pm->recording->generation, EPITAPH_SEC_CPUS);
	u64 n = section_entries(sec, sizeof(*cpu));

	for (u64 i = 0; i < n; i++) {
		int good = section_entry(pm->recording->generation, sec, i, cpu, sizeof(*cpu));

		if (good == -2)
			return false;
		if (good == 1 && le32toh(cpu->cpu) == wanted)
			return true;
	}
	return false;
}

static void take_stack_line(struct stopped_cpu *stopped, struct report_text line)
{
	char function[WORDS_FUNCTION];

	words_function(function, line);
	/* Behind the entry of an exception stands what it interrupted: all before was dying. */
	if (!strncmp(function, "asm_exc_", 8) || !strcmp(function, "el1h_64_sync") || !strcmp(function, "el1_sync")) {
		stopped->nr_frames = 0;
		return;
	}
	if (*function && line.text[0] != '(' && !plumbing_is_of_dying(function) &&
	    memchr(line.text, '+', line.len) && stopped->nr_frames < KERNEL_REPORT_FRAMES)
		stopped->frames[stopped->nr_frames++] = line;
}

bool stopped_cpu_read(struct stopped_cpu *stopped, const struct postmortem *pm, u32 wanted)
{
	const struct machine_state *state;
	struct epitaph_cpu cpu;
	const char *at, *end;

	memset(stopped, 0, sizeof(*stopped));
	if (!pm->recording || !pm->recording->crash.known || !find_cpu(&cpu, pm, wanted))
		return false;
	memcpy(stopped->text, cpu.text, sizeof(cpu.text));
	state = machine_state_of(pm->recording->generation->hdr.machine);
	stopped->irqs_off = state && le32toh(cpu.nr_regs) > FLAGS && (le64toh(cpu.regs[FLAGS]) & state->mask) == state->when_off;
	if (state && le32toh(cpu.nr_regs) > state->argument)
		stopped->argument = le64toh(cpu.regs[state->argument]);
	at = stopped->text;
	end = at + strnlen(at, sizeof(stopped->text));
	while (at < end) {
		const char *stop = memchr(at, '\n', end - at) ?: end;

		take_stack_line(stopped, (struct report_text){ at, stop - at });
		at = stop + (stop < end);
	}
	return stopped->nr_frames;
}

bool stopped_cpu_idles_in(const char *function)
{
	static const char *const words[] = {
		"default_idle", "native_safe_halt", "pv_native_safe_halt", "acpi_safe_halt", "acpi_idle_", "intel_idle",
		"mwait_idle", "amd_e400_idle", "cpuidle_", "cpu_do_idle", "psci_cpu_suspend", "do_idle", "poll_idle", "haltpoll_", "arch_cpu_idle", "tdx_halt", "tdx_safe_halt", NULL,
	};

	return plumbing_begins(function, words);
}

bool stopped_cpu_is_idle(const struct stopped_cpu *stopped)
{
	char function[WORDS_FUNCTION];

	words_function(function, stopped->frames[0]);
	return stopped_cpu_idles_in(function);
}

struct report_text stopped_cpu_interrupted(const struct stopped_cpu *stopped)
{
	static const char *const words[] = { "sysvec_", "common_interrupt", NULL };
	struct report_text found = { NULL, 0 };
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i + 1 < stopped->nr_frames; i++) {
		words_function(function, stopped->frames[i]);
		if (plumbing_begins(function, words))
			found = stopped->frames[i + 1];
	}
	return found;
}

void stopped_cpu_drop_tick(struct stopped_cpu *stack)
{
	char function[WORDS_FUNCTION];
	u32 from = 0;

	for (u32 i = 0; i < stack->nr_frames; i++) {
		struct fault_text of = { 0 };

		/* A timer of a module runs there, too. */
		fault_text_take_module(&of, stack->frames[i]);
		if (*of.module)
			break;
		words_function(function, stack->frames[i]);
		if (!strcmp(function, "__sysvec_apic_timer_interrupt") || !strcmp(function, "hrtimer_interrupt") ||
		    (from == i && from && (!strncmp(function, "sysvec_", 7) || !strncmp(function, "asm_sysvec_", 11))))
			from = i + 1;
	}
	memmove(stack->frames, stack->frames + from, (stack->nr_frames - from) * sizeof(stack->frames[0]));
	stack->nr_frames -= from;
}
