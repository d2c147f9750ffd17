// SPDX-License-Identifier: GPL-2.0-only
/*
 * Marks with fields.
 *
 * A kind is a name with its fields: the format's text says whether two are the same.  Its first mark
 * puts the format into the region, where it stays as long as the region's generation does.  So a user
 * gets some kinds, all users together not many more, and what is left is root's.
 */
#include <linux/bitops.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <epitaph/check.h>
#include <epitaph/mark.h>
#include "events/fields.h"
#include "recorder.h"
#include "typed_mark.h"
#include "user_mark.h"

/* Read at run time, so that the compiler does not invert it into the code. */
static const volatile u64 magic_inverted = EPITAPH_MAGIC_INVERTED;

#define KINDS		48
#define OTHERS_KINDS	16	/* of all users but root */
#define USER_KINDS	8	/* of one of them */
#define FORMAT_SIZE	4096	/* 16 fields of long names have 3 KiB */

/**
 * struct kind - of marks
 * @id: of its events
 * @user: who had the first one
 * @format: the text, where its number is 0
 */
struct kind {
	u32 id;
	kuid_t user;
	char *format;
};

static DEFINE_MUTEX(lock);	/* all of the following */
static struct kind kinds[KINDS];
static u32 nr_kinds;
static u32 spare_id;		/* of a format that found no room; 0: none */

/* A mark on its way. */
struct typed {
	struct epitaph_mark_event event;
	struct epitaph_mark_field *fields;
	char *text;
};

/* --- what came from user space ---------------------------------------------------- */

static bool is_name(const char *name)
{
	size_t i, n = strnlen(name, 32);

	if (!n || n == 32 || isdigit(name[0]))
		return false;
	for (i = 0; i < n; i++)
		if (!isascii(name[i]) || (!isalnum(name[i]) && name[i] != '_'))
			return false;
	return true;
}

/* Names that each mark has already, or each event. */
static bool is_name_taken(const struct typed *mark, u32 nr)
{
	const char *name = mark->fields[nr].name;
	u32 i;

	for (i = 0; i < nr; i++)
		if (!strcmp(mark->fields[i].name, name))
			return true;
	return !strcmp(name, "cpu") || !strcmp(name, "uid") || !strcmp(name, "dropped") ||
	       !strncmp(name, "common_", 7);
}

static int check_fields(const struct typed *mark)
{
	u64 text = 0;
	u32 i;

	for (i = 0; i < mark->event.nr_fields; i++) {
		const struct epitaph_mark_field *field = &mark->fields[i];

		if (!is_name(field->name) || is_name_taken(mark, i) || field->reserved ||
		    field->type < EPITAPH_MARK_U64 || field->type > EPITAPH_MARK_STRING)
			return -EINVAL;
		if (field->type != EPITAPH_MARK_STRING)
			continue;
		if (field->value > mark->event.text_size)
			return -EINVAL;
		text += field->value;
	}
	if (text != mark->event.text_size || (text && memchr(mark->text, 0, text)))
		return -EINVAL;
	return 0;
}

static void *copy_of(u64 at, size_t size)
{
	return size ? memdup_user(u64_to_user_ptr(at), size) : NULL;
}

static int take_typed(struct typed *mark, const void __user *from)
{
	struct epitaph_mark_event *event = &mark->event;

	if (copy_from_user(event, from, sizeof(*event)))
		return -EFAULT;
	if (!is_name(event->name))
		return -EINVAL;
	if (event->nr_fields > EPITAPH_MARK_FIELDS || event->text_size > EPITAPH_MARK_TEXT)
		return -EMSGSIZE;
	mark->fields = copy_of(event->fields, event->nr_fields * sizeof(*mark->fields));
	if (IS_ERR(mark->fields))
		return PTR_ERR(mark->fields);
	mark->text = copy_of(event->text, event->text_size);
	if (IS_ERR(mark->text)) {
		kfree(mark->fields);
		return PTR_ERR(mark->text);
	}
	return 0;
}

