// SPDX-License-Identifier: GPL-2.0-or-later
#include "text.h"

#include <string.h>
#include <time.h>

#include "escape.h"

void text_put(FILE *f, const char *text, size_t size)
{
	char escaped[2048];

	escape_text(escaped, sizeof(escaped), text, strnlen(text, size));
	fputs(escaped, f);
}

void text_put_all(FILE *f, const char *text, size_t size)
{
	char escaped[1024];
	size_t done = 0, n;

	for (; done < size; done += n) {
		n = size - done < 200 ? size - done : 200;
		/* Not within a character. */
		while (n > 190 && done + n < size && ((u8)text[done + n] & 0xc0) == 0x80)
			n--;
		escape_text(escaped, sizeof(escaped), text + done, n);
		fputs(escaped, f);
	}
}

void text_comm(char to[TEXT_COMM], const char *comm)
{
	size_t len = comm ? strnlen(comm, TEXT_COMM - 1) : 0;

	memcpy(to, comm ?: "", len);
	to[len] = '\0';
}

void text_date(char *buf, size_t size, u64 real_ns)
{
	time_t seconds = real_ns / 1000000000;
	char date[64];
	struct tm tm;

	if (!real_ns) {
		snprintf(buf, size, "at an unknown time");
		return;
	}
	if (!gmtime_r(&seconds, &tm) ||
	    !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm))
		snprintf(date, sizeof(date), "%lld s after 1970", (long long)seconds);
	snprintf(buf, size, "%s.%06llu UTC", date, real_ns % 1000000000 / 1000);
}

void text_seconds(char *buf, size_t size, u64 ns, bool nano)
{
	if (nano)
		snprintf(buf, size, "%llu.%09llu", ns / 1000000000, ns % 1000000000);
	else
		snprintf(buf, size, "%llu.%06llu", ns / 1000000000, ns % 1000000000 / 1000);
}

void text_size(char *buf, size_t size, u64 bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
	double value = bytes;
	u32 i = 0;

	while (value >= 1024 && i + 1 < ARRAY_SIZE(units)) {
		value /= 1024;
		i++;
	}
	snprintf(buf, size, i ? "%.4g %s" : "%.0f %s", value, units[i]);
}

const char *text_cpu(char buf[TEXT_CPU], u32 cpu)
{
	if (cpu == NO_CPU)
		return "all CPUs";
	snprintf(buf, TEXT_CPU, "CPU %u", cpu);
	return buf;
}

void text_hex(char *buf, size_t size, const u8 *data, size_t n)
{
	size_t i;

	if (size)
		buf[0] = 0;
	for (i = 0; i < n && i * 2 + 2 < size; i++)
		snprintf(buf + i * 2, size - i * 2, "%02x", data[i]);
}

void text_uuid(char *buf, size_t size, const u8 id[16])
{
	char hex[33];

	text_hex(hex, sizeof(hex), id, 16);
	snprintf(buf, size, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12,
		 hex + 16, hex + 20);
}

const char *text_machine(u32 machine)
{
	static _Thread_local char other[32];

	switch (machine) {
	case 62:
		return "x86-64";
	case 183:
		return "arm64";
	case 22:
		return "s390";
	case 21:
		return "ppc64";
	case 243:
		return "riscv";
	}
	snprintf(other, sizeof(other), "machine %u", machine);
	return other;
}
