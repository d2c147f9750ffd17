// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of disks behind the numbers that an event prints, of symbols as the recorder writes them.
 *
 * build: @extractor
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/checksum.h"
#include "report/device_names.h"
#include "tap.h"

#define SALT	5
#define DEV(major, minor)	((uint32_t)(major) << 20 | (minor))

static const char remap[] =
	"name: remap\nID: 20\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:u32 sector;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:dev_t old_dev;\toffset:16;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"%u\", REC->sector\n";

static struct epitaph_symbol table[4];
static struct section sec = {
	.type = EPITAPH_SEC_SYMBOLS, .size = sizeof(table), .unit = sizeof(*table),
};
static struct generation generation = { .sections = &sec, .nr_sections = 1 };
static struct recording recording;
static struct postmortem pm = { .recording = &recording };
static struct stream stream = { .order = ORDER_LITTLE };
static uint32_t payload[3];
static struct item item = { .stream = &stream, .id = 20, .payload = payload, .size = sizeof(payload) };

static void add(unsigned int entry, uint32_t dev, const char *name, uint64_t until)
{
	struct epitaph_symbol *s = &table[entry];

	s->addr = htole64(SYMBOLS_DEVICE + dev);
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->until = htole64(until);
	s->check = htole64(checksum(SALT, s, offsetof(struct epitaph_symbol, check)));
}

static void begin(void)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8 };
	int fd = memfd_create("region", 0);
	struct err err = ERR_INIT;

	add(0, DEV(8, 1), "sda1", 0);
	add(1, DEV(8, 0), "sda", 0);
	add(2, DEV(259, 3), "nvme0n1", 1000);
	add(3, DEV(259, 3), "nvme1n1", 0);
	generation.hdr.salt = SALT;
	generation.hdr.minor = 4;
	CHECK(!ftruncate(fd, 4096) && write(fd, table, sizeof(table)) == sizeof(table), "written");
	CHECK(!dump_open_live(&generation.in, fd, &err), "%s", err.msg);
	CHECK(!formats_new(&stream.formats, &machine, NULL, &err), "%s", err.msg);
	CHECK(formats_add(stream.formats, 20, "block", "remap", 5, remap), "added");
	CHECK(!symbols_read(&recording.symbols, &generation, stream.formats, &err), "%s", err.msg);
}

static void end(void)
{
	symbols_free(recording.symbols);
	formats_free(stream.formats);
	dump_close(generation.in);
}

/* What becomes of @text, of an event of these two disks. */
static void prints(uint32_t dev, uint32_t old_dev, const char *text, const char *want)
{
	struct pack p = { 0 };

	payload[0] = dev;
	payload[2] = old_dev;
	pack_bytes(&p, text, strlen(text));
	device_names_put(&p, 0, &pm, &item);
	CHECK(p.size == strlen(want) && !memcmp(p.data, want, p.size), "'%.*s', not '%s'", (int)p.size,
	      (const char *)p.data, want);
	pack_free(&p);
}

static void names__stand_behind_their_numbers(void)
{
	begin();
	prints(DEV(8, 1), 0, "8,1 R 0 + 8", "8,1 (sda1) R 0 + 8");
	prints(DEV(8, 0), DEV(8, 1), "8,0 R 2048 + 8 <- (8,1) 0", "8,0 (sda) R 2048 + 8 <- (8,1 (sda1)) 0");
	prints(DEV(8, 1), 0, "dev 8:1 ino 5", "dev 8:1 (sda1) ino 5");
	prints(DEV(8, 1), 0, "dev=8388609 sector=1", "dev=8388609 (sda1) sector=1");
	prints(DEV(8, 1), 0, "8,1", "8,1 (sda1)");
	end();
}

static void names__stand_behind_no_other_number(void)
{
	begin();
	prints(DEV(8, 1), 0, "18,1 8,10 8,1", "18,1 8,10 8,1 (sda1)");
	prints(DEV(8, 1), 0, "28,1 8,12", "28,1 8,12");
	prints(DEV(7, 7), 0, "7,7 R", "7,7 R");
	prints(DEV(8, 1), 0, "", "");
	end();
}

static void names__are_those_of_the_event_s_time(void)
{
	begin();
	item.raw = 999;
	prints(DEV(259, 3), 0, "259,3", "259,3 (nvme0n1)");
	item.raw = 1001;
	prints(DEV(259, 3), 0, "259,3", "259,3 (nvme1n1)");
	item.raw = 0;
	end();
}

static void names__are_members_of_json(void)
{
	char *text = NULL;
	size_t size;
	struct json j = { .f = open_memstream(&text, &size) };

	begin();
	payload[0] = DEV(8, 0);
	payload[2] = DEV(9, 9);
	json_open(&j, NULL, '{');
	device_names_json(&j, &pm, &item);
	json_u64(&j, "end", 1);
	json_close(&j, '}');
	json_flush(&j);
	fclose(j.f);
	CHECK(!strcmp(text, "{\"devices\":{\"dev\":\"sda\"},\"end\":1}"), "%s", text);
	free(text);
	end();
}

static void names__are_not_looked_for_in_what_an_event_lacks(void)
{
	begin();
	item.size = 4;
	prints(DEV(8, 0), DEV(8, 1), "8,0 8,1", "8,0 (sda) 8,1");
	item.size = 2;
	prints(DEV(8, 0), DEV(8, 1), "8,0 8,1", "8,0 8,1");
	item.size = sizeof(payload);
	end();
}

int main(void)
{
	TAP_RUN(names__stand_behind_their_numbers);
	TAP_RUN(names__stand_behind_no_other_number);
	TAP_RUN(names__are_those_of_the_event_s_time);
	TAP_RUN(names__are_members_of_json);
	TAP_RUN(names__are_not_looked_for_in_what_an_event_lacks);
	return tap_done();
}
