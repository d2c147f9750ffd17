// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plays crash(8) for its extension: crash_stub EXTENSION IMAGE LINE...
 *
 * IMAGE is the memory from 1 GiB on; the "kernel" has a list of resources that
 * says so, in our own memory.  A LINE is a command; "> FILE" at its end sends
 * what it prints there.  What the extension says as an error goes to stderr.
 *
 * $STUB is a list of what is wrong or unusual: no-symbols, circle, die, absent, large.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE	0x40000000ULL

struct command {
	char *name;
	void (*run)(void);
	char **help;
	unsigned long flags;
};

struct resource {
	uint64_t start;
	uint64_t end;
	const char *name;
	struct resource *sibling;
	struct resource *child;
};

FILE *fp;
char *args[100];
int argcnt;

void register_extension(struct command *table);
int readmem(unsigned long long addr, int type, void *buf, long size, char *what, unsigned long on_error);
int symbol_exists(char *name);
unsigned long symbol_value(char *name);
long datatype_info(char *type, char *member, void *unused);
int __error(int type, char *fmt, ...);

static struct command *commands;
static uint8_t *image;
static uint64_t size;

/* What crash would read of the dumped kernel. */
static struct {
	struct resource root, pci, ram, ours;
	char names[3][32];
	char *vmcoreinfo;
	uint64_t vmcoreinfo_size;
	char info[64];
} kernel = {
	.names = { "PCI Bus 0000:00", "System RAM", "System RAM (epitaph)" },
	.info = "OSRELEASE=6.1.0-stub\n",
};

static int is_wrong(const char *what)
{
	return getenv("STUB") && strstr(getenv("STUB"), what);
}

static void make_kernel(void)
{
	kernel.root.child = &kernel.pci;
	kernel.pci = (struct resource){ 0, 0xfff, kernel.names[0], &kernel.ram, NULL };
	kernel.ram = (struct resource){ BASE - 0x10000, BASE + size + 0xffff, kernel.names[1], NULL,
					&kernel.ours };
	kernel.ours = (struct resource){ BASE, BASE + size - 1, kernel.names[2], NULL, NULL };
	if (is_wrong("circle"))
		kernel.ours.sibling = kernel.ours.child = &kernel.ours;
	kernel.vmcoreinfo = kernel.info;
	kernel.vmcoreinfo_size = strlen(kernel.info);
}

void register_extension(struct command *table)
{
	commands = table;
}

/* The extension must ask for no more than is sure to come back. */
int readmem(unsigned long long addr, int type, void *buf, long n, char *what, unsigned long on_error)
{
	uintptr_t start = (uintptr_t)&kernel;

	if (on_error != (0x2 | 0x4) || !what || (type != 0x1 && type != 0x4) || n <= 0)
		abort();
	if (type == 0x1) {
		if (addr < start || addr + n > start + sizeof(kernel))
			return 0;
		memcpy(buf, (void *)(uintptr_t)addr, n);
		return 1;
	}
	if (is_wrong("die"))
		raise(SIGSEGV);
	if (is_wrong("absent") || addr < BASE || addr + n > BASE + size)
		return 0;
	memcpy(buf, image + (addr - BASE), n);
	return 1;
}

unsigned long symbol_value(char *name)
{
	if (!strcmp(name, "iomem_resource"))
		return (uintptr_t)&kernel.root;
	if (!strcmp(name, "vmcoreinfo_data"))
		return (uintptr_t)&kernel.vmcoreinfo;
	if (!strcmp(name, "vmcoreinfo_size"))
		return (uintptr_t)&kernel.vmcoreinfo_size;
	return 0;
}

int symbol_exists(char *name)
{
	return !is_wrong("no-symbols") && symbol_value(name);
}

long datatype_info(char *type, char *member, void *unused)
{
	static const char *const members[] = { "start", "end", "name", "sibling", "child" };

	for (int i = 0; !unused && !strcmp(type, "resource") && i < 5; i++)
		if (!strcmp(member, members[i]))
			return i * 8;
	return -1;
}

int __error(int type, char *fmt, ...)
{
	va_list ap;

	if (type != 1)
		abort();
	fputs("epitaph: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	return 1;
}

static void run_line(char *line)
{
	char *file = strstr(line, "> "), *word;

	fp = file ? fopen(file + 2, "w") : stdout;
	if (!fp)
		exit(99);
	if (file)
		*file = '\0';
	argcnt = 0;
	for (word = strtok(line, " "); word && argcnt < 99; word = strtok(NULL, " "))
		args[argcnt++] = word;
	args[argcnt] = NULL;
	for (struct command *c = commands; c && c->name; c++)
		if (argcnt && !strcmp(c->name, args[0]))
			c->run();
	if (file)
		fclose(fp);
}

static void load(const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f || fseek(f, 0, SEEK_END))
		exit(99);
	size = ftell(f);
	image = malloc(size);
	rewind(f);
	if (!image || fread(image, 1, size, f) != size)
		exit(99);
	fclose(f);
}

/* As crash with its debuginfo: more than a reader may take for itself. */
static void grow(void)
{
	size_t much = 300 << 20;
	char *p = malloc(much);

	if (!p)
		exit(99);
	memset(p, 1, much);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 99;
	if (is_wrong("large"))
		grow();
	load(argv[2]);
	make_kernel();
	fp = stdout;
	if (!dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) {
		fprintf(stderr, "%s\n", dlerror());
		return 99;
	}
	for (int i = 3; i < argc; i++)
		run_line(argv[i]);
	puts("the session goes on");
	return 0;
}
