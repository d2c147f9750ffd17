// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_name.h"

#include <ctype.h>
#include <string.h>

#define UUID_LEN	36

/* The name in "web1", "guest=web1,debug-threads=on"; a comma of the name is doubled. */
static void take_word_of_name(char name[KVM_NAME_MAX], const char *value)
{
	const char *key = strstr(value, "guest=");
	size_t n = 0;

	if (key == value || (key && key[-1] == ','))
		value = key + strlen("guest=");
	else if (!strncmp(value, "debug-threads=", 14) || !strncmp(value, "process=", 8))
		return;
	for (; *value && n < KVM_NAME_MAX - 1; value++) {
		if (*value == ',' && *++value != ',')
			break;
		name[n++] = *value;
	}
	name[n] = '\0';
}

static void take_word_of_uuid(char uuid[UUID_LEN + 1], const char *value)
{
	if (strlen(value) != UUID_LEN)
		return;
	for (size_t i = 0; i < UUID_LEN; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (is_dash ? value[i] != '-' : !isxdigit((unsigned char)value[i]))
			return;
	}
	memcpy(uuid, value, UUID_LEN + 1);
}

/* An option with one dash or two. */
static bool is_option(const char *word, const char *name)
{
	word += word[0] == '-' && word[1] == '-';
	return word[0] == '-' && !strcmp(word + 1, name);
}

void guest_name_take(struct kvm_guest *guest, const char *words, size_t size)
{
	const char *end = words + size, *word = words, *value;

	for (; word < end && memchr(word, '\0', end - word); word = value) {
		value = word + strlen(word) + 1;
		if (value >= end || !memchr(value, '\0', end - value))
			return;
		if (is_option(word, "name"))
			take_word_of_name(guest->name, value);
		else if (is_option(word, "uuid"))
			take_word_of_uuid(guest->uuid, value);
	}
}
