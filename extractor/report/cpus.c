// SPDX-License-Identifier: GPL-2.0-or-later
#include <elf.h>
#include <endian.h>
#include <string.h>

#include "base/text.h"
#include "branches.h"
#include "report.h"

/* Names of each machine's registers, in the order of docs/format.md. */
static const struct {
	u32 machine;
	const char *names[EPITAPH_NR_REGS];
} machine_regs[] = {
	{ EM_X86_64, {
		"ip", "sp", "flags", "ax", "bx", "cx", "dx", "si", "di", "bp",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cs", "ss", "orig_ax",
	} },
	{ EM_AARCH64, {
		"pc", "sp", "state", "x29", "lr", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8",
		"x9", "x10", "x11", "x12", "x13", "x14", "x15",
		"x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
	} },
	{ EM_S390, {
		"psw", "mask", "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11",
		"r12", "r13", "r14", "r15",
	} },
	{ EM_PPC64, {
		"nip", "msr", "lr", "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11",
		"r12", "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25",
		"r26", "r27", "r28", "r29",
	} },
};

/* NULL: what we do not know has a number. */
static const char *register_name(u32 machine, u32 i)
{
	for (size_t m = 0; m < ARRAY_SIZE(machine_regs); m++)
		if (machine_regs[m].machine == machine)
			return machine_regs[m].names[i];
	return NULL;
}

static void put_cpu_regs(FILE *f, const struct recording *recording, const struct epitaph_cpu *cpu)
{
	u32 n = le32toh(cpu->nr_regs);
	u32 i;

	for (i = 0; i < n && i < EPITAPH_NR_REGS; i++) {
		const char *name = register_name(recording->generation->hdr.machine, i);

		if (i % 4 == 0)
			fputs(i ? "\n#    " : "#    ", f);
		if (name)
			fprintf(f, " %5s %016llx", name, (u64)le64toh(cpu->regs[i]));
		else
			fprintf(f, " r#%-3u %016llx", i, (u64)le64toh(cpu->regs[i]));
	}
	if (n)
		putc('\n', f);
}

/* A recorder without room for text stored addresses alone. */
static void put_cpu_addresses(FILE *f, const struct postmortem *pm, const struct epitaph_cpu *cpu)
{
	u32 n = le32toh(cpu->nr_frames);

	for (u32 i = 0; i < n && i < EPITAPH_NR_FRAMES; i++) {
		u64 addr = le64toh(cpu->frames[i]);
		const char *name = symbols_name(pm->recording->symbols, addr) ?: "";

		fprintf(f, "#     %016llx ", addr);
		debuginfo_put_text(pm->debuginfo, f, name, strlen(name), !i);
		putc('\n', f);
	}
}

static void put_cpu_stack(FILE *f, const struct postmortem *pm, const struct epitaph_cpu *cpu)
{
	const struct epitaph_header *hdr = &pm->recording->generation->hdr;
	bool is_ip = true, is_first = true;
	const char *line = cpu->text;
	const char *end = line + strnlen(line, sizeof(cpu->text));

	if (line == end)
		put_cpu_addresses(f, pm, cpu);
	while (line < end) {
		const char *stop = memchr(line, '\n', end - line);
		size_t len = stop ? (size_t)(stop - line) : (size_t)(end - line);

		fputs("#     ", f);
		debuginfo_put_text(pm->debuginfo, f, line, len, is_ip);
		putc('\n', f);
		/* Recorders of format 0.2 and older left out the caller of the first frame. */
		if (is_first && hdr->minor < 3 && hdr->machine == EM_X86_64 && len &&
		    strncmp(line, "in user space", 13))
			fprintf(f, "#     (the direct caller of this was not recorded: format %u.%u)\n",
				hdr->major, hdr->minor);
		is_first = false;
		/* After an interrupt's entry comes the place that was interrupted, not a caller. */
		is_ip = !strncmp(line, "asm_", 4);
		line += len + 1;
	}
}

static void put_stopped_cpu(FILE *f, const struct postmortem *pm, const struct epitaph_cpu *cpu)
{
	const struct recording *recording = pm->recording;
	u32 nr = le32toh(cpu->cpu);

	fprintf(f, "#\n# CPU %u was running ", nr);
	text_put(f, cpu->comm, sizeof(cpu->comm));
	fprintf(f, "-%u%s:\n", le32toh(cpu->pid),
		recording->crash.known && recording->crash.cpu == nr ?
		", and it is the one that died" : "");
	put_cpu_stack(f, pm, cpu);
	put_cpu_regs(f, recording, cpu);
}

void print_cpus(FILE *f, const struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_CPUS);
	u64 n = section_entries(sec, sizeof(struct epitaph_cpu));
	struct epitaph_cpu cpu;
	u64 i;

	for (i = 0; i < n; i++) {
		int good = section_entry(recording->generation, sec, i, &cpu, sizeof(cpu));

		if (good == -2)
			break;
		if (good == 1)
			put_stopped_cpu(f, pm, &cpu);
		else if (good == -1)
			fprintf(f, "#\n# CPU %llu: what it was doing is damaged\n", i);
	}
	print_branches(f, pm);
}
