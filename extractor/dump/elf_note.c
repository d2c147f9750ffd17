// SPDX-License-Identifier: GPL-2.0-or-later
/* VMCOREINFO among ELF notes, as the kernel writes them: padded to 4 bytes. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "dump_impl.h"

#define NOTE_HEADER	12		/* namesz, descsz, type */
#define MAX_CPUS	8192		/* the largest NR_CPUS that can be configured */
#define MAX_NOTES	(1U << 16)	/* several per CPU */

/* Of a note with the name "CORE": struct elf_prstatus of 64-bit machines, its pr_pid and pr_reg. */
#define PRSTATUS	(NOTE_HEADER + 8)
#define PRSTATUS_PID	(PRSTATUS + 32)
#define PRSTATUS_REGS	(PRSTATUS + 112)

static const char vmcoreinfo_name[] = "VMCOREINFO";

void note_take_vmcoreinfo(struct dump *in, u64 off, u64 size)
{
	size_t room = min_u64(size, MAX_VMCOREINFO);
	char *text, *end;
	ssize_t n;

	if (in->vmcoreinfo || !off || !size || off >= in->file_size)
		return;
	room = min_u64(room, in->file_size - off);
	text = malloc(room + 1);
	if (!text)
		return;
	n = file_read(in, off, text, room, NULL);
	text[n > 0 ? n : 0] = '\0';
	/* Half of a last line may have half of a number. */
	end = strrchr(text, '\n');
	if (off + room == in->file_size || n < (ssize_t)room)
		*(end ? end + 1 : text) = '\0';
	/* The memory may have what the note has lost. */
	if (!*text) {
		free(text);
		return;
	}
	in->vmcoreinfo = text;
	in->vmcoreinfo_len = strlen(text);
}

/* Return: bytes of the note at @off with its padding, or 0 if it is the last. */
static u64 one_note(struct dump *in, u64 off, u64 room)
{
	u8 buf[NOTE_HEADER + sizeof(vmcoreinfo_name)] = { 0 };
	struct bytes b = bytes_of(buf, sizeof(buf), in->order);
	u64 namesz, descsz, desc;

	if (room < NOTE_HEADER ||
	    file_read(in, off, buf, min_u64(room, sizeof(buf)), NULL) < NOTE_HEADER)
		return 0;
	namesz = (u64)bytes_u32(&b, 0);
	descsz = (u64)bytes_u32(&b, 4);
	desc = NOTE_HEADER + ((namesz + 3) & ~3ULL);
	if ((!namesz && !descsz) || desc >= room)
		return 0;
	if (namesz == sizeof(vmcoreinfo_name) && room >= sizeof(buf) &&
	    !memcmp(buf + NOTE_HEADER, vmcoreinfo_name, namesz))
		note_take_vmcoreinfo(in, off + desc, min_u64(descsz, room - desc));
	return desc + ((descsz + 3) & ~3ULL);
}

void note_find_vmcoreinfo(struct dump *in, u64 off, u64 size)
{
	if (off >= in->file_size)
		return;
	size = min_u64(size, in->file_size - off);
	if (!in->notes_size) {
		in->notes_off = off;
		in->notes_size = size;
	}
	for (u32 i = 0; i < MAX_NOTES && !in->vmcoreinfo; i++) {
		u64 len = one_note(in, off, size);

		if (!len || len >= size)
			break;
		off += len;
		size -= len;
	}
}

/* Is the note at @off one of a CPU's registers? */
static bool is_prstatus(struct dump *in, u64 off, u64 room, u32 *pid)
{
	u8 buf[PRSTATUS_REGS] = { 0 };
	struct bytes b = bytes_of(buf, sizeof(buf), in->order);

	if (room < sizeof(buf) || file_read(in, off, buf, sizeof(buf), NULL) < (ssize_t)sizeof(buf) ||
	    bytes_u32(&b, 0) != 5 || bytes_u32(&b, 4) < sizeof(buf) - PRSTATUS || bytes_u32(&b, 8) != NT_PRSTATUS ||
	    memcmp(buf + NOTE_HEADER, "CORE", 5))
		return false;
	*pid = bytes_u32(&b, PRSTATUS_PID);
	return true;
}

/* Note where they are, once: there may be as many notes as a hostile file likes. */
static void find_cpu_notes(struct dump *in)
{
	u64 off = in->notes_off, room = in->notes_size;
	u32 pid;

	in->cpu_notes = calloc(MAX_CPUS, sizeof(*in->cpu_notes));
	for (u32 i = 0; i < MAX_NOTES && room && in->cpu_notes && in->nr_cpu_notes < MAX_CPUS; i++) {
		u64 len = one_note(in, off, room);

		if (is_prstatus(in, off, room, &pid)) {
			/* A kernel has the pid of a task there. QEMU writes s390x's in the order of its own machine. */
			if (pid != in->nr_cpu_notes + 1 && __builtin_bswap32(pid) != in->nr_cpu_notes + 1) {
				in->nr_cpu_notes = 0;
				break;
			}
			in->cpu_notes[in->nr_cpu_notes++] = off;
		}
		if (!len || len >= room)
			break;
		off += len;
		room -= len;
	}
}

bool dump_cpu_regs(struct dump *in, u32 cpu, u64 *regs, u32 nr)
{
	u8 buf[PRSTATUS_REGS + 8 * DUMP_CPU_REGS] = { 0 };
	struct bytes b = bytes_of(buf, sizeof(buf), in->order);
	const size_t size = PRSTATUS_REGS + 8 * nr;

	if (in->ops->cpu_regs)
		return in->ops->cpu_regs(in, cpu, regs, nr);
	if (!in->cpu_notes && in->notes_size)
		find_cpu_notes(in);
	if (nr > DUMP_CPU_REGS || cpu >= in->nr_cpu_notes ||
	    file_read(in, in->cpu_notes[cpu], buf, size, NULL) < (ssize_t)size || bytes_u32(&b, 4) < size - PRSTATUS)
		return false;
	for (u32 i = 0; i < nr; i++)
		regs[i] = bytes_u64(&b, PRSTATUS_REGS + 8 * i);
	return true;
}

/* Behind the notes is memory, which may look like anything but a name. */
static bool has_known_name(struct dump *in, u64 off)
{
	static const char * const known[] = {
		"CORE", "LINUX", "VMCOREINFO", "VMCOREINFO_XEN", "ERASEINFO", "Xen", "QEMU",
	};
	u8 buf[NOTE_HEADER + 16] = { 0 };
	struct bytes b = bytes_of(buf, sizeof(buf), in->order);
	u32 namesz;

	if (file_read(in, off, buf, sizeof(buf), NULL) < NOTE_HEADER)
		return false;
	namesz = bytes_u32(&b, 0);
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (namesz == strlen(known[i]) + 1 && !memcmp(buf + NOTE_HEADER, known[i], namesz))
			return true;
	return false;
}

u64 note_end(struct dump *in, u64 off)
{
	for (u32 i = 0; i < MAX_NOTES && off < in->file_size && has_known_name(in, off); i++) {
		u64 len = one_note(in, off, in->file_size - off);

		if (!len || len >= in->file_size - off)
			break;
		off += len;
	}
	return off;
}
