// SPDX-License-Identifier: GPL-2.0-or-later
#include "fault_text.h"

#include <ctype.h>
#include <string.h>

#define MOST_LINES	120	/* of one report */
#define HALF_32		0x80000000ULL	/* user space ends here, or above */
#define PF_WRITE	0x02	/* X86_PF_WRITE */
#define PF_FETCH	0x10	/* X86_PF_INSTR */

/* --- lines --------------------------------------------------------------- */

static u32 first_line_of(const struct death *death, const struct kernel_report *report)
{
	u32 i = 0;

	while (i < death->lines.nr && death->lines.list[i].text != report->title.text)
		i++;
	return i;
}

struct report_text fault_text_line(const struct death *death, const struct kernel_report *report,
			     const char *word, u32 *from)
{
	const struct report_line *list = death->lines.list;
	u32 first = first_line_of(death, report), nr = death->lines.nr;

	/* A title may be a part of its line. */
	if (first == nr)
		for (first = 0; first < nr && list[first].time < report->time; first++)
			;
	for (u32 i = first + *from; i < nr && i - first < MOST_LINES; i++) {
		struct report_text text = { list[i].text, list[i].len };

		*from = i - first + 1;
		if (list[i].caller != report->caller && list[i].caller != KERNEL_REPORT_NO_CALLER &&
		    report->caller != KERNEL_REPORT_NO_CALLER)
			continue;
		if (i > first && report_text_has(text, "---[ end trace"))
			break;
		if (report_text_has(text, word))
			return text;
	}
	return (struct report_text){ NULL, 0 };
}

/* --- numbers ------------------------------------------------------------- */

