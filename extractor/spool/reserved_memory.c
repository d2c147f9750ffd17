// SPDX-License-Identifier: GPL-2.0-or-later
#include "reserved_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEV_MEM	"/dev/mem"
#define CHUNK	4096	/* an address and a size are whole pages of a region */

/* What is no RAM is mapped as a device's: such memory faults on what is not aligned. */
static void copy_words(u64 *to, const volatile u64 *from)
{
	size_t i;

	for (i = 0; i < CHUNK / sizeof(*to); i++)
		to[i] = from[i];
}

static int write_copy(int fd, const u8 *from, u64 size, struct err *err)
{
	u64 chunk[CHUNK / sizeof(u64)], off;

	for (off = 0; off < size; off += CHUNK) {
		copy_words(chunk, (const volatile u64 *)(from + off));
		if (write(fd, chunk, CHUNK) != CHUNK)
			return err_sys(err, "no memory for a copy of the region");
	}
	return 0;
}

static int copy_mapped(const char *name, u64 addr, u64 size, int mem, struct err *err)
{
	u8 *at = mmap(NULL, size, PROT_READ, MAP_SHARED, mem, addr);
	int fd, ret;

	if (at == MAP_FAILED)
		return err_sys(err, DEV_MEM ": %s cannot be mapped (0x%llx, %llu bytes)", name, addr, size);
	fd = memfd_create("region", 0);
	ret = fd < 0 ? err_sys(err, "no memory for a copy of the region") : write_copy(fd, at, size, err);
	munmap(at, size);
	if (ret && fd >= 0)
		close(fd);
	return ret ? ret : fd;
}

int reserved_memory_copy(const char *name, u64 addr, u64 size, struct err *err)
{
	int mem, ret;

	if (!size || addr % CHUNK || size % CHUNK)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "%s of the device tree does not say where it is in whole pages of 4096 bytes", name);
	mem = open(DEV_MEM, O_RDONLY | O_CLOEXEC);
	if (mem < 0)
		return err_sys(err, DEV_MEM ": cannot be opened");
	ret = copy_mapped(name, addr, size, mem, err);
	close(mem);
	return ret;
}
