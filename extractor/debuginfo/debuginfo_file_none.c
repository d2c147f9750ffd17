// SPDX-License-Identifier: GPL-2.0-or-later
/* epitaph in the capture kernel reads no debuginfo: there is none, and libdw is large. */
#include "debuginfo_file.h"

#ifdef EPITAPH_NO_DWARF

#include <unistd.h>

int debug_file_open(struct debug_file **ret, int fd, struct err *err)
{
	(void)ret;
	close(fd);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "this epitaph was built without debuginfo");
}

void debug_file_close(struct debug_file *file)
{
	(void)file;
}

const char *debug_file_build_id(const struct debug_file *file)
{
	(void)file;
	return "";
}

bool debug_file_is_module(const struct debug_file *file)
{
	(void)file;
	return false;
}

int debug_file_load(struct debug_file *file, struct err *err)
{
	(void)file;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "this epitaph was built without debuginfo");
}

bool debug_file_symbol(struct debug_file *file, const char *name, size_t len, u64 size, u64 *ret)
{
	(void)file, (void)name, (void)len, (void)size, (void)ret;
	return false;
}

u32 debug_file_frames(struct debug_file *file, u64 addr,
		      struct debug_frame frames[DEBUG_FRAMES_MAX])
{
	(void)file, (void)addr, (void)frames;
	return 0;
}

#endif
