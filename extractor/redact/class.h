/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a field of an event says, and what a profile does with that: classes.text, and a file of
 * the user's before it. docs/redact.md describes both.
 */
#ifndef EPITAPH_REDACT_CLASS_H
#define EPITAPH_REDACT_CLASS_H

#include "base/err.h"

/* In the order of classes.text. */
enum field_class {
	CLASS_PLAIN,
	CLASS_RESULT,
	CLASS_SYMBOL,
	CLASS_LOG,
	CLASS_TASK,
	CLASS_MODULE,
	CLASS_DEVICE,
	CLASS_BUILD,
	CLASS_PID,
	CLASS_USER,
	CLASS_ADDRESS,
	CLASS_REGISTER,
	CLASS_FILE,
	CLASS_NETWORK,
	CLASS_CGROUP,
	CLASS_HOST,
	CLASS_TEXT,
	CLASS_PRIVATE,
	NR_CLASSES,
};

enum redact_profile {
	PROFILE_NONE,		/* as before there were profiles: no classes */
	PROFILE_PUBLIC,
	PROFILE_VENDOR,
	PROFILE_FULL,
};

enum class_fate {
	FATE_PSEUDONYM,
	FATE_WORDS,		/* known words stay */
	FATE_KEEP,
};

#define CLASSES_FILE_MAX	(1U << 20)	/* bytes of a file of the user's */

struct classes;
struct layout_field;

/* The built-in table, terminated: classes.text. */
extern const char class_table[];

/**
 * classes_new() - the built-in table, and a file of the user's before it
 * @ret: for classes_free(), which accepts NULL
 * @more: @size bytes of the file called @name; NULL: there is none
 *
 * Return: 0; -ERR_USAGE: which line of @name and why; -ERR_IO without memory.
 */
int classes_new(struct classes **ret, const char *more, size_t size, const char *name,
		struct err *err);
void classes_free(struct classes *classes);

/**
 * classes_field() - the class of a field
 * @is_own: the kernel named the event; else only lines of the user's file count
 */
enum field_class classes_field(const struct classes *classes, const char *system,
			       const char *event, const struct layout_field *field, bool is_own);

/* Is it a system of the kernel's own events; a module of its source? @name has @len bytes. */
bool classes_has_system(const struct classes *classes, const char *name);
bool classes_has_module(const struct classes *classes, const char *name, size_t len);

enum class_fate classes_fate(const struct classes *classes, enum field_class class,
			     enum redact_profile profile);
const char *classes_name(const struct classes *classes, enum field_class class);
const char *classes_meaning(const struct classes *classes, enum field_class class);

/* PROFILE_NONE: there is no such profile, which @err says, with those that there are. */
enum redact_profile profile_named(const char *name, struct err *err);
const char *profile_name(enum redact_profile profile);

#endif
