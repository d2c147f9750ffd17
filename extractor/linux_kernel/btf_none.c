// SPDX-License-Identifier: GPL-2.0-or-later
/* The capture kernel's epitaph reads no BTF: libbpf brings libelf along. */
#include "btf.h"

#ifdef EPITAPH_NO_BTF

int kernel_btf_open(struct kernel_btf **ret, struct vmem *vmem, struct kallsyms *kallsyms,
		    struct err *err)
{
	(void)ret, (void)vmem, (void)kallsyms;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "this epitaph was built without BTF");
}

int kernel_btf_parse(struct kernel_btf **ret, const void *data, size_t size, struct err *err)
{
	(void)data, (void)size;
	return kernel_btf_open(ret, NULL, NULL, err);
}

int kernel_btf_parse_module(struct kernel_btf **ret, const void *data, size_t size,
			    const struct kernel_btf *base, struct err *err)
{
	(void)base;
	return kernel_btf_parse(ret, data, size, err);
}

void kernel_btf_close(struct kernel_btf *kt)
{
	(void)kt;
}

bool kernel_btf_can_be_read(void)
{
	return false;
}

bool kernel_btf_is_recorders(const struct kernel_btf *kt)
{
	(void)kt;
	return false;
}

bool kernel_btf_member(const struct kernel_btf *kt, const char *type, const char *path,
		       struct btf_member_place *ret)
{
	(void)kt, (void)type, (void)path, (void)ret;
	return false;
}

bool kernel_btf_offset(const struct kernel_btf *kt, const char *type, const char *path,
		       enum btf_kind kind, u32 *ret)
{
	(void)kt, (void)type, (void)path, (void)kind, (void)ret;
	return false;
}

bool kernel_btf_size(const struct kernel_btf *kt, const char *type, u32 *ret)
{
	(void)kt, (void)type, (void)ret;
	return false;
}

bool kernel_btf_percpu(const struct kernel_btf *kt, const char *name, u32 *ret)
{
	(void)kt, (void)name, (void)ret;
	return false;
}

const char *kernel_btf_of(const struct kernel_btf *kt, const struct btf_member_place *member)
{
	(void)kt, (void)member;
	return "";
}

bool kernel_btf_parameter(const struct kernel_btf *kt, const char *function, u32 nr,
			  struct btf_parameter *ret)
{
	(void)kt, (void)function, (void)nr, (void)ret;
	return false;
}

bool kernel_btf_behind(const struct kernel_btf *kt, u32 pointer, u32 offset, u32 size, char *path,
		       size_t room, u32 *type)
{
	(void)kt, (void)pointer, (void)offset, (void)size, (void)path, (void)room, (void)type;
	return false;
}

const char *kernel_btf_pointee(const struct kernel_btf *kt, u32 type)
{
	(void)kt, (void)type;
	return "";
}

bool kernel_btf_enum_value(const struct kernel_btf *kt, const char *type, const char *name,
			   s64 *ret)
{
	(void)kt, (void)type, (void)name, (void)ret;
	return false;
}

const char *kernel_btf_enum_name(const struct kernel_btf *kt, const char *type, s64 value)
{
	(void)kt, (void)type, (void)value;
	return NULL;
}

#endif
