// SPDX-License-Identifier: GPL-2.0-or-later
#include "mce_from_log.h"

#include <stdio.h>
#include <string.h>

#define TAG		"[Hardware Error]: "
#define LINE_MAX	512	/* what is longer is none of these */
#define LINES_APART	16	/* of other text, between lines of one machine check */
#define FACILITY	8	/* priorities below are the kernel's own */

/*
 * The one whose lines come.
 * @quiet: lines since that were none of it
 */
struct parser {
	struct mces *mces;
	struct mce mce;
	bool open;
	u32 quiet;
	const struct clock *clock;
	struct err *err;
};

static int finish(struct parser *p)
{
	if (!p->open)
		return 0;
	p->open = false;
	return mces_add(p->mces, &p->mce, p->err);
}

static void begin(struct parser *p, u64 mono_ns)
{
	memset(&p->mce, 0, sizeof(p->mce));
	p->open = true;
	p->mce.sources = 1U << MCE_KERNEL_LOG;
	p->mce.pid = -1;
	p->mce.mono_ns = mono_ns;
	p->mce.real_ns = p->clock ? clock_real_of_mono(p->clock, mono_ns) : 0;
}

/* "CPU 0: Machine Check: 0 Bank 5: b200000000070f0f" */
static int take_first(struct parser *p, const char *text, u64 mono_ns)
{
	u32 cpu, bank;
	u64 mcg, status;
	int ret;

	if (sscanf(text, "CPU %u: Machine Check: %llx Bank %u: %llx", &cpu, &mcg, &bank,
		   &status) != 4 &&
	    sscanf(text, "CPU %u: Machine Check Exception: %llx Bank %u: %llx", &cpu, &mcg,
		   &bank, &status) != 4)
		return 0;
	ret = finish(p);
	begin(p, mono_ns);
	p->mce.cpu = cpu;
	p->mce.recorded_by = cpu;
	p->mce.mcgstatus = mcg;
	p->mce.bank = bank;
	p->mce.status = status;
	return ret ? ret : 1;
}

/* "TSC 0 ADDR 12345000 MISC 86 ": a name and a number in turn. */
static void take_pairs(struct mce *mce, const char *text)
{
	const struct {
		const char *name;
		u64 *to;
	} pairs[] = {
		{ "TSC", &mce->tsc }, { "ADDR", &mce->addr }, { "MISC", &mce->misc },
		{ "PPIN", &mce->ppin }, { "SYND", &mce->synd }, { "IPID", &mce->ipid },
		{ "SYND1", &mce->synd1 }, { "SYND2", &mce->synd2 },
	};
	char name[8];
	u64 value;
	int n;
	size_t i;

	for (; sscanf(text, " %7s %llx%n", name, &value, &n) == 2; text += n)
		for (i = 0; i < ARRAY_SIZE(pairs); i++)
			if (!strcmp(pairs[i].name, name))
				*pairs[i].to = value;
}

/* "PROCESSOR 0:50654 TIME 1700000000 SOCKET 0 APIC 0 microcode 2000065" */
static bool take_processor(struct mce *mce, const char *text)
{
	u32 vendor;

	if (sscanf(text, "PROCESSOR %u:%x TIME %llu SOCKET %u APIC %x microcode %x", &vendor,
		   &mce->cpuid, &mce->time, &mce->socket, &mce->apicid,
		   &mce->microcode) != 6)
		return false;
	mce->vendor = vendor;
	return true;
}

/* "RIP !INEXACT! 10:<ffffffff81000010> {where}" */
static bool take_ip(struct mce *mce, const char *text)
{
	u32 cs;
	u64 ip;

	if (sscanf(text, "RIP %x:<%llx>", &cs, &ip) != 2 &&
	    sscanf(text, "RIP !INEXACT! %x:<%llx>", &cs, &ip) != 2)
		return false;
	mce->cs = cs;
	mce->ip = ip;
	return true;
}

/* Without what the kernel puts in front of it; NULL: another line. */
static const char *text_of(const struct klog_line *line, char *buf, size_t size)
{
	const char *tag;

	if (line->priority < 0 || line->priority >= FACILITY || line->len >= size)
		return NULL;
	memcpy(buf, line->text, line->len);
	buf[line->len] = 0;
	tag = strstr(buf, TAG);
	return tag ? tag + strlen(TAG) : NULL;
}

static int take_line(struct parser *p, const struct klog_line *line)
{
	char buf[LINE_MAX];
	const char *text = text_of(line, buf, sizeof(buf));
	int ret;

	if (!text)
		return p->open && p->quiet++ >= LINES_APART ? finish(p) : 0;
	p->quiet = 0;
	ret = take_first(p, text, line->mono_ns);
	if (ret)
		return ret < 0 ? ret : 0;
	if (!p->open)
		return 0;
	if (take_processor(&p->mce, text))
		return finish(p);
	if (!take_ip(&p->mce, text) && !strncmp(text, "TSC ", 4))
		take_pairs(&p->mce, text);
	return 0;
}

int mce_log_take(struct mces *mces, const struct klog *klog, const struct clock *clock,
		 struct err *err)
{
	struct parser p = { .mces = mces, .clock = clock, .err = err };
	int ret = 0;
	u32 i;

	for (i = 0; i < klog->nr && !ret; i++)
		ret = take_line(&p, &klog->lines[i]);
	return ret ? ret : finish(&p);
}