/* --- kinds ------------------------------------------------------------------------ */

static u32 field_size(const struct epitaph_mark_field *field)
{
	return field->type == EPITAPH_MARK_STRING ? 4 : 8;
}

/* Behind @off: where @field begins. */
static u32 field_at(u32 off, const struct epitaph_mark_field *field)
{
	return ALIGN(off + EPITAPH_COMMON_BYTES, field_size(field)) - EPITAPH_COMMON_BYTES;
}

static const char *type_of_mark_field(const struct epitaph_mark_field *field)
{
	return field->type == EPITAPH_MARK_STRING ? "__data_loc char[]" :
	       field->type == EPITAPH_MARK_S64 ? "s64" : "u64";
}

static const char *print_of_mark_field(const struct epitaph_mark_field *field)
{
	return field->type == EPITAPH_MARK_STRING ? "%s" : field->type == EPITAPH_MARK_S64 ? "%lld" :
	       field->type == EPITAPH_MARK_X64 ? "0x%llx" : "%llu";
}

/* As the kernel's own "format" files are. */
static char *format_of(const struct typed *mark)
{
	char *text = kmalloc(FORMAT_SIZE, GFP_KERNEL);
	u32 i, off = sizeof(struct epitaph_mark_head);
	int n;

	if (!text)
		return NULL;
	n = scnprintf(text, FORMAT_SIZE, "name: %s\nID: 0\nformat:\n\n", mark->event.name);
	for (i = 0; i < 3; i++)
		n += scnprintf(text + n, FORMAT_SIZE - n, "\tfield:unsigned int %s;\toffset:%u;\tsize:4;\tsigned:0;\n",
			       i ? i == 1 ? "uid" : "dropped" : "cpu", EPITAPH_COMMON_BYTES + 4 * i);
	for (i = 0; i < mark->event.nr_fields; i++) {
		const struct epitaph_mark_field *field = &mark->fields[i];

		off = field_at(off, field);
		n += scnprintf(text + n, FORMAT_SIZE - n, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
			       type_of_mark_field(field), field->name, off + EPITAPH_COMMON_BYTES, field_size(field),
			       field->type == EPITAPH_MARK_S64);
		off += field_size(field);
	}
	n += scnprintf(text + n, FORMAT_SIZE - n, "\nprint fmt: \"uid=%%u dropped=%%u");
	for (i = 0; i < mark->event.nr_fields; i++)
		n += scnprintf(text + n, FORMAT_SIZE - n, " %s=%s", mark->fields[i].name, print_of_mark_field(&mark->fields[i]));
	n += scnprintf(text + n, FORMAT_SIZE - n, "\", REC->uid, REC->dropped");
	for (i = 0; i < mark->event.nr_fields; i++)
		n += scnprintf(text + n, FORMAT_SIZE - n, mark->fields[i].type == EPITAPH_MARK_STRING ?
			       ", __get_str(%s)" : ", REC->%s", mark->fields[i].name);
	scnprintf(text + n, FORMAT_SIZE - n, "\n");
	return text;
}

static bool may_have_another(kuid_t user)
{
	u32 i, own = 0, others = 0;

	if (nr_kinds == KINDS)
		return false;
	if (epitaph_mark_is_root(user))
		return true;
	for (i = 0; i < nr_kinds; i++) {
		own += uid_eq(kinds[i].user, user);
		others += !epitaph_mark_is_root(kinds[i].user);
	}
	return own < USER_KINDS && others < OTHERS_KINDS;
}

/* Of one that is new.  @format is the kind's then. */
static int add_kind(kuid_t user, char *format)
{
	int err;

	if (!may_have_another(user))
		return -EDQUOT;
	spare_id = spare_id ?: epitaph_id_take();
	if (!spare_id)
		return -ENOSPC;
	err = epitaph_format_publish(spare_id, "mark", format);
	if (err)
		return err;
	kinds[nr_kinds++] = (struct kind){ .id = spare_id, .user = user, .format = format };
	spare_id = 0;
	return kinds[nr_kinds - 1].id;
}

