// SPDX-License-Identifier: GPL-2.0-or-later
#include "mce_from_log.h"

#include <stdio.h>
#include <string.h>

#define TAG		"[Hardware Error]: "
#define LINE_MAX	512	/* longer lines are ignored */
#define LINES_APART	16	/* other lines between two lines of one machine check */
#define FACILITY	8	/* priorities below are those of the kernel itself */

/*
 * The machine check whose lines are being read.
 * @quiet: other lines since its last line
 */
struct mce_parser {
	struct mces *mces;
	struct mce mce;
	bool open;
	u32 quiet;
	const struct clock *clock;
	struct err *err;
};

static int finish_mce(struct mce_parser *p)
{
	if (!p->open)
		return 0;
	p->open = false;
	return mces_add(p->mces, &p->mce, p->err);
}

/* "CPU 0: Machine Check: 0 Bank 5: b200000000070f0f" */
static int parse_first_line(struct mce_parser *p, const char *text, u64 mono_ns)
{
	u32 cpu, bank;
	u64 mcg, status;
	int ret;

	if (sscanf(text, "CPU %u: Machine Check: %llx Bank %u: %llx", &cpu, &mcg, &bank,
		   &status) != 4 &&
	    sscanf(text, "CPU %u: Machine Check Exception: %llx Bank %u: %llx", &cpu, &mcg,
		   &bank, &status) != 4)
		return 0;
	ret = finish_mce(p);
	p->open = true;
	p->mce = (struct mce){
		.sources = 1U << MCE_KERNEL_LOG, .pid = -1, .mono_ns = mono_ns,
		.real_ns = p->clock ? clock_real_of_mono(p->clock, mono_ns) : 0,
		.cpu = cpu, .recorded_by = cpu, .mcgstatus = mcg, .bank = bank, .status = status,
	};
	return ret ? ret : 1;
}

/* "TSC 0 ADDR 12345000 MISC 86 ": names and numbers in turn. */
static void parse_registers(struct mce *mce, const char *text)
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
static bool parse_processor(struct mce *mce, const char *text)
{
	u32 vendor;

	if (sscanf(text, "PROCESSOR %u:%x TIME %llu SOCKET %u APIC %x microcode %x", &vendor,
		   &mce->cpuid, &mce->time, &mce->socket, &mce->apicid,
		   &mce->microcode) != 6)
		return false;
	mce->vendor = vendor;
	return true;
}

static int parse_mce_line(struct mce_parser *p, const struct klog_line *line)
{
	struct mce *mce = &p->mce;
	char buf[LINE_MAX];
	const char *tag = NULL, *text;
	u32 cs;
	u64 ip;
	int ret;

	if (line->priority >= 0 && line->priority < FACILITY && line->len < sizeof(buf)) {
		memcpy(buf, line->text, line->len);
		buf[line->len] = 0;
		tag = strstr(buf, TAG);
	}
	if (!tag)
		return p->open && p->quiet++ >= LINES_APART ? finish_mce(p) : 0;
	text = tag + strlen(TAG);
	p->quiet = 0;
	ret = parse_first_line(p, text, line->mono_ns);
	if (ret)
		return ret < 0 ? ret : 0;
	if (!p->open)
		return 0;
	if (parse_processor(mce, text))
		return finish_mce(p);
	/* "RIP !INEXACT! 10:<ffffffff81000010> {where}" */
	if (sscanf(text, "RIP %x:<%llx>", &cs, &ip) == 2 ||
	    sscanf(text, "RIP !INEXACT! %x:<%llx>", &cs, &ip) == 2) {
		mce->cs = cs;
		mce->ip = ip;
	} else if (!strncmp(text, "TSC ", 4)) {
		parse_registers(mce, text);
	}
	return 0;
}

int mce_log_take(struct mces *mces, const struct klog *klog, const struct clock *clock,
		 struct err *err)
{
	struct mce_parser p = { .mces = mces, .clock = clock, .err = err };
	int ret = 0;
	u32 i;

	for (i = 0; i < klog->nr && !ret; i++)
		ret = parse_mce_line(&p, &klog->lines[i]);
	return ret ? ret : finish_mce(&p);
}
