// SPDX-License-Identifier: GPL-2.0-or-later
/* The capture kernel's epitaph reads no BTF: libbpf brings libelf along. */
#include "btf.h"

#ifdef EPITAPH_NO_BTF

int ktypes_open(struct ktypes **ret, struct vmem *vmem, struct kallsyms *kallsyms,
		struct err *err)
{
	(void)ret, (void)vmem, (void)kallsyms;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "this epitaph was built without BTF");
}

int ktypes_parse(struct ktypes **ret, const void *data, size_t size, struct err *err)
{
	(void)data, (void)size;
	return ktypes_open(ret, NULL, NULL, err);
}

void ktypes_close(struct ktypes *kt)
{
	(void)kt;
}

bool ktypes_member(const struct ktypes *kt, const char *type, const char *path,
		   struct kmember *ret)
{
	(void)kt, (void)type, (void)path, (void)ret;
	return false;
}

bool ktypes_offset(const struct ktypes *kt, const char *type, const char *path,
		   enum kkind kind, u32 *ret)
{
	(void)kt, (void)type, (void)path, (void)kind, (void)ret;
	return false;
}

bool ktypes_size(const struct ktypes *kt, const char *type, u32 *ret)
{
	(void)kt, (void)type, (void)ret;
	return false;
}

const char *ktypes_of(const struct ktypes *kt, const struct kmember *member)
{
	(void)kt, (void)member;
	return "";
}

bool ktypes_enum_value(const struct ktypes *kt, const char *type, const char *name, s64 *ret)
{
	(void)kt, (void)type, (void)name, (void)ret;
	return false;
}

const char *ktypes_enum_name(const struct ktypes *kt, const char *type, s64 value)
{
	(void)kt, (void)type, (void)value;
	return NULL;
}

#endif