static int find_or_add_kind(kuid_t user, char *format)
{
	u32 i;

	for (i = 0; i < nr_kinds; i++) {
		if (strcmp(kinds[i].format, format))
			continue;
		kfree(format);
		return kinds[i].id;
	}
	return add_kind(user, format);
}

/* Return: the id of its events, or an error. */
static int id_of(const struct typed *mark)
{
	char *format = format_of(mark);
	int id;

	if (!format)
		return -ENOMEM;
	mutex_lock(&lock);
	id = find_or_add_kind(epitaph_mark_user(), format);
	mutex_unlock(&lock);
	if (id < 0)
		kfree(format);
	return id;
}

void epitaph_typed_marks_forget(void)
{
	while (nr_kinds)
		kfree(kinds[--nr_kinds].format);
	spare_id = 0;
}

/* --- a mark ----------------------------------------------------------------------- */

/* With a byte behind each text. */
static size_t typed_size(const struct typed *mark)
{
	size_t off = sizeof(struct epitaph_mark_head);
	u32 i, texts = 0;

	for (i = 0; i < mark->event.nr_fields; i++) {
		off = field_at(off, &mark->fields[i]) + field_size(&mark->fields[i]);
		texts += mark->fields[i].type == EPITAPH_MARK_STRING;
	}
	return off + mark->event.text_size + texts;
}

static void fill_payload(const struct typed *mark, u8 *payload, size_t size)
{
	u32 i, off = sizeof(struct epitaph_mark_head);
	const char *text = mark->text;
	u8 *behind = payload + size;

	for (i = 0; i < mark->event.nr_fields; i++)
		if (mark->fields[i].type == EPITAPH_MARK_STRING)
			behind -= mark->fields[i].value + 1;
	for (i = 0; i < mark->event.nr_fields; i++) {
		const struct epitaph_mark_field *field = &mark->fields[i];
		u32 where;

		off = field_at(off, field);
		if (field->type == EPITAPH_MARK_STRING) {
			where = (u32)(field->value + 1) << 16 | (u32)(behind - payload + EPITAPH_COMMON_BYTES);
			memcpy(payload + off, &where, sizeof(where));
			memcpy(behind, text, field->value);
			text += field->value;
			behind += field->value + 1;
		} else {
			memcpy(payload + off, &field->value, sizeof(field->value));
		}
		off += field_size(field);
	}
}

/*
 * Where a page of the region begins it would be the beginning of a generation's header, and the rest
 * of the header may be in the fields behind it.  An event lies at whole words.
 */
static bool begins_header(const u8 *payload, size_t size)
{
	size_t i;

	for (i = 0; i + sizeof(u64) <= size; i += sizeof(u32))
		if (get_unaligned_le64(payload + i) == ~magic_inverted)
			return true;
	return false;
}

static int leave_mark(const struct typed *mark)
{
	size_t size = typed_size(mark);
	u8 *payload = kzalloc(size, GFP_KERNEL);
	int err;

	if (!payload)
		return -ENOMEM;
	fill_payload(mark, payload, size);
	err = begins_header(payload, size) ? -EINVAL : id_of(mark);
	if (err > 0)
		err = epitaph_mark_put(err, (struct epitaph_mark_head *)payload, size, size);
	kfree(payload);
	return err;
}

long epitaph_typed_mark_ioctl(struct file *file, unsigned int number, unsigned long arg)
{
	struct typed mark;
	long err;

	if (number != EPITAPH_MARK_EVENT)
		return -ENOTTY;
	err = take_typed(&mark, (const void __user *)arg);
	if (err)
		return err;
	err = check_fields(&mark) ?: leave_mark(&mark);
	kfree(mark.fields);
	kfree(mark.text);
	return err;
}