static bool take_hex_number(const char **at, const char *end, u64 *ret)
{
	const char *p = *at;
	u64 value = 0;

	if (end - p > 2 && p[0] == '0' && p[1] == 'x')
		p += 2;
	for (*at = p; p < end && p - *at < 16; p++) {
		if (*p >= '0' && *p <= '9')
			value = value << 4 | (*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			value = value << 4 | (*p - 'a' + 10);
		else
			break;
	}
	if (p == *at)
		return false;
	*at = p;
	*ret = value;
	return true;
}

/* The number behind @word. */
static bool number_behind(struct report_text text, const char *word, u64 *ret)
{
	const char *at = text.text ? memmem(text.text, text.len, word, strlen(word)) : NULL;

	if (!at)
		return false;
	at += strlen(word);
	while (at < text.text + text.len && *at == ' ')
		at++;
	/* "0xdead..." was cut by a person. */
	return take_hex_number(&at, text.text + text.len, ret) && (text.text + text.len - at < 3 || memcmp(at, "...", 3));
}

/* Are there eight digits behind @word, as 32-bit machines print an address? */
static bool has_eight_digits(struct report_text text, const char *word)
{
	struct report_text number = report_text_behind(text, word);
	u32 n = 0;

	while (number.len && *number.text == ' ') {
		number.text++;
		number.len--;
	}
	while (n < number.len && isxdigit((unsigned char)number.text[n]))
		n++;
	return n == 8;
}

static bool says(const struct death *death, const struct kernel_report *report, const char *word)
{
	u32 from = 0;

	return fault_text_line(death, report, word, &from).text;
}

static void read_address(struct fault_text *fault, const struct death *death,
			 const struct kernel_report *report)
{
	/* The address of a fault of KASAN is that of its shadow: it says itself what was meant. */
	static const char *const words[] = {
		"null-ptr-deref in range [", "user-memory-access in range [", "wild-memory-access in range [", "dereference, address:", "page fault for address:", "non-canonical address",
		"at virtual address", "Failing address:",
		/* x86 before 5.1 */
		"NULL pointer dereference at ", "paging request at ",
		/* powerpc */
		"dereference on read at ", "dereference on write at ", "data access on read at ", "data access on write at ",
		"data access at ",
	};

	/* mips: a line behind it with an address is another CPU's. */
	if (report_text_has(report->title, "unaligned access[#"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(words) && !fault->has_address; i++) {
		u32 from = 0;

		fault->has_address = number_behind(fault_text_line(death, report, words[i], &from), words[i],
						  &fault->address);
	}
	/* arm64 before 4.16 prints a small address with eight digits as well. */
	for (size_t i = 0; i < ARRAY_SIZE(words) && fault->has_address && !fault->is_32bit; i++) {
		u32 from = 0, again = 0;

		fault->is_32bit = has_eight_digits(fault_text_line(death, report, words[i], &from), words[i]) &&
				  !fault_text_line(death, report, "pstate: ", &again).text;
	}
	/* As kernels before 4.15 print 0. */
	if (!fault->has_address && report_text_has(report->title, "NULL pointer dereference at ") && report_text_has(report->title, "(null)"))
		fault->has_address = true;
	/* The kernel gives the page there. */
	fault->is_page = fault->has_address && says(death, report, "Failing address:");
	if (fault->is_page)
		fault->address &= ~0xfffULL;
}

/* x86 before 5.1 has no line "#PF:", but the error code in "Oops: 0002 [#1]": arch/x86/include/asm/trap_pf.h */
static bool read_error_code(const struct death *death, const struct kernel_report *report, u64 *code)
{
	u32 from = 0;
	struct report_text text = fault_text_line(death, report, "Oops: ", &from);
	const char *at, *end;

	if (!text.text)
		return false;
	end = text.text + text.len;
	at = (const char *)memmem(text.text, text.len, "Oops: ", 6) + 6;
	return end - at > 7 && !memcmp(at + 4, " [#", 3) && take_hex_number(&at, end, code) && *at == ' ';
}

static enum fault_access read_access(const struct death *death, const struct kernel_report *report)
{
	u64 code;

	if (says(death, report, "#PF: supervisor instruction fetch") || says(death, report, "EC = 0x21"))
		return FAULT_CALL;
	if (says(death, report, "#PF: supervisor write access") || says(death, report, "WnR = 1") ||
	    report_text_has(report->title, " on write at "))
		return FAULT_WRITE;
	if (says(death, report, "#PF: supervisor read access") || says(death, report, "WnR = 0") ||
	    report_text_has(report->title, " on read at "))
		return FAULT_READ;
	if (!read_error_code(death, report, &code))
		return FAULT_UNKNOWN;
	if (code & PF_FETCH)
		return FAULT_CALL;
	return code & PF_WRITE ? FAULT_WRITE : FAULT_READ;
}

/* "RAX: 0000000000000000 RBX: ...", "x29: ffff80000b5abd50 x28: ...". */
static void read_registers(struct fault_text *fault, struct report_text text)
{
	const char *at = text.text, *end = at + text.len;

	while (at < end && fault->nr_registers < FAULT_REGISTERS) {
		struct fault_register *reg = &fault->registers[fault->nr_registers];
		const char *name;
		size_t len;

		while (at < end && *at == ' ')
			at++;
		name = at;
		while (at < end && *at != ':' && *at != ' ')
			at++;
		len = at - name;
		while (at < end && *at == ' ')
			at++;
		if (at == end || *at != ':' || !len || len >= sizeof(reg->name))
			return;
		for (at++; at < end && *at == ' '; at++)
			;
		if (!take_hex_number(&at, end, &reg->value) || (at < end && *at != ' '))
			return;
		memcpy(reg->name, name, len);
		reg->name[len] = '\0';
		fault->nr_registers++;
	}
}

bool fault_text_stack(u64 *sp, const struct death *death, const struct kernel_report *report)
{
	static const char word[] = "RSP: ";
	u32 from = 0;
	struct report_text line = fault_text_line(death, report, word, &from);
	const char *at = line.text ? memmem(line.text, line.len, word, sizeof(word) - 1) : NULL, *end = line.text + line.len;

	if (!at)
		return false;
	at += sizeof(word) - 1;
	return take_hex_number(&at, end, sp) && at < end && *at++ == ':' && take_hex_number(&at, end, sp);
}

/* "x29: ffff80000b5abd50 x28: ...", "sp : ..."; of a region " x28: ..." is a line of its own, as pr_cont() adds it. */
static bool is_of_arm64(struct report_text line)
{
	u32 at = line.len && *line.text == ' ';

	return line.len > at + 5 && ((line.text[at] == 'x' && isdigit((unsigned char)line.text[at + 1])) || !memcmp(line.text + at, "sp : ", 5));
}

void fault_text_add_registers(struct fault_text *fault, struct report_text line)
{
	static const char *const words[] = { "RAX: ", "RDX: ", "RBP: ", "R10: ", "R13: " };

	while (line.len && *line.text == ' ') {
		line.text++;
		line.len--;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (line.len > 5 && !memcmp(line.text, words[i], 5))
			read_registers(fault, line);
	if (is_of_arm64(line))
		read_registers(fault, line);
}

static void read_all_registers(struct fault_text *fault, const struct death *death,
			       const struct kernel_report *report)
{
	static const char *const words[] = { "RAX: ", "RDX: ", "RBP: ", "R10: ", "R13: ", "x", "sp : " };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		struct report_text text;
		u32 from = 0;

		while ((text = fault_text_line(death, report, words[i], &from)).text) {
			bool is_x86 = words[i][0] == 'R';

			if (!is_x86 && !is_of_arm64(text))
				continue;
			read_registers(fault, text);
			if (is_x86)
				break;
		}
	}
}

void fault_text_take_module(struct fault_text *fault, struct report_text place)
{
	const char *open = place.text ? memchr(place.text, '[', place.len) : NULL;
	const char *close = open ? memchr(open, ']', place.text + place.len - open) : NULL;
	size_t len = close ? (size_t)(close - open - 1) : 0;

	/* With a build id behind the name. */
	if (len && memchr(open + 1, ' ', len))
		len = (const char *)memchr(open + 1, ' ', len) - open - 1;
	if (len >= sizeof(fault->module))
		len = 0;
	if (len)
		memcpy(fault->module, open + 1, len);
	fault->module[len] = '\0';
}

bool fault_text_argument(const struct fault_text *fault, u64 *value)
{
	return fault_text_register(fault, "RDI", value) || fault_text_register(fault, "x0", value);
}

bool fault_text_is_stack(const struct fault_register *reg)
{
	return !strcmp(reg->name, "RSP") || !strcmp(reg->name, "sp");
}

u64 fault_text_user_end(const struct fault_text *fault)
{
	u64 value;

	return fault_text_register(fault, "x0", &value) ? ADDRESS_USER_END_ARM64 : ADDRESS_USER_END;
}

enum address_kind fault_text_address_kind(const struct fault_text *fault)
{
	u64 address = fault->address;

	if (!fault->is_32bit)
		return address_kind(address, fault_text_user_end(fault));
	/* An offset may have changed the lower half. */
	if (address >> 16 == 0x6b6b)
		return ADDRESS_FREED;
	if (address >> 16 == 0x5a5a)
		return ADDRESS_NEW;
	/* Where user space ends is a choice of the kernel's build. */
	return address_kind(address < HALF_32 ? address : address | ~0ULL << 32, ADDRESS_USER_END);
}

bool fault_text_can_be(u64 address)
{
	return (s64)(address << 16) >> 16 == (s64)address;
}

/*
 * "RIP: 0010:0x4141414141414141" of a general protection fault: it jumped or returned there. Some CPUs, and
 * emulated ones, fault before that.
 */
static void read_bad_target(struct fault_text *fault, const struct death *death, const struct kernel_report *report)
{
	u32 from = 0;
	u64 address;

	if (fault->has_address || !report_text_has(report->title, "general protection fault") ||
	    !number_behind(fault_text_line(death, report, "RIP: 0010:0x", &from), "RIP: 0010:", &address))
		return;
	if (fault_text_can_be(address))
		return;
	fault->has_address = true;
	fault->address = address;
	fault->access = FAULT_CALL;
}

/*
 * "RIP: 0010:__x86_indirect_thunk_rax+0x10/0x20": the return there jumps to what RAX has. The symbol of all thunks,
 * "_array", is at the first of them, which is that of RAX: arch/x86/lib/retpoline.S
 */
static void read_target_of_thunk(struct fault_text *fault, const struct kernel_report *report)
{
	static const char *const begins[] = {
		"__x86_indirect_thunk_", "__x86_indirect_its_thunk_", "__x86_indirect_call_thunk_", "__x86_indirect_jump_thunk_", "__x86_retpoline_",
	};
	struct report_text place = report->place;

	if (!place.text || !report_text_has(report->title, "general protection fault"))
		return;
	/* From 7.0 on they have a second name. */
	if (place.len > 5 && !memcmp(place.text, "__pi_", 5)) {
		place.text += 5;
		place.len -= 5;
	}
	for (size_t i = 0; i < ARRAY_SIZE(begins); i++) {
		size_t len = strlen(begins[i]), n = 0;
		u64 target;
		char name[sizeof(fault->registers[0].name)] = "";

		if (place.len <= len || memcmp(place.text, begins[i], len))
			continue;
		/* "r8" is R08 in the kernel's lines. */
		for (const char *at = place.text + len; at < place.text + place.len && *at != '+' && n + 2 < sizeof(name); at++) {
			if (n == 1 && at[0] >= '8' && at[0] <= '9')
				name[n++] = '0';
			name[n++] = toupper((unsigned char)*at);
		}
		if (!strncmp(name, "ARR", 3))
			memcpy(name, "RAX", 4);
		if (!fault_text_register(fault, name, &target) || fault_text_can_be(target))
			continue;
		fault->address = target;
		fault->has_address = fault->is_by_pointer = true;
		fault->access = FAULT_CALL;
	}
}

/*
 * arm64 prints an address without its last byte, if that cannot be one of the kernel's: untagged_addr(). A register that
 * has all other bits, but for the offset of a field, has that byte, too. Of a user's address 52 bits are the most.
 */
static void restore_last_byte(struct fault_text *fault)
{
	if (!fault->has_address || fault->address >> 56 || !(fault->address >> 52))
		return;
	for (u32 i = 0; i < fault->nr_registers; i++) {
		u64 value = fault->registers[i].value, last = value & 0xffULL << 56;

		if (last && fault->address - (value ^ last) + ADDRESS_PAGE < 2 * ADDRESS_PAGE) {
			fault->address |= last;
			return;
		}
	}
}

void fault_text_read(struct fault_text *fault, const struct death *death, const struct kernel_report *report)
{
	memset(fault, 0, sizeof(*fault));
	if (!report)
		return;
	read_address(fault, death, report);
	fault->access = read_access(death, report);
	read_bad_target(fault, death, report);
	read_all_registers(fault, death, report);
	restore_last_byte(fault);
	read_target_of_thunk(fault, report);
	fault_text_take_module(fault, report->place);
}

bool fault_text_register(const struct fault_text *fault, const char *name, u64 *value)
{
	for (u32 i = 0; i < fault->nr_registers; i++) {
		if (!strcmp(fault->registers[i].name, name)) {
			*value = fault->registers[i].value;
			return true;
		}
	}
	return false;
}
